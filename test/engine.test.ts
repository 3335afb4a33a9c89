import { expect, test } from 'vitest';
import { toFetch } from '../src/mock/fetch.ts';
import { createMock } from '../src/mock/mock.ts';
import type { PolicyChanges } from '../src/mock/policy.ts';
import { MemoryStore } from '../src/stores/memory.ts';
import { createMockUnderTest, defaultItems } from './mock-under-test.ts';

const authorized = { Authorization: 'Bearer demo-key' };

function request(method: string, path: string, init: RequestInit = {}): Request {
  return new Request(`http://mock.test${path}`, { method, headers: authorized, ...init });
}

function patch(body: BodyInit, petId = '1', headers: Record<string, string> = {}): Request {
  return request('PATCH', `/v1/inventory/${petId}`, {
    headers: { ...authorized, 'Content-Type': 'application/json', ...headers },
    body,
  });
}

async function messageOf(body: BodyInit, policy: PolicyChanges = {}): Promise<string> {
  const response = await toFetch(createMockUnderTest(policy))(patch(body));
  expect(response.status).toBe(400);
  const error = (await response.json()) as { message: string };
  return error.message;
}

test.for([
  ['', 'the request has no body; expected a JSON object such as {"quantity": 5}'],
  ['[5]', 'the body must be a JSON object such as {"quantity": 5}; got an array'],
  ['"5"', 'the body must be a JSON object such as {"quantity": 5}; got the string "5"'],
  ['{}', 'quantity is missing; expected an object such as {"quantity": 5}, got an empty object'],
  ['{"Quantity":5}', 'quantity is missing; got "Quantity", which is another name'],
  [
    '{"qty":5}',
    'quantity is missing; expected an object such as {"quantity": 5}, got an object with "qty"',
  ],
  ['{"quantity":"5"}', 'quantity must be an integer; got the string "5"'],
  ['{"quantity":null}', 'quantity must be an integer; got null'],
  ['{"quantity":1.5}', 'quantity must be an integer; got the number 1.5'],
  ['{"quantity":1e9999}', 'quantity must have at most 4096 digits; got the number 1e9999'],
] as const)('says of the body %s what is wrong', async ([body, message]) => {
  expect(await messageOf(body)).toBe(message);
});

test('says where malformed JSON goes wrong', async () => {
  expect(await messageOf('{"quantity":5')).toBe(
    "the body is not valid JSON: Expected ',' or '}' after property value in JSON at position 13 (line 1 column 14)",
  );
  expect(await messageOf('{"quantity":NaN}')).toBe(
    'the body is not valid JSON: Unexpected token \'N\', "{"quantity":NaN}" is not valid JSON',
  );
});

test('names the bytes of a body that is not UTF-8, a byte order mark included', async () => {
  expect(await messageOf(Uint8Array.of(0x7b, 0xff, 0x7d))).toBe(
    'the body is not valid JSON: its bytes are not UTF-8',
  );
  expect(await messageOf('\ufeff{"quantity":5}')).toBe(
    'the body is not valid JSON: it begins with a byte order mark, which JSON must not (RFC 8259, section 8.1)',
  );
});

test('names the bound that a quantity breaks', async () => {
  const policy = { 'quantity-range': { minimum: 0n, maximum: 100n } };
  expect(await messageOf('{"quantity":-1}', policy)).toBe(
    'quantity must be at least 0; got the number -1',
  );
  expect(await messageOf('{"quantity":101}', policy)).toBe(
    'quantity must be at most 100; got the number 101',
  );
});

test('names a field that the policy refuses', async () => {
  expect(await messageOf('{"quantity":5,"note":"x"}', { 'unknown-fields': 'refuse' })).toBe(
    'the field "note" is unknown; expected quantity alone',
  );
});

