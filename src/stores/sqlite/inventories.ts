import type { StatementSync } from 'node:sqlite';
import { SandboxStore } from '../memory-sandbox.ts';
import type { SharedSeed } from '../memory-seed.ts';
import { toQuantityColumn, toStock, type Stock, type StockRow } from './columns.ts';
import type { SqliteConnection } from './connection.ts';
import { RecentlyUsed } from './recently-used.ts';
import type { Seeds } from './seeds.ts';

interface InventoryRow {
  readonly seed: number;
  readonly revision: number;
  readonly epoch: number;
}

type ChangeRow = StockRow & { readonly position: bigint };

/** An inventory as it was read, and is written through to. */
export interface KnownInventory {
  readonly store: SandboxStore;
  /** The newest revision that is in it, and all before. */
  revision: number;
  /** The file's data version at which it was known to be true. */
  dataVersion: number;
}

/**
 * Entries of the inventories that are kept in memory, at up to 200 bytes each where most of them
 * differ from the seed. One that is thrown out and asked for again is read for seconds if it is large.
 */
const room = 2_000_000;

/** An inventory in a transaction that updates it. */
interface Updated {
  readonly seed: SharedSeed;
  /** Of all updates of the transaction. */
  readonly revision: number;
  isCounted: boolean;
}

/** What an update has done. */
export interface Written {
  /** The number of the inventory. */
  readonly inventory: number;
  readonly petId: bigint;
  readonly revision: number;
  readonly stock: Stock;
  readonly previous: Stock;
}

/** The inventories of a file, by number: those of sandboxes and those of snapshots. */
export class Inventories {
  readonly #connection: SqliteConnection;
  readonly #seeds: Seeds;
  /** By number. */
  readonly #known = new RecentlyUsed<number, KnownInventory>(room);
  /** The inventories that the transaction under way updates, by number. */
  readonly #updated = new Map<number, Updated>();
  #transaction: number | undefined;
  readonly #select: StatementSync;
  readonly #count: StatementSync;
  readonly #insert: StatementSync;
  readonly #setRevision: StatementSync;
  readonly #restart: StatementSync;
  readonly #delete: StatementSync;
  readonly #selectChange: StatementSync;
  readonly #selectChanges: StatementSync;
  readonly #writeChange: StatementSync;
  readonly #copyChanges: StatementSync;
  readonly #deleteChanges: StatementSync;

