import type { MessageBoard } from '../../inventory/sandbox-storage.ts';
import { StoreUnavailableError } from '../../inventory/store.ts';
import type { Journal } from '../journal.ts';
import type { Sandbox, SandboxEvent } from '../sandbox.ts';
import { Answering } from './answering.ts';
import { Following } from './following.ts';
import type { PeerMessage } from './peer-message.ts';
import { Peers } from './peers.ts';
import { SharedJournal, type JournalOwner } from './shared-journal.ts';

/** What it takes to make journals one with those of other processes. */
export interface JournalSharingSources {
  readonly board: MessageBoard;
  /** Milliseconds since the epoch, with fractions. */
  readonly now: () => number;
  readonly onBug: ((error: unknown) => void) | undefined;
  /** Is told, in a sentence, of what is missing. */
  readonly onNotice: ((text: string) => void) | undefined;
  /** Is waited for before a journal is looked at. Left out: nothing. */
  readonly gather: (() => Promise<void>) | undefined;
  /** A sandbox that this process has served. */
  readonly known: (id: string) => (JournalOwner & Sandbox) | undefined;
  /** A sandbox as the storage has it. */
  readonly find: (id: string) => Promise<(JournalOwner & Sandbox) | undefined>;
  /** Is told of a sandbox that is gone. */
  readonly forget: (id: string) => void;
  /** Is told what happened in another process. */
  readonly emit: (event: SandboxEvent) => void;
}

/** Makes the journals of all processes on the same storage one: see docs/decisions/0015. */
export class JournalSharing {
  readonly #sources: JournalSharingSources;
  readonly #peers: Peers;
  readonly #answering: Answering;
  readonly #following: Following;
  readonly #gather: () => Promise<void>;

  constructor(sources: JournalSharingSources) {
    const { board, now, onBug, onNotice, known, find, emit } = sources;
    this.#sources = sources;
    this.#gather = sources.gather ?? (() => Promise.resolve());
    this.#peers = new Peers({
      board,
      now,
      onBug,
      onMessage: (message, from) => {
        this.#take(message, from).catch((error: unknown) => {
          if (!(error instanceof StoreUnavailableError)) onBug?.(error);
        });
      },
    });
    const gather = this.#gather;
    this.#answering = new Answering({ peers: this.#peers, gather, known, find });
    this.#following = new Following({
      peers: this.#peers,
      find: async (id) => known(id) ?? find(id),
      emit,
      onBug,
      onNotice,
    });
  }

  /** Listens to what others tell. */
  open(): Promise<void> {
    return this.#peers.open();
  }

  close(): void {
    this.#peers.close();
    this.#answering.close();
    this.#following.close();
  }

  /**
   * The sequence of an exchange, behind the last one of its journal.
   *
   * @param at when it began, in milliseconds since the epoch
   */
  nextSequence(last: number, at: number): number {
    return this.#peers.clock.next(last, at);
  }

  /** The journal of a sandbox over all processes. */
  share(owner: JournalOwner): Journal {
    return new SharedJournal(owner, this.#peers, this.#gather);
  }

  /** Takes note of what somebody listens to here; `undefined` stands for all. */
  want(ids: ReadonlySet<string | undefined>): void {
    this.#following.want(ids);
  }

  /** Whether another process wants to be told of a sandbox. */
  isFollowed(id: string): boolean {
    return this.#following.isFollowed(id);
  }

  /** Tells other processes of what happened in this one, as far as the storage does not. */
  pass(event: SandboxEvent): void {
    if (event.type === 'exchange') this.#following.pass(event.sandbox.id, event.exchange);
  }

  /** Has other processes forget a sandbox: the storage tells only those who listen to it. */
  noteDeleted(sandbox: string): void {
    void this.#peers.tell({ kind: 'deleted', sandbox });
  }

  /** The storage has the last word: another sandbox may have the id by now. */
  async #forget(id: string): Promise<void> {
    if ((await this.#sources.find(id)) === undefined) this.#sources.forget(id);
  }

  async #take(message: PeerMessage, from: string): Promise<void> {
    switch (message.kind) {
      case 'question':
        return this.#answering.answer(message, from);
      case 'clear':
        return this.#answering.clear(message, from);
      case 'watch':
        return this.#answering.watch(message, from);
      case 'unwatch':
        return this.#answering.unwatch(message.id, from);
      case 'follow':
        return this.#following.follow(message, from);
      case 'exchanges':
        return this.#following.hear(message);
      case 'deleted':
        return this.#forget(message.sandbox);
      case 'hello':
      case 'answer':
      case 'seen':
        return undefined;
    }
  }
}
