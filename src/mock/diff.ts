import type { InventoryItem } from '../inventory/item.ts';

/** One pet that is in two inventories, and not the same. */
export interface ChangedItem {
  readonly petId: bigint;
  readonly before: Omit<InventoryItem, 'petId'>;
  readonly after: Omit<InventoryItem, 'petId'>;
}

/** How one inventory differs from another. */
export interface InventoryDiff {
  /** In both, and not the same. */
  readonly changed: readonly ChangedItem[];
  readonly added: readonly InventoryItem[];
  readonly removed: readonly InventoryItem[];
}

/** Compares two inventories. What was removed stands in the order of the first, all else of the second. */
export function diffInventories(
  before: Iterable<InventoryItem>,
  after: Iterable<InventoryItem>,
): InventoryDiff {
  const changed: ChangedItem[] = [];
  const added: InventoryItem[] = [];
  const left = new Map<bigint, InventoryItem>();
  for (const item of before) left.set(item.petId, item);
  for (const item of after) {
    const earlier = left.get(item.petId);
    if (earlier === undefined) added.push(toPlainItem(item));
    else {
      left.delete(item.petId);
      if (!isSame(earlier, item)) {
        changed.push({ petId: item.petId, before: withoutId(earlier), after: withoutId(item) });
      }
    }
  }
  return { changed, added, removed: [...left.values()].map(toPlainItem) };
}

function isSame(one: InventoryItem, other: InventoryItem): boolean {
  return one.quantity === other.quantity && one.status === other.status;
}

/** An entry of a store may have more fields: the one that an update returns has. */
const toPlainItem = ({ petId, quantity, status }: InventoryItem): InventoryItem => ({
  petId,
  quantity,
  status,
});

const withoutId = ({ quantity, status }: InventoryItem): ChangedItem['before'] => ({
  quantity,
  status,
});
