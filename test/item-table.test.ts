import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ItemTable } from '../src/inventory/item-table.ts';
import { petStatuses } from '../contracts/pet-status.ts';

const item = fc.record({
  // Few ids in a row, ids that differ in their high bits alone, and all of int64.
  petId: fc.oneof(
    fc.bigInt({ min: -40n, max: 40n }),
    fc.bigInt({ min: 0n, max: 40n }).map((petId) => petId * 2n ** 32n),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.bigInt({ min: 2n ** 53n - 2n, max: 2n ** 53n + 2n }),
  ),
  quantity: fc.oneof(fc.bigInt(), fc.bigInt({ min: 2n ** 53n - 2n, max: 2n ** 53n + 2n })),
  status: fc.constantFrom(...petStatuses),
});

test('holds, finds and changes entries as a map would, exactly', () => {
  fc.assert(
    fc.property(fc.array(item, { maxLength: 200 }), fc.array(item), (added, changes) => {
      const table = new ItemTable();
      const expected = new Map<bigint, (typeof added)[number]>();
      for (const each of added) {
        expect(table.add(each)).toBe(!expected.has(each.petId));
        if (!expected.has(each.petId)) expected.set(each.petId, each);
      }
      for (const { petId, quantity, status } of [...changes, ...added]) {
        const position = table.positionOf(petId);
        expect(position).toBe(
          expected.has(petId) ? [...expected.keys()].indexOf(petId) : undefined,
        );
        if (position !== undefined) {
          table.update(position, { quantity, status });
          expected.set(petId, { petId, quantity, status });
        }
      }
      expect([...table]).toEqual([...expected.values()]);
      expect(table.length).toBe(expected.size);
    }),
  );
});
