import { Collection } from '@msw/data';
import { getResponse } from 'msw';
import { expect, test } from 'vitest';
import {
  collectionStore,
  createInventoryMock,
  inventoryHandlers,
  inventorySchema,
  openCollectionStore,
} from '../handlers/msw.ts';

const createCollection = () => new Collection({ schema: inventorySchema<{ name?: string }>() });

const twoPets = [
  { petId: 1, quantity: 5, status: 'available' },
  { petId: 9_007_199_254_740_993n, quantity: 10n ** 30n, status: 'sold' },
] as const;

const withKey = { Authorization: 'Bearer demo-key', 'Content-Type': 'application/json' };

test('answers what the page wrote, and the page reads what was updated', async () => {
  const inventory = createCollection();
  const handlers = [...inventoryHandlers({ store: collectionStore(inventory) })];
  const rex = await inventory.create({ petId: 7, quantity: 1, status: 'available', name: 'Rex' });

  const listed = await getResponse(
    handlers,
    new Request('https://api.example.com/v1/inventory', { headers: withKey }),
  );
  expect(await listed?.text()).toBe('[{"petId":7,"quantity":1,"status":"available"}]');

  const updated = await getResponse(
    handlers,
    new Request('https://api.example.com/v1/inventory/7', {
      method: 'PATCH',
      headers: withKey,
      body: '{"quantity": 9007199254740993}',
    }),
  );
  expect(updated?.status).toBe(200);
  expect(inventory.findFirst((q) => q.where({ petId: 7 }))).toEqual({
    petId: 7,
    quantity: '9007199254740993',
    status: 'available',
    name: 'Rex',
  });

  await inventory.update(rex, {
    data(pet) {
      pet.quantity = 3;
    },
  });
  const again = await getResponse(
    handlers,
    new Request('https://api.example.com/v1/inventory', { headers: withKey }),
  );
  expect(await again?.json()).toEqual([{ petId: 7, quantity: 3, status: 'available' }]);
});

test('finds every pet while the page creates, deletes and renames', async () => {
  const inventory = createCollection();
  const store = collectionStore(inventory);
  await inventory.createMany(5, (index) => ({ petId: index, quantity: index, status: 'sold' }));
  expect(store.get(4n)?.quantity).toBe(4n);

  inventory.delete((q) => q.where({ petId: 1 }));
  expect(store.get(1n)).toBeUndefined();
  expect(store.get(4n)?.quantity).toBe(4n);

  await inventory.create({ petId: 9n, quantity: 9n, status: 'sold' });
  expect(store.get(9n)?.quantity).toBe(9n);

  await inventory.update((q) => q.where({ petId: 2 }), {
    data(pet) {
      pet.petId = 22;
    },
  });
  expect(store.get(22n)?.quantity).toBe(2n);
  expect(store.get(2n)).toBeUndefined();

  inventory.clear();
  expect(store.get(22n)).toBeUndefined();
  await inventory.create({ petId: 5, quantity: 1, status: 'sold' });
  expect(store.get(5n)?.quantity).toBe(1n);
});

test('loses none of 1,000 increments that are asked for at once', async () => {
  const inventory = createCollection();
  const store = collectionStore(inventory);
  await inventory.create({ petId: 1, quantity: 0, status: 'available' });
  await inventory.create({ petId: 2, quantity: 0, status: 'available' });

  const increments = Array.from({ length: 1000 }, (_, index) =>
    store.change(BigInt(1 + (index % 2)), ({ quantity }) => ({ quantity: quantity + 1n })),
  );
  const seen = (await Promise.all(increments)).map((item) => item?.quantity);

  expect(inventory.all().map(({ quantity }) => quantity)).toEqual([500, 500]);
  expect(new Set(seen).size).toBe(500);
});

test('loses none of 1,000 updates of different pets that are sent at once', async () => {
  const fixture = Array.from({ length: 1000 }, (_, petId) => ({
    petId,
    quantity: 0,
    status: 'available',
  }));
  const store = await openCollectionStore(createCollection(), { fixture });
  const handlers = [...inventoryHandlers({ store })];
  const responses = await Promise.all(
    fixture.map(({ petId }) =>
      getResponse(
        handlers,
        new Request(`https://api.example.com/v1/inventory/${petId}`, {
          method: 'PATCH',
          headers: withKey,
          body: `{"quantity": ${petId + 1}}`,
        }),
      ),
    ),
  );
  expect(responses.every((response) => response?.status === 200)).toBe(true);
  expect(store.items().map(({ petId, quantity }) => quantity - petId)).toEqual(
    fixture.map(() => 1n),
  );
});

