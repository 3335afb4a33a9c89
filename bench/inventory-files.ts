import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InventoryItem } from '../src/inventory/item.ts';
import { toFixtureJson } from '../src/mock/fixture.ts';
import { generateInventory } from '../src/mock/generate-inventory.ts';
import { MemoryStore } from '../src/stores/memory.ts';

/** An inventory as the servers read it. */
export interface InventoryFiles {
  readonly petIds: readonly bigint[];
  /** What `--fixture` takes. */
  readonly fixture: string;
  /** The list as it is sent. */
  readonly list: string;
}

/** Writes inventories into a folder of its own, each size once. */
export class InventoryFolder {
  readonly #path = mkdtempSync(join(tmpdir(), 'stockcheck-bench-'));
  readonly #files = new Map<number, InventoryFiles>();

  async provide(pets: number): Promise<InventoryFiles> {
    const known = this.#files.get(pets);
    if (known !== undefined) return known;
    const items = [...generateInventory(pets, 7)];
    const files = {
      petIds: items.map(({ petId }) => petId),
      fixture: join(this.#path, `fixture-${pets}.json`),
      list: join(this.#path, `list-${pets}.json`),
    };
    await writeFile(files.fixture, [...toFixtureJson(items)].join(''));
    await writeFile(files.list, toList(items));
    this.#files.set(pets, files);
    return files;
  }

  remove(): void {
    rmSync(this.#path, { recursive: true });
  }
}

function toList(items: readonly InventoryItem[]): Buffer {
  return Buffer.concat(new MemoryStore(items).list());
}
