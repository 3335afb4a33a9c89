import { estimateLength, type SandboxExchange } from './peer-message.ts';

/** How long anything waits for what comes after it, in milliseconds. */
const pause = 5;

/** More is dropped, and counted: the other process, or the board, cannot keep up. */
const mostExchanges = 500;
/** In characters. */
const mostLength = 524_288;

/** As many batches may be on their way. */
const mostUnderWay = 4;

/** @returns a promise that is resolved when it is on its way, and never rejected */
export type SendBatch = (exchanges: readonly SandboxExchange[], dropped: number) => Promise<void>;

/** Gathers exchanges for another process, so that a message is not sent for each. */
export class ExchangeBatch {
  readonly #send: SendBatch;
  #exchanges: SandboxExchange[] = [];
  #length = 0;
  #dropped = 0;
  #underWay = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(send: SendBatch) {
    this.#send = send;
  }

  add(exchange: SandboxExchange): void {
    if (this.#exchanges.length >= mostExchanges || this.#length >= mostLength) this.#dropped += 1;
    else {
      this.#exchanges.push(exchange);
      this.#length += estimateLength(exchange.exchange);
    }
    this.#sendSoon();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #sendSoon(): void {
    if (this.#exchanges.length === 0 || this.#underWay >= mostUnderWay) return;
    this.#timer ??= setTimeout(() => void this.#flush(), pause);
  }

  async #flush(): Promise<void> {
    this.#timer = undefined;
    const exchanges = this.#exchanges;
    const dropped = this.#dropped;
    this.#exchanges = [];
    this.#length = 0;
    this.#dropped = 0;
    this.#underWay += 1;
    await this.#send(exchanges, dropped);
    this.#underWay -= 1;
    this.#sendSoon();
  }
}
