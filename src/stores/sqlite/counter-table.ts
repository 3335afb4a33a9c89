import type { StatementSync } from 'node:sqlite';
import type { SqliteConnection } from './connection.ts';

/** The table of the counters. Everything is part of a read or a write. */
export class CounterTable {
  readonly #add: StatementSync;
  readonly #all: StatementSync;
  readonly #keep: StatementSync;

  constructor(connection: SqliteConnection) {
    this.#add = connection.prepare(
      `INSERT INTO counters (sandbox, name, value) VALUES (?, ?, ?)
         ON CONFLICT (sandbox, name) DO UPDATE SET value = value + excluded.value RETURNING value`,
    );
    this.#all = connection.prepare('SELECT name, value FROM counters WHERE sandbox = ?');
    this.#keep = connection.prepare(
      'DELETE FROM counters WHERE sandbox = ? AND name NOT IN (SELECT value FROM json_each(?))',
    );
  }

  /** @returns the new value */
  add(sandbox: number, name: string, by: number): number {
    return (this.#add.get(sandbox, name, by) as { readonly value: number }).value;
  }

  all(sandbox: number): ReadonlyMap<string, number> {
    const rows = this.#all.all(sandbox) as unknown as { name: string; value: number }[];
    return new Map(rows.map(({ name, value }) => [name, value]));
  }

  /** Deletes all counters of a sandbox but these. */
  keep(sandbox: number, names: readonly string[]): void {
    this.#keep.run(sandbox, JSON.stringify(names));
  }
}