test('goes on after a write that failed', async () => {
  const inventory = createCollection();
  const store = collectionStore(inventory);
  await inventory.create({ petId: 1, quantity: 0, status: 'available' });
  const failing = store.change(1n, () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await store.update(1n, { quantity: 4n })).toMatchObject({ quantity: 4n });
});

test('keeps the other fields of a record when the mock is reset', async () => {
  const inventory = createCollection();
  const mock = createInventoryMock({ store: collectionStore(inventory), fixture: twoPets });
  await inventory.create({ petId: 1, quantity: 0, status: 'sold', name: 'Rex' });
  await inventory.create({ petId: 3, quantity: 0, status: 'sold', name: 'Tom' });
  await mock.reset();
  expect(inventory.all()).toEqual([
    { petId: 1, quantity: 5, status: 'available', name: 'Rex' },
    { petId: '9007199254740993', quantity: String(10n ** 30n), status: 'sold' },
  ]);
});

test('fills an empty collection, and leaves one alone that holds something', async () => {
  const empty = createCollection();
  await openCollectionStore(empty, { fixture: twoPets });
  expect(empty.count()).toBe(2);

  const full = createCollection();
  await full.create({ petId: 8, quantity: 1, status: 'sold' });
  await openCollectionStore(full, { fixture: twoPets });
  expect(full.all()).toEqual([{ petId: 8, quantity: 1, status: 'sold' }]);
});

test('counts the first of two records with one petId', async () => {
  const inventory = createCollection();
  const store = collectionStore(inventory);
  await inventory.create({ petId: 1, quantity: 1, status: 'sold' });
  await inventory.create({ petId: 1, quantity: 2, status: 'sold' });
  expect(store.items()).toEqual([{ petId: 1n, quantity: 1n, status: 'sold' }]);
  expect(store.get(1n)?.quantity).toBe(1n);
});

test('names the record and the field where a record is not an item', async () => {
  const inventory = createCollection();
  const rex = await inventory.create({ petId: 1, quantity: 1, status: 'sold' });
  Object.assign(rex, { quantity: 1.5 });
  expect(() => collectionStore(inventory).list()).toThrow(
    'the record of petId 1 in the collection is not an inventory item: quantity must be an integer; got 1.5',
  );
});

test('says why a schema of the page refuses an update', async () => {
  const numbersOnly = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value: unknown) =>
        typeof (value as { quantity: unknown }).quantity === 'number'
          ? { value: { ...(value as { petId: number; quantity: number; status: 'sold' }) } }
          : { issues: [{ message: 'expected a number' }] },
    },
  } as const;
  const inventory = new Collection({ schema: numbersOnly });
  await inventory.create({ petId: 1, quantity: 1, status: 'sold' });
  const bugs: unknown[] = [];
  const store = collectionStore(inventory);
  const handlers = [...inventoryHandlers({ store, onBug: (error) => bugs.push(error) })];
  const response = await getResponse(
    handlers,
    new Request('https://api.example.com/v1/inventory/1', {
      method: 'PATCH',
      headers: withKey,
      body: '{"quantity": 9007199254740993}',
    }),
  );
  expect(response?.status).toBe(500);
  expect(String(bugs[0])).toContain(
    'petId 1 cannot get the quantity 9007199254740993 in the collection: Failed to update record',
  );
});

test('loses nothing where two stores stand on one collection', async () => {
  const inventory = createCollection();
  await inventory.create({ petId: 1, quantity: 0, status: 'available' });
  const [first, second] = [collectionStore(inventory), collectionStore(inventory)];
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      (index % 2 === 0 ? first : second).change(1n, ({ quantity }) => ({
        quantity: quantity + 1n,
      })),
    ),
  );
  expect(first.get(1n)?.quantity).toBe(40n);
});
