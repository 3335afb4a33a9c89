import type { InventoryItem } from '../../inventory/item.ts';
import type { CounterStep, SnapshotEntry, StoredSandbox } from '../../inventory/sandbox-storage.ts';
import type { MaybePromise, Store } from '../../inventory/store.ts';
import type { SandboxFile } from './sandbox-file.ts';
import type { SandboxRow } from './sandbox-table.ts';
import { SqliteStore } from './sqlite-store.ts';

/** A sandbox as it was when it was looked up; its inventory and snapshots are those of the file. */
export class SqliteSandbox implements StoredSandbox {
  readonly id: string;
  readonly settings: string;
  declare readonly expiresAt?: number;
  readonly store: Store;
  readonly #file: SandboxFile;

  constructor(file: SandboxFile, { id, settings, expiresAt, inventory }: SandboxRow) {
    this.id = id;
    this.settings = settings;
    if (expiresAt !== null) this.expiresAt = expiresAt;
    this.store = new SqliteStore(file, id, inventory);
    this.#file = file;
  }

  seed(): MaybePromise<Iterable<InventoryItem>> {
    const { connection, seeds } = this.#file;
    return connection.read(() => connection.together(() => seeds.load(this.#require().seed)));
  }

  reset(): Promise<void> {
    const { connection, inventories } = this.#file;
    return connection.write(() => {
      const { inventory, seed } = this.#require();
      inventories.startFrom(inventory, seed);
    });
  }

  snapshots(): MaybePromise<readonly SnapshotEntry[]> {
    const { connection, snapshots } = this.#file;
    return connection.read(() => connection.together(() => snapshots.all(this.#require().number)));
  }

  takeSnapshot(name: string, createdAt: number): Promise<void> {
    const { connection, inventories, snapshots } = this.#file;
    return connection.write(() => {
      const { number, inventory } = this.#require();
      this.#delete(number, name);
      snapshots.insert(number, name, createdAt, inventories.copy(inventory));
    });
  }

  restoreSnapshot(name: string): Promise<boolean> {
    const { connection, inventories, snapshots } = this.#file;
    return connection.write(() => {
      const { number, inventory } = this.#require();
      const kept = snapshots.find(number, name);
      if (kept !== undefined) inventories.become(inventory, kept);
      return kept !== undefined;
    });
  }

  deleteSnapshot(name: string): Promise<boolean> {
    return this.#file.connection.write(() => this.#delete(this.#require().number, name));
  }

  snapshotItems(name: string): MaybePromise<Iterable<InventoryItem> | undefined> {
    const { connection, inventories, snapshots } = this.#file;
    return connection.read(() =>
      connection.together(() => {
        const kept = snapshots.find(this.#require().number, name);
        return kept === undefined ? undefined : inventories.load(kept).items();
      }),
    );
  }

  advance(steps: readonly CounterStep[]): Promise<readonly number[] | undefined> {
    const { connection, counters } = this.#file;
    return connection.write(() => {
      const { number, settings } = this.#require();
      if (settings !== this.settings) return undefined;
      return steps.map(([name, by]) => counters.add(number, name, by));
    });
  }

  counters(): MaybePromise<ReadonlyMap<string, number>> {
    const { connection, counters } = this.#file;
    return connection.read(() => connection.together(() => counters.all(this.#require().number)));
  }

  #require(): SandboxRow {
    return this.#file.require(this.id);
  }

  /** Part of a write. */
  #delete(number: number, name: string): boolean {
    const kept = this.#file.snapshots.delete(number, name);
    if (kept !== undefined) this.#file.inventories.delete(kept);
    return kept !== undefined;
  }
}
