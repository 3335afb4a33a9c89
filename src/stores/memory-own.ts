import type { FixedTable } from '../inventory/item-table.ts';
import type { InventoryItem } from '../inventory/item.ts';
import type { StockChange, UpdatedItem } from '../inventory/store.ts';
import type { Overlay } from './memory-overlay.ts';
import { SerializedList } from './serialized-list.ts';

/**
 * An inventory that may differ everywhere from what it came from. It shares which pets there are,
 * which takes most of the room, and the text that has not changed.
 */
export class OwnInventory implements Iterable<InventoryItem> {
  readonly #items: FixedTable;
  readonly #list: SerializedList;

  constructor(items: FixedTable, list: SerializedList = new SerializedList(items)) {
    this.#items = items;
    this.#list = list;
  }

  static from(overlay: Overlay): OwnInventory {
    const items = overlay.seed.items.copy();
    const list = new SerializedList(items, overlay.seed.text.segments);
    for (const [position, change] of overlay.changes) {
      items.update(position, change);
      list.markStale(position);
    }
    return new OwnInventory(items, list);
  }

  get length(): number {
    return this.#items.length;
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

  copy(): OwnInventory {
    const items = this.#items.copy();
    return new OwnInventory(items, new SerializedList(items, this.#list.segments));
  }

  [Symbol.iterator](): Iterator<InventoryItem> {
    return this.#items[Symbol.iterator]();
  }
}
