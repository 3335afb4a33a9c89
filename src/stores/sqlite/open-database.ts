import { access, constants, open, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { describeFailure, isBusy, isDamage, isFull, isReadOnly } from './failure.ts';
import { applicationId, migrations as shipped } from './schema.ts';

/** A file cannot keep sandboxes. The message says why and what to do; the file is as it was. */
export class SqliteFileError extends Error {
  override readonly name = 'SqliteFileError';
}

/**
 * Opens a file, and makes it where there is none; brings one of an older version up to date.
 *
 * @param patience how long a file that somebody else has locked is waited for, in milliseconds
 * @throws {SqliteFileError}
 */
export async function openDatabase(
  path: string,
  patience: number,
  migrations: readonly string[] = shipped,
): Promise<DatabaseSync> {
  const file = resolve(path);
  const Database = await importSqlite();
  await checkPlace(file);
  const isNew = await checkHeader(file, migrations.length);
  const deadline = performance.now() + patience;
  for (;;) {
    try {
      if (!isNew) checkContent(Database, file, migrations.length);
      return openForWriting(Database, file, migrations);
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw toFileError(file, error);
    }
    // Somebody else makes the file, or brings it up to date. That takes a moment.
    // oxlint-disable-next-line no-await-in-loop
    await setTimeout(10);
  }
}

async function importSqlite(): Promise<typeof DatabaseSync> {
  try {
    // Late: up to Node 24, the import prints a warning that whoever keeps nothing need not see.
    const sqlite = await import('node:sqlite');
    return sqlite.DatabaseSync;
  } catch (error) {
    throw new SqliteFileError(
      `cannot keep sandboxes in a file: this Node.js (${process.version}) has no node:sqlite. ` +
        'Run Node.js 22.13 or later',
      { cause: error },
    );
  }
}

const refuse = (file: string, problem: string, cause?: unknown): SqliteFileError =>
  new SqliteFileError(`cannot keep sandboxes in ${file}: ${problem}`, { cause });

/** Looks at folder and file, because SQLite says of them all that it is unable to open them. */
async function checkPlace(file: string): Promise<void> {
  const folder = dirname(file);
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw refuse(
      file,
      (error as NodeJS.ErrnoException).code === 'ENOENT'
        ? `there is no folder ${folder}. Make it, or name another file`
        : `the folder ${folder} is read-only, and SQLite needs files beside its own. Give this process the right to write there, or name another file`,
      error,
    );
  }
  const stats = await stat(file).catch(() => undefined);
  if (stats === undefined) return;
  if (!stats.isFile()) throw refuse(file, 'it is not a file. Name another');
  await access(file, constants.R_OK | constants.W_OK).catch((error: unknown) => {
    throw refuse(
      file,
      'the file is read-only. Give this process the right to read and write it, or name another file',
      error,
    );
  });
}

// https://sqlite.org/fileformat.html#the_database_header
const header = { length: 100, magic: 'SQLite format 3\0', userVersion: 60, applicationId: 68 };

/**
 * Looks into the file without SQLite, which might write: it would clear up after a crash.
 *
 * @returns whether there is nothing in it
 */
async function checkHeader(file: string, version: number): Promise<boolean> {
  const bytes = await readHeader(file);
  // A file of no bytes is a database of no tables.
  if (bytes.length === 0) return true;
  if (bytes.length < header.length || !bytes.toString('latin1').startsWith(header.magic)) {
    throw refuse(file, 'it is not an SQLite database. It was left as it is; name another file');
  }
  checkOwner(
    file,
    version,
    bytes.readUInt32BE(header.applicationId),
    bytes.readUInt32BE(header.userVersion),
  );
  return false;
}

