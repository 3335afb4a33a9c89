import type { ApiKeys } from '../inventory/authorization.ts';
import type { MaybePromise } from '../inventory/store.ts';
import type { JournalEntry, JournalPage, JournalQuery } from './journal-entry.ts';
import { longestWait } from './journal-query.ts';
import { judge, operationOf, petIdOf, toEntry } from './journal-view.ts';
import { BodyKeeper } from './keep-body.ts';
import { baseWeight, KeptExchange } from './kept-exchange.ts';
import type { Answered } from './mock.ts';

export interface JournalOptions {
  /** How many exchanges are kept; 0: none. Left out: 500. */
  readonly limit?: number;
  /** About how many bytes of memory they may take together. Left out: 1,048,576. */
  readonly bytes?: number;
  /** How many bytes of a body are kept. Left out: 4096. */
  readonly bodyBytes?: number;
  /** How many may wait at once. Left out: 100. */
  readonly waiters?: number;
  /** The time in milliseconds since the epoch. Left out: the system's clock. */
  readonly now?: () => number;
  /** Calls back after so many milliseconds, unless what it returns is called. Left out: `setTimeout`. */
  readonly setTimer?: (callback: () => void, milliseconds: number) => () => void;
  /**
   * The sequence of an exchange that began at a time, behind the last one: a higher one. Left out: the
   * next integer.
   */
  readonly nextSequence?: (last: number, at: number) => number;
  /** Is told of every error that is a bug of ours. */
  readonly onBug?: (error: unknown) => void;
}

/** What the engine does not know of an exchange. */
export interface RecordFacts {
  /** When the whole request was there, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** From then to the answer, in milliseconds. Left out: until now. */
  readonly duration?: number;
  /** The keys that open the sandbox. They are never told, and every other key is not valid. */
  readonly apiKeys: ApiKeys;
}

/** The last exchanges of a sandbox, bounded in number and bytes. No key is in it. */
export interface Journal {
  /**
   * The sequence of the last exchange of this process, 0 before the first. It goes on when the journal
   * is cleared.
   */
  readonly last: number;
  /** How many exchanges this process keeps. */
  readonly size: number;
  /** About how many bytes of memory they take. */
  readonly bytes: number;
  /** Keeps an exchange; the oldest give way. Never throws. */
  record(answered: Answered, facts: RecordFacts): void;
  /** Keeps an exchange that another process has answered; its sequence is this journal's. */
  adopt(exchange: KeptExchange): void;
  /**
   * The newest exchanges of this process that match, in the order they happened. `wait` is of no
   * account.
   *
   * @param upTo only exchanges with at most this sequence. Left out: all
   */
  find(query?: JournalQuery, upTo?: number): JournalPage;
  /**
   * The same of all processes that share the storage. Where none matches, the next one that does, or
   * an empty page after `wait` seconds.
   *
   * @param signal gives up; the promise is then rejected with its reason
   * @throws {RangeError} for a `wait` that is not from 0 to 60
   * @throws {NothingKeptError} for a `wait` where no exchange is ever kept
   * @throws {TooManyWaitersError} where too many are waiting already
   */
  waitFor(query: JournalQuery, signal?: AbortSignal): Promise<JournalPage>;
  /** Forgets every exchange, also those of other processes that share the storage. */
  clear(): MaybePromise<void>;
  /** Ends every wait with an empty page, also one that begins later. */
  close(): void;
}

/** Somebody wants to wait for an exchange where none is kept. */
export class NothingKeptError extends Error {
  override readonly name = 'NothingKeptError';

  constructor() {
    super(
      'the journal keeps no exchanges, so that none can be waited for; start the server without --journal 0, or give the mock a limit of exchanges above 0',
    );
  }
}

/** What one process has answered, whether others share its storage or not. */
export interface OwnJournal extends Journal {
  clear(): void;
}

/** As many are waiting for an exchange as may. */
export class TooManyWaitersError extends Error {
  override readonly name = 'TooManyWaitersError';
  readonly limit: number;

  constructor(limit: number) {
    super(
      `${limit} requests are waiting for an exchange of this sandbox, and no more may; ask again without wait, or when one has ended`,
    );
    this.limit = limit;
  }
}

/**
 * Creates a journal. It takes next to no memory before its first exchange.
 *
 * @throws {RangeError} for an option that is no integer, or too small
 * @example
 * const journal = createJournal({ limit: 100 });
 * const engine = {
 *   ...rest,
 *   onAnswer: (answered) => journal.record(answered, { startedAt: Date.now(), apiKeys }),
 * };
 */
