import { expect, test } from 'vitest';
import { toFetch } from '../src/mock/fetch.ts';
import { createInventoryMock, type InventoryMock } from '../src/mock/inventory-mock.ts';
import { MemoryStore } from '../src/stores/memory.ts';

const twoPets = [
  { petId: 1, quantity: 5, status: 'available' },
  { petId: 9_007_199_254_740_993n, quantity: 10n ** 30n, status: 'sold' },
] as const;

function list(mock: InventoryMock, apiKey = 'demo-key'): Promise<Response> {
  return toFetch(mock)(
    new Request('http://mock.test/v1/inventory', {
      headers: { Authorization: `Bearer ${apiKey}` },
    }),
  );
}

function update(mock: InventoryMock, petId: number, quantity: number): Promise<Response> {
  return toFetch(mock)(
    new Request(`http://mock.test/v1/inventory/${petId}`, {
      method: 'PATCH',
      headers: { Authorization: 'Bearer demo-key', 'Content-Type': 'application/json' },
      body: JSON.stringify({ quantity }),
    }),
  );
}

test('starts with the default fixture and the default key', async () => {
  const mock = createInventoryMock();
  expect(mock.items()).toHaveLength(12);
  expect((await list(mock)).status).toBe(200);
  expect((await list(mock, 'another-key')).status).toBe(401);
});

test('starts with items as people type them, and gives exact ones', () => {
  const mock = createInventoryMock({ fixture: twoPets });
  expect(mock.items()).toEqual([
    { petId: 1n, quantity: 5n, status: 'available' },
    { petId: 9_007_199_254_740_993n, quantity: 10n ** 30n, status: 'sold' },
  ]);
});

test('starts with a fixture as it is imported from a JSON file', async () => {
  const imported = {
    inventory: [{ petId: 1, quantity: 5, status: 'available' as string }],
    apiKeys: ['shop-key'],
    policy: { 'content-type': '415' as const },
  };
  const mock = createInventoryMock({ fixture: imported });
  expect((await list(mock, 'shop-key')).status).toBe(200);
  expect(mock.policy['content-type']).toBe('415');
});

test('prefers its own keys and policy to those of the fixture', () => {
  const mock = createInventoryMock({
    fixture: { inventory: [], apiKeys: ['shop-key'], policy: { 'content-type': '415' } },
    apiKeys: 'any',
    policy: { 'content-type': 'ignore' },
  });
  expect(mock.apiKeys).toBe('any');
  expect(mock.policy['content-type']).toBe('ignore');
});

test.each([
  [{ petId: 2 ** 53, quantity: 1, status: 'sold' }, 'item 0: petId 9007199254740992 is beyond'],
  [{ petId: 1, quantity: -(2 ** 53), status: 'sold' }, 'item 0: quantity -9007199254740992 is'],
  [{ petId: 1, quantity: 1.5, status: 'sold' }, 'item 0: quantity must be an integer; got 1.5'],
  [{ petId: 1, quantity: Number.NaN, status: 'sold' }, 'must be an integer; got NaN'],
  [{ petId: 2n ** 63n, quantity: 1, status: 'sold' }, 'item 0: petId must be an int64; got 922'],
  [
    { petId: 1, quantity: 1, status: 'gone' },
    'must be one of available, pending, sold; got "gone"',
  ],
])('refuses the item %o', (item, message) => {
  expect(() => createInventoryMock({ fixture: [item] })).toThrow(message);
});

test('refuses a petId that stands twice, naming both items', () => {
  const [pet] = twoPets;
  expect(() => createInventoryMock({ fixture: [pet, pet] })).toThrow(
    'item 1: petId 1 is taken already by item 0; give one item for each pet',
  );
});

test('refuses a fixture that is not built in, naming those that are', () => {
  expect(() => createInventoryMock({ fixture: 'defualt' as 'default' })).toThrow(
    'there is no built-in fixture "defualt"; there are default, empty, edge',
  );
});

test('sets, resets, and goes back to a snapshot', async () => {
  const mock = createInventoryMock({ fixture: twoPets });
  const seed = mock.items();
  await update(mock, 1, 77);
  const snapshot = mock.snapshot();

  mock.set([{ petId: 3, quantity: 0, status: 'pending' }]);
  expect(mock.items()).toEqual([{ petId: 3n, quantity: 0n, status: 'pending' }]);
  mock.restore(snapshot);
  expect(mock.items()[0]).toMatchObject({ quantity: 77n });
  mock.reset();
  expect(mock.items()).toEqual(seed);

  const other = createInventoryMock({ fixture: 'empty' });
  other.restore(snapshot);
  expect(other.items()[0]).toMatchObject({ quantity: 77n });
});

