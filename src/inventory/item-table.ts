import { petStatuses } from '../../contracts/pet-status.ts';
import { IntegerColumn, toCompactInteger, type CompactInteger } from './integer-column.ts';
import { toItemJson, type InventoryItem } from './item.ts';
import type { StockChange, UpdatedItem } from './store.ts';

const initialCapacity = 16;

/** A slot of the index that holds no position. */
const free = -1;

/**
 * Entries in the order they were added, found by petId in constant time. They are packed into typed
 * arrays: a million objects and a `Map` would take three times the memory, and leave as much again
 * to the garbage collector.
 */
export class ItemTable implements Iterable<InventoryItem> {
  #length = 0;
  #petIds = new IntegerColumn();
  #quantities = new IntegerColumn();
  #statuses = new Uint8Array();
  /** A hash table with linear probing: positions by petId. At least half of it is free. */
  #slots = new Int32Array();

  get length(): number {
    return this.#length;
  }

  /** @returns whether the item was added: `false` where its pet has an entry already */
  add(item: InventoryItem): boolean {
    if (this.#length === this.#statuses.length) this.#grow();
    const key = toCompactInteger(item.petId);
    const slot = this.#slotOf(key);
    if (this.#slots[slot] !== free) return false;
    this.#slots[slot] = this.#length;
    this.#petIds.set(this.#length, key);
    this.#write(this.#length, item);
    this.#length += 1;
    return true;
  }

  /** @returns `undefined` where the pet has no entry */
  positionOf(petId: bigint): number | undefined {
    if (this.#length === 0) return undefined;
    const position = this.#slots[this.#slotOf(toCompactInteger(petId))];
    return position === free ? undefined : position;
  }

  at(position: number): InventoryItem {
    return {
      petId: BigInt(this.#petIds.get(position)),
      quantity: BigInt(this.#quantities.get(position)),
      status: this.#statusAt(position),
    };
  }

  update(position: number, change: StockChange): UpdatedItem {
    const { petId, quantity, status } = this.at(position);
    this.#write(position, change);
    return {
      petId,
      quantity: change.quantity,
      status: change.status ?? status,
      previous: { quantity, status },
    };
  }

  toJson(position: number): string {
    const petId = this.#petIds.get(position);
    return toItemJson(petId, this.#quantities.get(position), this.#statusAt(position));
  }

  /** A table of the same pets with a stock of its own. Neither can be added to from then on. */
  copy(): FixedTable {
    const copy = new ItemTable();
    copy.#length = this.#length;
    copy.#petIds = this.#petIds;
    copy.#slots = this.#slots;
    copy.#quantities = this.#quantities.copy(this.#length);
    copy.#statuses = this.#statuses.slice(0, this.#length);
    return copy;
  }

  *[Symbol.iterator](): Generator<InventoryItem> {
    for (let position = 0; position < this.#length; position += 1) yield this.at(position);
  }

  #write(position: number, { quantity, status }: StockChange): void {
    this.#quantities.set(position, toCompactInteger(quantity));
    if (status) this.#statuses[position] = petStatuses.indexOf(status);
  }

  #statusAt(position: number): InventoryItem['status'] {
    return petStatuses[this.#statuses[position] as 0 | 1 | 2];
  }

  /** The slot that holds the position of a pet, or the free one where it would stand. */
  #slotOf(key: CompactInteger): number {
    const last = this.#slots.length - 1;
    let slot = hash(key) & last;
    for (;;) {
      const position = this.#slots[slot] ?? free;
      if (position === free || this.#petIds.get(position) === key) return slot;
      slot = (slot + 1) & last;
    }
  }

  #grow(): void {
    const capacity = Math.max(initialCapacity, this.#length * 2);
    this.#petIds.grow(capacity);
    this.#quantities.grow(capacity);
    this.#statuses = new Uint8Array(this.#statuses.buffer.transfer(capacity));
    // Two slots of four bytes for each position.
    this.#slots = new Int32Array(this.#slots.buffer.transfer(capacity * 8)).fill(free);
    for (let position = 0; position < this.#length; position += 1) {
      this.#slots[this.#slotOf(this.#petIds.get(position))] = position;
    }
  }
}

/** @throws {RangeError} where a petId stands twice */
export function toItemTable(items: Iterable<InventoryItem>): ItemTable {
  const table = new ItemTable();
  for (const item of items) {
    if (!table.add(item)) {
      throw new RangeError(`petId ${item.petId} stands twice in the inventory`);
    }
  }
  return table;
}

/** A table in which only the stock can change, not what pets there are. */
export type FixedTable = Omit<ItemTable, 'add'>;

/** Mixes the bits of a petId, so that ids in a row do not end up in one run of slots. */
function hash(key: CompactInteger): number {
  const number = Number(key);
  const mixed = Math.imul(number ^ Math.imul(number / 2 ** 32, 0x9e3779b1), 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