test.for([
  [undefined, 'the Authorization header is missing'],
  ['', 'the Authorization header is empty'],
  ['Bearer', 'the API key behind the scheme Bearer is missing'],
  ['Basic ZGVtbzpkZW1v', 'the scheme of the Authorization header is not Bearer'],
  [
    'demo-key',
    'the Authorization header holds one word, the scheme or the key; the other is missing',
  ],
  [
    'YWxh/ZGRp==',
    'the Authorization header holds one word, the scheme or the key; the other is missing',
  ],
  ['Basic', 'the Authorization header holds one word, the scheme or the key; the other is missing'],
  ['Bearer demo-key demo-key', 'the Authorization header does not hold one scheme and one token'],
  ['Bearer nearly-demo-key', 'the API key is not valid'],
] as const)('says of Authorization: %s what is wrong, without a key', async ([value, problem]) => {
  const headers: Record<string, string> = value === undefined ? {} : { Authorization: value };
  const response = await toFetch(createMockUnderTest())(
    new Request('http://mock.test/v1/inventory', { headers }),
  );
  expect(response.status).toBe(401);
  expect(response.headers.get('WWW-Authenticate')).toBe('Bearer');
  expect(response.headers.get('Access-Control-Expose-Headers')).toBe('WWW-Authenticate');
  expect(await response.json()).toEqual({
    code: 'unauthorized',
    message: `${problem}; expected "Authorization: Bearer <API_KEY>"`,
    status: 401,
  });
});

test('accepts each of several keys, and no mixture of them', async () => {
  const fetch = toFetch(createMock({ store: new MemoryStore(), apiKeys: ['one', 'second'] }));
  const statusWith = async (key: string): Promise<number> =>
    (await fetch(request('GET', '/v1/inventory', { headers: { Authorization: `Bearer ${key}` } })))
      .status;
  expect(await statusWith('one')).toBe(200);
  expect(await statusWith('second')).toBe(200);
  expect(await statusWith('oneone')).toBe(401);
  expect(await statusWith('secon')).toBe(401);
  expect(await statusWith('o')).toBe(401);
});

test('accepts any key where that is asked for, but not none', async () => {
  const fetch = toFetch(createMock({ store: new MemoryStore(), apiKeys: 'any' }));
  const get = (value: string): Promise<Response> =>
    fetch(request('GET', '/v1/inventory', { headers: { Authorization: value } }));
  expect((await get('Bearer whatever')).status).toBe(200);
  expect((await get('Bearer')).status).toBe(401);
  expect((await get('Basic whatever')).status).toBe(401);
});

test('refuses a key that no client could send', () => {
  for (const key of ['', 'two words', 'schlüssel']) {
    expect(() => createMock({ store: new MemoryStore(), apiKeys: [key] })).toThrow(
      'an API key must be one or more visible ASCII characters',
    );
  }
});

test('answers 405 with Allow for a known path with another method', async () => {
  const fetch = toFetch(createMockUnderTest());
  const put = await fetch(request('PUT', '/v1/inventory/1', { body: '{}' }));
  expect(put.status).toBe(405);
  expect(put.headers.get('Allow')).toBe('PATCH, OPTIONS');
  expect(await put.json()).toMatchObject({ code: 'method_not_allowed', status: 405 });
  const remove = await fetch(request('DELETE', '/v1/inventory'));
  expect(remove.headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
});

test('answers 404 for a known path with another method where the policy says so', async () => {
  const fetch = toFetch(createMockUnderTest({ 'unspecified-routes': '404' }));
  const response = await fetch(request('DELETE', '/v1/inventory'));
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('there is no DELETE /v1/inventory; there are GET');
});

test.for([
  '/v1/inventory/',
  '/v1/inventory/1/',
  '/v1/inventory/1/more',
  '/v1/Inventory',
  '/inventory',
  '/v1',
  '/v2/inventory',
  '/v1/store/other',
])('answers 404 for the unknown path %s', async (path) => {
  const response = await toFetch(createMockUnderTest())(request('GET', path));
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: 'not_found', status: 404 });
});

