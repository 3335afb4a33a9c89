import { SandboxGoneError } from '../../inventory/sandbox-storage.ts';
import type { SqliteConnection } from './connection.ts';
import { CounterTable } from './counter-table.ts';
import { Inventories } from './inventories.ts';
import { SandboxTable, type SandboxRow } from './sandbox-table.ts';
import { Seeds } from './seeds.ts';
import { SnapshotTable } from './snapshot-table.ts';

/** What stands in a file, and the connection to it. */
export class SandboxFile {
  readonly connection: SqliteConnection;
  readonly seeds: Seeds;
  readonly inventories: Inventories;
  readonly sandboxes: SandboxTable;
  readonly snapshots: SnapshotTable;
  readonly counters: CounterTable;

  constructor(connection: SqliteConnection) {
    this.connection = connection;
    this.seeds = new Seeds(connection);
    this.inventories = new Inventories(connection, this.seeds);
    this.sandboxes = new SandboxTable(connection);
    this.snapshots = new SnapshotTable(connection);
    this.counters = new CounterTable(connection);
  }

  /**
   * A sandbox that must be there. Part of a read or a write.
   *
   * @throws {SandboxGoneError} where somebody has deleted it
   */
  require(sandboxId: string): SandboxRow {
    const row = this.sandboxes.find(sandboxId);
    if (row === undefined) throw new SandboxGoneError(sandboxId);
    return row;
  }

  /** Deletes a sandbox with all that is its own. Part of a write. */
  delete({ number, seed, inventory }: SandboxRow): void {
    this.sandboxes.delete(number);
    this.counters.keep(number, []);
    for (const kept of [inventory, ...this.snapshots.deleteAll(number)]) {
      this.inventories.delete(kept);
    }
    this.seeds.removeIfUnused(seed);
  }
}
