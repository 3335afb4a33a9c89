import type { OperationId } from '../../contracts/case.ts';
import type { ApiKeys } from '../inventory/authorization.ts';
import type { InventoryItem } from '../inventory/item.ts';
import { whenReady, type MaybePromise, type Store } from '../inventory/store.ts';
import { MemoryStore } from '../stores/memory.ts';
import {
  checkApiKeys,
  describeValue,
  refuseUnknownOptions,
  requireMethods,
} from './check-options.ts';
import { toItems, type ItemInput } from './item-input.ts';
import { createMock, defaultApiKey, type Mock } from './mock.ts';
import { createOverrides, type Override } from './override.ts';
import { toPolicy, type PolicyInput } from './policy-input.ts';
import { toFixture, type Seed } from './seed.ts';

export interface InventoryMockOptions {
  /** What the mock is seeded from, and what `reset` goes back to. Left out: `default`. */
  readonly fixture?: Seed;
  /** Left out: those of the fixture, or `demo-key`. `any` accepts every key. */
  readonly apiKeys?: ApiKeys;
  /** Answers to decisions that differ from the defaults and from the fixture's. */
  readonly policy?: PolicyInput;
  /** Is told of every error that is a bug, in the mock or in its store. Left out: the console. */
  readonly onBug?: (error: unknown) => void;
}

/** The state of an inventory at one moment, to go back to. Opaque. */
export class InventorySnapshot {
  readonly #items: readonly InventoryItem[];

  constructor(items: Iterable<InventoryItem>) {
    this.#items = [...items];
  }

  /** The items of a snapshot. */
  static itemsOf(snapshot: InventorySnapshot): readonly InventoryItem[] {
    return snapshot.#items;
  }
}

/** A mock with the means that tests and pages need. */
export interface InventoryMock extends Mock {
  /** Every entry, in the order of the list; integers are `bigint`. */
  items(): readonly InventoryItem[];
  /** Replaces the whole inventory with items as people type them. */
  set(items: Iterable<ItemInput>): void;
  replace(items: Iterable<InventoryItem>): void;
  /** Goes back to the fixture, and forgets all overrides. */
  reset(): void;
  snapshot(): InventorySnapshot;
  /** Goes back to a snapshot, of this mock or of another. Overrides stay. */
  restore(snapshot: InventorySnapshot): void;
  /**
   * Overrides the answer to the next requests of one operation that carry a valid key. The body is
   * made by the mock.
   *
   * @example
   * mock.next('updateInventory', { status: 404 });
   * mock.next('listInventory', { status: 401, times: Infinity });
   */
  next<Operation extends OperationId>(operation: Operation, override: Override<Operation>): void;
}

/** An {@link InventoryMock} over a store of your own, which may take its time. */
export interface StoredInventoryMock extends Mock, Pick<InventoryMock, 'next'> {
  items(): MaybePromise<readonly InventoryItem[]>;
  set(items: Iterable<ItemInput>): MaybePromise<void>;
  reset(): MaybePromise<void>;
  snapshot(): MaybePromise<InventorySnapshot>;
  restore(snapshot: InventorySnapshot): MaybePromise<void>;
}

/**
 * Creates a mock for a page or a test: an inventory in memory, seeded from a fixture.
 *
 * @throws {RangeError} for a wrong item, an unknown fixture or decision, or a key that no client
 * could send
 * @throws {TypeError} for an option that there is not, and for one of the wrong type
 * @example
 * const mock = createInventoryMock({
 *   fixture: [{ petId: 1, quantity: 5, status: 'available' }],
 * });
 */
export function createInventoryMock(options?: InventoryMockOptions): InventoryMock;
/**
 * Creates the same over a store of your own, which keeps what it holds: only `reset` writes the
 * fixture into it.
 */
export function createInventoryMock(
  options: InventoryMockOptions & { readonly store: Store },
): StoredInventoryMock;
export function createInventoryMock(
  options: InventoryMockOptions & { readonly store?: Store } = {},
): StoredInventoryMock {
  checkOptions(options);
  const { fixture: seed = 'default', policy = {} } = options;
  const fixture = toFixture(seed);
  const store = options.store ?? new MemoryStore(fixture.inventory);
  const overrides = createOverrides();
  const mock = createMock({
    store,
    apiKeys: options.apiKeys ?? fixture.apiKeys ?? [defaultApiKey],
    policy: { ...fixture.policy, ...toPolicy(policy) },
    fault: overrides.fault,
    onBug: options.onBug ?? reportToConsole,
  });
  const items = (): MaybePromise<readonly InventoryItem[]> =>
    whenReady(store.items(), (entries) => [...entries]);
  return {
    ...mock,
    items,
    set: (inputs) => store.replace(toItems(inputs)),
    reset() {
      overrides.clear();
      return store.replace(fixture.inventory);
    },
    snapshot: () => whenReady(items(), (entries) => new InventorySnapshot(entries)),
    restore(snapshot) {
      if (!(snapshot instanceof InventorySnapshot)) {
        throw new TypeError(
          `restore takes what snapshot() returned; got ${describeValue(snapshot)}. For a list of items, use set(items)`,
        );
      }
      return store.replace(InventorySnapshot.itemsOf(snapshot));
    },
    next: overrides.next,
  };
}

/** Types do not reach every caller: a misspelled option would be ignored without a word. */
function checkOptions(options: InventoryMockOptions & { readonly store?: Store }): void {
  refuseUnknownOptions(
    options,
    ['fixture', 'apiKeys', 'policy', 'store', 'onBug'],
    'the options of createInventoryMock',
    "{ fixture: 'empty' }",
  );
  const { apiKeys, store, onBug } = options;
  if (apiKeys !== undefined) checkApiKeys(apiKeys);
  if (store !== undefined) {
    requireMethods(
      store,
      ['list', 'get', 'update', 'items', 'replace'],
      'store must be a store such as collectionStore(collection)',
    );
  }
  if (onBug !== undefined && typeof onBug !== 'function') {
    throw new TypeError(`onBug must be a function; got ${describeValue(onBug)}`);
  }
}

function reportToConsole(error: unknown): void {
  // oxlint-disable-next-line no-console -- where the developer of a page or a test looks
  console.error('the inventory mock failed:', error);
}
