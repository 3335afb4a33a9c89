import type { InventoryItem } from './item.ts';
import { StoreUnavailableError, type MaybePromise, type Store, type UpdatedItem } from './store.ts';

/** What a sandbox is made of. */
export interface NewSandbox {
  /** Lower-case letters, digits and hyphens. Left out: the storage makes one. */
  readonly id?: string;
  /** The key that opens it. Left out: no key does, as far as the storage knows. */
  readonly apiKey?: string;
  /** What the engine keeps with it, as text. A storage does not look into it. */
  readonly settings: string;
  /** In milliseconds since the epoch. Left out: it does not expire. */
  readonly expiresAt?: number;
  /**
   * What it starts with, and what `reset` goes back to. Sandboxes that are given the same object
   * share it; it must not change from then on.
   */
  readonly seed: Iterable<InventoryItem>;
}

/** What can be changed in a sandbox. */
export interface SandboxConfiguration {
  readonly settings: string;
  /** The settings that these are made from. Left out: they may be any. */
  readonly before?: string;
  /** In milliseconds since the epoch. Left out: it does not expire. */
  readonly expiresAt?: number;
  /** The counters that go on; all others are forgotten. Left out: none do. */
  readonly counters?: readonly string[];
}

export interface SnapshotEntry {
  readonly name: string;
  /** In milliseconds since the epoch. */
  readonly createdAt: number;
}

/** One sandbox as it is kept. */
export interface StoredSandbox {
  readonly id: string;
  readonly settings: string;
  /** In milliseconds since the epoch. Left out: it does not expire. */
  readonly expiresAt?: number;
  readonly store: Store;
  /**
   * The same inventory for requests that were judged by these settings: where the sandbox has others
   * by now, nothing is done, and it throws a {@link SettingsChangedError}. Left out: the settings are
   * those of now whenever a sandbox is found.
   */
  readonly judgedStore?: Store;
  /** What it started with, in the order of the list. */
  seed(): MaybePromise<Iterable<InventoryItem>>;
  /** Goes back to what it started with. Snapshots stay. */
  reset(): MaybePromise<void>;
  /** In the order they were taken. */
  snapshots(): MaybePromise<readonly SnapshotEntry[]>;
  /** Keeps the inventory as it is under a name; an earlier snapshot of that name is replaced. */
  takeSnapshot(name: string, createdAt: number): MaybePromise<void>;
  /** @returns whether there is such a snapshot */
  restoreSnapshot(name: string): MaybePromise<boolean>;
  /** @returns whether there was such a snapshot */
  deleteSnapshot(name: string): MaybePromise<boolean>;
  /** The items of a snapshot, or `undefined` where there is none of that name. */
  snapshotItems(name: string): MaybePromise<Iterable<InventoryItem> | undefined>;
  /**
   * Adds to counters, which begin at 0. Atomic. Left out: no other process has the sandbox, so this
   * one can count by itself.
   *
   * @returns their new values, in the same order; `undefined` where the sandbox has other settings by
   * now: nothing is counted then
   */
  advance?(steps: readonly CounterStep[]): MaybePromise<readonly number[] | undefined>;
  /** The counters that are not 0. There where `advance` is. */
  counters?(): MaybePromise<ReadonlyMap<string, number>>;
}

/** By how much a counter is to rise. */
export type CounterStep = readonly [counter: string, by: number];