export function createJournal(options: JournalOptions = {}): OwnJournal {
  return new RingJournal(options);
}

interface Settings extends Omit<Required<JournalOptions>, 'onBug'> {
  readonly onBug: JournalOptions['onBug'];
}

function toSettings(options: JournalOptions): Settings {
  const { limit = 500, bytes = 1_048_576, bodyBytes = 4096, waiters = 100 } = options;
  for (const [name, value] of Object.entries({ limit, bytes, bodyBytes, waiters })) {
    const least = name === 'limit' ? 0 : 1;
    if (!Number.isSafeInteger(value) || value < least) {
      throw new RangeError(`${name} must be an integer from ${least} up; got ${value}`);
    }
  }
  const { now = Date.now, setTimer = startTimer, nextSequence = toNext, onBug } = options;
  // More would never be there at once.
  const most = Math.min(limit, Math.ceil(bytes / baseWeight) + 1);
  return { limit: most, bytes, bodyBytes, waiters, now, setTimer, nextSequence, onBug };
}

/** @throws {RangeError} for what is not from 0 to 60 */
export function assertWait(wait: number): void {
  if (wait >= 0 && wait <= longestWait) return;
  throw new RangeError(`wait must be a number of seconds from 0 to ${longestWait}; got ${wait}`);
}

const toNext = (last: number): number => last + 1;

function startTimer(callback: () => void, milliseconds: number): () => void {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
}

/** Is told of every exchange until it has one that matches. */
interface Waiter {
  readonly query: JournalQuery;
  /** @param found left out where nothing was */
  readonly end: (found?: JournalEntry) => void;
}

class RingJournal implements OwnJournal {
  readonly #settings: Settings;
  // All that grows is made when it is needed: most sandboxes are idle.
  #ring: KeptExchange[] | undefined;
  /** The next one to be filled. */
  #spare: KeptExchange | undefined;
  #bodies: BodyKeeper | undefined;
  #waiters: Set<Waiter> | undefined;
  #lastSequence = 0;
  /** The how manieth the last exchange is, the oldest that is kept, and the one in place 0. */
  #last = 0;
  #oldest = 1;
  #base = 1;
  #bytes = 0;
  #isClosed = false;

  constructor(options: JournalOptions) {
    this.#settings = toSettings(options);
  }

  get last(): number {
    return this.#lastSequence;
  }

  get size(): number {
    return this.#last - this.#oldest + 1;
  }

  get bytes(): number {
    return this.#bytes;
  }

  record(answered: Answered, facts: RecordFacts): void {
    this.#attempt(() => this.#record(answered, facts));
  }

