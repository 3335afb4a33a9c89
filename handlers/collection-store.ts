import { toItemJson, type InventoryItem } from '../src/inventory/item.ts';
import type { StockChange, Store, UpdatedItem } from '../src/inventory/store.ts';
import type { InventoryCollection, OpenCollection } from './inventory-collection.ts';
import { readPetId, readRecord, toCollectionInteger, toRecord } from './collection-record.ts';

const encoder = new TextEncoder();

/** The last write to each collection: two stores over one must not come between each other's. */
const lastWrites = new WeakMap<object, Promise<unknown>>();

/**
 * Puts the API on top of a `Collection` of `@msw/data`, which stays the page's own: what the page
 * writes there is what the API answers, and the other way round. Of two records with one petId, the
 * first counts. The list is in the collection's order.
 *
 * Records hold integers as numbers, and as strings of digits where a number would not be exact.
 *
 * @example
 * const inventory = new Collection({ schema: inventorySchema() });
 * const mock = createInventoryMock({ store: collectionStore(inventory) });
 */
export function collectionStore(collection: InventoryCollection): CollectionStore {
  return new CollectionStore(collection);
}

/** A store over a collection of `@msw/data`. */
export class CollectionStore implements Store {
  readonly #collection: OpenCollection;
  /** Where the first record of each pet was when it was last looked at. */
  readonly #positions = new Map<bigint, number>();
  /** How many records have been indexed, from the front. */
  #indexed = 0;
  /** A record once got another petId: that a pet is not in the index says nothing then. */
  #renamed = false;

  constructor(collection: InventoryCollection) {
    this.#collection = collection;
    // Both hooks are called before the records change. New ones are found at the end.
    this.#collection.hooks.on('delete', () => this.#forgetPositions());
    this.#collection.hooks.on('update', ({ data: { path } }) => {
      if (path === undefined || path.length === 0 || path[0] === 'petId') this.#renamed = true;
    });
  }

  list(): readonly Uint8Array[] {
    const items = this.items().map(({ petId, quantity, status }) =>
      toItemJson(petId, quantity, status),
    );
    return [encoder.encode(`[${items.join()}]`)];
  }

  items(): readonly InventoryItem[] {
    const items = new Map<bigint, InventoryItem>();
    for (const record of this.#collection.all()) {
      const item = toItem(record);
      if (!items.has(item.petId)) items.set(item.petId, item);
    }
    return [...items.values()];
  }

  get(petId: bigint): InventoryItem | undefined {
    const record = this.#find(petId);
    return record === undefined ? undefined : toItem(record);
  }

  update(petId: bigint, change: StockChange): Promise<UpdatedItem | undefined> {
    return this.change(petId, () => change);
  }

  /**
   * Changes one entry by what it holds, atomically: no other write of this store comes between.
   *
   * @returns the entry as it is then, or `undefined` where there is no such pet
   * @example
   * await store.change(5n, ({ quantity }) => ({ quantity: quantity + 1n }));
   */
  change(
    petId: bigint,
    toChange: (item: InventoryItem) => StockChange,
  ): Promise<UpdatedItem | undefined> {
    return this.#write(async () => {
      const record = this.#find(petId);
      return record === undefined ? undefined : this.#apply(record, toChange(toItem(record)));
    });
  }

  /** Records of pets that stay keep their other fields; a new record has the three fields alone. */
  async replace(items: Iterable<InventoryItem>): Promise<void> {
    const wanted = new Map<bigint, InventoryItem>();
    for (const item of items) {
      if (wanted.has(item.petId)) {
        throw new RangeError(`petId ${item.petId} stands twice in the inventory`);
      }
      wanted.set(item.petId, item);
    }
    await this.#write(async () => {
      const kept = new Set<bigint>();
      const others = this.#collection.all().filter((record) => {
        const petId = readPetId(record);
        if (petId === undefined || !wanted.has(petId) || kept.has(petId)) return true;
        kept.add(petId);
        return false;
      });
      for (const record of others) this.#collection.delete(record);
      // One after another, for the order.
      // oxlint-disable-next-line no-await-in-loop
      for (const item of wanted.values()) await this.#put(item);
    });
  }

  async #put(item: InventoryItem): Promise<void> {
    const record = this.#find(item.petId);
    if (record !== undefined) await this.#apply(record, item);
    else {
      await explain(`petId ${item.petId} cannot be created`, () =>
        this.#collection.create({ ...toRecord(item) }),
      );
    }
  }

  async #apply(record: object, { quantity, status }: StockChange): Promise<UpdatedItem> {
    const { petId, ...previous } = toItem(record);
    const updated = await explain(`petId ${petId} cannot get the quantity ${quantity}`, () =>
      this.#collection.update(record, {
        data(draft) {
          draft['quantity'] = toCollectionInteger(quantity);
          if (status !== undefined) draft['status'] = status;
        },
      }),
    );
    if (updated === undefined) throw new Error(`petId ${petId} was deleted while it was updated`);
    return { ...toItem(updated), previous };
  }

  /** `update` of a collection reads, waits and writes: one after another, or writes are lost. */
  #write<T>(write: () => Promise<T>): Promise<T> {
    const written = (lastWrites.get(this.#collection) ?? Promise.resolve()).then(write);
    lastWrites.set(
      this.#collection,
      written.catch(() => undefined),
    );
    return written;
  }

  #find(petId: bigint): object | undefined {
    const records = this.#collection.all();
    if (this.#indexed > records.length) this.#forgetPositions();
    for (; this.#indexed < records.length; this.#indexed += 1) {
      const found = readPetId(records[this.#indexed]);
      if (found !== undefined && !this.#positions.has(found)) {
        this.#positions.set(found, this.#indexed);
      }
    }
    const position = this.#positions.get(petId);
    if (position === undefined && !this.#renamed) return undefined;
    const record = position === undefined ? undefined : records[position];
    if (readPetId(record) === petId) return record;
    this.#forgetPositions();
    return records.find((candidate) => readPetId(candidate) === petId);
  }

  #forgetPositions(): void {
    this.#positions.clear();
    this.#indexed = 0;
  }
}

function toItem(record: object): InventoryItem {
  const reading = readRecord(record);
  if (reading.ok) return reading.item;
  const petId = readPetId(record);
  const which = petId === undefined ? 'a record' : `the record of petId ${petId}`;
  throw new TypeError(
    `${which} in the collection is not an inventory item: ${reading.message}; correct the record, or the code that wrote it`,
  );
}

/** Says what was tried where the collection's own error does not. */
async function explain<T>(problem: string, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `${problem} in the collection: ${reason} Its schema must accept petId, quantity and status alone, and a string of digits where a number is not exact`,
      { cause },
    );
  }
}
