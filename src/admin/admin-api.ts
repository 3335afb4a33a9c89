import type { PetStatus } from '../../contracts/pet-status.ts';
import type { JournalEntry } from '../mock/journal-entry.ts';

/** `GET …/diff`, against the seed or, with `?snapshot=name`, against a snapshot. */
export type { InventoryDiff } from '../mock/diff.ts';
/** `GET …/journal` takes a query and answers with a page. */
export type {
  BodyView,
  ExchangeVerdict,
  JournalEntry,
  JournalPage,
  JournalQuery,
} from '../mock/journal-entry.ts';

/**
 * The admin API under `/_stockcheck/`, as its server, its client and the console know it. Integers
 * of the inventory are `bigint` here and plain JSON integers on the wire, exact in both.
 */

/** One stock entry. */
export interface AdminItem {
  readonly petId: bigint;
  readonly quantity: bigint;
  readonly status: PetStatus;
}

/** `GET /_stockcheck/sandboxes/{id}`; the list holds these too. */
export interface SandboxView {
  /** `default` for the one that the server started with. */
  readonly id: string;
  readonly name: string;
  /** The name of the fixture it is seeded from, or `inline`. */
  readonly fixture: string;
  /** How many pets it has. */
  readonly pets: number;
  /** ISO 8601, in UTC. */
  readonly createdAt: string;
  /** Left out: it does not expire. */
  readonly expiresAt?: string;
  /** All answers of its policy, as in a fixture. */
  readonly policy: PolicyView;
  /** The int32 that decides what is random in its faults. */
  readonly seed: number;
  /** The scenario that is on. Left out: none is. */
  readonly scenario?: string;
  /** The names of the scenarios of its fixture. */
  readonly scenarios: readonly string[];
  /** The faults that are on: the scenario's and those that were added. */
  readonly faults: readonly FaultView[];
  readonly snapshots: readonly SnapshotView[];
}

/** The answer to every decision, as it stands in a fixture. */
export type PolicyView = Readonly<Record<string, unknown>>;

export interface SnapshotView {
  readonly name: string;
  readonly createdAt: string;
}

/** `POST /_stockcheck/sandboxes`. Every field may be left out. */
export interface SandboxRequest {
  readonly name?: string;
  /** A built-in fixture, the server's own (`server`, the default), or a fixture in full. */
  readonly fixture?: string | object;
  /** A key of your own. Left out: one is made. */
  readonly apiKey?: string;
  /** Answers that differ from the fixture's and the server's. */
  readonly policy?: PolicyView;
  /** In seconds, from 1 to 2,592,000; `null`: for ever. Left out: 86,400. */
  readonly timeToLive?: number | null;
  /** A scenario of the fixture to begin with. */
  readonly scenario?: string;
  /** An int32 that decides what is random in faults. Left out: 1. */
  readonly seed?: number;
}

/** The answer to it. The key is told here and nowhere else. */
export interface CreatedSandbox extends SandboxView {
  readonly apiKey: string;
}

/** `PATCH /_stockcheck/sandboxes/{id}`: what is given is changed. */
export interface SandboxChanges {
  readonly name?: string;
  readonly policy?: PolicyView;
  /** From now on, in seconds; `null`: for ever. */
  readonly timeToLive?: number | null;
  /** The name of a scenario, or `null` for none. */
  readonly scenario?: string | null;
  readonly seed?: number;
}

/** A rule as it is written in a fixture, with what became of it. */
export interface FaultView {
  readonly id: string;
  /** The scenario it belongs to. Left out: it was added by itself. */
  readonly scenario?: string;
  readonly rule: FaultRuleView;
  /** How many requests it was asked about, and how many it hit. */
  readonly seen: number;
  readonly hits: number;
}

/** See docs/faults.md for what rules may say. */
export type FaultRuleView = Readonly<Record<string, unknown>>;

/**
 * `GET …/events` of one sandbox, or `GET /_stockcheck/events` of all, as server-sent events: the
 * name of the event is `type`, its id rises by one, its data is this object as JSON.
 */
export type AdminEvent =
  | { readonly type: 'exchange'; readonly sandbox: string; readonly exchange: JournalEntry }
  /** One pet was written, by a request or by the admin API. */
  | {
      readonly type: 'change';
      readonly sandbox: string;
      readonly item: AdminItem;
      readonly before: Omit<AdminItem, 'petId'>;
    }
  /** The inventory was replaced: reset, restored, set. Read it anew. */
  | { readonly type: 'replaced'; readonly sandbox: string }
  | {
      readonly type: 'fault';
      readonly sandbox: string;
      readonly fault: { readonly id: string; readonly kind: string };
    }
  /** Settings, faults, scenario, snapshots. */
  | { readonly type: 'sandbox'; readonly sandbox: string; readonly view: SandboxView }
  | { readonly type: 'created'; readonly sandbox: string; readonly view: SandboxView }
  | { readonly type: 'deleted'; readonly sandbox: string };
