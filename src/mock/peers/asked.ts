/** For one more look at what has come: this process may have been busy itself. In milliseconds. */
const lastLook = 10;

/** In milliseconds. */
export interface AskPatience {
  readonly first: number;
  /** With those who were silent the last time. */
  readonly again: number;
}

/** A question that was asked, until all have answered it or enough was waited. */
export class Asked {
  /** How many have not answered; `undefined` where it is not known how many should. */
  readonly ended: Promise<number | undefined>;
  readonly #end: (missing: number | undefined) => void;
  readonly #silent: number;
  readonly #patience: AskPatience;
  #expected: number | undefined;
  #answered = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isShort = false;

  /** @param silent how many did not answer the last question */
  constructor(silent: number, patience: AskPatience) {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    this.ended = promise;
    this.#end = resolve;
    this.#silent = silent;
    this.#patience = patience;
    this.#wait(patience.first);
  }

  /** It has reached so many. */
  expect(count: number): void {
    this.#expected = count;
    this.#look();
  }

  noteAnswer(): void {
    this.#answered += 1;
    this.#look();
  }

  /** It has reached nobody. */
  giveUp(): void {
    clearTimeout(this.#timer);
    this.#end(undefined);
  }

  #look(): void {
    const missing = this.#missing();
    if (missing === undefined || missing > this.#silent) return;
    if (missing === 0) {
      clearTimeout(this.#timer);
      this.#end(0);
    } else if (!this.#isShort) {
      this.#isShort = true;
      this.#wait(this.#patience.again);
    }
  }

  #wait(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = setTimeout(() => this.#end(this.#missing()), lastLook);
    }, milliseconds);
  }

  #missing(): number | undefined {
    return this.#expected === undefined ? undefined : Math.max(0, this.#expected - this.#answered);
  }
}
