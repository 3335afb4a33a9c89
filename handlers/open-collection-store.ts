import type { InventoryItem } from '../src/inventory/item.ts';
import { toFixture, type Seed } from '../src/mock/seed.ts';
import { readRecord, toRecord } from './collection-record.ts';
import { collectionStore, type CollectionStore } from './collection-store.ts';
import type { InventoryCollection, OpenCollection } from './inventory-collection.ts';
import { answerOtherTabs, askOtherTabs, type SharedRecord } from './other-tabs.ts';

/** What of an extension of `@msw/data` is needed here. */
export interface CollectionExtension {
  readonly name: string;
  extend(collection: never): void;
}

export interface OpenCollectionOptions {
  /** What an empty collection is filled with. Left out: `default`. */
  readonly fixture?: Seed;
  /** `persist()`, `sync()` and others, instead of giving them to the collection. */
  readonly extensions?: readonly CollectionExtension[];
}

/**
 * Opens a collection in a page: takes over what another tab holds, else what `persist()` kept, else
 * the fixture; then `sync()` keeps the tabs together. The order matters, which is why the extensions
 * are given here: a collection that is filled while `sync()` listens fills the other tabs a second
 * time, and records that two tabs created are not the same record to `sync()`.
 *
 * @example
 * const inventory = new Collection({ schema: inventorySchema() });
 * const store = await openCollectionStore(inventory, { extensions: [persist(), sync()] });
 * const worker = setupWorker(...inventoryHandlers({ store }));
 */
export async function openCollectionStore(
  collection: InventoryCollection,
  { fixture = 'default', extensions = [] }: OpenCollectionOptions = {},
): Promise<CollectionStore> {
  const { inventory } = toFixture(fixture);
  for (const extension of extensions.filter((it) => !isSync(it))) {
    // `persist()` fills the collection asynchronously, whatever its type says.
    // oxlint-disable-next-line no-await-in-loop -- each may build on the one before
    await (extension.extend(collection as never) as unknown);
  }
  // Locks are there in a secure context alone, which a service worker needs as well.
  const sharesWithTabs = extensions.some(isSync) && 'window' in globalThis && 'locks' in navigator;
  const shared = sharesWithTabs ? await askOtherTabs() : undefined;
  if (shared !== undefined) await fill(collection, shared);
  else if (collection.all().length === 0) await fill(collection, inventory.map(withPrimaryKey));
  for (const extension of extensions.filter(isSync)) extension.extend(collection as never);
  if (sharesWithTabs) answerOtherTabs(() => readShared(collection));
  return collectionStore(collection);
}

const isSync = ({ name }: CollectionExtension): boolean => name === 'sync';

/** The same key for the same pet in every tab: `sync()` knows a record by its key. */
function withPrimaryKey(item: InventoryItem): SharedRecord {
  return { ...item, primaryKey: `petId/${item.petId}` };
}

function readShared(collection: OpenCollection): readonly SharedRecord[] {
  const key = findPrimaryKey(collection);
  return collection.all().flatMap((record) => {
    const reading = readRecord(record);
    return reading.ok && key !== undefined
      ? [{ ...reading.item, primaryKey: readKey(record, key) }]
      : [];
  });
}

/** Makes a collection hold these records; those that stay keep their other fields. */
async function fill(collection: OpenCollection, records: readonly SharedRecord[]): Promise<void> {
  const [first] = records;
  if (first === undefined) {
    for (const gone of collection.all().toReversed()) collection.delete(gone);
    return;
  }
  const key = findPrimaryKey(collection) ?? (await learnPrimaryKey(collection, first));
  const present = new Map(collection.all().map((record) => [readKey(record, key), record]));
  for (const record of records) {
    const { primaryKey } = record;
    const existing = present.get(primaryKey);
    present.delete(primaryKey);
    if (existing === undefined) {
      // oxlint-disable-next-line no-await-in-loop -- one after another, for the order
      await collection.create({ ...toRecord(record), [key]: primaryKey });
    } else {
      const values = toRecord(record);
      // oxlint-disable-next-line no-await-in-loop
      await collection.update(existing, {
        data: (draft) => Object.assign(draft, values),
      });
    }
  }
  for (const gone of present.values()) collection.delete(gone);
}

/** The symbol under which records hold their primary key: `@msw/data` does not export it. */
function findPrimaryKey(collection: OpenCollection): symbol | undefined {
  const [record] = collection.all();
  return record === undefined
    ? undefined
    : Object.getOwnPropertySymbols(record).find(({ description }) => description === 'kPrimaryKey');
}

async function learnPrimaryKey(
  collection: OpenCollection,
  example: InventoryItem,
): Promise<symbol> {
  const record = await collection.create({ ...toRecord(example) });
  const key = findPrimaryKey(collection);
  collection.delete(record);
  if (key === undefined) {
    throw new TypeError(
      'the records of the collection have no primary key; expected a Collection of @msw/data 1',
    );
  }
  return key;
}

function readKey(record: object, key: symbol): string {
  return String((record as Record<symbol, unknown>)[key]);
}
