import type { PetStatus } from '../../contracts/pet-status.ts';

/** InventoryItem (spec, section 2): one stock entry. Integers are exact. */
export interface InventoryItem {
  /** An int64. */
  readonly petId: bigint;
  /** Any integer. */
  readonly quantity: bigint;
  readonly status: PetStatus;
}

/** Writes an item as JSON text. `bigint` and safe numbers come out with the same digits. */
export function toItemJson(
  petId: bigint | number,
  quantity: bigint | number,
  status: PetStatus,
): string {
  return `{"petId":${petId},"quantity":${quantity},"status":"${status}"}`;
}
