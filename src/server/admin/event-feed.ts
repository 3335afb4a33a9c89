import type { AdminEvent } from '../../admin/admin-api.ts';
import { StoreUnavailableError } from '../../inventory/store.ts';
import { stringifyExactJson } from '../../json/exact-json.ts';
import type { SandboxEvent } from '../../mock/sandbox.ts';
import type { Sandboxes } from '../../mock/sandboxes.ts';
import { AdminRefusal, type AdminStream } from './admin-answer.ts';
import { EventReplay, type KeptEvent } from './event-replay.ts';
import { toSandboxView } from './sandbox-view.ts';

/** The sandbox that `replaced` names where events of any sandbox may be missing: read all anew. */
export const everySandbox = '*';

/** A client that lets more bytes than this wait is cut off: it reconnects, and resumes. */
const mostWaiting = 1_048_576;

/** Where all clients together may let more than this wait, each may let less wait, in bytes. */
const mostWaitingOfAll = 67_108_864;

/** More clients than this are refused: each costs a connection and a copy of every event. */
const mostClients = 1000;

/** How long events are kept for clients that come back, in milliseconds. */
const patience = 60_000;

/** How often a silent stream says that it is alive, in milliseconds. */
const heartbeat = 15_000;

interface Client {
  readonly stream: AdminStream;
  /** The only sandbox to tell of. */
  readonly sandbox: string | undefined;
  /** What was told in this turn, to be written at once. */
  text: string;
  /** Whether its sandbox is gone: nothing more will come. */
  isOver: boolean;
}

/** What is listened to for some clients, and a while longer. */
interface Subscription {
  readonly end: () => void;
  /** The id of the last event before it: what came later was heard. */
  readonly since: number;
  clients: number;
  /** Left out: there are clients. */
  leaving: NodeJS.Timeout | undefined;
}

/** Tells clients of everything that happens, as server-sent events (HTML standard, section 9.2). */
export class EventFeed {
  readonly #sandboxes: Sandboxes;
  readonly #onBug: (error: unknown) => void;
  readonly #clients = new Set<Client>();
  readonly #replay = new EventReplay();
  /** By sandbox; `undefined` for all. Nothing is listened to that nobody wants to know. */
  readonly #subscriptions = new Map<string | undefined, Subscription>();
  #beating: NodeJS.Timeout | undefined;
  #flushing: NodeJS.Immediate | undefined;
  /** Events wait here behind one whose view is not read yet, so that they stay in order. */
  #tail: Promise<void> | undefined;

  constructor(sandboxes: Sandboxes, onBug: (error: unknown) => void) {
    this.#sandboxes = sandboxes;
    this.#onBug = onBug;
  }

