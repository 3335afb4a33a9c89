import { petStatuses, type PetStatus } from '../../contracts/pet-status.ts';
import type { InventoryItem } from '../inventory/item.ts';
import { isInt64 } from '../inventory/pet-id.ts';
import { describeValue } from './check-options.ts';

/**
 * An item as people type it: integers as numbers where a number holds them exactly, as `bigint`
 * beyond.
 *
 * @example
 * const item: ItemInput = { petId: 1, quantity: 5, status: 'available' };
 * const large: ItemInput = { petId: 9007199254740993n, quantity: 5, status: 'sold' };
 */
export interface ItemInput {
  /** An int64. */
  readonly petId: number | bigint;
  readonly quantity: number | bigint;
  /** Any string is accepted by the type, so that imported JSON fits; it is checked when it is read. */
  readonly status: PetStatus | (string & Record<never, never>);
}

/**
 * Reads items as people type them.
 *
 * @throws {TypeError} for what is no list of items
 * @throws {RangeError} naming the item and the field: for a number that is not exact, a petId
 * beyond int64, an unknown status and a petId that stands twice
 */
export function toItems(inputs: Iterable<ItemInput>): readonly InventoryItem[] {
  if (typeof inputs !== 'object' || typeof inputs?.[Symbol.iterator] !== 'function') {
    throw new TypeError(
      `expected a list of items such as [${example}]; got ${describeValue(inputs)}`,
    );
  }
  const positions = new Map<bigint, number>();
  return Array.from(inputs, (input, index) => {
    const item = toItem(input, `item ${index}`);
    const earlier = positions.get(item.petId);
    if (earlier !== undefined) {
      throw new RangeError(
        `item ${index}: petId ${item.petId} is taken already by item ${earlier}; give one item for each pet`,
      );
    }
    positions.set(item.petId, index);
    return item;
  });
}

const example = "{ petId: 1, quantity: 5, status: 'available' }";

function toItem(input: ItemInput, where: string): InventoryItem {
  if (typeof input !== 'object' || input === null) {
    throw new TypeError(
      `${where} must be an object such as ${example}; got ${describeValue(input)}`,
    );
  }
  const petId = toExactInteger(input.petId, `${where}: petId`);
  if (!isInt64(petId)) {
    throw new RangeError(`${where}: petId must be an int64; got ${petId}`);
  }
  const quantity = toExactInteger(input.quantity, `${where}: quantity`);
  const status = petStatuses.find((known) => known === input.status);
  if (status === undefined) {
    throw new RangeError(
      `${where}: status must be one of ${petStatuses.join(', ')}; got ${describeValue(input.status)}`,
    );
  }
  return { petId, quantity, status };
}

/**
 * Reads an integer, refusing a number that may have lost digits.
 *
 * @param name what it is, for the message
 * @throws {RangeError} for all but a `bigint` and a safe integer
 */
export function toExactInteger(value: unknown, name: string): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    throw new RangeError(`${name} must be an integer; got ${describeValue(value)}`);
  }
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(
      `${name} ${value} is beyond what a number holds exactly; write it as a bigint, such as 9007199254740993n`,
    );
  }
  return BigInt(value);
}
