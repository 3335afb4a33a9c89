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
  readonly #underWay = new Set<Promise<void>>();
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

  /** Sends what waits, and resolves when all that was given until now has left. */
  async flush(): Promise<void> {
    this.#post();
    await Promise.all(this.#underWay);
  }

  #post(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isEmpty()) return;
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
    const sent = this.#send(report).finally(() => {
      this.#underWay.delete(sent);
      this.#sendSoon();
    });
    this.#underWay.add(sent);
    // Where the primary process is gone: this one ends then, too.
    sent.catch(() => undefined);
  }

  #sendSoon(): void {
    if (this.#isEmpty() || this.#underWay.size >= mostUnderWay) return;
    this.#timer ??= setTimeout(() => this.#post(), pause);
  }

  #isEmpty(): boolean {
    return this.#waiting === 0 && this.#output === '' && this.#errors === '';
  }
}