  /** @throws {AdminRefusal} where there are too many clients */
  assertRoom(): void {
    if (this.#clients.size < mostClients) return;
    throw new AdminRefusal(
      503,
      'unavailable',
      `the server tells ${mostClients} clients of events already; close some`,
      { 'Retry-After': '5' },
    );
  }

  /**
   * Tells a client of events until it goes away.
   *
   * @param sandbox the id of the only one to tell of. Left out: all
   * @param lastEventId what the client saw last. Left out: it is new
   */
  add(stream: AdminStream, sandbox: string | undefined, lastEventId: string | undefined): void {
    const { since } = this.#listen(sandbox);
    const client: Client = { stream, sandbox, text: '', isOver: false };
    // The id alone makes no event, but a client that loses its connection now resumes from here.
    stream.write(`retry: 1000\nid: ${this.#replay.last}\n\n`);
    if (lastEventId !== undefined) this.#resume(client, lastEventId, since);
    this.#clients.add(client);
    const leave = (): void => {
      this.#remove(client);
      stream.end();
    };
    if (stream.signal.aborted) leave();
    else stream.signal.addEventListener('abort', leave, { once: true });
  }

  /** Ends every stream, and listens no more. */
  close(): void {
    for (const { stream } of this.#clients) stream.end();
    this.#clients.clear();
    for (const sandbox of this.#subscriptions.keys()) this.#forget(sandbox);
  }

  #resume({ stream, sandbox }: Client, lastEventId: string, since: number): void {
    const missed = Number(lastEventId) < since ? undefined : this.#replay.since(lastEventId);
    if (missed === undefined) {
      const event: AdminEvent = { type: 'replaced', sandbox: sandbox ?? everySandbox };
      stream.write(toText(this.#replay.last, event));
      return;
    }
    for (const event of missed) if (concerns(event, sandbox)) stream.write(event.text);
  }

  #listen(sandbox: string | undefined): Subscription {
    this.#beating ??= setInterval(() => this.#beat(), heartbeat).unref();
    const known = this.#subscriptions.get(sandbox);
    if (known !== undefined) {
      clearTimeout(known.leaving);
      known.leaving = undefined;
      known.clients += 1;
      return known;
    }
    const end = this.#sandboxes.subscribe((event) => {
      // What is told of all is told of this one as well.
      if (sandbox === undefined || !this.#subscriptions.has(undefined)) this.#take(event);
    }, sandbox);
    const since = this.#subscriptions.get(undefined)?.since ?? this.#replay.last;
    const subscription = { end, since, clients: 1, leaving: undefined };
    this.#subscriptions.set(sandbox, subscription);
    return subscription;
  }

  #remove(client: Client): void {
    if (!this.#clients.delete(client)) return;
    if (this.#clients.size === 0) {
      clearInterval(this.#beating);
      this.#beating = undefined;
    }
    const { sandbox } = client;
    const subscription = this.#subscriptions.get(sandbox);
    if (subscription === undefined) return;
    subscription.clients -= 1;
    if (subscription.clients > 0) return;
    subscription.leaving = setTimeout(() => this.#forget(sandbox), patience).unref();
  }

  #forget(sandbox: string | undefined): void {
    const subscription = this.#subscriptions.get(sandbox);
    clearTimeout(subscription?.leaving);
    subscription?.end();
    this.#subscriptions.delete(sandbox);
    if (this.#subscriptions.size > 0) return;
    clearInterval(this.#beating);
    clearImmediate(this.#flushing);
    this.#beating = undefined;
    this.#flushing = undefined;
    // What happens from now on is missing: nobody can resume across it.
    this.#replay.clear();
  }

  #beat(): void {
    for (const { stream } of this.#clients) stream.write(': alive\n\n');
  }

  #take(event: SandboxEvent): void {
    const ready = this.#tail === undefined ? toPlainEvent(event) : undefined;
    if (ready !== undefined) {
      this.#publish(ready);
      return;
    }
    const tail = (this.#tail ?? Promise.resolve())
      .then(async () => this.#publish(toPlainEvent(event) ?? (await toViewEvent(event))))
      .catch((error: unknown) => {
        // The sandbox is gone, which is told next, or the storage is away, which will say what is
        // missing.
        if (!(error instanceof StoreUnavailableError)) this.#onBug(error);
      })
      .finally(() => {
        if (this.#tail === tail) this.#tail = undefined;
      });
    this.#tail = tail;
  }

  #publish(event: AdminEvent): void {
    const kept = this.#replay.add(event.sandbox, (id) => toText(id, event));
    for (const client of this.#clients) {
      if (!concerns(kept, client.sandbox)) continue;
      client.text += kept.text;
      client.isOver ||= event.type === 'deleted' && client.sandbox !== undefined;
    }
    // One write for all the events of a turn: under load, a write for each would cost more.
    this.#flushing ??= setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#flushing = undefined;
    const most = Math.min(mostWaiting, mostWaitingOfAll / this.#clients.size);
    for (const client of this.#clients) {
      const { stream, text } = client;
      client.text = '';
      if (text === '') continue;
      if (stream.waiting > most) stream.destroy();
      else stream.write(text);
      if (client.isOver) stream.end();
    }
  }
}

function concerns(event: KeptEvent, sandbox: string | undefined): boolean {
  return sandbox === undefined || event.sandbox === sandbox;
}

/** The event as the admin API shows it; `undefined` where a view must be read first. */
function toPlainEvent(event: SandboxEvent): AdminEvent | undefined {
  switch (event.type) {
    case 'exchange':
      return { type: 'exchange', sandbox: event.sandbox.id, exchange: event.exchange };
    case 'change': {
      const { petId, quantity, status, previous } = event.item;
      const item = { petId, quantity, status };
      return { type: 'change', sandbox: event.sandbox.id, item, before: previous };
    }
    case 'replaced':
      return { type: 'replaced', sandbox: event.sandbox.id };
    case 'fault':
      return { type: 'fault', sandbox: event.sandbox.id, fault: event.fault };
    case 'deleted':
      return { type: 'deleted', sandbox: event.id };
    case 'sandbox':
    case 'created':
      return undefined;
  }
}

async function toViewEvent(event: SandboxEvent): Promise<AdminEvent> {
  if (event.type !== 'sandbox' && event.type !== 'created') {
    throw new Error(`the event ${event.type} has no view`);
  }
  const { type, sandbox } = event;
  return { type, sandbox: sandbox.id, view: await toSandboxView(sandbox) };
}

function toText(id: number, event: AdminEvent): string {
  return `id: ${id}\nevent: ${event.type}\ndata: ${stringifyExactJson(event)}\n\n`;
}
