import type { PetStatus } from '../../contracts/pet-status.ts';
import type { FaultRuleInput } from '../mock/faults/fault-rule.ts';
import type { ItemInput } from '../mock/item-input.ts';
import type {
  AdminItem,
  CreatedSandbox,
  FaultView,
  InventoryDiff,
  JournalEntry,
  JournalPage,
  SandboxChanges,
  SandboxView,
  SnapshotView,
} from './admin-api.ts';
import { AdminError } from './admin-error.ts';
import type { AdminCall, AdminHttp } from './admin-http.ts';
import { readFixture, toDigits } from './admin-json.ts';
import { openEvents, type EventStream } from './event-stream.ts';
import {
  readJournal,
  waitForRequest,
  type JournalFilter,
  type WaitOptions,
} from './wait-for-request.ts';

/** What is changed of an item. */
export interface ItemChange {
  /** Any integer. */
  readonly quantity?: number | bigint;
  readonly status?: PetStatus;
}

/** A sandbox on a server. Every method throws {@link AdminError} where the server refuses. */
export interface SandboxHandle {
  readonly id: string;
  /** Where the service is that the client under test talks to; it ends in `/v1`. */
  readonly baseUrl: string;

  /** What it is like now: policy, scenario, faults, snapshots. */
  view(): Promise<SandboxView>;
  /** Every entry, in the order of the list. */
  items(): Promise<readonly AdminItem[]>;
  /**
   * Replaces the whole inventory.
   *
   * @param inventory items, a fixture, or the text of one
   */
  set(inventory: Iterable<ItemInput> | object | string): Promise<void>;
  /** Writes one entry, past key, faults and journal. */
  setItem(petId: number | bigint, change: ItemChange): Promise<AdminItem>;
  /** Goes back to the fixture. Snapshots and faults stay; so does the journal, unless it is cleared. */
  reset(options?: { readonly clearJournal?: boolean }): Promise<void>;

  /** Keeps the inventory as it is under a name: 1 to 64 printable characters. */
  snapshot(name: string): Promise<SnapshotView>;
  restore(name: string): Promise<void>;
  deleteSnapshot(name: string): Promise<void>;
  /** How the inventory differs from its fixture, or from a snapshot. */
  diff(snapshot?: string): Promise<InventoryDiff>;
  /** The sandbox as the text of a fixture, which `createSandbox` and `set` take. */
  export(): Promise<string>;

  /** Changes what is given: name, policy, time to live, scenario, seed. */
  configure(changes: SandboxChanges): Promise<SandboxView>;
  /** Switches to a scenario of its fixture, or with `null` to none. */
  useScenario(name: string | null): Promise<SandboxView>;
  /** Brings the inventory into a provider state of Pact, or with `teardown` back to before the first. */
  setState(state: string, options?: StateOptions): Promise<void>;

  faults(): Promise<readonly FaultView[]>;
  /** Adds a fault behind those that are on. */
  addFault(rule: FaultRuleInput): Promise<FaultView>;
  /** Puts these in place of the faults that were added; the scenario's stay. */
  setFaults(rules: readonly FaultRuleInput[]): Promise<void>;
  removeFault(id: string): Promise<void>;
  /** Takes away the faults that were added; the scenario's stay. */
  clearFaults(): Promise<void>;

  /** The exchanges it remembers, in the order they happened; the newest 100 unless `limit` says. */
  journal(filter?: JournalFilter): Promise<JournalPage>;
  /**
   * Waits for an exchange: the first one that fits, be it past or still to come. With `after`, only
   * one with a higher sequence.
   *
   * @throws {AdminError} `request_not_seen`, with what it waited for and the last exchanges, when
   * the time is over
   * @throws {RangeError} for a time that no timer takes
   * @example
   * await page.getByRole('button', { name: 'Sell' }).click();
   * const { change } = await inventory.waitForRequest({ operation: 'updateInventory', petId: 12 });
   */
  waitForRequest(filter?: JournalFilter, options?: WaitOptions): Promise<JournalEntry>;
  clearJournal(): Promise<void>;
  /** What happens in it, from the first step of the iteration or `open()` on. */
  events(signal?: AbortSignal): EventStream;