  adopt(exchange: KeptExchange): void {
    this.#attempt(() => {
      const kept = this.#spare ?? new KeptExchange();
      const sequence = this.#settings.nextSequence(this.#lastSequence, exchange.at);
      this.#keep(Object.assign(kept, exchange, { sequence }));
    });
  }

  #record(answered: Answered, { startedAt, duration, apiKeys }: RecordFacts): void {
    const { bodyBytes, now, nextSequence } = this.#settings;
    this.#bodies ??= new BodyKeeper(bodyBytes);
    const kept = this.#spare ?? new KeptExchange();
    const took = duration ?? Math.max(0, now() - startedAt);
    const sequence = nextSequence(this.#lastSequence, startedAt);
    kept.fill(answered, sequence, startedAt, took, apiKeys, this.#bodies);
    this.#keep(kept);
  }

  #keep(kept: KeptExchange): void {
    const { limit, bytes } = this.#settings;
    if (limit === 0) return;
    this.#ring ??= [];
    this.#last += 1;
    this.#lastSequence = kept.sequence;
    this.#bytes += kept.weight;
    if (this.size > limit) this.#dropOldest();
    const place = this.#placeOf(this.#last);
    this.#spare = this.#ring[place];
    this.#ring[place] = kept;
    // The newest stays, however large it is.
    while (this.#bytes > bytes && this.#oldest < this.#last) this.#dropOldest();
    if (this.#waiters !== undefined) this.#tell(kept);
  }

  find(query: JournalQuery = {}, upTo = Infinity): JournalPage {
    const { limit = 100, after } = query;
    const newest = this.#positionUpTo(upTo);
    const last = newest === this.#last ? this.#lastSequence : this.#sequenceAt(newest);
    // Who goes on from an exchange must not miss one: then the oldest come first.
    const found =
      after === undefined
        ? this.#search(query, newest, this.#oldest, -1, limit).toReversed()
        : this.#search(query, this.#positionUpTo(after) + 1, newest, 1, limit);
    return { exchanges: found.map((kept) => this.#toEntry(kept)), last };
  }

  /** The how manieth the newest exchange is that has at most this sequence. */
  #positionUpTo(sequence: number): number {
    let at = this.#last;
    while (at >= this.#oldest && this.#sequenceAt(at) > sequence) at -= 1;
    return at;
  }

  #sequenceAt(position: number): number {
    return position < this.#oldest ? 0 : (this.#ring?.[this.#placeOf(position)]?.sequence ?? 0);
  }

  /** Those that match, from the how manieth to another, by steps of 1 or -1. */
  #search(
    query: JournalQuery,
    from: number,
    to: number,
    step: 1 | -1,
    limit: number,
  ): readonly KeptExchange[] {
    const found: KeptExchange[] = [];
    for (let at = from; (to - at) * step >= 0 && found.length < limit; at += step) {
      const kept = this.#ring?.[this.#placeOf(at)];
      if (kept !== undefined && matches(kept, query)) found.push(kept);
    }
    return found;
  }

  async waitFor(query: JournalQuery, signal?: AbortSignal): Promise<JournalPage> {
    const { wait = 0 } = query;
    assertWait(wait);
    signal?.throwIfAborted();
    if (wait > 0 && this.#settings.limit === 0) throw new NothingKeptError();
    const page = this.find(query);
    if (page.exchanges.length > 0 || wait === 0 || this.#isClosed) return page;
    const next = await this.#nextMatch(query, wait * 1000, signal);
    const later = this.find(query);
    // What was waited for may have given way to others already.
    return later.exchanges.length > 0 || next === undefined
      ? later
      : { exchanges: [next], last: this.#lastSequence };
  }

  clear(): void {
    this.#ring = undefined;
    this.#spare = undefined;
    this.#bodies = undefined;
    this.#bytes = 0;
    this.#oldest = this.#last + 1;
    this.#base = this.#oldest;
  }

  close(): void {
    this.#isClosed = true;
    for (const waiter of this.#waiters ?? []) waiter.end();
  }

  #toEntry(kept: KeptExchange): JournalEntry {
    return toEntry(kept, this.#settings.bodyBytes);
  }

  #placeOf(sequence: number): number {
    return (sequence - this.#base) % this.#settings.limit;
  }

  #dropOldest(): void {
    const kept = this.#ring?.[this.#placeOf(this.#oldest)];
    this.#bytes -= kept?.weight ?? 0;
    kept?.release();
    this.#oldest += 1;
  }

  #attempt(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#settings.onBug?.(error);
    }
  }

  #tell(kept: KeptExchange): void {
    for (const waiter of this.#waiters ?? []) {
      // Now: what is kept gives way to others before a promise goes on.
      if (matches(kept, waiter.query)) waiter.end(this.#toEntry(kept));
    }
  }

  /** Resolves with the next exchange that matches, or with nothing when the time is over. */
  #nextMatch(
    query: JournalQuery,
    milliseconds: number,
    signal?: AbortSignal,
  ): Promise<JournalEntry | undefined> {
    const { waiters: limit, setTimer } = this.#settings;
    const waiters = (this.#waiters ??= new Set());
    if (waiters.size >= limit) throw new TooManyWaitersError(limit);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        waiters.delete(waiter);
        if (waiters.size === 0 && this.#waiters === waiters) this.#waiters = undefined;
        cancel();
        signal?.removeEventListener('abort', abort);
      };
      const waiter: Waiter = {
        query,
        end(found) {
          leave();
          resolve(found);
        },
      };
      const abort = (): void => {
        leave();
        reject(signal?.reason);
      };
      waiters.add(waiter);
      signal?.addEventListener('abort', abort, { once: true });
      const cancel = setTimer(() => waiter.end(), milliseconds);
    });
  }
}

/** The cheap questions first: a verdict has to be found. */
function matches(kept: KeptExchange, query: JournalQuery): boolean {
  const { operation, petId, method, status, verdict, after = 0 } = query;
  return (
    kept.sequence > after &&
    (method === undefined || kept.method === method) &&
    (status === undefined || kept.status === status) &&
    (operation === undefined || operationOf(kept) === operation) &&
    (petId === undefined || petIdOf(kept) === petId) &&
    (verdict === undefined || judge(kept).verdict === verdict)
  );
}