test('says of the operations without a description that they have none', async () => {
  const fetch = toFetch(createMockUnderTest());
  for (const path of ['/v1/pets/1', '/v1/store/orders']) {
    const response = await fetch(request('GET', path));
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('names it without describing it');
    const anonymous = await fetch(new Request(`http://mock.test${path}`));
    expect(anonymous.status).toBe(401);
  }
});

test('answers HEAD as GET, without the body', async () => {
  const fetch = toFetch(createMockUnderTest());
  const get = await fetch(request('GET', '/v1/inventory'));
  const head = await fetch(request('HEAD', '/v1/inventory'));
  expect(head.status).toBe(200);
  expect([...head.headers]).toEqual([...get.headers]);
  expect(await head.text()).toBe('');
  const anonymous = await fetch(new Request('http://mock.test/v1/inventory', { method: 'HEAD' }));
  expect(anonymous.status).toBe(401);
});

test.for([
  ['PATCH', '/v1/inventory/1'],
  ['DELETE', '/v1/inventory/1'],
  ['GET', '/v1/inventori'],
  ['GET', '/inventory'],
] as const)('lets a page see the answer to %s %s: the preflight passes', async ([method, path]) => {
  const response = await toFetch(createMockUnderTest())(
    new Request(`http://mock.test${path}`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'http://localhost:5173',
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'authorization,content-type,x-request-id',
      },
    }),
  );
  expect(response.status).toBe(204);
  expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
  expect(response.headers.get('Access-Control-Allow-Methods')).toBe(method);
  expect(response.headers.get('Access-Control-Allow-Headers')).toBe(
    'authorization,content-type,x-request-id',
  );
  expect(response.headers.get('Access-Control-Max-Age')).toBe('600');
  expect(response.headers.get('Vary')).toBe(
    'Access-Control-Request-Method, Access-Control-Request-Headers',
  );
});