/** Where sandboxes are kept, with their inventories, snapshots and settings. */
export interface SandboxStorage {
  /**
   * The sandbox that a key opens; `undefined` where none does, or it has expired. Asked for every
   * request: it must be quick, and must take a time that tells nothing about the keys.
   */
  find(apiKey: string): MaybePromise<StoredSandbox | undefined>;
  /** The sandbox of an id; `undefined` where there is none, or it has expired. */
  get(id: string): MaybePromise<StoredSandbox | undefined>;
  /**
   * The same, asked for every request: what was known a moment ago may count, as with `find`. Left
   * out: `get` is quick enough.
   */
  recall?(id: string): MaybePromise<StoredSandbox | undefined>;
  /** Those that have not expired, in the order they were created. */
  list(): MaybePromise<readonly StoredSandbox[]>;
  /** How many there are, those that have just expired perhaps included. */
  count(): MaybePromise<number>;
  /**
   * Atomic.
   *
   * @returns `taken` where its id or its key belongs to another sandbox; nothing is written then
   * @throws {RangeError} where a petId stands twice in the seed; nothing is written then
   */
  create(sandbox: NewSandbox): MaybePromise<StoredSandbox | 'taken'>;
  /**
   * Puts new settings and a new expiry in the place of both; where `expiresAt` is left out, it does
   * not expire any more. A sandbox that was handed out before need not show them.
   *
   * @returns `undefined` where there is no such sandbox; `changed` where it has other settings than
   * `before` by now: nothing is written then
   */
  configure(
    id: string,
    changes: SandboxConfiguration,
  ): MaybePromise<StoredSandbox | 'changed' | undefined>;
  /** @returns whether there was such a sandbox */
  delete(id: string): MaybePromise<boolean>;
  /** Whether it could serve a request now. Left out: it always can. Never rejects. */
  ready?(): MaybePromise<Readiness>;
  /**
   * Tells of what changes, whoever changes it: this process or another on the same storage. An event
   * may come late, and after a lost connection `replaced` stands for what was missed.
   *
   * @param sandbox the id of the only sandbox to be told about. Left out: all, and their coming and
   * going
   * @returns ends it
   */
  subscribe?(listener: (event: StorageEvent) => void, sandbox?: string): () => void;
  /** Where processes on the same storage leave each other messages. Left out: there is nowhere. */
  readonly board?: MessageBoard;
  /** Gives up what it holds: connections, files, timers. */
  close?(): MaybePromise<void>;
}

/**
 * Carries messages among the processes on one storage. Nothing is kept: whoever does not listen at that
 * moment never hears it, and a lost connection loses what came meanwhile.
 */
export interface MessageBoard {
  /**
   * Listens to a box until the storage is closed. Resolves when it is heard for the first time.
   *
   * @param box lower-case letters, digits and hyphens
   */
  listen(box: string, listener: (message: string) => void): Promise<void>;
  /**
   * Tells all who listen to a box, in the order in which this process posts.
   *
   * @returns how many processes listen to it, this one included where it does
   * @throws {StoreUnavailableError} where the storage is away, and where this process could not hear an
   * answer now: one of the boxes that it listens to is not heard
   */
  post(box: string, message: string): Promise<number>;
}

/** Whether a storage can serve a request, and why not. */
export type Readiness =
  { readonly ready: true } | { readonly ready: false; readonly reason: string };

/** What happened in a sandbox of a storage that several processes share. */
export type StorageEvent =
  | {
      readonly kind: 'change';
      readonly sandbox: string;
      readonly item: UpdatedItem;
    }
  /** The inventory was replaced: reset, restored, set; or events may be missing. Read it anew. */
  | { readonly kind: 'replaced'; readonly sandbox: string }
  | { readonly kind: 'settings'; readonly sandbox: string }
  /** Snapshots were taken or deleted. */
  | { readonly kind: 'snapshots'; readonly sandbox: string }
  | { readonly kind: 'created'; readonly sandbox: string }
  | { readonly kind: 'deleted'; readonly sandbox: string };

/**
 * A sandbox that was found a moment ago has been deleted since, or has expired: finding it again
 * shows that it is gone.
 */
export class SandboxGoneError extends StoreUnavailableError {
  constructor(id: string) {
    super(`sandbox ${id} has been deleted or has expired; nothing was changed`, 1);
  }
}

/** A sandbox that was found a moment ago has other settings by now: finding it again shows them. */
export class SettingsChangedError extends StoreUnavailableError {
  constructor(id: string) {
    super(`the settings of sandbox ${id} were changed meanwhile; nothing was changed`, 1);
  }
}
