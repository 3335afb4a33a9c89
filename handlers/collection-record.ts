import { petStatuses, type PetStatus } from '../contracts/pet-status.ts';
import type { InventoryItem } from '../src/inventory/item.ts';
import { isInt64 } from '../src/inventory/pet-id.ts';
import { describeValue } from '../src/mock/check-options.ts';

/**
 * An integer in a collection: a number where a number holds it exactly; beyond, its digits as a
 * string, because `persist()` writes JSON and would fail on a `bigint`. A `bigint` is read as well.
 */
export type CollectionInteger = number | string | bigint;

/** The fields of a record that are the inventory's. A record may have others. */
export interface InventoryRecord {
  readonly petId: CollectionInteger;
  readonly quantity: CollectionInteger;
  readonly status: PetStatus;
}

/** Writes an integer as records hold it. */
export function toCollectionInteger(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** Writes an item as a record. */
export function toRecord({ petId, quantity, status }: InventoryItem): InventoryRecord {
  return {
    petId: toCollectionInteger(petId),
    quantity: toCollectionInteger(quantity),
    status,
  };
}

export type RecordReading =
  | { readonly ok: true; readonly item: InventoryItem }
  | { readonly ok: false; readonly field: keyof InventoryRecord; readonly message: string };

/** Reads the fields of the inventory from a record. */
export function readRecord(record: object): RecordReading {
  const { petId, quantity, status } = record as Partial<Record<keyof InventoryRecord, unknown>>;
  const id = readInteger(petId);
  if (id === undefined || !isInt64(id)) return refuse('petId', 'an int64', petId);
  const stock = readInteger(quantity);
  if (stock === undefined) return refuse('quantity', 'an integer', quantity);
  const known = petStatuses.find((name) => name === status);
  if (known === undefined) return refuse('status', `one of ${petStatuses.join(', ')}`, status);
  return { ok: true, item: { petId: id, quantity: stock, status: known } };
}

/** Reads the petId of a record alone; `undefined` where it has none. */
export function readPetId(record: object | undefined): bigint | undefined {
  return record !== undefined && 'petId' in record ? readInteger(record.petId) : undefined;
}

const canonicalInteger = /^(?:0|-?[1-9][0-9]*)$/;

function readInteger(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return typeof value === 'string' && canonicalInteger.test(value) ? BigInt(value) : undefined;
}

function refuse(field: keyof InventoryRecord, expected: string, got: unknown): RecordReading {
  return { ok: false, field, message: `${field} must be ${expected}; got ${describeValue(got)}` };
}
