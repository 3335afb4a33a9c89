/** An event as it was sent. */
export interface KeptEvent {
  readonly id: number;
  /** The id of the sandbox that it is about. */
  readonly sandbox: string;
  readonly text: string;
}

const mostEvents = 1000;
/** In characters of text. */
const mostText = 1_048_576;

/** Stands where an event was. */
const gone: KeptEvent = { id: 0, sandbox: '', text: '' };

/** Gives events their ids, and keeps the last of them for clients that lost their connection. */
export class EventReplay {
  // A list from which the oldest are dropped now and then, all at once: to shift each would move
  // every other one.
  #events: KeptEvent[] = [];
  #dropped = 0;
  #size = 0;
  #last = firstId();

  /** The id of the last event. */
  get last(): number {
    return this.#last;
  }

  add(sandbox: string, write: (id: number) => string): KeptEvent {
    this.#last += 1;
    const event = { id: this.#last, sandbox, text: write(this.#last) };
    this.#events.push(event);
    this.#size += event.text.length;
    this.#dropOldest();
    return event;
  }

  /** The events behind an id, or `undefined` where some of them may be missing. */
  since(lastEventId: string): readonly KeptEvent[] | undefined {
    const seen = /^\d{1,16}$/.test(lastEventId) ? Number(lastEventId) : Number.NaN;
    const count = this.#last - seen;
    if (!(count >= 0 && count <= this.#events.length - this.#dropped)) return undefined;
    return this.#events.slice(this.#events.length - count);
  }

  /** Keeps nothing any more, and goes on with ids that nobody has seen. */
  clear(): void {
    this.#events = [];
    this.#dropped = 0;
    this.#size = 0;
    // More than one: a client that saw the last must be told that events are missing.
    this.#last = Math.max(this.#last + 1, firstId());
  }

  #dropOldest(): void {
    while (this.#events.length - this.#dropped > mostEvents || this.#size > mostText) {
      this.#size -= this.#events[this.#dropped]?.text.length ?? 0;
      // Few that are long would be held for as long as many that are short.
      this.#events[this.#dropped] = gone;
      this.#dropped += 1;
    }
    if (this.#dropped >= mostEvents) {
      this.#events = this.#events.slice(this.#dropped);
      this.#dropped = 0;
    }
  }
}

/** Made of the time, so that a server that was restarted begins above what it said before. */
function firstId(): number {
  return Date.now() * 1000;
}
