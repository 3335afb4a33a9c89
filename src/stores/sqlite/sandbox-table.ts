import type { StatementSync } from 'node:sqlite';
import type { SqliteConnection } from './connection.ts';

/** A sandbox as it stands in the file. */
export interface SandboxRow {
  readonly number: number;
  readonly id: string;
  readonly settings: string;
  readonly expiresAt: number | null;
  /** The numbers of what it started with, and of what it has now. */
  readonly seed: number;
  readonly inventory: number;
}

/** The table of the sandboxes. Everything is part of a read or a write. */
export class SandboxTable {
  readonly #select: StatementSync;
  readonly #selectByKey: StatementSync;
  readonly #selectAll: StatementSync;
  readonly #selectExpired: StatementSync;
  readonly #count: StatementSync;
  readonly #insert: StatementSync;
  readonly #configure: StatementSync;
  readonly #delete: StatementSync;

  constructor(connection: SqliteConnection) {
    const select = 'SELECT number, id, settings, expiresAt, seed, inventory FROM sandboxes';
    this.#select = connection.prepare(`${select} WHERE id = ?`);
    this.#selectByKey = connection.prepare(`${select} WHERE keyDigest = ?`);
    this.#selectAll = connection.prepare(`${select} ORDER BY number`);
    this.#selectExpired = connection.prepare(`${select} WHERE expiresAt <= ?`);
    this.#count = connection.prepare(
      'SELECT count(*) - (SELECT count(*) FROM sandboxes WHERE expiresAt <= ?) AS count FROM sandboxes',
    );
    this.#insert = connection.prepare(
      `INSERT INTO sandboxes (id, keyDigest, settings, expiresAt, seed, inventory)
         VALUES (?, ?, ?, ?, ?, ?)`,
    );
    this.#configure = connection.prepare(
      'UPDATE sandboxes SET settings = ?, expiresAt = ? WHERE number = ?',
    );
    this.#delete = connection.prepare('DELETE FROM sandboxes WHERE number = ?');
  }

  find(id: string): SandboxRow | undefined {
    return this.#select.get(id) as SandboxRow | undefined;
  }

  findByKey(keyDigest: Uint8Array): SandboxRow | undefined {
    return this.#selectByKey.get(keyDigest) as SandboxRow | undefined;
  }

  /** In the order they were created. */
  all(): readonly SandboxRow[] {
    return this.#selectAll.all() as unknown as SandboxRow[];
  }

  expired(now: number): readonly SandboxRow[] {
    return this.#selectExpired.all(now) as unknown as SandboxRow[];
  }

  /** How many have not expired. */
  count(now: number): number {
    return (this.#count.get(now) as { count: number }).count;
  }

  insert(sandbox: Omit<SandboxRow, 'number'>, keyDigest: Uint8Array | undefined): SandboxRow {
    const { id, settings, expiresAt, seed, inventory } = sandbox;
    const { lastInsertRowid } = this.#insert.run(
      id,
      keyDigest ?? null,
      settings,
      expiresAt,
      seed,
      inventory,
    );
    return { ...sandbox, number: Number(lastInsertRowid) };
  }

  configure(number: number, settings: string, expiresAt: number | null): void {
    this.#configure.run(settings, expiresAt, number);
  }

  delete(number: number): void {
    this.#delete.run(number);
  }
}