async function readHeader(file: string): Promise<Buffer> {
  let handle;
  try {
    handle = await open(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw refuse(file, (error as Error).message, error);
  }
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(header.length));
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function checkOwner(file: string, version: number, owner: number, found: number): void {
  if (owner !== applicationId) {
    throw refuse(
      file,
      'it is an SQLite database of another program. It was left as it is; name another file',
    );
  }
  if (found > version) {
    throw refuse(
      file,
      `a newer Stockcheck has written it: it has version ${found} of the tables, this one knows ${version}. It was left as it is; run the newer one, or name another file`,
    );
  }
}

/** Looks into the file with SQLite, but without the right to write: not even to clear up. */
function checkContent(Database: typeof DatabaseSync, file: string, version: number): void {
  const database = new Database(file, { readOnly: true });
  try {
    checkVersion(database, file, version);
    // Pages are linked as they must be. A damaged file would answer wrongly, and lose more.
    const [result] = Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {});
    if (result !== 'ok') throw refuse(file, describeDamage(String(result)));
  } catch (error) {
    // The process that made the file died over it: it is cleared up when it is opened for writing.
    if (!isReadOnly(error)) throw error;
  } finally {
    database.close();
  }
}

/** The header may be older than what waits in the write-ahead log. */
function checkVersion(database: DatabaseSync, file: string, version: number): void {
  const owner = readPragma(database, 'application_id');
  checkOwner(file, version, owner, readPragma(database, 'user_version'));
}

function openForWriting(
  Database: typeof DatabaseSync,
  file: string,
  migrations: readonly string[],
): DatabaseSync {
  const database = new Database(file);
  try {
    // Small pages, where the file is new: an update writes two of them, whatever their size.
    database.exec('PRAGMA page_size = 1024');
    if (readPragma(database, 'user_version') !== migrations.length) {
      migrate(database, file, migrations);
    }
    setUp(database, file);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Brings the tables up to date: all the way, or not at all. */
function migrate(database: DatabaseSync, file: string, migrations: readonly string[]): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have been faster.
    const version = readPragma(database, 'user_version');
    if (version > 0) checkVersion(database, file, migrations.length);
    for (const step of migrations.slice(version)) database.exec(step);
    database.exec(`PRAGMA application_id = ${applicationId}`);
    database.exec(`PRAGMA user_version = ${migrations.length}`);
    database.exec('COMMIT');
  } catch (error) {
    try {
      database.exec('ROLLBACK');
    } catch {
      // SQLite has rolled back by itself, as it does where the disk is full.
    }
    throw error;
  }
  // Into the header, where it is looked for first.
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

/** In bytes. Every 1,000 pages the log is taken into the file, which is 1 MiB. */
const longestLog = 4 * 2 ** 20;

function setUp(database: DatabaseSync, file: string): void {
  if (database.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode'] !== 'wal') {
    throw refuse(
      file,
      'SQLite cannot share memory there, as on most network file systems. Name a file on a local disk',
    );
  }
  // What is committed is with the operating system, and survives the end of the process, however
  // sudden. The log is flushed to the disk before it is taken into the file: a power failure may
  // cost the last updates, never the file.
  database.exec('PRAGMA synchronous = NORMAL');
  // A log that one large write has made long does not stay so.
  database.exec(`PRAGMA journal_size_limit = ${longestLog}`);
  // Who may not write is told now, not at the first update.
  database.exec('BEGIN IMMEDIATE');
  database.exec('ROLLBACK');
}

function readPragma(database: DatabaseSync, name: 'application_id' | 'user_version'): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
}

function describeDamage(detail: string): string {
  return `the file is damaged (SQLite: ${detail}). It was left as it is; go back to a copy, or save what can be read with "sqlite3 FILE .recover"`;
}

/** Says what is known of a failure; a bug stays what it is. */
function toFileError(file: string, error: unknown): unknown {
  if (isDamage(error)) return refuse(file, describeDamage((error as Error).message), error);
  const reason = describeFailure(error);
  if (reason === undefined) return error;
  const advice = isFull(error) ? '. Make room there, or name another file' : '';
  return refuse(file, `${reason}${advice}`, error);
}