test('changes nothing where one of the items to set is wrong', () => {
  const mock = createInventoryMock({ fixture: twoPets });
  expect(() => mock.set([{ petId: 3, quantity: 0.5, status: 'sold' }])).toThrow('item 0: quantity');
  expect(mock.items()).toHaveLength(2);
});

test('overrides the answer to the next request, and only that', async () => {
  const mock = createInventoryMock({ fixture: twoPets });
  mock.next('updateInventory', { status: 404 });

  expect((await list(mock)).status).toBe(200);
  const overridden = await update(mock, 1, 6);
  expect(overridden.status).toBe(404);
  expect(await overridden.json()).toEqual({
    code: 'not_found',
    message: 'the mock was told to answer this updateInventory with 404',
    status: 404,
  });
  expect(mock.items()[0]).toMatchObject({ quantity: 5n });
  expect((await update(mock, 1, 6)).status).toBe(200);
});

test('takes overrides in turn, and the lasting one after them', async () => {
  const mock = createInventoryMock({ fixture: twoPets });
  mock.next('listInventory', { status: 401, times: Infinity });
  mock.next('updateInventory', { status: 400, times: Infinity, message: 'not today' });
  mock.next('updateInventory', { status: 401, times: 2 });
  mock.next('updateInventory', { status: 200 });

  const statuses = [];
  for (let count = 0; count < 6; count += 1) statuses.push((await update(mock, 1, 6)).status);
  expect(statuses).toEqual([401, 401, 200, 400, 400, 400]);
  expect(await (await update(mock, 1, 6)).json()).toMatchObject({ message: 'not today' });

  const refused = await list(mock);
  expect(refused.status).toBe(401);
  expect(refused.headers.get('WWW-Authenticate')).toBe('Bearer');

  mock.reset();
  expect((await list(mock)).status).toBe(200);
  expect((await update(mock, 1, 6)).status).toBe(200);
});

test('keeps an override for the next request that has a valid key', async () => {
  const mock = createInventoryMock();
  mock.next('listInventory', { status: 200 });
  mock.next('listInventory', { status: 401 });
  expect((await list(mock, 'wrong')).status).toBe(401);
  expect((await list(mock)).status).toBe(200);
  expect((await list(mock)).status).toBe(401);
});

test.each([0, -1, 1.5, Number.NaN])('refuses to override %s times', (times) => {
  const mock = createInventoryMock();
  expect(() => mock.next('listInventory', { status: 401, times })).toThrow(
    `times must be an integer from 1 up, or Infinity; got ${times}`,
  );
});

test.each<readonly [readonly unknown[], string]>([
  [['list', { status: 401 }], 'there is no operation "list"; there are listInventory and'],
  [['toString', { status: 401 }], 'there is no operation "toString"'],
  [[], 'there is no operation undefined'],
  [['listInventory'], 'must be an object such as { status: 401 }; got undefined'],
  [['listInventory', 401], 'must be an object such as { status: 401 }; got 401'],
  [['listInventory', [401]], 'must be an object such as { status: 401 }; got an array'],
  [['listInventory', {}], 'status must be one of 200, 401, the documented ones of listInventory'],
  [['listInventory', { status: 404 }], 'status must be one of 200, 401'],
  [['updateInventory', { status: '404' }], 'status must be one of 200, 400, 401, 404'],
  [['updateInventory', { status: '404' }], 'got "404"'],
  [['updateInventory', { status: 500 }], 'got 500. For another status or a network error, use'],
  [['updateInventory', { status: 500 }], 'use server.use(http.get(…)) of MSW'],
  [['updateInventory', { status: 404, time: 2 }], 'no option "time"; there are status, times, m'],
  [['updateInventory', { status: 404, times: '2' }], 'times must be an integer from 1 up'],
  [['updateInventory', { status: 404, message: 7 }], 'message must be a string; got 7'],
])('refuses next with %j', async (args, message) => {
  const mock = createInventoryMock({ fixture: twoPets });
  const untyped = mock as { next(...given: readonly unknown[]): void };
  expect(() => untyped.next(...args)).toThrow(message);
  // Nothing is left of it.
  expect((await list(mock)).status).toBe(200);
  expect((await update(mock, 1, 6)).status).toBe(200);
});

test('keeps what a store of the caller holds, and resets it to the fixture', async () => {
  const store = new MemoryStore([{ petId: 9n, quantity: 9n, status: 'sold' }]);
  const mock = createInventoryMock({ store, fixture: twoPets });
  expect(await mock.items()).toEqual([{ petId: 9n, quantity: 9n, status: 'sold' }]);
  await mock.reset();
  expect([...store.items()]).toHaveLength(2);
});
