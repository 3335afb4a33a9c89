import type { StatementSync } from 'node:sqlite';
import type { SnapshotEntry } from '../../inventory/sandbox-storage.ts';
import type { SqliteConnection } from './connection.ts';

/** The table of the snapshots. Everything is part of a read or a write. */
export class SnapshotTable {
  readonly #select: StatementSync;
  readonly #selectAll: StatementSync;
  readonly #insert: StatementSync;
  readonly #delete: StatementSync;
  readonly #deleteAll: StatementSync;

  constructor(connection: SqliteConnection) {
    this.#select = connection.prepare(
      'SELECT inventory FROM snapshots WHERE sandbox = ? AND name = ?',
    );
    this.#selectAll = connection.prepare(
      'SELECT name, createdAt FROM snapshots WHERE sandbox = ? ORDER BY number',
    );
    this.#insert = connection.prepare(
      'INSERT INTO snapshots (sandbox, name, createdAt, inventory) VALUES (?, ?, ?, ?)',
    );
    this.#delete = connection.prepare(
      'DELETE FROM snapshots WHERE sandbox = ? AND name = ? RETURNING inventory',
    );
    this.#deleteAll = connection.prepare(
      'DELETE FROM snapshots WHERE sandbox = ? RETURNING inventory',
    );
  }

  /** The number of the inventory that a snapshot keeps. */
  find(sandbox: number, name: string): number | undefined {
    return (this.#select.get(sandbox, name) as { inventory: number } | undefined)?.inventory;
  }

  /** In the order they were taken. */
  all(sandbox: number): readonly SnapshotEntry[] {
    return this.#selectAll.all(sandbox).map((row) => ({ ...(row as unknown as SnapshotEntry) }));
  }

  insert(sandbox: number, name: string, createdAt: number, inventory: number): void {
    this.#insert.run(sandbox, name, createdAt, inventory);
  }

  /** @returns the number of the inventory that the snapshot kept */
  delete(sandbox: number, name: string): number | undefined {
    const rows = this.#delete.all(sandbox, name) as unknown as { inventory: number }[];
    return rows[0]?.inventory;
  }

  /** @returns the numbers of the inventories that the snapshots kept */
  deleteAll(sandbox: number): readonly number[] {
    const rows = this.#deleteAll.all(sandbox) as unknown as { inventory: number }[];
    return rows.map(({ inventory }) => inventory);
  }
}
