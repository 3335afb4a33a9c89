import { request as httpRequest } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { hasItems, hasNoPet, isEmpty, providerStateNames } from '../contracts/provider-states.ts';
import type { InventoryItem } from '../src/inventory/item.ts';
import { stringifyExactJson } from '../src/json/exact-json.ts';
import type { Mock } from '../src/mock/mock.ts';
import { startServer, type RunningServer } from '../src/server/http-server.ts';
import { send } from './admin-server.ts';
import { createMockUnderTest, defaultItems } from './mock-under-test.ts';

const servers: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function start(mock: Mock, host?: string): Promise<RunningServer> {
  const server = await startServer({ mock, port: 0, ...(host === undefined ? {} : { host }) });
  servers.push(server);
  return server;
}

interface Answered {
  readonly status: number;
  readonly body: { readonly message?: string };
  readonly headers: NodeJS.Dict<string | string[]>;
}

/** Sends a body, text as it is, with headers that `fetch` would not let us set. */
function post(
  { port }: RunningServer,
  body: unknown,
  headers: { readonly [name: string]: string } = {},
  method = 'POST',
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      { host: '127.0.0.1', port, path: '/_stockcheck/states', method, headers },
      (incoming) => {
        let text = '';
        incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        incoming.on('end', () => {
          const parsed = JSON.parse(text) as Answered['body'];
          resolve({ status: incoming.statusCode ?? 0, body: parsed, headers: incoming.headers });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(typeof body === 'string' ? body : stringifyExactJson(body));
  });
}

const items = async (mock: Mock): Promise<InventoryItem[]> => [...(await mock.items())];

test('adds the items of a state, and puts them in the place of their pets', async () => {
  const mock = createMockUnderTest();
  const server = await start(mock);
  const [first, ...others] = defaultItems();
  const changed: InventoryItem = { petId: first?.petId ?? 0n, quantity: 99n, status: 'pending' };
  const added: InventoryItem = { petId: 2n ** 63n - 1n, quantity: 10n ** 30n, status: 'sold' };
  const { name, params } = hasItems(changed, added);
  expect(await post(server, { state: name, params, action: 'setup' })).toMatchObject({
    status: 200,
  });
  expect(await items(mock)).toEqual([changed, ...others, added]);
});

test('removes a pet', async () => {
  const mock = createMockUnderTest();
  const { name, params } = hasNoPet(9_007_199_254_740_993n);
  await post(await start(mock), { state: name, params, action: 'setup' });
  const left = defaultItems().filter(({ petId }) => petId !== 9_007_199_254_740_993n);
  expect(left).not.toEqual(defaultItems());
  expect(await items(mock)).toEqual(left);
});

test('empties the inventory', async () => {
  const mock = createMockUnderTest();
  await post(await start(mock), { state: isEmpty.name, action: 'setup' });
  expect(await items(mock)).toEqual([]);
});

test('brings the inventory back after the states of an interaction', async () => {
  const mock = createMockUnderTest();
  const server = await start(mock);
  const states = [
    { state: 'the inventory is empty', params: {} },
    {
      state: 'the inventory has the items',
      params: { items: [{ petId: 1, quantity: 1, status: 'sold' }] },
    },
  ];
  for (const state of states) await post(server, { ...state, action: 'setup' });
  expect(await items(mock)).toHaveLength(1);
  for (const state of states) await post(server, { ...state, action: 'teardown' });
  expect(await items(mock)).toEqual(defaultItems());
});

test('has nothing to do for an interaction without a state', async () => {
  const mock = createMockUnderTest();
  const answer = await post(await start(mock), { state: '', params: {}, action: 'setup' });
  expect(answer.status).toBe(200);
  expect(await items(mock)).toEqual(defaultItems());
});

test('refuses a state that it does not know, and names those that it knows', async () => {
  const mock = createMockUnderTest();
  const answer = await post(await start(mock), { state: 'it rains', action: 'setup' });
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', status: 400 } });
  expect(answer.body.message).toContain('the string "it rains"');
  for (const name of providerStateNames) expect(answer.body.message).toContain(name);
});

test.for([
  ['{', 'not valid JSON'],
  ['[]', 'the body must be a JSON object; got an empty array'],
  ['{"state":"the inventory is empty","action":"undo"}', 'action must be "setup" or "teardown"'],
  ['{"state":"the inventory is empty","params":[]}', 'params must be an object'],
  [
    '{"state":"the inventory has no pet","params":{"petId":"1"}}',
    'params.petId must be an integer',
  ],
  ['{"state":"the inventory has the items"}', 'params.items must be an array; got nothing'],
  [
    '{"state":"the inventory has the items","params":{"items":[5]}}',
    'params.items[0] must be an object',
  ],
  [
    '{"state":"the inventory has the items","params":{"items":[{"petId":9223372036854775808}]}}',
    'params.items[0].petId must be an integer of 64 bits',
  ],
  [
    '{"state":"the inventory has the items","params":{"items":[{"petId":1,"quantity":1.5}]}}',
    'params.items[0].quantity must be an integer; got the number 1.5',
  ],
  [
    '{"state":"the inventory has the items","params":{"items":[{"petId":1,"quantity":1}]}}',
    'params.items[0].status must be available, pending, sold',
  ],
] as const)('refuses %s', async ([body, problem]) => {
  const mock = createMockUnderTest();
  const answer = await post(await start(mock), body);
  expect(answer.status).toBe(400);
  expect(answer.body.message).toContain(problem);
  expect(await items(mock)).toEqual(defaultItems());
});

const empty = { state: 'the inventory is empty', action: 'setup' };

test.for([
  ['another host name', { Host: 'inventory.example' }],
  ['a page of another origin', { Origin: 'http://inventory.example' }],
  ['a page without an origin', { Origin: 'null' }],
  ['a page of another site', { 'Sec-Fetch-Site': 'cross-site' }],
  ['a page on another port', { 'Sec-Fetch-Site': 'same-site' }],
] as const)('refuses %s, without CORS', async ([, headers]) => {
  const mock = createMockUnderTest();
  const answer = await post(await start(mock), empty, headers);
  expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden', status: 403 } });
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual(
    [],
  );
  expect(await items(mock)).toEqual(defaultItems());
});

test('answers a page of its own, and localhost by name', async () => {
  const server = await start(createMockUnderTest());
  const host = `localhost:${server.port}`;
  const headers = { Host: host, Origin: `http://${host}`, 'Sec-Fetch-Site': 'same-origin' };
  expect(await post(server, empty, headers)).toMatchObject({ status: 200 });
});

test('takes any host name where it listens on every address, but needs the token', async () => {
  const server = await start(createMockUnderTest(), '0.0.0.0');
  const named = { Host: 'stock.internal', Authorization: `Bearer ${server.adminToken}` };
  expect(await post(server, empty, named)).toMatchObject({ status: 200 });
  const foreign = { ...named, Origin: 'http://inventory.example' };
  expect(await post(server, empty, foreign)).toMatchObject({ status: 403 });
  const without = await post(server, empty, { Host: 'stock.internal' });
  expect(without).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  expect(without.headers['www-authenticate']).toMatch(/^Bearer /);
});

test('has only POST', async () => {
  const answer = await post(await start(createMockUnderTest()), '', {}, 'PUT');
  expect(answer).toMatchObject({ status: 405, headers: { allow: 'POST' } });
});

test('refuses more than a mebibyte', async () => {
  const answer = await post(await start(createMockUnderTest()), ' '.repeat(1_048_577));
  expect(answer.status).toBe(413);
});

test.for(['/_stockcheck/states?a', 'http://127.0.0.1/_stockcheck/states'])(
  'never answers a preflight as the service does, at %s',
  async (path) => {
    const { port } = await start(createMockUnderTest());
    const preflight = { 'Access-Control-Request-Method': 'POST' };
    const answer = await send(port, 'OPTIONS', path, { headers: preflight });
    expect(answer.status).toBe(405);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  },
);

test('sets the states of the mock that is served now', async () => {
  const first = createMockUnderTest();
  const second = createMockUnderTest();
  const server = await start(first);
  server.use(second);
  await post(server, empty);
  expect(await items(first)).toEqual(defaultItems());
  expect(await items(second)).toEqual([]);
});
