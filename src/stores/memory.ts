import { petStatuses } from '../../contracts/pet-status.ts';
import { toItemJson, type InventoryItem } from '../inventory/item.ts';
import type { StockChange, Store } from '../inventory/store.ts';

/**
 * Entries per segment of the serialised list. An update makes one segment stale, so a smaller
 * segment is cheaper to write anew and a larger one cheaper to send.
 */
const segmentSize = 128;

/** A number where it is exact, which takes less memory than a `bigint`. */
type CompactInteger = number | bigint;

const encoder = new TextEncoder();
const opening = encoder.encode('[');
const closing = encoder.encode(']');

function compact(value: bigint): CompactInteger {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/**
 * Keeps an inventory in memory: an entry is found in constant time, and the serialised list is kept
 * in segments, so that a list after an update serialises only the segment that changed.
 */
export class MemoryStore implements Store {
  #positions = new Map<CompactInteger, number>();
  #petIds: CompactInteger[] = [];
  #quantities: CompactInteger[] = [];
  #statuses = new Uint8Array();
  #segments: Uint8Array[] = [];
  readonly #stale = new Set<number>();

  constructor(items: Iterable<InventoryItem> = []) {
    this.replace(items);
  }

  list(): readonly Uint8Array[] {
    for (const segment of this.#stale) this.#segments[segment + 1] = this.#serialize(segment);
    this.#stale.clear();
    return this.#segments.slice();
  }

  get(petId: bigint): InventoryItem | undefined {
    const position = this.#positions.get(compact(petId));
    return position === undefined ? undefined : this.#itemAt(position);
  }

  update(petId: bigint, { quantity, status }: StockChange): InventoryItem | undefined {
    const position = this.#positions.get(compact(petId));
    if (position === undefined) return undefined;
    this.#quantities[position] = compact(quantity);
    if (status !== undefined) this.#statuses[position] = petStatuses.indexOf(status);
    this.#stale.add(Math.floor(position / segmentSize));
    return this.#itemAt(position);
  }

  *items(): Generator<InventoryItem> {
    for (const position of this.#petIds.keys()) yield this.#itemAt(position);
  }

  replace(items: Iterable<InventoryItem>): void {
    const positions = new Map<CompactInteger, number>();
    const petIds: CompactInteger[] = [];
    const quantities: CompactInteger[] = [];
    const statuses: number[] = [];
    for (const { petId, quantity, status } of items) {
      const key = compact(petId);
      if (positions.has(key)) throw new RangeError(`petId ${petId} stands twice in the inventory`);
      positions.set(key, petIds.length);
      petIds.push(key);
      quantities.push(compact(quantity));
      statuses.push(petStatuses.indexOf(status));
    }
    this.#positions = positions;
    this.#petIds = petIds;
    this.#quantities = quantities;
    this.#statuses = Uint8Array.from(statuses);
    this.#stale.clear();
    this.#segments = [opening];
    for (let segment = 0; segment * segmentSize < petIds.length; segment += 1) {
      this.#segments.push(this.#serialize(segment));
    }
    this.#segments.push(closing);
  }

  #itemAt(position: number): InventoryItem {
    return {
      petId: BigInt(this.#petIds[position] ?? 0),
      quantity: BigInt(this.#quantities[position] ?? 0),
      status: this.#statusAt(position),
    };
  }

  #statusAt(position: number): InventoryItem['status'] {
    return petStatuses[this.#statuses[position] ?? 0] ?? 'available';
  }

  /** The entries of one segment as JSON, each but the very first behind a comma. */
  #serialize(segment: number): Uint8Array {
    const end = Math.min((segment + 1) * segmentSize, this.#petIds.length);
    let text = '';
    for (let position = segment * segmentSize; position < end; position += 1) {
      if (position > 0) text += ',';
      text += toItemJson(
        this.#petIds[position] ?? 0,
        this.#quantities[position] ?? 0,
        this.#statusAt(position),
      );
    }
    return encoder.encode(text);
  }
}
