import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { StoreUnavailableError } from '../../inventory/store.ts';
import { retryAfterSeconds } from './failure.ts';

/**
 * Where a file and its log were when they were opened. SQLite goes on writing to those that were
 * moved or deleted, where nobody finds them again.
 */
export class FilePlace {
  readonly #file: string;
  readonly #log: string;
  readonly #fileNumber: number | undefined;
  readonly #logNumber: number | undefined;

  /** @param path of a file that is open: its log is there as long as it is */
  constructor(path: string) {
    this.#file = resolve(path);
    this.#log = `${this.#file}-wal`;
    this.#fileNumber = look(this.#file);
    this.#logNumber = look(this.#log);
  }

  /**
   * Takes two microseconds for each of the two.
   *
   * @throws {StoreUnavailableError} where one is not there any more, or is another one
   */
  assertUnmoved(): void {
    if (look(this.#file) !== this.#fileNumber) {
      throw refuse(
        'it was moved, deleted or replaced. Nothing was changed; start again with the file in its place',
      );
    }
    if (look(this.#log) !== this.#logNumber) {
      throw refuse(
        `its log ${this.#log} was moved, deleted or replaced. Nothing was changed; end all processes that use the file, other than by SIGKILL, and start again: who ends takes the log into the file`,
      );
    }
  }
}

/** The number of a file (inode), which stays while it is there. */
function look(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

function refuse(problem: string): StoreUnavailableError {
  return new StoreUnavailableError(
    `the file that keeps the inventory cannot be used: ${problem}`,
    retryAfterSeconds,
  );
}
