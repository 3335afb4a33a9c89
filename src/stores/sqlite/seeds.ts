import { createHash } from 'node:crypto';
import type { StatementSync } from 'node:sqlite';
import type { InventoryItem } from '../../inventory/item.ts';
import { ItemTable, toItemTable } from '../../inventory/item-table.ts';
import { SharedSeed } from '../memory-seed.ts';
import { toQuantityColumn, toStock, type StockRow } from './columns.ts';
import type { SqliteConnection } from './connection.ts';
import { RecentlyUsed } from './recently-used.ts';

/** What an inventory starts from, to be added to a file. */
export interface Seed {
  readonly items: ItemTable;
  /** SHA-256 of the items. */
  readonly digest: Uint8Array;
}

/** Entries of the seeds that are kept in memory as well, at about 80 bytes each with their text. */
const room = 4_000_000;

type SeedItemRow = StockRow & { readonly petId: bigint };

/** The seeds of a file. Equal ones are kept once. */
export class Seeds {
  readonly #connection: SqliteConnection;
  /** By number; a number is never given twice. */
  readonly #loaded = new RecentlyUsed<number, SharedSeed>(room);
  /** Seeds by what they were made from, so that it is read once. */
  readonly #known = new WeakMap<Iterable<InventoryItem>, Seed>();
  /** The transaction that was the last to add a seed. */
  #addedIn: number | undefined;
  readonly #find: StatementSync;
  readonly #insert: StatementSync;
  readonly #insertItem: StatementSync;
  readonly #selectItems: StatementSync;
  readonly #isUsed: StatementSync;
  readonly #delete: StatementSync;
  readonly #deleteItems: StatementSync;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
    this.#find = connection.prepare('SELECT number FROM seeds WHERE digest = ?');
    this.#insert = connection.prepare('INSERT INTO seeds (digest) VALUES (?)');
    this.#insertItem = connection.prepare('INSERT INTO seed_items VALUES (?, ?, ?, ?, ?)');
    this.#selectItems = connection.prepareExact(
      'SELECT petId, quantity, status FROM seed_items WHERE seed = ? ORDER BY position',
    );
    this.#isUsed = connection.prepare(
      'SELECT 1 FROM sandboxes WHERE seed = ? UNION ALL SELECT 1 FROM inventories WHERE seed = ?',
    );
    this.#delete = connection.prepare('DELETE FROM seeds WHERE number = ?');
    this.#deleteItems = connection.prepare('DELETE FROM seed_items WHERE seed = ?');
  }

  /**
   * Makes a seed of items, and remembers that for the next time.
   *
   * @throws {RangeError} where a petId stands twice
   */
  remember(items: Iterable<InventoryItem>): Seed {
    const known = this.#known.get(items);
    if (known !== undefined) return known;
    const seed = toSeed(items);
    this.#known.set(items, seed);
    return seed;
  }

  /** Finds a seed in the file, or adds it. Part of a write. @returns its number */
  put({ items, digest }: Seed): number {
    const row = this.#find.get(digest) as { number: number } | undefined;
    if (row !== undefined) return row.number;
    const number = Number(this.#insert.run(digest).lastInsertRowid);
    this.#addedIn = this.#connection.transaction;
    let position = 0;
    for (const { petId, quantity, status } of items) {
      this.#insertItem.run(number, position, petId, toQuantityColumn(quantity), status);
      position += 1;
    }
    return number;
  }

  /** The items of a seed. Part of a read or a write. */
  load(number: number): SharedSeed {
    const loaded = this.#loaded.get(number);
    if (loaded !== undefined) return loaded;
    const items = new ItemTable();
    for (const row of this.#selectItems.iterate(number)) {
      const { petId, ...stock } = row as unknown as SeedItemRow;
      items.add({ petId, ...toStock(stock) });
    }
    const seed = new SharedSeed(items);
    // Where the transaction that adds a seed fails, another is given its number.
    const { transaction } = this.#connection;
    if (transaction === undefined || transaction !== this.#addedIn) {
      this.#loaded.set(number, seed, items.length);
    }
    return seed;
  }

  /** Removes a seed that nothing stands on any longer. Part of a write. */
  removeIfUnused(number: number): void {
    if (this.#isUsed.get(number, number) !== undefined) return;
    this.#deleteItems.run(number);
    this.#delete.run(number);
  }
}

/**
 * Makes a seed of items.
 *
 * @throws {RangeError} where a petId stands twice
 */
export function toSeed(items: Iterable<InventoryItem>): Seed {
  const table = toItemTable(items);
  const hash = createHash('sha256');
  let text = '';
  for (const { petId, quantity, status } of table) {
    text += `${petId},${quantity},${status}\n`;
    if (text.length > 65_536) {
      hash.update(text);
      text = '';
    }
  }
  return { items: table, digest: hash.update(text).digest() };
}
