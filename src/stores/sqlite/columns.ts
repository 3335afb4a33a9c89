import type { PetStatus } from '../../../contracts/pet-status.ts';
import { isInt64 } from '../../inventory/pet-id.ts';

/** A quantity as it is kept: SQLite's integers are int64, what is beyond is kept as its digits. */
export function toQuantityColumn(quantity: bigint): bigint | string {
  return isInt64(quantity) ? quantity : String(quantity);
}

/** What an entry is besides its pet. The file's constraints allow no other status. */
export interface StockRow {
  readonly quantity: bigint | string;
  readonly status: PetStatus;
}

export interface Stock {
  readonly quantity: bigint;
  readonly status: PetStatus;
}

export function toStock({ quantity, status }: StockRow): Stock {
  return { quantity: BigInt(quantity), status };
}
