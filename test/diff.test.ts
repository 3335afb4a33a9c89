import { expect, test } from 'vitest';
import type { InventoryItem } from '../src/inventory/item.ts';
import { diffInventories } from '../src/mock/diff.ts';

const item = (
  petId: bigint,
  quantity: bigint,
  status: InventoryItem['status'] = 'available',
): InventoryItem => ({ petId, quantity, status });

test('tells what changed, what was added and what was removed', () => {
  const before = [item(1n, 1n), item(2n, 2n), item(3n, 3n), item(4n, 4n), item(5n, 5n)];
  const after = [item(6n, 6n), item(4n, 5n), item(3n, 3n, 'sold'), item(2n, 2n), item(7n, 7n)];
  expect(diffInventories(before, after)).toEqual({
    changed: [
      {
        petId: 4n,
        before: { quantity: 4n, status: 'available' },
        after: { quantity: 5n, status: 'available' },
      },
      {
        petId: 3n,
        before: { quantity: 3n, status: 'available' },
        after: { quantity: 3n, status: 'sold' },
      },
    ],
    added: [item(6n, 6n), item(7n, 7n)],
    removed: [item(1n, 1n), item(5n, 5n)],
  });
});

test('tells nothing of inventories that hold the same in another order', () => {
  const items = [item(9_007_199_254_740_993n, 1n), item(9_007_199_254_740_992n, 2n)];
  expect(diffInventories(items, items.toReversed())).toEqual({
    changed: [],
    added: [],
    removed: [],
  });
});

test('keeps every digit apart', () => {
  const [one, other] = [item(1n, 9_007_199_254_740_993n), item(1n, 9_007_199_254_740_992n)];
  expect(diffInventories([one], [other]).changed).toHaveLength(1);
});
