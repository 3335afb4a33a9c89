import http from 'node:http';
import { text } from 'node:stream/consumers';
import { getResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createInventoryMock, inventoryHandlers } from '../handlers/msw.ts';
import { createMockUnderTest } from './mock-under-test.ts';
import { startServer } from '../src/server/http-server.ts';
import { sendOverHttp } from './transports/http.ts';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const headerNames: readonly string[] = [
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'access-control-max-age',
  'allow',
  'content-length',
  'content-type',
  'vary',
  'www-authenticate',
];

const withKey = { Authorization: 'Bearer demo-key' };

const requests: readonly (readonly [
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
])[] = [
  ['GET', '/inventory', withKey],
  ['GET', '/inventory?x=1', withKey],
  ['HEAD', '/inventory', withKey],
  ['HEAD', '/inventory', {}],
  ['OPTIONS', '/inventory', {}],
  [
    'OPTIONS',
    '/inventory/5',
    {
      Origin: 'https://shop.example',
      'Access-Control-Request-Method': 'PATCH',
      'Access-Control-Request-Headers': 'authorization,content-type',
    },
  ],
  ['GET', '/inventory/', withKey],
  ['GET', '/inventory/5', withKey],
  ['POST', '/inventory', withKey],
  ['DELETE', '/inventory/5', withKey],
  ['PATCH', '/inventory/5/', withKey],
  ['PATCH', '/inventory/5%2F', withKey],
  ['PATCH', '/inventory/%35', withKey],
  ['PATCH', '/inventory/%', withKey],
  ['PATCH', '/INVENTORY/5', withKey],
  ['GET', '/pets/5', withKey],
  ['GET', '/store/orders', withKey],
  ['GET', '/nothing/here', withKey],
  ['GET', '/', withKey],
  ['GET', '', withKey],
];

test.each(requests)('answers %s %s as the server does', async (method, path, headers) => {
  const mock = createMockUnderTest();
  const real = await startServer({ mock, port: 0 });
  server.use(...inventoryHandlers({ mock: createMockUnderTest() }));

  const overHttp = await sendOverHttp(real.url, {
    method,
    path,
    headers: Object.entries(headers),
    body: undefined,
  });
  const response = await fetch(`https://api.example.com/v1${path}`, { method, headers });
  await real.close();

  expect(response.status).toBe(overHttp.status);
  expect(await response.text()).toBe(new TextDecoder().decode(overHttp.body));
  for (const name of headerNames) {
    expect([name, response.headers.get(name)]).toEqual([name, overHttp.header(name) ?? null]);
  }
  expect([...response.headers.keys()].filter((name) => !headerNames.includes(name))).toEqual([]);
});

test.each([
  ['https://api.example.com/petstore/v1', 'https://api.example.com/petstore/v1/inventory'],
  ['https://api.example.com/petstore/v1/', 'https://api.example.com/petstore/v1/inventory'],
  ['https://api.example.com', 'https://api.example.com/inventory'],
  ['http://localhost:8080/v1', 'http://localhost:8080/v1/inventory'],
  ['/api/v1', 'https://shop.example/api/v1/inventory'],
  ['*/api/v1', 'https://shop.example/api/v1/inventory'],
])('answers at the base address %s', async (baseUrl, url) => {
  server.use(...inventoryHandlers({ baseUrl, fixture: 'empty' }));
  const response = await fetch(url, { headers: withKey });
  expect(await response.text()).toBe('[]');
});

test.each([
  ['/v1', '/v10/inventory'],
  ['/v1', '/v1.json'],
  ['/v1', '/api/v1/inventory'],
  ['/v1', '/V1/inventory'],
  ['https://api.example.com/v1', '/v1/inventory'],
  ['http://127.0.0.1:1/v1', '/v1/inventory'],
])('leaves a request elsewhere alone: base address %s, path %s', async (baseUrl, path) => {
  const request = new Request(`http://127.0.0.1${path}`, { headers: withKey });
  expect(await getResponse([...inventoryHandlers({ baseUrl })], request)).toBeUndefined();
});

test.each(['', 'v1', 'ftp://api.example.com/v1', '/v1?x=1', '//api.example.com/v1', 'https://'])(
  'refuses the base address "%s"',
  (baseUrl) => {
    expect(() => inventoryHandlers({ baseUrl })).toThrow(
      `baseUrl must be an address such as https://api.example.com/v1, or a path such as /v1, without query and fragment; got "${baseUrl}"`,
    );
  },
);

test('answers a client that does not use fetch', async () => {
  server.use(...inventoryHandlers());
  const body = await new Promise<string>((resolve, reject) => {
    const request = http.request(
      'http://api.example.com/v1/inventory/9007199254740993',
      { method: 'PATCH', headers: { ...withKey, 'Content-Type': 'application/json' } },
      (response) => {
        resolve(text(response));
      },
    );
    request.on('error', reject);
    request.end('{"quantity": 9007199254740995}');
  });
  expect(body).toBe('{"petId":9007199254740993,"quantity":9007199254740995,"status":"available"}');
});

test('waits before it handles a request, and changes nothing for one that was given up', async () => {
  const mock = createInventoryMock();
  let reached: (() => void) | undefined;
  const handled = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const delay = (request: Request): number => {
    if (request.method === 'PATCH') queueMicrotask(() => reached?.());
    return request.method === 'PATCH' ? 20 : 0;
  };
  server.use(...inventoryHandlers({ mock, delay }));
  const giveUp = new AbortController();
  const given = fetch('https://api.example.com/v1/inventory/5', {
    method: 'PATCH',
    headers: { ...withKey, 'Content-Type': 'application/json' },
    body: '{"quantity": 99}',
    signal: giveUp.signal,
  });
  await handled;
  giveUp.abort();
  await expect(given).rejects.toThrow('aborted');

  // A later request has waited as long: by now the first would have been handled.
  const later = await fetch('https://api.example.com/v1/inventory/8', {
    method: 'PATCH',
    headers: { ...withKey, 'Content-Type': 'application/json' },
    body: '{"quantity": 99}',
  });
  expect(later.status).toBe(200);
  expect(mock.items().filter(({ quantity }) => quantity === 99n)).toHaveLength(1);
});

test('names its place in the list of handlers', () => {
  server.use(...inventoryHandlers({ baseUrl: '/api/v1' }));
  expect(server.listHandlers().map((handler) => 'info' in handler && handler.info.header)).toEqual([
    'inventory at /api/v1',
  ]);
});
