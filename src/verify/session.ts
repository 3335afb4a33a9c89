import type { Answer, Case } from '../../contracts/case.ts';
import { toCaseRequest } from '../../contracts/case.ts';
import type { HttpClient, Reply, TroubleKind } from './http-client.ts';
import { judgeExchange, toFacts, type JudgedExchange, type Telling } from './judge-exchange.ts';
import { listCase, toAnyUpdateCase } from './plain-cases.ts';
import type { Change, Entry } from './report.ts';
import { compareSnapshots, readEntry, readSnapshot, type Snapshot } from './snapshot.ts';

export interface SessionOptions {
  readonly client: HttpClient;
  readonly telling: Telling;
  readonly apiKey: string;
  /** When the run ends at the latest, by {@link performance.now}. */
  readonly deadline: number;
  /** Aborted when the run is to stop. */
  readonly signal: AbortSignal;
  /** The most updates that a provider may apply, those that restore included. */
  readonly maximumWrites: number;
  readonly readOnly: boolean;
}

/** Why a request was not sent. */
export interface Unsent {
  readonly kind: 'unsent';
  readonly reason: string;
  /** Whether the user asked for it (`--read-only`, `--max-writes`). */
  readonly wished: boolean;
}

export type Sent = ({ readonly kind: 'sent' } & JudgedExchange) | Unsent;

/** What a list showed, next to what it should have. */
export interface Inspection {
  /** `undefined` where there is no list to compare with. */
  readonly changes: readonly Change[] | undefined;
  readonly exchange: JudgedExchange | undefined;
}

/** What costs a time-out or a body of the largest size. */
const costly: ReadonlySet<TroubleKind> = new Set([
  'unreachable',
  'unanswered',
  'unfinished',
  'too-large',
]);

/** How long a run waits in all where the provider limits the rate of requests, in seconds. */
const longestWait = 20;

/** After so many of these there is no use in asking on. */
const patience = 3;

/**
 * Everything that passes between the verifier and one provider: it sends, judges, and remembers
 * what the inventory must be.
 */
export class Session {
  readonly options: SessionOptions;
  /** What the inventory must be, by all that was listed and applied. */
  #expected = new Map<bigint, Entry>();
  #listed: ReadonlySet<bigint> = new Set();
  /** Pets that an update went to whose fate is not known. */
  readonly #uncertain = new Set<bigint>();
  readonly #touched = new Set<bigint>();
  #original: Snapshot = new Map();
  #hasList = false;
  #hasListAnswer = false;
  #hasJsonList = false;
  #restoring = false;
  #unanswered = 0;
  #underWay = 0;
  readonly #waiting: (() => void)[] = [];
  #waited = 0;
  readonly #observe: (exchange: JudgedExchange) => void;

  requests = 0;
  writes = 0;

  /** @param observe is told of every exchange */
  constructor(options: SessionOptions, observe: (exchange: JudgedExchange) => void) {
    this.options = options;
    this.#observe = observe;
  }

