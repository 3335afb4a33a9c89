import type { MessageBoard } from '../../inventory/sandbox-storage.ts';
import { createSecureRandom, toRandomText } from '../../inventory/random.ts';
import { StoreUnavailableError } from '../../inventory/store.ts';
import {
  writePeerMessage,
  type JournalAnswer,
  type JournalOf,
  type JournalQuestion,
  type PeerMessage,
} from './peer-message.ts';
import type { JournalQuery } from '../journal-entry.ts';
import { Asked } from './asked.ts';
import { readPeerMessage } from './read-peer-message.ts';
import { SequenceClock, serverNumbers } from './sequence-clock.ts';

/**
 * How long the others may take to answer, in milliseconds. A process that has ended is not asked: only
 * one that hangs, or whose machine is gone, takes so long, and from then on less.
 */
const patience = { first: 1000, again: 100 };

/** How long a start waits for the board to be heard, in milliseconds. */
const openingPatience = 1000;

/** How often what lapses is repeated, and when it has lapsed, in milliseconds. */
export const repeatEvery = 2000;
export const lapsesAfter = 5000;

/** The box that everybody listens to. */
const everybody = 'all';

/** A question that this process has asked. */
type Ask = Omit<JournalQuestion, 'id'> | (JournalOf & { readonly kind: 'clear' });

export interface PeersOptions {
  readonly board: MessageBoard;
  /** Milliseconds since the epoch, with fractions. */
  readonly now: () => number;
  readonly onBug: ((error: unknown) => void) | undefined;
  /** Is told what others tell, but for what answers a question. */
  readonly onMessage: (message: PeerMessage, from: string) => void;
}

/** The other processes on the same storage. */
export class Peers {
  readonly clock: SequenceClock;
  readonly #options: PeersOptions;
  /** The name of the box of this process. */
  readonly #box: string;
  readonly #questions = new Map<number, (answer: JournalAnswer) => void>();
  readonly #watches = new Map<number, Watch>();
  #lastId = 0;
  /** How many have not answered the last question. */
  #silent = 0;

  constructor(options: PeersOptions) {
    const random = createSecureRandom();
    this.#options = options;
    this.#box = toRandomText(random, 16);
    this.clock = new SequenceClock(options.now, Math.floor(random() * serverNumbers));
  }

  /** Listens to what others tell; where the storage is away, as soon as it is back. */
  async open(): Promise<void> {
    const { board } = this.#options;
    const listening = [this.#box, everybody].map((box) =>
      board.listen(box, (text) => this.#hear(text)),
    );
    await within(openingPatience, Promise.all(listening));
    await within(openingPatience, this.tell({ kind: 'hello' }));
  }

  close(): void {
    for (const watch of this.#watches.values()) watch.end();
  }

  /** Tells everybody; where they cannot be told now, nobody. */
  async tell(message: PeerMessage): Promise<void> {
    await this.#post(everybody, message).catch((error: unknown) => this.#noteFailure(error));
  }

  /** Tells one of them; where it cannot be told now, nobody. */
  async tellOne(box: string, message: PeerMessage): Promise<void> {
    await this.#post(box, message).catch((error: unknown) => this.#noteFailure(error));
  }

  /**
   * Asks everybody, and waits for what they answer, but not for long.
   *
   * @returns whether all have answered
   */
  async ask(
    question: Ask,
    onAnswer: (answer: JournalAnswer) => void = () => undefined,
  ): Promise<boolean> {
    const id = (this.#lastId += 1);
    const asked = new Asked(this.#silent, patience);
    this.#questions.set(id, (answer) => {
      onAnswer(answer);
      if (answer.isLastPart) asked.noteAnswer();
    });
    this.#post(everybody, { ...question, id }).then(
      // This process listens as well.
      (reached) => asked.expect(reached - 1),
      (error: unknown) => {
        this.#noteFailure(error);
        asked.giveUp();
      },
    );
    const missing = await asked.ended;
    this.#questions.delete(id);
    this.#silent = missing ?? this.#silent;
    return missing === 0;
  }

  /** Has everybody tell when an exchange matches, until it is ended. */
  watch(journal: JournalOf, query: JournalQuery): Watch {
    const id = (this.#lastId += 1);
    const watch = new Watch(
      () => void this.tell({ kind: 'watch', id, ...journal, query }),
      () => {
        this.#watches.delete(id);
        void this.tell({ kind: 'unwatch', id });
      },
    );
    this.#watches.set(id, watch);
    return watch;
  }

  #post(box: string, message: PeerMessage): Promise<number> {
    const sender = { from: this.#box, server: this.clock.server };
    return this.#options.board.post(box, writePeerMessage(sender, message));
  }

  #hear(text: string): void {
    try {
      const heard = readPeerMessage(text);
      if (heard === undefined || heard.sender.from === this.#box) return;
      const { sender, message } = heard;
      if (sender.server === this.clock.server) this.#yield(sender.from, message);
      if (message.kind === 'answer') this.#takeAnswer(message);
      else if (message.kind === 'seen') this.#watches.get(message.id)?.note();
      else this.#options.onMessage(message, sender.from);
    } catch (error) {
      this.#options.onBug?.(error);
    }
  }

  #takeAnswer(answer: JournalAnswer): void {
    // From a server whose clock is wrong: it counts as one that has not answered.
    if (!this.clock.isPlausible(answer.last)) return;
    this.#questions.get(answer.id)?.(answer);
  }

  /** No two are to have one number: of those that do, one takes another, and makes the other see it. */
  #yield(from: string, message: PeerMessage): void {
    if (from < this.#box) {
      this.clock.server = Math.floor(createSecureRandom()() * serverNumbers);
    } else if (message.kind === 'hello') void this.tellOne(from, { kind: 'hello' });
  }

  #noteFailure(error: unknown): void {
    if (!(error instanceof StoreUnavailableError)) this.#options.onBug?.(error);
  }
}

/** Waits until another process has seen an exchange that matches. */
export class Watch {
  readonly #repeat: () => void;
  readonly #onEnd: () => void;
  readonly #timer: ReturnType<typeof setInterval>;
  #isSeen = false;
  #wake: (() => void) | undefined;

  constructor(repeat: () => void, onEnd: () => void) {
    this.#repeat = repeat;
    this.#onEnd = onEnd;
    this.#timer = setInterval(() => this.#repeat(), repeatEvery);
    this.#repeat();
  }

  note(): void {
    this.#isSeen = true;
    this.#wake?.();
  }

  /** Resolves when somebody has seen one since it was asked last. */
  async seen(): Promise<void> {
    if (!this.#isSeen) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#isSeen = false;
  }

  end(): void {
    clearInterval(this.#timer);
    this.#onEnd();
  }
}

/** Waits for a promise, but not longer than so many milliseconds. */
async function within(milliseconds: number, promise: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([promise, over]);
  clearTimeout(timer);
}
