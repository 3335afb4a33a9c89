import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { StoreUnavailableError, type MaybePromise } from '../../inventory/store.ts';
import { isBusy, toStoreError } from './failure.ts';
import type { FilePlace } from './file-place.ts';

/** How often a locked file is tried again at once: most transactions take microseconds. */
const immediateAttempts = 10;
/** How long to wait before it is tried again, in milliseconds; other events have their turn. */
const pause = 1;

/** A write that waits for its transaction. */
interface Write {
  /** Reads and writes. What it does is kept, or not, with all of its transaction. */
  readonly work: () => unknown;
  /** Is told of the result as soon as it is kept. */
  readonly onKept: (result: unknown) => void;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly result: unknown } | { readonly error: StoreUnavailableError };

/**
 * One connection to the file. Reads run at once. Writes that come in one turn of the event loop share
 * a transaction at its end, and wait for it: it takes most of the time that a write takes.
 *
 * Where another process holds the lock, reads and writes are tried again later, and the event loop
 * goes on meanwhile.
 */
export class SqliteConnection {
  readonly #database: DatabaseSync;
  readonly #patience: number;
  readonly #place: FilePlace;
  readonly #dataVersion: StatementSync;
  readonly #begin: StatementSync;
  readonly #beginImmediate: StatementSync;
  readonly #commit: StatementSync;
  readonly #rollback: StatementSync;
  /** In the order they came. */
  #writes: Write[] = [];
  #transactions = 0;
  #isWriting = false;

  /** @param patience how long a locked file is waited for, in milliseconds */
  constructor(database: DatabaseSync, patience: number, place: FilePlace) {
    this.#database = database;
    this.#patience = patience;
    this.#place = place;
    this.#dataVersion = database.prepare('PRAGMA data_version');
    this.#begin = database.prepare('BEGIN');
    this.#beginImmediate = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    this.#rollback = database.prepare('ROLLBACK');
  }

  /** The number of the transaction of writes that is under way; each has another. */
  get transaction(): number | undefined {
    return this.#isWriting ? this.#transactions : undefined;
  }

  prepare(sql: string): StatementSync {
    return this.#database.prepare(sql);
  }

  /** A statement whose integers are read as `bigint`. */
  prepareExact(sql: string): StatementSync {
    const statement = this.#database.prepare(sql);
    statement.setReadBigInts(true);
    return statement;
  }

  /**
   * Another number after every commit of another connection; commits of this one do not change it.
   * It looks into the memory that the connections share, which takes two microseconds.
   */
  dataVersion(): number {
    const row = this.#dataVersion.get() as { data_version: number };
    return row.data_version;
  }

  /**
   * Reads. What is to see one moment with several statements is put `together`.
   *
   * @throws {StoreUnavailableError}
   */
  read<T>(work: () => T): MaybePromise<T> {
    for (let attempt = 0; attempt < immediateAttempts; attempt += 1) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error)) throw toStoreError(error);
      }
    }
    return this.#readLater(work);
  }

  /** Lets several statements see the same moment. Part of a read. */
  together<T>(work: () => T): T {
    return this.#transact(this.#begin, work);
  }

  /**
   * Reads and writes while nobody else writes. All of it is kept, or nothing is.
   *
   * @param work throws a `StoreUnavailableError` only before it has written anything
   * @param onKept is told of the result before anything else runs
   * @throws {StoreUnavailableError}
   */
  write<T>(work: () => T, onKept?: (result: T) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#writes.push({
        work,
        onKept: (onKept ?? ignore) as Write['onKept'],
        resolve: resolve as Write['resolve'],
        reject,
      });
      if (this.#writes.length === 1) {
        // What other connections have sent in the meantime is read first.
        setImmediate(() => this.#flush(performance.now() + this.#patience));
      }
    });
  }

  /** Waits for what is being written, and closes the file. */
  async close(): Promise<void> {
    if (this.#writes.length > 0) await this.write(ignore).catch(ignore);
    this.#database.close();
  }

  #transact<T>(begin: StatementSync, work: () => T): T {
    begin.run();
    try {
      const result = work();
      this.#commit.run();
      return result;
    } catch (error) {
      this.#undo();
      throw error;
    }
  }

  #undo(): void {
    try {
      this.#rollback.run();
    } catch {
      // SQLite has rolled back by itself, as it does where the disk is full.
    }
  }

  async #readLater<T>(work: () => T): Promise<T> {
    const deadline = performance.now() + this.#patience;
    for (;;) {
      // One after another, since the others need time.
      // oxlint-disable-next-line no-await-in-loop
      await setTimeout(pause);
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw toStoreError(error);
      }
    }
  }

  /** Writes all that waits, in one transaction. */
  #flush(deadline: number): void {
    const writes = this.#writes;
    for (let attempt = 0; attempt < immediateAttempts; attempt += 1) {
      try {
        this.#place.assertUnmoved();
        const outcomes = this.#transact(this.#beginImmediate, () => this.#run(writes));
        this.#writes = [];
        settle(writes, outcomes);
        return;
      } catch (error) {
        if (isBusy(error) && performance.now() < deadline) continue;
        this.#writes = [];
        const storeError = toStoreError(error);
        for (const { reject } of writes) reject(storeError);
        return;
      }
    }
    globalThis.setTimeout(() => this.#flush(deadline), pause);
  }

  #run(writes: readonly Write[]): readonly Outcome[] {
    this.#transactions += 1;
    this.#isWriting = true;
    try {
      return writes.map(({ work }) => toOutcome(work));
    } finally {
      this.#isWriting = false;
    }
  }
}

function toOutcome(work: Write['work']): Outcome {
  try {
    return { result: work() };
  } catch (error) {
    // The others have nothing to do with it.
    if (error instanceof StoreUnavailableError) return { error };
    throw error;
  }
}

function settle(writes: readonly Write[], outcomes: readonly Outcome[]): void {
  for (const [index, { onKept, resolve, reject }] of writes.entries()) {
    const outcome = outcomes[index];
    if (outcome === undefined) continue;
    if ('error' in outcome) reject(outcome.error);
    else {
      onKept(outcome.result);
      resolve(outcome.result);
    }
  }
}

function ignore(): void {
  // Nothing is to be done.
}
