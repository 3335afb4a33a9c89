import { Collection } from '@msw/data';
import { expect, onTestFinished, test } from 'vitest';
import { collectionStore, inventorySchema } from '../handlers/msw.ts';
import type { InventoryItem } from '../src/inventory/item.ts';
import type { MaybePromise, Store } from '../src/inventory/store.ts';
import { stringifyExactJson } from '../src/json/exact-json.ts';
import { generateInventory } from '../src/mock/generate-inventory.ts';
import { MemoryStore } from '../src/stores/memory.ts';
import { sandboxStorages } from './sandbox-storages.ts';

/** Every store passes the same tests. A new one is one file and one line here. */
const stores: readonly {
  name: string;
  create: (items: Iterable<InventoryItem>) => MaybePromise<Store>;
}[] = [
  { name: 'memory', create: (items) => new MemoryStore(items) },
  { name: '@msw/data collection', create: createCollectionStore },
  ...sandboxStorages.map(({ name, open }) => ({
    name: `a sandbox in ${name}`,
    async create(seed: Iterable<InventoryItem>) {
      const { storage, dispose } = await open();
      onTestFinished(dispose);
      const sandbox = await storage.create({ settings: '', seed });
      if (sandbox === 'taken') throw new Error('an id is taken in an empty storage');
      return sandbox.store;
    },
  })),
];

async function createCollectionStore(items: Iterable<InventoryItem>): Promise<Store> {
  const store = collectionStore(new Collection({ schema: inventorySchema() }));
  await store.replace(items);
  return store;
}

const items: readonly InventoryItem[] = [
  { petId: 5n, quantity: 1n, status: 'available' },
  { petId: -1n, quantity: 0n, status: 'pending' },
  { petId: 9_007_199_254_740_993n, quantity: 9_007_199_254_740_993n, status: 'sold' },
];

const toItem = ({ petId, quantity, status }: InventoryItem): InventoryItem => ({
  petId,
  quantity,
  status,
});

const textOf = async (store: Store): Promise<string> =>
  Buffer.concat([...(await store.list())]).toString();

for (const { name, create } of stores) {
  test(`${name}: lists what it was given, in that order, exactly`, async () => {
    const store = await create(items);
    expect(await textOf(store)).toBe(stringifyExactJson(items));
    expect([...(await store.items())]).toEqual(items);
  });

  test(`${name}: lists an empty array where there is nothing`, async () => {
    expect(await textOf(await create([]))).toBe('[]');
  });

  test(`${name}: gets an entry, and nothing for a pet that has none`, async () => {
    const store = await create(items);
    expect(await store.get(-1n)).toEqual(items[1]);
    expect(await store.get(9_007_199_254_740_992n)).toBeUndefined();
  });

  test(`${name}: updates one entry and answers with it, and with what it was before`, async () => {
    const store = await create(items);
    const updated = { ...items[1], quantity: 10n ** 30n };
    const previous = { quantity: 0n, status: 'pending' };
    expect(await store.update(-1n, { quantity: 10n ** 30n })).toEqual({ ...updated, previous });
    expect([...(await store.items())]).toEqual([items[0], updated, items[2]]);
    expect(await textOf(store)).toBe(stringifyExactJson([items[0], updated, items[2]]));
  });

  test(`${name}: writes a status only where one is given`, async () => {
    const store = await create(items);
    expect(await store.update(5n, { quantity: 0n, status: 'sold' })).toMatchObject({
      status: 'sold',
    });
    expect(await store.update(5n, { quantity: 1n })).toMatchObject({ status: 'sold' });
  });

  test(`${name}: changes nothing for a pet that has no entry`, async () => {
    const store = await create(items);
    expect(await store.update(424_242n, { quantity: 1n })).toBeUndefined();
    expect([...(await store.items())]).toEqual(items);
  });

  test(`${name}: replaces the whole inventory`, async () => {
    const store = await create(items);
    await store.update(5n, { quantity: 9n });
    await store.replace(items.slice(1));
    expect(await textOf(store)).toBe(stringifyExactJson(items.slice(1)));
    expect(await store.get(5n)).toBeUndefined();
  });

  test(`${name}: refuses a petId that stands twice, and keeps what it had`, async () => {
    const store = await create(items);
    await expect(async () => store.replace([...items, ...items])).rejects.toThrow(
      'petId 5 stands twice',
    );
    expect([...(await store.items())]).toEqual(items);
  });

  test(`${name}: keeps its list true through many updates of many entries`, async () => {
    const seed = [...generateInventory(1000, 3)];
    const store = await create(seed);
    const expected = new Map(seed.map((item) => [item.petId, item]));
    for (let round = 0; round < 10; round += 1) {
      for (let step = 0; step < 50; step += 1) {
        const item = seed[(step * 7919 + round * 31) % seed.length];
        const petId = item?.petId ?? 0n;
        const quantity = BigInt(step) * 10n ** BigInt(step % 20);
        const updated = await store.update(petId, { quantity });
        expect(updated).toMatchObject({ petId, quantity });
        if (updated !== undefined) expected.set(petId, toItem(updated));
      }
      expect(await textOf(store)).toBe(stringifyExactJson([...expected.values()]));
    }
  });

  test(`${name}: never changes a list that it has handed out`, async () => {
    const store = await create(items);
    const list = await store.list();
    await store.update(5n, { quantity: 2n });
    await store.list();
    expect(Buffer.concat([...list]).toString()).toBe(stringifyExactJson(items));
  });
}
