import type { OwnJournal } from './journal.ts';

/** Whose journal counts. */
export interface JournalKeeper {
  /** When the last exchange began, in milliseconds since the epoch; 0 where there was none. */
  readonly usedAt: number;
  /** How many bytes the journal takes; 0 where it was not made yet. */
  readonly journalBytes: number;
  readonly ownJournal: Pick<OwnJournal, 'clear'>;
}

/** Bounds the bytes that the journals of all sandboxes take together. */
export class JournalBudget {
  readonly #limit: number;
  readonly #keepers: () => Iterable<JournalKeeper>;
  #bytes = 0;

  /** @param limit in bytes */
  constructor(limit: number, keepers: () => Iterable<JournalKeeper>) {
    this.#limit = limit;
    this.#keepers = keepers;
  }

  /**
   * Takes note of a journal that grew or shrank.
   *
   * @param change in bytes
   */
  note(change: number): void {
    this.#bytes += change;
    if (this.#bytes > this.#limit) this.#makeRoom();
  }

  /** Half of the limit stays, that of the sandboxes used last. */
  #makeRoom(): void {
    const byRest = [...this.#keepers()].toSorted((one, other) => one.usedAt - other.usedAt);
    // Counted anew: a journal that was cleared has not told of it.
    this.#bytes = byRest.reduce((sum, { journalBytes }) => sum + journalBytes, 0);
    for (const keeper of byRest.slice(0, -1)) {
      // Where nothing was kept, the journal is not even made.
      if (keeper.journalBytes === 0) continue;
      if (this.#bytes <= this.#limit / 2) break;
      this.#bytes -= keeper.journalBytes;
      keeper.ownJournal.clear();
    }
  }
}
