/** A Redis was lost, or is back. */
export type Availability =
  | {
      readonly isAway: true;
      /** Which server: an address, or the URL without user, password and parameters. */
      readonly server: string;
      readonly reason: string;
    }
  | {
      readonly isAway: false;
      readonly server: string;
      /** How long something was missing, from the first loss until all was there. */
      readonly milliseconds: number;
    };

/** How often a Redis that was lost is looked at, in milliseconds. */
const lookEvery = 200;

export interface OutageOptions {
  /** The whole Redis, in messages. */
  readonly name: string;
  /** Whether every part of it can be used. */
  readonly isReady: () => Promise<boolean>;
  readonly tell: (change: Availability) => void;
}

/** Tells when a Redis is lost and when it is back: once each, however many connections it had. */
export class Outage {
  readonly #options: OutageOptions;
  /** Left out: all is there. */
  #since: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** Takes note that the connection to a server was lost. */
  note(server: string, reason: string): void {
    if (this.#since !== undefined) return;
    this.#since = performance.now();
    this.#options.tell({ isAway: true, server, reason });
    this.#look(this.#since);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#since = 0;
  }

  #look(since: number): void {
    this.#timer = setTimeout(() => void this.#judge(since), lookEvery).unref();
  }

  async #judge(since: number): Promise<void> {
    const isReady = await this.#options.isReady();
    // It was closed meanwhile.
    if (this.#since !== since) return;
    if (isReady) this.#end(since);
    else this.#look(since);
  }

  #end(since: number): void {
    this.#since = undefined;
    const milliseconds = performance.now() - since;
    this.#options.tell({ isAway: false, server: this.#options.name, milliseconds });
  }
}
