import { expect, test } from 'vitest';
import { createInventoryClient, type InventoryClient } from '../src/client/inventory-client.ts';
import { toFetch } from '../src/mock/fetch.ts';
import { createMock } from '../src/mock/mock.ts';
import { MemoryStore } from '../src/stores/memory.ts';

const baseUrl = 'http://inventory.example/v1';

function createClient(apiKey = 'key'): InventoryClient {
  const store = new MemoryStore([
    { petId: 1n, quantity: 3n, status: 'available' },
    { petId: 9_007_199_254_740_993n, quantity: 0n, status: 'sold' },
  ]);
  const mock = createMock({
    store,
    apiKeys: ['key'],
    policy: { 'quantity-range': { minimum: 0n } },
  });
  return createInventoryClient({ baseUrl, apiKey, fetch: toFetch(mock) });
}

/** A client of a service that gives one answer to everything. */
const answered = (status: number, body: string): InventoryClient =>
  createInventoryClient({
    baseUrl,
    apiKey: 'key',
    fetch: () => Promise.resolve(new Response(body, { status })),
  });

test('lists every entry with all digits', async () => {
  expect(await createClient().list()).toEqual({
    kind: 'ok',
    items: [
      { petId: 1n, quantity: 3n, status: 'available' },
      { petId: 9_007_199_254_740_993n, quantity: 0n, status: 'sold' },
    ],
  });
});

test('updates a quantity', async () => {
  const client = createClient();
  expect(await client.update(1, 12)).toEqual({
    kind: 'ok',
    item: { petId: 1n, quantity: 12n, status: 'available' },
  });
  expect(await client.list()).toMatchObject({ items: [{ quantity: 12n }, { quantity: 0n }] });
});

test('sends and reads integers that a double would round', async () => {
  expect(await createClient().update(9_007_199_254_740_993n, 123_456_789_012_345_678_901n)).toEqual(
    {
      kind: 'ok',
      item: {
        petId: 9_007_199_254_740_993n,
        quantity: 123_456_789_012_345_678_901n,
        status: 'sold',
      },
    },
  );
});

test('reads -0 as 0', async () => {
  expect(await createClient().update(1, -0)).toMatchObject({ kind: 'ok', item: { quantity: 0n } });
});

test('gives a refused quantity as badRequest', async () => {
  expect(await createClient().update(1n, -1n)).toMatchObject({
    kind: 'badRequest',
    error: { code: 'invalid_request', status: 400 },
  });
});

test('gives an unknown pet as notFound', async () => {
  expect(await createClient().update(2n, 1n)).toMatchObject({
    kind: 'notFound',
    error: { code: 'not_found', status: 404 },
  });
});

test('gives a refused key as unauthorized, without the key', async () => {
  const client = createClient('another-key');
  const results = [await client.list(), await client.update(1n, 1n)];
  for (const result of results) {
    expect(result).toMatchObject({ kind: 'unauthorized', error: { status: 401 } });
    expect(JSON.stringify(result)).not.toContain('another-key');
  }
});

test.for([
  ['a status that is not described', 500, '{"code":"x","message":"y","status":500}', 'the status'],
  ['HTML', 200, '<html>', 'not JSON'],
  ['an object for the list', 200, '{}', 'expected an array at $'],
  ['a petId that is a string', 200, '[{"petId":"1","quantity":1,"status":"sold"}]', '$[0].petId'],
  ['an error without a message', 401, '{"code":"x","status":401}', '$.message'],
  ['an error with another status', 401, '{"code":"x","message":"y","status":400}', '$.status'],
] as const)('gives %s as unexpected', async ([, status, body, problem]) => {
  const result = await answered(status, body).list();
  expect(result).toMatchObject({ kind: 'unexpected', status });
  expect(result.kind === 'unexpected' && result.message).toContain(problem);
});

test.for([
  ['another status', 204, 'the status 200, 400, 401 or 404'],
  ['HTML', 200, 'not JSON'],
  ['HTML for an error', 404, 'not JSON'],
] as const)('gives %s as unexpected after an update', async ([, status, problem]) => {
  const client = createInventoryClient({
    baseUrl,
    apiKey: 'key',
    fetch: () => Promise.resolve(new Response(status === 204 ? null : '<html>', { status })),
  });
  const result = await client.update(1n, 1n);
  expect(result).toMatchObject({ kind: 'unexpected', status });
  expect(result.kind === 'unexpected' && result.message).toContain(problem);
});

test('gives a service that cannot be reached as unreachable', async () => {
  const cause = new TypeError('fetch failed');
  const client = createInventoryClient({
    baseUrl,
    apiKey: 'key',
    fetch: () => Promise.reject(cause),
  });
  expect(await client.list()).toEqual({
    kind: 'unreachable',
    message: 'GET http://inventory.example/v1/inventory got no answer: fetch failed',
    cause,
  });
});

test('is rejected with the reason of an aborted signal', async () => {
  const reason = new Error('enough');
  const client = createInventoryClient({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'key' });
  await expect(client.list({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test.for([1.5, Number.NaN, 2 ** 53])('throws for the quantity %s', async (quantity) => {
  await expect(createClient().update(1n, quantity)).rejects.toThrow(
    `quantity must be a safe integer or a bigint; got the number ${quantity}`,
  );
});

test('takes a base address with a slash behind it', async () => {
  const urls: string[] = [];
  const client = createInventoryClient({
    baseUrl: `${baseUrl}/`,
    apiKey: 'key',
    fetch: (request) => {
      urls.push(request.url);
      return Promise.resolve(new Response('[]'));
    },
  });
  await client.list();
  expect(urls).toEqual([`${baseUrl}/inventory`]);
});