  /** Why nothing more is to be sent; `undefined` while the run goes on. */
  get stopped(): string | undefined {
    if (this.#restoring) return undefined;
    if (this.options.signal.aborted) return 'the run was interrupted';
    if (this.#unanswered >= patience) {
      return `${this.#unanswered} requests were not answered as a whole, so the others were not sent`;
    }
    if (performance.now() > this.options.deadline) return 'the time for the whole run was over';
    return undefined;
  }

  /** What the inventory must be now. */
  get inventory(): Snapshot {
    return this.#expected;
  }

  /** What the inventory was when the run began. */
  get original(): Snapshot {
    return this.#original;
  }

  get touched(): ReadonlySet<bigint> {
    return this.#touched;
  }

  /** Whether the list could be read, so that changes can be seen. */
  get hasList(): boolean {
    return this.#hasList;
  }

  /** Whether lists were answered, but none with 200 and JSON, as where the API is elsewhere. */
  get isElsewhere(): boolean {
    return this.#hasListAnswer && !this.#hasJsonList;
  }

  /** Takes what the last list showed for the state to restore. */
  markOriginal(): void {
    this.#original = new Map(this.#expected);
  }

  /** Sends the request of a case once, as soon as one more may be under way. */
  async send(subject: Case, petId?: bigint): Promise<Sent> {
    while (this.#underWay >= this.options.client.connections) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
    this.#underWay += 1;
    try {
      return await this.#sendNow(subject, petId);
    } finally {
      this.#underWay -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #sendNow(subject: Case, petId: bigint | undefined): Promise<Sent> {
    // Only now: much may have happened while it waited.
    const refusal = this.#refuse(subject, petId);
    if (refusal !== undefined) return refusal;
    const listed = this.#listed;
    const request = toCaseRequest(subject, toFacts(this.options.apiKey, { petId, listed }));
    if (request === undefined) {
      const reason = 'it cannot be made from this API key and the pets that are listed';
      return { kind: 'unsent', reason, wished: true };
    }
    if (mayWrite(subject)) {
      this.writes += 1;
      if (petId !== undefined) this.#touched.add(petId);
    }
    const reply = await this.#sendPatiently(request);
    this.#countTrouble(reply);
    const judged = judgeExchange({ subject, petId, listed, reply }, this.options.telling);
    this.#apply(judged);
    this.#observe(judged);
    return { kind: 'sent', ...judged };
  }

  /** Sets a quantity, as a precondition or to restore it. */
  update(petId: bigint, quantity: bigint): Promise<Sent> {
    return this.send(toAnyUpdateCase(quantity), petId);
  }

  /** Whether requests ended in a way that cost much time. */
  get isTrying(): boolean {
    return this.#unanswered > 0;
  }

  /**
   * Lists, and compares with what the inventory must be; from then on it is what was listed.
   *
   * @param subject the list by another name
   */
  async inspect(subject: Case = listCase): Promise<Inspection> {
    const sent = await this.send(subject);
    if (sent.kind === 'unsent') return { changes: undefined, exchange: undefined };
    this.#hearList(sent);
    const listed = sent.value === undefined ? undefined : readSnapshot(sent.value);
    if (listed === undefined) return { changes: undefined, exchange: sent };
    const changes = this.#hasList ? compareSnapshots(this.#expected, listed, this.#uncertain) : [];
    for (const { petId } of changes) this.#touched.add(petId);
    this.#expected = new Map(listed);
    this.#listed = new Set(listed.keys());
    this.#uncertain.clear();
    this.#hasList = true;
    return { changes, exchange: sent };
  }

  /** The next list shows what this pet has; any quantity will do. */
  forget(petId: bigint): void {
    this.#uncertain.add(petId);
  }

  /** A provider state has replaced the inventory. */
  expectInventory(items: readonly Entry[]): void {
    this.#expected = new Map(items.map((item) => [item.petId, item]));
    this.#uncertain.clear();
  }

  /** Lets restoring go on after the run was stopped. */
  beginRestoring(): void {
    this.#restoring = true;
    this.#unanswered = 0;
  }

  #hearList({ reply, value }: JudgedExchange): void {
    if (reply.kind === 'trouble') return;
    this.#hasListAnswer = true;
    // Broken or encoded JSON is JSON in the wrong way, not another address.
    const isJson = value !== undefined || /json/i.test(reply.header('content-type') ?? '');
    if (reply.status === 200 && isJson) this.#hasJsonList = true;
  }

  #refuse(subject: Case, petId: bigint | undefined): Unsent | undefined {
    if (this.stopped !== undefined) return { kind: 'unsent', reason: this.stopped, wished: false };
    if (subject.request.method === 'GET' || this.#restoring) return undefined;
    if (this.options.readOnly) {
      return { kind: 'unsent', reason: 'only GET is sent in a read-only run', wished: true };
    }
    if (!mayWrite(subject)) return undefined;
    // Every pet that is touched needs one write more, to be restored.
    const touched = new Set(this.#touched);
    if (petId !== undefined) touched.add(petId);
    if (this.writes + 1 + touched.size <= this.options.maximumWrites) return undefined;
    const reason = `${this.options.maximumWrites} writes do not suffice for it`;
    return { kind: 'unsent', reason, wished: true };
  }

  /** Waits where the provider says how long; what it does not say is judged. */
  async #sendPatiently(request: Parameters<HttpClient['send']>[0]): Promise<Reply> {
    for (;;) {
      this.requests += 1;
      const reply = await this.options.client.send(request);
      if (reply.kind === 'trouble' || reply.status !== 429) return reply;
      const told = reply.header('retry-after') ?? '';
      // At least a second: who says 0 each time would be asked for ever.
      const seconds = /^\d+$/.test(told) ? Math.max(1, Number(told)) : Number.NaN;
      if (!(this.#waited + seconds <= longestWait) || this.stopped !== undefined) return reply;
      this.#waited += seconds;
      await new Promise((resolve) => {
        setTimeout(resolve, seconds * 1000);
      });
    }
  }

  #countTrouble(reply: Reply): void {
    if (reply.kind === 'response') return;
    if (costly.has(reply.trouble)) this.#unanswered += 1;
  }

  /** Keeps in mind what an update must have done. */
  #apply({ subject, petId, reply, answer, value }: JudgedExchange): void {
    if (petId === undefined || subject.request.method !== 'PATCH') return;
    if (reply.kind === 'trouble') {
      this.#uncertain.add(petId);
      return;
    }
    if (answer?.body === 'item') {
      const echoed = value === undefined ? undefined : readEntry(value);
      const status = echoed?.petId === petId ? echoed.status : this.#expected.get(petId)?.status;
      this.#expected.set(petId, { petId, quantity: answer.quantity, status: status ?? '' });
    } else if (mayWrite(subject) && !isRefusal(answer)) this.#uncertain.add(petId);
  }
}

function isRefusal(answer: Answer | undefined): boolean {
  return answer?.body === 'error';
}

/** Whether a provider that keeps the contract may apply this request. */
export function mayWrite(subject: Case): boolean {
  return subject.answers.some(({ body }) => body === 'item');
}
