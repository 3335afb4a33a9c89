import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { CasePet } from '../../contracts/case.ts';
import type { Entry } from './report.ts';
import type { Snapshot } from './snapshot.ts';

export interface PetWishes {
  /** Pets that may be written to; empty: every one that is listed. */
  readonly pets: readonly bigint[];
  /** Ids that are not listed; empty: the verifier makes them up. */
  readonly unknownPets: readonly bigint[];
  readonly seed: number;
  /** Pets with a quantity that a provider may refuse: those that it takes back all the same. */
  readonly alsoWritable: readonly bigint[];
}

/** Which pets a run works on. */
export interface Pets {
  /** Pets that updates may go to; those that stand out come first. */
  readonly writable: readonly bigint[];
  /** The pet of a precondition; `undefined` where there is none. */
  find(pet: CasePet): bigint | undefined;
  /** An id that is not listed: another one each time. `undefined`: all that were named are listed. */
  absent(): bigint | undefined;
}

const plainMaximum = 2n ** 31n - 1n;

/** Chooses among the pets that are listed. */
export function choosePets(inventory: Snapshot, wishes: PetWishes): Pets {
  const random = xoroshiro128plus(wishes.seed);
  const writable = findWritable(inventory, wishes);
  const large = writable.find((petId) => isLarge(petId) && !inventory.has(roundToDouble(petId)));
  // Pet 1 is what the case table writes into a body that must not be taken for the pet.
  const existing =
    writable.find((petId) => petId !== 1n && !isLarge(petId)) ??
    writable.find((petId) => petId !== 1n) ??
    writable[0];

  let asked = 0;
  const takeNext = (named: readonly bigint[]): bigint | undefined => {
    asked += 1;
    return named[(asked - 1) % Math.max(1, named.length)];
  };
  const absent = (): bigint | undefined => {
    if (wishes.unknownPets.length > 0) {
      return takeNext(wishes.unknownPets.filter((petId) => !inventory.has(petId)));
    }
    for (;;) {
      const minted = BigInt(uniformInt(random, 1_000_000_000, 2_000_000_000));
      if (!inventory.has(minted)) return minted;
    }
  };

  return {
    writable,
    absent,
    find(pet) {
      switch (pet) {
        case 'existing':
          return existing;
        case 'absent':
          // One that was named and is listed is told of, case by case.
          return takeNext(wishes.unknownPets) ?? absent();
        case 'large':
          return large;
        case 'beside-large':
          return large === undefined ? undefined : roundToDouble(large);
        case 'none':
          return undefined;
      }
    },
  };
}

/** Pets whose quantity every provider must accept back, so that it can be restored. */
function findWritable(inventory: Snapshot, wishes: PetWishes): readonly bigint[] {
  const wished = isWished(wishes.pets);
  const ids = [...inventory.values()]
    .filter(({ petId, quantity }) => wishes.alsoWritable.includes(petId) || isPlain(quantity))
    .map(({ petId }) => petId)
    .filter(wished);
  const middle = ids[Math.floor(ids.length / 2)];
  const special = [middle, ids[0], ids.at(-1), ids.find(isLarge)].filter(
    (petId) => petId !== undefined,
  );
  return [...new Set([...special, ...ids])];
}

const isWished =
  (pets: readonly bigint[]) =>
  (petId: bigint): boolean =>
    pets.length === 0 || pets.includes(petId);

const isPlain = (quantity: bigint): boolean => quantity >= 0n && quantity <= plainMaximum;

/** So many pets suffice. */
const oddLimit = 16;

/**
 * Pets that may be written to only if the provider takes their quantity back, because it lies where
 * a provider may refuse it.
 */
export function findOddPets(inventory: Snapshot, pets: readonly bigint[]): readonly Entry[] {
  const wished = isWished(pets);
  return [...inventory.values()]
    .filter(({ petId, quantity }) => wished(petId) && !isPlain(quantity))
    .slice(0, oddLimit);
}

/** Whether a double would change this id. */
export function isLarge(petId: bigint): boolean {
  return roundToDouble(petId) !== petId;
}

export function roundToDouble(petId: bigint): bigint {
  return BigInt(Number(petId));
}
