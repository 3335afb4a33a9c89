import type { InventoryItem } from '../inventory/item.ts';
import { ItemTable, toItemTable } from '../inventory/item-table.ts';
import type { StockChange, Store, UpdatedItem } from '../inventory/store.ts';
import { SerializedList } from './serialized-list.ts';

/**
 * Keeps an inventory in memory: an entry is found in constant time, and the serialised list is kept,
 * so that a list after an update serialises a few entries only.
 */
export class MemoryStore implements Store {
  #items = new ItemTable();
  #list = new SerializedList(this.#items);

  /** @throws {RangeError} where a petId stands twice */
  constructor(items: Iterable<InventoryItem> = []) {
    this.replace(items);
  }

  list(): readonly Uint8Array[] {
    return this.#list.toSegments();
  }

  get(petId: bigint): InventoryItem | undefined {
    const position = this.#items.positionOf(petId);
    return position === undefined ? undefined : this.#items.at(position);
  }

  update(petId: bigint, change: StockChange): UpdatedItem | undefined {
    const position = this.#items.positionOf(petId);
    if (position === undefined) return undefined;
    this.#list.markStale(position);
    return this.#items.update(position, change);
  }

  items(): Iterable<InventoryItem> {
    return this.#items;
  }

  replace(items: Iterable<InventoryItem>): void {
    this.#items = toItemTable(items);
    this.#list = new SerializedList(this.#items);
  }
}
