import { StoreUnavailableError } from '../../inventory/store.ts';
import type { JournalEntry } from '../journal-entry.ts';
import type { Sandbox, SandboxEvent } from '../sandbox.ts';
import { ExchangeBatch } from './exchange-batch.ts';
import type { PeerMessage, SandboxExchange } from './peer-message.ts';
import { lapsesAfter, repeatEvery, type Peers } from './peers.ts';

/** More than so many are asked for as all. */
const mostNamed = 1000;

/** As many other processes may want to be told. */
const mostFollowers = 1000;

export interface FollowingSources {
  readonly peers: Peers;
  /** A sandbox in use, or as the storage has it. */
  readonly find: (id: string) => Promise<Sandbox | undefined>;
  /** Is told what happened in another process. */
  readonly emit: (event: SandboxEvent) => void;
  readonly onBug: ((error: unknown) => void) | undefined;
  /** Is told, in a sentence, of exchanges that are missing. */
  readonly onNotice: ((text: string) => void) | undefined;
}

/** Another process, and what it wants to be told of. */
interface Follower {
  readonly batch: ExchangeBatch;
  /** `undefined`: all. */
  sandboxes: ReadonlySet<string> | undefined;
  lapsing: ReturnType<typeof setTimeout>;
}

/** Tells processes of each other's exchanges as they happen, while somebody listens. */
export class Following {
  readonly #sources: FollowingSources;
  /** What somebody listens to here. `undefined`: all. */
  #wanted: readonly string[] | undefined = [];
  #repeating: ReturnType<typeof setInterval> | undefined;
  /** By the name of its box. */
  readonly #followers = new Map<string, Follower>();
  /** Exchanges of others wait for each other here. */
  #heard: Promise<void> = Promise.resolve();

  constructor(sources: FollowingSources) {
    this.#sources = sources;
  }

  close(): void {
    clearInterval(this.#repeating);
    for (const box of this.#followers.keys()) this.#drop(box);
  }

  /**
   * Asks the others for the exchanges of some sandboxes, and no longer for those that it was asked
   * for before.
   *
   * @param ids `undefined` among them: all
   */
  want(ids: ReadonlySet<string | undefined>): void {
    const named = [...ids].filter((id) => id !== undefined);
    this.#wanted = named.length < ids.size || named.length > mostNamed ? undefined : named;
    clearInterval(this.#repeating);
    if (ids.size > 0) this.#repeating = setInterval(() => this.#ask(), repeatEvery);
    this.#ask();
  }

  /** Whether another process wants to be told of a sandbox. */
  isFollowed(id: string): boolean {
    if (this.#followers.size === 0) return false;
    return this.#followers.values().some((follower) => wants(follower, id));
  }

  /** Tells those who want to know of an exchange of this process. */
  pass(sandbox: string, exchange: JournalEntry): void {
    for (const follower of this.#followers.values()) {
      if (wants(follower, sandbox)) follower.batch.add({ sandbox, exchange });
    }
  }

  /** Another process wants to be told. */
  follow({ sandboxes }: PeerMessage & { readonly kind: 'follow' }, from: string): void {
    const known = this.#followers.get(from);
    if (sandboxes?.length === 0) {
      this.#drop(from);
      return;
    }
    if (known === undefined && this.#followers.size >= mostFollowers) return;
    const ids = sandboxes === undefined ? undefined : new Set(sandboxes);
    const lapsing = setTimeout(() => this.#drop(from), lapsesAfter);
    if (known !== undefined) {
      clearTimeout(known.lapsing);
      known.sandboxes = ids;
      known.lapsing = lapsing;
      return;
    }
    const { peers } = this.#sources;
    const batch = new ExchangeBatch((exchanges, dropped) =>
      peers.tellOne(from, { kind: 'exchanges', exchanges, dropped }),
    );
    this.#followers.set(from, { batch, sandboxes: ids, lapsing });
  }

  /** Another process tells. One batch after another: a sandbox may have to be read. */
  hear(told: PeerMessage & { readonly kind: 'exchanges' }): void {
    const { onBug, onNotice } = this.#sources;
    if (told.dropped > 0) {
      onNotice?.(
        `${told.dropped} exchanges of another server are missing in the live journal: there were too many`,
      );
    }
    this.#heard = this.#heard
      .then(() => this.#tellAll(told.exchanges))
      .catch((error: unknown) => {
        // The storage is away: it will say that events are missing.
        if (!(error instanceof StoreUnavailableError)) onBug?.(error);
      });
  }

  async #tellAll(exchanges: readonly SandboxExchange[]): Promise<void> {
    for (const { sandbox, exchange } of exchanges) {
      // oxlint-disable-next-line no-await-in-loop -- they stay in order
      await this.#tell(sandbox, exchange);
    }
  }

  async #tell(id: string, exchange: JournalEntry): Promise<void> {
    const { peers, find, emit } = this.#sources;
    // Whoever has seen it may ask for what comes behind it.
    peers.clock.advance(exchange.sequence);
    const sandbox = await find(id);
    if (sandbox === undefined) return;
    emit({ type: 'exchange', sandbox, exchange });
    if (exchange.fault !== undefined) emit({ type: 'fault', sandbox, fault: exchange.fault });
  }

  #ask(): void {
    const sandboxes = this.#wanted === undefined ? {} : { sandboxes: this.#wanted };
    void this.#sources.peers.tell({ kind: 'follow', ...sandboxes });
  }

  #drop(box: string): void {
    const follower = this.#followers.get(box);
    if (follower === undefined) return;
    this.#followers.delete(box);
    clearTimeout(follower.lapsing);
    follower.batch.close();
  }
}

const wants = ({ sandboxes }: Follower, id: string): boolean =>
  sandboxes === undefined || sandboxes.has(id);
