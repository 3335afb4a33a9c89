import type { ItemTable } from '../../inventory/item-table.ts';
import { Base, parseContent } from './base.ts';

/** How many pets the bases that a process keeps may have altogether. */
const mostPets = 4_000_000;

/** The inventories that this process knows, by digest: they never change. Those used last stay. */
export class Bases {
  readonly #bases = new Map<string, Base>();
  readonly #loading = new Map<string, Promise<Base | undefined>>();
  #pets = 0;

  get(digest: string): Base | undefined {
    const base = this.#bases.get(digest);
    if (base !== undefined) {
      this.#bases.delete(digest);
      this.#bases.set(digest, base);
    }
    return base;
  }

  add(digest: string, table: ItemTable): Base {
    const known = this.get(digest);
    if (known !== undefined) return known;
    const base = new Base(table);
    this.#bases.set(digest, base);
    this.#pets += table.length;
    for (const [oldest, { table: old }] of this.#bases) {
      if (this.#pets <= mostPets || oldest === digest) break;
      this.#bases.delete(oldest);
      this.#pets -= old.length;
    }
    return base;
  }

  /**
   * Loads a base once for all who ask for it meanwhile.
   *
   * @returns `undefined` where there is nothing to read
   */
  async load(digest: string, read: () => Promise<string | undefined>): Promise<Base | undefined> {
    const known = this.get(digest) ?? this.#loading.get(digest);
    if (known !== undefined) return known;
    const loading = read().then((content) =>
      content === undefined ? undefined : this.add(digest, parseContent(content)),
    );
    this.#loading.set(digest, loading);
    try {
      return await loading;
    } finally {
      this.#loading.delete(digest);
    }
  }
}
