import type { InventoryItem } from '../../inventory/item.ts';
import type { FixedTable } from '../../inventory/item-table.ts';
import { SerializedList } from '../serialized-list.ts';
import { parseRow, type Base } from './base.ts';

/**
 * What this process knows of the inventory of a sandbox, as of one revision, so that Redis has to
 * tell only what has changed since.
 */
export class Replica {
  readonly base: Base;
  /** On which connection the revision was learnt: on another server it may mean another state. */
  readonly source: object;
  #revision: number;
  /** Left out: nothing differs from the base. */
  #own: { readonly table: FixedTable; readonly list: SerializedList } | undefined;

  constructor(base: Base, source: object, revision: number, rows: readonly string[]) {
    this.base = base;
    this.source = source;
    this.#revision = revision;
    this.#write(rows);
  }

  get revision(): number {
    return this.#revision;
  }

  /** Takes over rows that changed, unless a later answer has come before. */
  apply(revision: number, rows: readonly string[]): void {
    if (revision <= this.#revision) return;
    this.#revision = revision;
    this.#write(rows);
  }

  list(): readonly Uint8Array[] {
    return (this.#own?.list ?? this.base.list).toSegments();
  }

  get(petId: bigint): InventoryItem | undefined {
    const { table } = this.#own ?? this.base;
    const position = table.positionOf(petId);
    return position === undefined ? undefined : table.at(position);
  }

  /** A copy: the replica may go on. */
  items(): readonly InventoryItem[] {
    return [...(this.#own ?? this.base).table];
  }

  #write(rows: readonly string[]): void {
    if (rows.length === 0) return;
    this.#own ??= copy(this.base);
    const { table, list } = this.#own;
    for (let index = 0; index < rows.length; index += 2) {
      const position = table.positionOf(BigInt(rows[index] ?? ''));
      if (position === undefined) {
        throw new Error(`Redis holds pet ${rows[index]}, which the inventory does not have`);
      }
      table.update(position, parseRow(rows[index + 1] ?? ''));
      list.markStale(position);
    }
  }
}

function copy(base: Base): { readonly table: FixedTable; readonly list: SerializedList } {
  const table = base.table.copy();
  return { table, list: new SerializedList(table, base.list.segments) };
}
