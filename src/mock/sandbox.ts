import type { InventoryItem } from '../inventory/item.ts';
import type { SnapshotEntry } from '../inventory/sandbox-storage.ts';
import type { StockChange, UpdatedItem } from '../inventory/store.ts';
import type { InventoryDiff } from './diff.ts';
import type { FaultHit } from './exchange.ts';
import type { PlannedFault } from './faults/fault-plan.ts';
import type { FaultRuleInput } from './faults/fault-rule.ts';
import type { ItemInput } from './item-input.ts';
import type { Journal } from './journal.ts';
import type { JournalEntry } from './journal-entry.ts';
import type { PolicyInput } from './policy-input.ts';
import type { Policy } from './policy.ts';
import type { Seed } from './seed.ts';

/** The sandbox that a mock is created with. */
export const defaultSandboxId = 'default';

/** What a sandbox is created from. Every field may be left out. */
export interface SandboxOptions {
  /** Left out: its id. */
  readonly name?: string;
  /** A fixture, or the name of one. Left out: the one that the mock was created from. */
  readonly fixture?: Seed | 'server';
  /** A key of your own, in visible ASCII characters. Left out: one is made. */
  readonly apiKey?: string;
  /** Answers that differ from the fixture's and the mock's. */
  readonly policy?: PolicyInput;
  /** In seconds, from 1 to 2,592,000 (30 days); `null`: for ever. Left out: 86,400 (a day). */
  readonly timeToLive?: number | null;
  /** A scenario of the fixture to begin with. */
  readonly scenario?: string;
  /** An int32 that decides what is random in faults. Left out: 1. */
  readonly seed?: number;
}

/** What is changed in a sandbox; what is left out stays as it is. */
export interface SandboxChanges {
  readonly name?: string;
  readonly policy?: PolicyInput;
  /** From now on, in seconds; `null`: for ever. */
  readonly timeToLive?: number | null;
  /** The name of a scenario, or `null` for none. */
  readonly scenario?: string | null;
  readonly seed?: number;
}

/** One isolated inventory, and how it behaves. */
export interface Sandbox {
  /** `default` for the one that the mock was created with. */
  readonly id: string;
  readonly name: string;
  /** The name of the fixture that it is seeded from, or `inline`. */
  readonly fixture: string;
  /** In milliseconds since the epoch. */
  readonly createdAt: number;
  /** In milliseconds since the epoch. Left out: it does not expire. */
  readonly expiresAt: number | undefined;
  readonly policy: Policy;
  /** The int32 that decides what is random in its faults. */
  readonly seed: number;
  /** The scenario that is on. */
  readonly scenario: string | undefined;
  /** The names of the scenarios of its fixture. */
  readonly scenarios: readonly string[];
  /** Whether it is a copy that was made for a moment, as for a verification. */
  readonly isTemporary: boolean;
  readonly journal: Journal;

  /** Every entry, in the order of the list. */
  items(): Promise<readonly InventoryItem[]>;
  /** How many entries there are. */
  count(): Promise<number>;
  /** The list as JSON text in UTF-8, in segments. */
  list(): Promise<readonly Uint8Array[]>;
  /**
   * Writes one entry, past key, faults and journal.
   *
   * @throws {SandboxError} `notFound` where there is no such pet
   */
  update(petId: bigint, change: Partial<StockChange>): Promise<UpdatedItem>;
  /** Replaces the whole inventory with items as people type them. */
  set(items: Iterable<ItemInput>): Promise<void>;
  replace(items: Iterable<InventoryItem>): Promise<void>;
  /** Goes back to the fixture. Snapshots, journal and faults stay. */
  reset(): Promise<void>;

  /** Keeps the inventory as it is under a name: 1 to 64 printable characters. */
  snapshot(name: string): Promise<SnapshotEntry>;
  snapshots(): Promise<readonly SnapshotEntry[]>;
  /** @throws {SandboxError} `notFound` where there is no snapshot of that name */
  restore(name: string): Promise<void>;
  /** @throws {SandboxError} `notFound` where there is no snapshot of that name */
  deleteSnapshot(name: string): Promise<void>;
  /** How the inventory differs from its fixture, or from a snapshot. */
  diff(snapshot?: string): Promise<InventoryDiff>;
  /** The sandbox as the text of a fixture: inventory, policy, scenarios. */
  export(): Promise<string>;

  /**
   * Changes what is named, and leaves the rest.
   *
   * @throws {SandboxError} `invalid` for a wrong value
   * @throws {TypeError} for a change that there is not
   */
  configure(changes: SandboxChanges): Promise<void>;
  /**
   * The faults that are on, in the order in which they are asked, with what was counted: by all
   * processes, where several share the storage.
   *
   * @throws {SandboxError} `notFound` where another process has deleted it
   */
  faults(): Promise<readonly PlannedFault[]>;
  /** Adds a fault behind those that are on. */
  addFault(rule: FaultRuleInput): Promise<PlannedFault>;
  /** @throws {SandboxError} `notFound` where there is no such fault among those that were added */
  removeFault(id: string): Promise<void>;
  /** Puts these in place of the faults that were added; the scenario's stay. */
  setFaults(rules: readonly FaultRuleInput[]): Promise<void>;
}

/** A sandbox that was just created, with the key that opens it. */
export interface CreatedSandbox {
  readonly sandbox: Sandbox;
  readonly apiKey: string;
}

/** Something cannot be done with a sandbox. The message says what, why and what to do. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  readonly kind: 'notFound' | 'invalid' | 'conflict' | 'limit';

  constructor(kind: SandboxError['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** What happened to a sandbox. */
export type SandboxEvent =
  | { readonly type: 'exchange'; readonly sandbox: Sandbox; readonly exchange: JournalEntry }
  /** One pet was written, by a request or past it. */
  | { readonly type: 'change'; readonly sandbox: Sandbox; readonly item: UpdatedItem }
  /** The whole inventory was replaced. */
  | { readonly type: 'replaced'; readonly sandbox: Sandbox }
  | {
      readonly type: 'fault';
      readonly sandbox: Sandbox;
      readonly fault: FaultHit;
    }
  /** Its settings, faults or snapshots changed. */
  | { readonly type: 'sandbox'; readonly sandbox: Sandbox }
  | { readonly type: 'created'; readonly sandbox: Sandbox }
  | { readonly type: 'deleted'; readonly id: string };

/** How much a client can make grow. */
export interface SandboxLimits {
  /** How many sandboxes there may be, the default one aside. */
  readonly sandboxes: number;
  /** How many pets an inventory may be given past the mock's own fixture. */
  readonly pets: number;
  /** How many snapshots a sandbox may have. */
  readonly snapshots: number;
  /** How many exchanges the journal of a sandbox keeps. */
  readonly exchanges: number;
  /** How many bytes of requests and responses the journal of a sandbox keeps. */
  readonly journalBytes: number;
  /** How many bytes all journals may take together: beyond, those that rested longest are emptied. */
  readonly allJournalsBytes: number;
}

export const defaultLimits: SandboxLimits = {
  sandboxes: 10_000,
  pets: 100_000,
  snapshots: 20,
  exchanges: 500,
  journalBytes: 1_048_576,
  allJournalsBytes: 268_435_456,
};
