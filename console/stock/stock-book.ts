import { signal, type ReadonlySignal } from '@preact/signals';
import type { AdminItem, InventoryDiff } from '../../src/admin/admin-api.ts';
import { oncePerFrame } from '../frames.ts';
import type { PetStatus } from '../wire.ts';

type Levels = Omit<AdminItem, 'petId'>;

/** How an entry differs from the seed. */
export type Difference =
  { readonly kind: 'changed'; readonly before: Levels } | { readonly kind: 'added' };

export interface Totals {
  readonly pets: number;
  readonly quantity: bigint;
  readonly byStatus: Readonly<Record<PetStatus, number>>;
  readonly changed: number;
}

/** The stock of one sandbox, and how it differs from its seed. */
export interface StockBook {
  /** Rises when there is something new to show: once in a frame, however much changed. */
  readonly version: ReadonlySignal<number>;
  /** In the order of the list. */
  items(): readonly AdminItem[];
  get(petId: bigint): AdminItem | undefined;
  differenceOf(petId: bigint): Difference | undefined;
  /** Pets of the seed that are no longer there. */
  removed(): readonly AdminItem[];
  totals(): Totals;
  /**
   * Entries that changed while the stock and its differences were read: how they compare with the
   * seed is not known yet.
   */
  unsettled(): readonly AdminItem[];
  /** When the entry last changed before the eyes of the reader, as `performance.now()` says it. */
  flashOf(petId: bigint): number | undefined;
  /** @param missed what changed while both were read, in order */
  fill(items: readonly AdminItem[], diff: InventoryDiff, missed: readonly StockChange[]): void;
  /**
   * Learns from another comparison.
   *
   * @param asked what {@link unsettled} said before the server was asked
   */
  settle(diff: InventoryDiff, asked: readonly AdminItem[]): void;
  change(item: AdminItem, before: Levels): void;
}

export interface StockChange {
  readonly item: AdminItem;
  readonly before: Levels;
}

export function createStockBook(): StockBook {
  const version = signal(0);
  let items: AdminItem[] = [];
  let places = new Map<bigint, number>();
  /** What the seed says of pets that differ from it or did once; no levels: they are not in it. */
  let seeds = new Map<bigint, Levels | undefined>();
  const unsettled = new Set<bigint>();
  let removed: readonly AdminItem[] = [];
  let totals: Totals | undefined;
  const flashes = new Map<bigint, number>();
  const publish = oncePerFrame(() => {
    version.value += 1;
  });

  const get = (petId: bigint): AdminItem | undefined => items[places.get(petId) ?? -1];
  /** Puts an entry in its place; `false` where that changes nothing. */
  const put = (item: AdminItem): boolean => {
    const place = places.get(item.petId);
    const current = items[place ?? -1];
    // Our own change comes twice: as the answer, and as an event.
    if (place === undefined || current === undefined || isSame(current, item)) return false;
    items[place] = item;
    totals = undefined;
    publish();
    return true;
  };
  const learn = ({ changed, added }: InventoryDiff): void => {
    for (const { petId, before } of changed) seeds.set(petId, before);
    for (const { petId } of added) seeds.set(petId, undefined);
  };
  const differenceOf = (petId: bigint): Difference | undefined => {
    if (unsettled.has(petId) || !seeds.has(petId)) return undefined;
    const before = seeds.get(petId);
    if (before === undefined) return { kind: 'added' };
    const item = get(petId);
    return item === undefined || isSame(item, before) ? undefined : { kind: 'changed', before };
  };
  const countDifferences = (): number => {
    let found = removed.length;
    for (const petId of seeds.keys()) if (differenceOf(petId) !== undefined) found += 1;
    return found;
  };

  return {
    version,
    items: () => items,
    get,
    differenceOf,
    removed: () => removed,
    totals: () => (totals ??= count(items, countDifferences())),
    unsettled: () => [...unsettled].flatMap((petId) => get(petId) ?? []),
    flashOf: (petId) => flashes.get(petId),
    fill(next, diff, missed) {
      items = [...next];
      places = new Map(items.map(({ petId }, place) => [petId, place]));
      flashes.clear();
      seeds = new Map();
      unsettled.clear();
      learn(diff);
      ({ removed } = diff);
      for (const { item } of missed) {
        put(item);
        // The comparison may be older or newer than what changed.
        if (!seeds.has(item.petId)) unsettled.add(item.petId);
      }
      totals = undefined;
      publish();
    },
    settle(diff, asked) {
      learn(diff);
      for (const item of asked) {
        const { petId } = item;
        // Not told of, and not changed since: it is as the seed says.
        if (!seeds.has(petId) && get(petId) === item) seeds.set(petId, item);
        if (seeds.has(petId)) unsettled.delete(petId);
      }
      totals = undefined;
      publish();
    },
    change(item, before) {
      if (!put(item)) return;
      const isKnown = seeds.has(item.petId) || unsettled.has(item.petId);
      if (!isKnown) seeds.set(item.petId, before);
      flashes.set(item.petId, performance.now());
    },
  };
}

function isSame(one: Levels, other: Levels): boolean {
  return one.quantity === other.quantity && one.status === other.status;
}

function count(items: readonly AdminItem[], changed: number): Totals {
  const byStatus = { available: 0, pending: 0, sold: 0 };
  let quantity = 0n;
  for (const item of items) {
    byStatus[item.status] += 1;
    quantity += item.quantity;
  }
  return { pets: items.length, quantity, byStatus, changed };
}