  delete(): Promise<void>;
}

export interface StateOptions {
  readonly params?: object;
  /** Left out: `setup`. */
  readonly action?: 'setup' | 'teardown';
}

/** A sandbox that this client created. `await using` deletes it at the end of its block. */
export interface SandboxClient extends SandboxHandle, AsyncDisposable {
  /** What opens it: the client under test sends it as its API key. */
  readonly apiKey: string;
}

/** A sandbox by its id. Asks nothing of the server yet. */
export function toSandboxHandle(http: AdminHttp, id: string): SandboxHandle {
  const place = { http, sandbox: id };
  const call = (
    method: AdminCall['method'],
    path: readonly string[] = [],
    more: Omit<AdminCall, 'method' | 'path'> = {},
  ): AdminCall => ({ method, path: ['sandboxes', id, ...path], ...more });

  const configure = (changes: SandboxChanges): Promise<SandboxView> =>
    http.json<SandboxView>(call('PATCH', [], { body: changes }));

  return {
    id,
    baseUrl: http.baseUrl,
    view: () => http.json<SandboxView>(call('GET')),
    items: () => http.json<readonly AdminItem[]>(call('GET', ['inventory'])),
    set: async (inventory) =>
      http.send(call('PUT', ['inventory'], { body: readFixture(inventory) })),
    setItem: async (petId, change) =>
      http.json<AdminItem>(
        call('PATCH', ['inventory', toDigits('petId', petId)], { body: change }),
      ),
    reset: ({ clearJournal = false } = {}) =>
      http.send(call('POST', ['reset'], { query: clearJournal ? { journal: 'clear' } : {} })),

    snapshot: (name) => http.json<SnapshotView>(call('PUT', ['snapshots', name])),
    restore: (name) => http.send(call('POST', ['snapshots', name, 'restore'])),
    deleteSnapshot: (name) => http.send(call('DELETE', ['snapshots', name])),
    diff: (snapshot) => http.json<InventoryDiff>(call('GET', ['diff'], { query: { snapshot } })),
    export: () => http.text(call('GET', ['export'])),

    configure,
    useScenario: (scenario) => configure({ scenario }),
    setState: (state, options) =>
      http.send({
        method: 'POST',
        path: ['states'],
        query: { sandbox: id },
        body: { state, ...options },
      }),

    faults: async () => {
      const { faults } = await http.json<{ faults: readonly FaultView[] }>(call('GET', ['faults']));
      return faults;
    },
    addFault: (rule) => http.json<FaultView>(call('POST', ['faults'], { body: rule })),
    setFaults: (rules) => http.send(call('PUT', ['faults'], { body: rules })),
    removeFault: (faultId) => http.send(call('DELETE', ['faults', faultId])),
    clearFaults: () => http.send(call('DELETE', ['faults'])),

    journal: async (filter = {}) => readJournal(place, filter),
    waitForRequest: async (filter = {}, options = {}) => waitForRequest(place, filter, options),
    clearJournal: () => http.send(call('DELETE', ['journal'])),
    events: (signal) => openEvents(http, ['sandboxes', id, 'events'], signal, id),

    delete: () => http.send(call('DELETE')),
  };
}

/** A sandbox that was just created. */
export function toSandboxClient(http: AdminHttp, { id, apiKey }: CreatedSandbox): SandboxClient {
  const handle = toSandboxHandle(http, id);
  return {
    ...handle,
    apiKey,
    // It may have expired, or the test may have deleted it: then there is nothing left to do.
    [Symbol.asyncDispose]: () => handle.delete().catch(ignoreNotFound),
  };
}

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof AdminError) || error.status !== 404) throw error;
}
