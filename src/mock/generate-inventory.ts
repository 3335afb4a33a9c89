import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { petStatuses } from '../../contracts/pet-status.ts';
import type { InventoryItem } from '../inventory/item.ts';

/**
 * Makes an inventory: the same pets for the same seed, with ids that rise from 1 and leave gaps.
 *
 * @param pets how many, from 0 up
 * @param seed an int32
 */
export function* generateInventory(pets: number, seed: number): Generator<InventoryItem> {
  const random = xoroshiro128plus(seed);
  let petId = 0n;
  for (let count = 0; count < pets; count += 1) {
    petId += BigInt(uniformInt(random, 1, 3));
    const status = petStatuses[uniformInt(random, 0, petStatuses.length - 1)] ?? 'available';
    const quantity = status === 'sold' ? 0n : BigInt(uniformInt(random, 0, 250));
    yield { petId, quantity, status };
  }
}
