import type { KeptExchange } from '../../mock/kept-exchange.ts';
import type { Report } from './messages.ts';

/** How long anything waits for what comes after it, in milliseconds. */
const pause = 5;

/** More is dropped, and counted: the primary process cannot keep up. */
const mostExchanges = 5000;
const mostText = 1_048_576;

/** As many reports may be on their way. */
const mostUnderWay = 4;

/** Gathers what a worker has to tell, so that a message is not sent for every request. */
export class Outbox {
  readonly #send: (report: Report) => Promise<void>;
  #exchanges = new Map<string, KeptExchange[]>();
  #waiting = 0;
  #output = '';
  #errors = '';
  #dropped = 0;
  #underWay = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param send resolves when a report is on its way, and has left the memory of this process */
  constructor(send: (report: Report) => Promise<void>) {
    this.#send = send;
  }

  addExchange(sandbox: string, exchange: KeptExchange): void {
    if (this.#waiting >= mostExchanges) {
      this.#dropped += 1;
      return;
    }
    this.#waiting += 1;
    const others = this.#exchanges.get(sandbox);
    if (others === undefined) this.#exchanges.set(sandbox, [exchange]);
    else others.push(exchange);
    this.#sendSoon();
  }

  /** @param text whole lines */
  addOutput(text: string): void {
    if (this.#output.length > mostText) this.#dropped += 1;
    else this.#output += text;
    this.#sendSoon();
  }

  /** @param text whole lines */
  addErrors(text: string): void {
    if (this.#errors.length > mostText) this.#dropped += 1;
    else this.#errors += text;
    this.#sendSoon();
  }

  /** Sends what waits, however much is on its way. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting === 0 && this.#output === '' && this.#errors === '') return;
    const report = {
      exchanges: this.#exchanges,
      output: this.#output,
      errors: this.#errors,
      dropped: this.#dropped,
    };
    this.#exchanges = new Map();
    this.#waiting = 0;
    this.#output = '';
    this.#errors = '';
    this.#dropped = 0;
    this.#underWay += 1;
    try {
      await this.#send(report);
    } finally {
      this.#underWay -= 1;
      this.#sendSoon();
    }
  }

  #sendSoon(): void {
    if (this.#waiting === 0 && this.#output === '' && this.#errors === '') return;
    if (this.#underWay >= mostUnderWay) return;
    // Rejected where the primary process is gone: this one ends then, too.
    this.#timer ??= setTimeout(() => void this.flush().catch(() => undefined), pause);
  }
}