  constructor(connection: SqliteConnection, seeds: Seeds) {
    this.#connection = connection;
    this.#seeds = seeds;
    this.#select = connection.prepare(
      'SELECT seed, revision, epoch FROM inventories WHERE number = ?',
    );
    this.#count = connection.prepare(
      `SELECT (SELECT max(position) + 1 FROM seed_items WHERE seed = inventories.seed) AS count
         FROM inventories WHERE number = ?`,
    );
    this.#insert = connection.prepare(
      'INSERT INTO inventories (seed, revision, epoch) VALUES (?, 0, 0)',
    );
    this.#setRevision = connection.prepare('UPDATE inventories SET revision = ? WHERE number = ?');
    this.#restart = connection.prepare(
      'UPDATE inventories SET seed = ?, revision = ?, epoch = ? WHERE number = ?',
    );
    this.#delete = connection.prepare('DELETE FROM inventories WHERE number = ? RETURNING seed');
    this.#selectChange = connection.prepareExact(
      'SELECT quantity, status FROM changes WHERE inventory = ? AND position = ?',
    );
    this.#selectChanges = connection.prepareExact(
      'SELECT position, quantity, status FROM changes WHERE inventory = ? AND revision > ?',
    );
    this.#writeChange = connection.prepare('INSERT OR REPLACE INTO changes VALUES (?, ?, ?, ?, ?)');
    this.#copyChanges = connection.prepare(
      `INSERT INTO changes SELECT ?, position, quantity, status, ? FROM changes
         WHERE inventory = ?`,
    );
    this.#deleteChanges = connection.prepare('DELETE FROM changes WHERE inventory = ?');
  }

  /** Adds an inventory. Part of a write. @returns its number */
  create(seed: number): number {
    return Number(this.#insert.run(seed).lastInsertRowid);
  }

  /** Adds an inventory that is like another. Part of a write. @returns its number */
  copy(number: number): number {
    const copy = this.create(this.#require(number).seed);
    this.#copyChanges.run(copy, 0, number);
    return copy;
  }

  /** Part of a write. */
  delete(number: number): void {
    this.#forget(number);
    this.#deleteChanges.run(number);
    const row = this.#delete.get(number) as { seed: number } | undefined;
    if (row !== undefined) this.#seeds.removeIfUnused(row.seed);
  }

  /**
   * How many entries an inventory has: as many as its seed. Part of a read.
   *
   * @returns `undefined` where there is none
   */
  count(number: number): number | undefined {
    const row = this.#count.get(number) as { readonly count: number | null } | undefined;
    return row && (row.count ?? 0);
  }

  /** Makes an inventory what a seed is. Part of a write. @returns its new revision */
  startFrom(number: number, seed: number): number {
    const before = this.#require(number);
    const revision = before.revision + 1;
    this.#forget(number);
    this.#deleteChanges.run(number);
    this.#restart.run(seed, revision, revision, number);
    if (before.seed !== seed) this.#seeds.removeIfUnused(before.seed);
    return revision;
  }

  /** Makes an inventory what another is. Part of a write. */
  become(number: number, other: number): void {
    const revision = this.startFrom(number, this.#require(other).seed);
    this.#copyChanges.run(number, revision, other);
  }

  /**
   * Writes one entry. Part of a write.
   *
   * @returns `missing` where there is no such inventory, `undefined` where the pet has no entry
   */
  write(
    number: number,
    petId: bigint,
    quantity: bigint,
    status: Stock['status'] | undefined,
  ): Written | 'missing' | undefined {
    const updated = this.#toUpdated(number);
    if (updated === undefined) return 'missing';
    const { seed, revision } = updated;
    const position = seed.items.positionOf(petId);
    if (position === undefined) return undefined;
    if (!updated.isCounted) this.#setRevision.run(revision, number);
    updated.isCounted = true;
    const previous = this.#stockAt(number, position, seed);
    const stock = { quantity, status: status ?? previous.status };
    this.#writeChange.run(number, position, toQuantityColumn(quantity), stock.status, revision);
    return { inventory: number, petId, revision, stock, previous };
  }

  /** Takes what was written into the inventory in memory, as soon as it is kept. */
  note({ inventory, petId, revision, stock }: Written): void {
    const known = this.#known.get(inventory);
    // All updates of one transaction have one revision. Any other than the next one tells that
    // somebody else has written in between: all that is newer is read when it is asked for.
    if (known?.revision !== revision && known?.revision !== revision - 1) return;
    known.store.update(petId, stock);
    known.revision = revision;
  }

  /** The inventory as it is now, where it is kept in memory. Part of a read. */
  peek(number: number): KnownInventory | undefined {
    const known = this.#known.get(number);
    return known?.dataVersion === this.#connection.dataVersion() ? known : undefined;
  }

  /**
   * The inventory as it is now, kept in memory from here on. Part of a read, together.
   *
   * @returns `undefined` where there is none
   */
  read(number: number): KnownInventory | undefined {
    const dataVersion = this.#connection.dataVersion();
    const row = this.#find(number);
    if (row === undefined) {
      this.#known.delete(number);
      return undefined;
    }
    const known = this.#known.get(number);
    if (known === undefined || known.revision < row.epoch) {
      const store = this.#load(number, row);
      const loaded = { store, revision: row.revision, dataVersion };
      this.#known.set(number, loaded, store.seed.items.length);
      return loaded;
    }
    if (known.revision < row.revision) this.#applyChanges(number, known.revision, known.store);
    known.revision = row.revision;
    known.dataVersion = dataVersion;
    return known;
  }

  /** An inventory as it is now, not kept in memory. Part of a read, together. */
  load(number: number): SandboxStore {
    return this.#load(number, this.#require(number));
  }

  #load(number: number, row: InventoryRow): SandboxStore {
    const store = new SandboxStore(this.#seeds.load(row.seed));
    this.#applyChanges(number, -1, store);
    return store;
  }

  /** Brings a store up to date that has all changes up to a revision. */
  #applyChanges(number: number, revision: number, store: SandboxStore): void {
    for (const row of this.#selectChanges.iterate(number, revision)) {
      const { position, ...stock } = row as unknown as ChangeRow;
      store.update(store.seed.items.at(Number(position)).petId, toStock(stock));
    }
  }

  #toUpdated(number: number): Updated | undefined {
    if (this.#transaction !== this.#connection.transaction) {
      this.#transaction = this.#connection.transaction;
      this.#updated.clear();
    }
    const known = this.#updated.get(number);
    if (known !== undefined) return known;
    const row = this.#find(number);
    if (row === undefined) return undefined;
    const seed = this.#seeds.load(row.seed);
    const updated = { seed, revision: row.revision + 1, isCounted: false };
    this.#updated.set(number, updated);
    return updated;
  }

  #stockAt(number: number, position: number, seed: SharedSeed): Stock {
    const row = this.#selectChange.get(number, position) as StockRow | undefined;
    if (row !== undefined) return toStock(row);
    const { quantity, status } = seed.items.at(position);
    return { quantity, status };
  }

  #forget(number: number): void {
    this.#known.delete(number);
    this.#updated.delete(number);
  }

  #find(number: number): InventoryRow | undefined {
    return this.#select.get(number) as InventoryRow | undefined;
  }

  #require(number: number): InventoryRow {
    const row = this.#find(number);
    if (row === undefined) throw new Error(`the file has no inventory ${number}`);
    return row;
  }
}
