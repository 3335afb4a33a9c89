import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { StoreUnavailableError } from '../../inventory/store.ts';
import { retryAfterSeconds } from './failure.ts';

/**
 * Where a file was when it was opened. SQLite goes on writing to one that was moved or deleted, where
 * nobody finds it again.
 */
export class FilePlace {
  readonly #path: string;
  readonly #inode: number | undefined;

  constructor(path: string) {
    this.#path = resolve(path);
    this.#inode = this.#look();
  }

  /**
   * Takes two microseconds.
   *
   * @throws {StoreUnavailableError} where the file is not there any more, or is another one
   */
  assertUnmoved(): void {
    if (this.#look() === this.#inode) return;
    throw new StoreUnavailableError(
      'the file that keeps the inventory cannot be used: it was moved, deleted or replaced. Nothing was changed; start again with the file in its place',
      retryAfterSeconds,
    );
  }

  #look(): number | undefined {
    return statSync(this.#path, { throwIfNoEntry: false })?.ino;
  }
}
