import type { PetStatus } from '../../contracts/pet-status.ts';
import type { InventoryItem } from './item.ts';

/** A value now, or a promise of it: synchronous stores stay synchronous throughout. */
export type MaybePromise<T> = T | Promise<T>;

/** What an update writes. */
export interface StockChange {
  readonly quantity: bigint;
  /** The new status. Left out: it stays as it is. */
  readonly status?: PetStatus;
}

/** An entry that was just written, with what it was before. */
export interface UpdatedItem extends InventoryItem {
  readonly previous: Omit<InventoryItem, 'petId'>;
}

/** Where one inventory is kept. */
export interface Store {
  /**
   * The whole list as JSON text in UTF-8, in segments to be sent one after another. The segments
   * are never changed after they were handed out.
   */
  list(): MaybePromise<readonly Uint8Array[]>;
  get(petId: bigint): MaybePromise<InventoryItem | undefined>;
  /**
   * Atomic: writes the change and returns the entry as it is then, and as it was before.
   *
   * @returns `undefined` where there is no such pet; nothing is written then
   */
  update(petId: bigint, change: StockChange): MaybePromise<UpdatedItem | undefined>;
  /** Every entry, in the order of the list. */
  items(): MaybePromise<Iterable<InventoryItem>>;
  /** How many entries there are. Left out: they are counted one by one. */
  count?(): MaybePromise<number>;
  /** Replaces the whole inventory. */
  replace(items: Iterable<InventoryItem>): MaybePromise<void>;
}

/**
 * A store cannot do its work now: its file, its disk or its server fails it. Nothing was changed, as
 * far as the store knows.
 */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
  /** When to try again: what `Retry-After` says, in whole seconds. */
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds: number, options?: ErrorOptions) {
    super(message, options);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Goes on with a value as soon as it is there: at once, or when its promise resolves. */
export function whenReady<T, R>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
