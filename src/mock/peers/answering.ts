import type { JournalEntry, JournalPage } from '../journal-entry.ts';
import { longestWait } from '../journal-query.ts';
import { NothingKeptError, TooManyWaitersError } from '../journal.ts';
import { estimateLength, type JournalOf, type PeerMessage } from './peer-message.ts';
import { lapsesAfter, type Peers } from './peers.ts';
import type { JournalOwner } from './shared-journal.ts';

/** About how many characters a part of an answer has at most, unless one exchange has more. */
const longestPart = 262_144;

/** As many may be waited for by all others together. */
const mostWatches = 10_000;

export interface AnsweringSources {
  readonly peers: Peers;
  /** Is waited for before a journal is looked at. */
  readonly gather: () => Promise<void>;
  /** A sandbox that this process has served. */
  readonly known: (id: string) => JournalOwner | undefined;
  /** A sandbox as the storage has it. */
  readonly find: (id: string) => Promise<JournalOwner | undefined>;
}

interface Watched {
  readonly ending: AbortController;
  lapsing: ReturnType<typeof setTimeout>;
}

/** Answers what other processes ask about the journals of this one. */
export class Answering {
  readonly #sources: AnsweringSources;
  /** By who watches, and its number there. */
  readonly #watched = new Map<string, Watched>();

  constructor(sources: AnsweringSources) {
    this.#sources = sources;
  }

  close(): void {
    for (const key of this.#watched.keys()) this.#end(key);
  }

  async answer(question: PeerMessage & { readonly kind: 'question' }, from: string): Promise<void> {
    const { peers, gather } = this.#sources;
    const { id, query, mark, upTo } = question;
    await gather();
    // From here to the look at the journal nothing comes in between.
    peers.clock.advance(mark);
    const page = this.#journalOf(question)?.find(query, upTo) ?? nothing;
    const parts = inParts(page.exchanges);
    const { last } = page;
    for (const [index, exchanges] of parts.entries()) {
      const isLastPart = index === parts.length - 1;
      // Not one after another: the board keeps the order.
      void peers.tellOne(from, { kind: 'answer', id, exchanges, last, isLastPart });
    }
  }

  async clear(question: PeerMessage & { readonly kind: 'clear' }, from: string): Promise<void> {
    await this.#sources.gather();
    this.#journalOf(question)?.clear();
    const { id } = question;
    await this.#sources.peers.tellOne(from, { kind: 'answer', id, ...nothing, isLastPart: true });
  }

  /** Tells once when an exchange matches, also where it is there already. */
  async watch(wanted: PeerMessage & { readonly kind: 'watch' }, from: string): Promise<void> {
    const key = toKey(from, wanted.id);
    const known = this.#watched.get(key);
    if (known !== undefined) {
      clearTimeout(known.lapsing);
      known.lapsing = this.#lapse(key);
      return;
    }
    if (this.#watched.size >= mostWatches) return;
    const ending = new AbortController();
    this.#watched.set(key, { ending, lapsing: this.#lapse(key) });
    try {
      if (await this.#comes(wanted, ending.signal)) {
        await this.#sources.peers.tellOne(from, { kind: 'seen', id: wanted.id });
      }
    } catch (error) {
      // Where too many wait, it is tried again when the wish is repeated.
      const isRefused = error instanceof TooManyWaitersError || error instanceof NothingKeptError;
      if (!ending.signal.aborted && !isRefused) throw error;
    } finally {
      this.#end(key);
    }
  }

  unwatch(id: number, from: string): void {
    this.#end(toKey(from, id));
  }

  async #comes(
    wanted: PeerMessage & { readonly kind: 'watch' },
    signal: AbortSignal,
  ): Promise<boolean> {
    const { known, find } = this.#sources;
    const served = known(wanted.sandbox);
    const owner = served?.createdAt === wanted.createdAt ? served : await find(wanted.sandbox);
    if (owner === undefined || signal.aborted) return false;
    const query = { ...wanted.query, limit: 1, wait: longestWait };
    return (await owner.ownJournal.waitFor(query, signal)).exchanges.length > 0;
  }

  #journalOf({ sandbox, createdAt }: JournalOf): JournalOwner['ownJournal'] | undefined {
    const owner = this.#sources.known(sandbox);
    return owner?.createdAt === createdAt ? owner.ownJournal : undefined;
  }

  #lapse(key: string): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#end(key), lapsesAfter);
  }

  #end(key: string): void {
    const watched = this.#watched.get(key);
    if (watched === undefined) return;
    this.#watched.delete(key);
    clearTimeout(watched.lapsing);
    watched.ending.abort();
  }
}

const nothing: JournalPage = { exchanges: [], last: 0 };

const toKey = (from: string, id: number): string => `${from} ${id}`;

/** At least one, and none of them long. */
function inParts(exchanges: readonly JournalEntry[]): readonly (readonly JournalEntry[])[] {
  const parts: JournalEntry[][] = [[]];
  let length = 0;
  for (const exchange of exchanges) {
    const size = estimateLength(exchange);
    if (length > 0 && length + size > longestPart) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)?.push(exchange);
    length += size;
  }
  return parts;
}
