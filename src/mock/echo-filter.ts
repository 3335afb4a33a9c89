import type { StorageEvent } from '../inventory/sandbox-storage.ts';

/** An event that was told, and whose twin may still come from the other side. */
interface Told {
  readonly source: EventSource;
  readonly text: string;
  readonly at: number;
  /** Somebody else's event came behind it, so its twin sets right what is last. */
  isOvertaken: boolean;
}

/** `own`: this process did it. `heard`: the storage tells of it, whoever did it. */
export type EventSource = 'own' | 'heard';

/** After so many milliseconds a twin does not come any more: it was lost with a connection. */
const patience = 3000;

const mostKeys = 10_000;
const mostWaiting = 64;

/**
 * Keeps what this process did from being told twice: it knows by itself, and hears of it from the
 * storage. Either may come first. The order in which the storage tells is the true one: where
 * somebody else's change of a pet came between, the own one is told again, to be the last.
 */
export class EchoFilter {
  readonly #now: () => number;
  /** By sandbox, and within it by pet or kind of event. */
  readonly #told = new Map<string, Told[]>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether an event is to be told. */
  passes(source: EventSource, event: StorageEvent): boolean {
    const at = this.#now();
    const key = toKey(event);
    const text = toText(event);
    const waiting = (this.#told.get(key) ?? []).filter((told) => at - told.at <= patience);
    const twin = waiting.find((told) => told.source !== source && told.text === text);
    if (twin !== undefined) waiting.splice(waiting.indexOf(twin), 1);
    const passes = twin === undefined || twin.isOvertaken;
    if (twin === undefined) {
      if (source === 'heard') for (const told of waiting) told.isOvertaken ||= isOwn(told);
      waiting.push({ source, text, at, isOvertaken: false });
    }
    this.#keep(key, waiting.slice(-mostWaiting));
    return passes;
  }

  #keep(key: string, waiting: Told[]): void {
    this.#told.delete(key);
    if (waiting.length === 0) return;
    this.#told.set(key, waiting);
    const [oldest] = this.#told.keys();
    if (this.#told.size > mostKeys && oldest !== undefined) this.#told.delete(oldest);
  }
}

const isOwn = ({ source }: Told): boolean => source === 'own';

function toKey(event: StorageEvent): string {
  const part = event.kind === 'change' ? String(event.item.petId) : toText(event);
  return `${event.sandbox} ${part}`;
}

function toText(event: StorageEvent): string {
  // To this process, both are changes of the sandbox itself.
  if (event.kind === 'snapshots') return 'settings';
  if (event.kind !== 'change') return event.kind;
  const { quantity, status, previous } = event.item;
  return `${quantity} ${status} ${previous.quantity} ${previous.status}`;
}
