import type { PetStatus } from '../../contracts/pet-status.ts';

export type SeedEntry = readonly [petId: bigint, quantity: bigint, status: PetStatus];

/** More than ten pets, all three statuses, a quantity of zero, an id that a double rounds. */
export const defaultSeed: readonly SeedEntry[] = [
  [1n, 12n, 'available'],
  [2n, 4n, 'available'],
  [3n, 0n, 'sold'],
  [4n, 30n, 'pending'],
  [5n, 7n, 'available'],
  [8n, 1n, 'pending'],
  [15n, 250n, 'available'],
  [42n, 5n, 'available'],
  [77n, 0n, 'sold'],
  [1001n, 60n, 'available'],
  [5000000000n, 2n, 'pending'],
  [9007199254740993n, 9n, 'available'],
  [9007199254741999n, 3n, 'available'],
];

/** Pets with the ids 1 to `count`, one after another. */
export function consecutivePets(count: number): readonly SeedEntry[] {
  return Array.from({ length: count }, (_, index) => [
    BigInt(index + 1),
    BigInt((index * 7) % 40) + 1n,
    index % 5 === 2 ? 'pending' : 'available',
  ]);
}