test('answers OPTIONS without a preflight with Allow alone', async () => {
  const response = await toFetch(createMockUnderTest())(request('OPTIONS', '/v1/inventory'));
  expect(response.status).toBe(204);
  expect(response.headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
  expect(response.headers.get('Access-Control-Allow-Methods')).toBeNull();
});

test('answers 413 for a body above the limit, after 401', async () => {
  const fetch = toFetch(createMockUnderTest({ 'body-limit': 20 }));
  const body = `{"quantity":5,"note":"${'x'.repeat(20)}"}`;
  const response = await fetch(patch(body));
  expect(response.status).toBe(413);
  expect(await response.json()).toEqual({
    code: 'content_too_large',
    message: 'the body must have at most 20 bytes; it has more',
    status: 413,
  });
  expect((await fetch(patch(body, '1', { Authorization: 'Bearer wrong' }))).status).toBe(401);
  expect((await fetch(patch('{"quantity":500000}'))).status).toBe(200);
  expect((await fetch(patch('{"quantity":5}'.padEnd(20)))).status).toBe(200);
  expect((await fetch(patch('{"quantity":5}'.padEnd(21)))).status).toBe(413);
});

test('renames the codes that the policy renames, and no others', async () => {
  const fetch = toFetch(createMockUnderTest({ 'error-codes': { not_found: 'E404' } }));
  expect(await (await fetch(patch('{"quantity":5}', '424242'))).json()).toMatchObject({
    code: 'E404',
  });
  expect(await (await fetch(patch('{}'))).json()).toMatchObject({ code: 'invalid_request' });
});

test('leaves the challenge out where the policy says so', async () => {
  const fetch = toFetch(createMockUnderTest({ challenge: 'none' }));
  const response = await fetch(new Request('http://mock.test/v1/inventory'));
  expect(response.status).toBe(401);
  expect(response.headers.has('WWW-Authenticate')).toBe(false);
});

test.for([
  ['1', '0', 'sold'],
  ['3', '5', 'available'],
  ['5', '1', 'available'],
  ['5', '-1', 'pending'],
] as const)(
  'lets the status of pet %s follow the quantity %s where the policy says so',
  async ([petId, quantity, status]) => {
    const fetch = toFetch(createMockUnderTest({ 'status-transition': 'by-quantity' }));
    const response = await fetch(patch(`{"quantity":${quantity}}`, petId));
    expect(await response.json()).toMatchObject({ status });
  },
);

test('decodes a percent-encoded petId, and takes a broken encoding for an unknown pet', async () => {
  const fetch = toFetch(createMockUnderTest());
  expect((await fetch(patch('{"quantity":5}', '%31'))).status).toBe(200);
  expect((await fetch(patch('{"quantity":5}', '1%2F2'))).status).toBe(404);
  expect((await fetch(patch('{"quantity":5}', '%zz'))).status).toBe(404);
});

test('asks no media type of a request without a body', async () => {
  const fetch = toFetch(createMockUnderTest({ 'content-type': '415' }));
  const response = await fetch(patch('', '1', { 'Content-Type': 'text/plain' }));
  expect(response.status).toBe(400);
});

test('cuts what it repeats of a request', async () => {
  const fetch = toFetch(createMockUnderTest({ 'unknown-fields': 'refuse' }));
  const long = 'x'.repeat(10_000);
  const answers = await Promise.all([
    fetch(patch('{"quantity":5}', long)),
    fetch(patch(`{"${long}":5}`)),
    fetch(patch(`{"quantity":"${long}"}`)),
    fetch(patch(`{"quantity":5,"${long}":1}`)),
    fetch(patch('{"quantity":5}', '1', { 'Content-Type': `text/${long}` })),
    fetch(request('GET', `/v1/${long}`)),
    fetch(request('DELETE', `/v1/inventory/${long}`)),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([404, 400, 400, 400, 400, 404, 405]);
  for (const answer of answers) expect((await answer.text()).length).toBeLessThan(300);
});

test('knows quantity with spaces around its name for another name', async () => {
  expect(await messageOf('{" Quantity ":5}')).toBe(
    'quantity is missing; got " Quantity ", which is another name',
  );
});

test('says of a large petId that a number may have rounded it', async () => {
  const fetch = toFetch(createMockUnderTest());
  const rounded = await fetch(patch('{"quantity":5}', '9007199254740992'));
  expect(await rounded.json()).toMatchObject({
    message:
      'there is no pet with petId "9007199254740992"; a JavaScript number does not hold it exactly, so check that it was not rounded on its way',
  });
  const small = await fetch(patch('{"quantity":5}', '4'));
  expect(await small.json()).toMatchObject({ message: 'there is no pet with petId "4"' });
});

test('two mocks in one process do not notice each other', async () => {
  const [first, second] = [createMockUnderTest(), createMockUnderTest()];
  await toFetch(first)(patch('{"quantity":77}'));
  expect([...(await first.items())][0]).toMatchObject({ petId: 1n, quantity: 77n });
  expect([...(await second.items())]).toEqual(defaultItems());
});

test('answers 500 for a bug, reports it, and goes on', async () => {
  const bugs: unknown[] = [];
  const store = new MemoryStore(defaultItems());
  const broken = Object.assign(Object.create(store) as MemoryStore, {
    list: () => {
      throw new Error('the disk is on fire');
    },
    update: () => Promise.reject(new Error('so is the network')),
  });
  const mock = createMock({ store: broken, apiKeys: ['k'], onBug: (error) => bugs.push(error) });
  const fetch = toFetch(mock);
  const headers = { Authorization: 'Bearer k', 'Content-Type': 'application/json' };
  const list = await fetch(request('GET', '/v1/inventory', { headers }));
  const update = await fetch(
    request('PATCH', '/v1/inventory/1', { headers, body: '{"quantity":1}' }),
  );
  expect([list.status, update.status]).toEqual([500, 500]);
  expect(await list.json()).toMatchObject({ code: 'internal_error', status: 500 });
  expect(bugs.map(String)).toEqual(['Error: the disk is on fire', 'Error: so is the network']);
});
