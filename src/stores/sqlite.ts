import { createSecureRandom, type Random } from '../inventory/random.ts';
import type { SandboxStorage } from '../inventory/sandbox-storage.ts';
import { SqliteConnection } from './sqlite/connection.ts';
import { FilePlace } from './sqlite/file-place.ts';
import { openDatabase } from './sqlite/open-database.ts';
import { SqliteSandboxes } from './sqlite/sandboxes.ts';

export { SqliteFileError } from './sqlite/open-database.ts';

export interface SqliteOptions {
  /** Its folder must be there; the file is made where there is none. */
  readonly file: string;
  /** The time in milliseconds since the epoch. Left out: the clock of the machine. */
  readonly now?: () => number;
  /**
   * Numbers from 0 up to, and not including, 1, from which ids are made. Left out: such that nobody
   * can predict.
   */
  readonly random?: Random;
  /**
   * How long to wait while another process holds the file's lock, in milliseconds, before an
   * operation is given up. Left out: 5,000.
   */
  readonly patience?: number;
}

/**
 * Keeps sandboxes in an SQLite file, which several processes may share. What an operation has
 * returned survives the end of the process, however sudden. Needs Node.js 22.13 or later.
 *
 * Operations throw, or reject with, a `StoreUnavailableError` where the disk is full or the file
 * cannot be used; nothing is changed then.
 *
 * @throws {SqliteFileError} where the file cannot be used, is damaged, belongs to another program or
 * was written by a newer Stockcheck; the file is as it was
 */
export async function openSqliteSandboxes(options: SqliteOptions): Promise<SandboxStorage> {
  const { file, now = Date.now, random = createSecureRandom(), patience = 5000 } = options;
  const database = await openDatabase(file, patience);
  const connection = new SqliteConnection(database, patience, new FilePlace(file));
  return new SqliteSandboxes(connection, now, random);
}
