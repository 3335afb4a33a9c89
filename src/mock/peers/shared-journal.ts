import type { JournalEntry, JournalPage, JournalQuery } from '../journal-entry.ts';
import { assertWait, type Journal, type OwnJournal, type RecordFacts } from '../journal.ts';
import type { KeptExchange } from '../kept-exchange.ts';
import type { Answered } from '../mock.ts';
import type { JournalOf } from './peer-message.ts';
import type { Peers, Watch } from './peers.ts';

/** Whose journal is shared. */
export interface JournalOwner {
  readonly id: string;
  readonly createdAt: number;
  /** What this process has answered. */
  readonly ownJournal: OwnJournal;
}

/**
 * The journal of a sandbox over all processes on the same storage. Each keeps what it has answered;
 * whoever is asked asks the others.
 */
export class SharedJournal implements Journal {
  readonly #owner: JournalOwner;
  readonly #peers: Peers;
  readonly #gather: () => Promise<void>;

  /** @param gather is waited for before this process looks at its own journal */
  constructor(owner: JournalOwner, peers: Peers, gather: () => Promise<void>) {
    this.#owner = owner;
    this.#peers = peers;
    this.#gather = gather;
  }

  get last(): number {
    return this.#own.last;
  }

  get size(): number {
    return this.#own.size;
  }

  get bytes(): number {
    return this.#own.bytes;
  }

  record(answered: Answered, facts: RecordFacts): void {
    this.#own.record(answered, facts);
  }

  adopt(exchange: KeptExchange): void {
    this.#own.adopt(exchange);
  }

  find(query?: JournalQuery, upTo?: number): JournalPage {
    return this.#own.find(query, upTo);
  }

  async waitFor(query: JournalQuery, signal?: AbortSignal): Promise<JournalPage> {
    // How long is nobody else's business.
    const { wait = 0, ...asked } = query;
    assertWait(wait);
    signal?.throwIfAborted();
    const deadline = performance.now() + wait * 1000;
    const page = await this.#collect(asked);
    signal?.throwIfAborted();
    if (page.exchanges.length > 0 || wait === 0) return page;
    const watch = this.#peers.watch(this.#name, asked);
    try {
      return await this.#waitUntil(deadline, asked, watch, signal);
    } finally {
      watch.end();
    }
  }

  async clear(): Promise<void> {
    this.#own.clear();
    await this.#gather();
    this.#own.clear();
    await this.#peers.ask({ kind: 'clear', ...this.#name });
  }

  close(): void {
    this.#own.close();
  }

  get #own(): OwnJournal {
    return this.#owner.ownJournal;
  }

  get #name(): JournalOf {
    return { sandbox: this.#owner.id, createdAt: this.#owner.createdAt };
  }

  /** @param deadline on the steady clock, in milliseconds */
  async #waitUntil(
    deadline: number,
    query: JournalQuery,
    watch: Watch,
    signal?: AbortSignal,
  ): Promise<JournalPage> {
    for (;;) {
      const wait = Math.max(0, deadline - performance.now()) / 1000;
      // oxlint-disable-next-line no-await-in-loop -- until there is one
      const own = await this.#ownUnlessSeen({ ...query, wait }, watch, signal);
      // Others may have come at the same moment, also when the time is over.
      // oxlint-disable-next-line no-await-in-loop -- until there is one
      const page = await this.#collect(query);
      signal?.throwIfAborted();
      if (page.exchanges.length > 0 || own?.exchanges.length === 0) return page;
      // What was waited for has given way to others already.
      if (own !== undefined) return own;
    }
  }

  /** The next match here; `undefined` where another process has one first. */
  async #ownUnlessSeen(
    query: JournalQuery,
    watch: Watch,
    signal?: AbortSignal,
  ): Promise<JournalPage | undefined> {
    const over = new AbortController();
    const signals = signal === undefined ? over.signal : AbortSignal.any([over.signal, signal]);
    const own = this.#own.waitFor(query, signals);
    // It is given up where another one is first.
    own.catch(() => undefined);
    try {
      return await Promise.race([own, watch.seen().then(() => undefined)]);
    } finally {
      over.abort();
    }
  }

  /**
   * What all have until one moment. Sequences come from several clocks, so that moment is one: what
   * comes later has a higher sequence everywhere, and `after` misses nothing.
   */
  async #collect(query: JournalQuery): Promise<JournalPage> {
    await this.#gather();
    const { clock } = this.#peers;
    const mark = clock.mark();
    const page = await this.#ask(query, mark);
    if (page.last <= mark) return page;
    // Somebody is ahead, or has answered requests meanwhile: the moment is that of the last of them.
    clock.advance(page.last);
    return this.#ask(query, page.last, page.last);
  }

  async #ask(query: JournalQuery, mark: number, upTo?: number): Promise<JournalPage> {
    const found = new MergedPage(query);
    const limits = upTo === undefined ? { mark } : { mark, upTo };
    const answers = this.#peers.ask(
      { kind: 'question', ...this.#name, query, ...limits },
      (answer) => found.add(answer),
    );
    found.add(this.#own.find(query, upTo));
    return found.toPage(await answers);
  }
}

/** Takes the pages of several journals together, and never holds more than a page. */
class MergedPage {
  readonly #limit: number;
  readonly #isFromOldest: boolean;
  #exchanges: readonly JournalEntry[] = [];
  #last = 0;

  constructor({ limit = 100, after }: JournalQuery) {
    this.#limit = limit;
    this.#isFromOldest = after !== undefined;
  }

  add({ exchanges, last }: JournalPage): void {
    this.#last = Math.max(this.#last, last);
    if (exchanges.length === 0) return;
    const all = [...this.#exchanges, ...exchanges].toSorted(
      (one, other) => one.sequence - other.sequence,
    );
    this.#exchanges = this.#isFromOldest ? all.slice(0, this.#limit) : all.slice(-this.#limit);
  }

  toPage(isWhole: boolean): JournalPage {
    const page = { exchanges: this.#exchanges, last: this.#last };
    return isWhole ? page : { ...page, isPartial: true };
  }
}
