import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '../src/mock/mock.ts';
import type { Exchange } from '../src/server/exchange.ts';
import {
  startServer,
  type MockServerOptions,
  type RunningServer,
} from '../src/server/http-server.ts';
import { MemoryStore } from '../src/stores/memory.ts';
import { generateInventory } from '../src/mock/generate-inventory.ts';
import { createMockUnderTest } from './mock-under-test.ts';

async function start(options: Partial<MockServerOptions> = {}): Promise<RunningServer> {
  const server = await startServer({ mock: createMockUnderTest(), port: 0, ...options });
  onTestFinished(() => server.close(0));
  return server;
}

const headers = { Authorization: 'Bearer demo-key', 'Content-Type': 'application/json' };

function patch(url: string, petId: number | bigint, body: BodyInit): Promise<Response> {
  return fetch(`${url}/inventory/${petId}`, { method: 'PATCH', headers, body });
}

/** Sends bytes and returns all that comes back until the server closes the connection. */
function exchangeBytes(port: number, ...parts: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => (received += text));
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
    for (const part of parts) socket.write(part);
  });
}

test('loses nothing of 500 concurrent updates', async () => {
  const inventory = [...generateInventory(500, 1)];
  const mock = createMock({ store: new MemoryStore(inventory), apiKeys: ['demo-key'] });
  const { url } = await start({ mock });
  const statuses = await Promise.all(
    inventory.map(async ({ petId }) => (await patch(url, petId, `{"quantity":${petId}7}`)).status),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect([...(await mock.items())]).toEqual(
    inventory.map((item) => ({ ...item, quantity: item.petId * 10n + 7n })),
  );
});

test('ends 500 concurrent updates of one pet with one of them', async () => {
  const { url } = await start();
  const echoed = await Promise.all(
    Array.from({ length: 500 }, async (_, index) => {
      const quantity = 1000 + index;
      const response = await patch(url, 1, `{"quantity":${quantity}}`);
      return ((await response.json()) as { quantity: number }).quantity;
    }),
  );
  expect(echoed).toEqual(Array.from({ length: 500 }, (_, index) => 1000 + index));
  const list = (await (await fetch(`${url}/inventory`, { headers })).json()) as {
    quantity: number;
  }[];
  expect(echoed).toContain(list[0]?.quantity);
});

test('two servers in one process do not notice each other', async () => {
  const [first, second] = [await start(), await start()];
  await patch(first.url, 1, '{"quantity":77}');
  const list = await (await fetch(`${second.url}/inventory`, { headers })).text();
  expect(list).toContain('{"petId":1,"quantity":12,');
});

test('keeps a connection for longer than a client or a balancer is likely to', async () => {
  const { url } = await start();
  const { headers: received } = await fetch(`${url}/inventory`, { headers });
  expect(received.get('keep-alive')).toBe('timeout=75');
});

test('lets every origin read, errors and preflights included', async () => {
  const { url } = await start();
  const responses = await Promise.all([
    fetch(`${url}/inventory`, { headers }),
    fetch(`${url}/inventory`),
    fetch(`${url}/nowhere`),
    patch(url, 1, '{'),
    fetch(`${url}/inventory`, { method: 'DELETE' }),
    fetch(`${url}/inventory/1`, {
      method: 'OPTIONS',
      headers: { 'Access-Control-Request-Method': 'PATCH' },
    }),
  ]);
  expect(responses.map(({ status }) => status)).toEqual([200, 401, 404, 400, 405, 204]);
  for (const response of responses) {
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
  }
});

test('tells a person at / where they are, and no key but the default one', async () => {
  const { url, port } = await start();
  const page = await fetch(`http://127.0.0.1:${port}/`);
  expect(page.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
  expect(page.headers.has('Access-Control-Allow-Origin')).toBe(false);
  const post = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST' });
  expect(post.status).toBe(404);
  const text = await page.text();
  expect(text).toContain(`${url}/inventory`);
  expect(text).toContain('Bearer demo-key');

  const secret = await start({
    mock: createMock({ store: new MemoryStore(), apiKeys: ['s3cret'] }),
  });
  const other = await (await fetch(`http://127.0.0.1:${secret.port}/`)).text();
  expect(other).not.toContain('s3cret');
  expect(other).toContain('&lt;API_KEY&gt;');
});

test('answers 413 for a body above the limit and keeps the connection usable', async () => {
  const { port } = await start({ mock: createMockUnderTest({ 'body-limit': 1000 }) });
  const body = 'x'.repeat(100_000);
  const received = await exchangeBytes(
    port,
    `PATCH /v1/inventory/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer demo-key\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    body,
    'GET /v1/inventory HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer demo-key\r\nConnection: close\r\n\r\n',
  );
  expect(received).toMatch(/^HTTP\/1\.1 413 /);
  expect(received).toContain('"the body must have at most 1000 bytes; it has more"');
  expect(received).toContain('HTTP/1.1 200 OK');
});

test('takes a chunked body as well as one of known length', async () => {
  const { port } = await start();
  const received = await exchangeBytes(
    port,
    'PATCH /v1/inventory/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer demo-key\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n',
    '5\r\n{"qua\r\n',
    '9\r\nntity":5}\r\n0\r\n\r\n',
  );
  expect(received).toContain('{"petId":1,"quantity":5,"status":"available"}');
});

test('takes two Authorization lines for an invalid one', async () => {
  const { port } = await start();
  const received = await exchangeBytes(
    port,
    'GET /v1/inventory HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer demo-key\r\nAuthorization: Bearer demo-key\r\nConnection: close\r\n\r\n',
  );
  expect(received).toMatch(/^HTTP\/1\.1 401 /);
});

test('understands an absolute request target', async () => {
  const { port } = await start();
  const received = await exchangeBytes(
    port,
    'GET http://petstore.test/v1/inventory?page=2 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer demo-key\r\nConnection: close\r\n\r\n',
  );
  expect(received).toMatch(/^HTTP\/1\.1 200 /);
});

test('sends the headers of a list, and no body, for HEAD', async () => {
  const { port } = await start();
  const received = await exchangeBytes(
    port,
    'HEAD /v1/inventory HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer demo-key\r\nConnection: close\r\n\r\n',
  );
  expect(received).toMatch(/\r\nContent-Length: 562\r\n/);
  expect(received).toMatch(/\r\n\r\n$/);
});

test('shows the address by which its reader came, unless it is no address', async () => {
  const { port, url } = await start();
  const pageFor = (host: string): Promise<string> =>
    exchangeBytes(port, `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  expect(await pageFor('petstore.test:8080')).toContain('http://petstore.test:8080/v1/inventory');
  const forged = await pageFor('x"><script>');
  expect(forged).not.toContain('<script>');
  expect(forged).toContain(url);
});

test('answers what is not HTTP with an error body, and tells of it', async () => {
  const exchanges: Exchange[] = [];
  const mock = createMockUnderTest({ 'error-codes': { invalid_request: 'E400' } });
  const { port } = await start({ mock, onExchange: (exchange) => exchanges.push(exchange) });
  const received = await exchangeBytes(port, 'HELLO\r\n\r\n');
  expect(received).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(received).toContain('"code":"E400"');
  expect(exchanges).toMatchObject([
    { status: 400, refusal: expect.stringContaining('cannot read this as a request') },
  ]);
});

test('answers requests without Host, and with an expectation that it does not know', async () => {
  const { port } = await start();
  const head = 'GET /v1/inventory HTTP/1.1\r\nConnection: close\r\n';
  expect(await exchangeBytes(port, `${head}\r\n`)).toMatch(/^HTTP\/1\.1 401 /);
  expect(await exchangeBytes(port, `${head}Host: x\r\nExpect: more\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 401 /,
  );
});

test('answers 431 for headers that are too large', async () => {
  const { port } = await start();
  const received = await exchangeBytes(
    port,
    `GET /v1/inventory HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`,
  );
  expect(received).toMatch(/^HTTP\/1\.1 431 /);
});

test('answers 408 for a request that does not arrive in time', async () => {
  const { port } = await start({ headersTimeout: 100, requestTimeout: 200 });
  const received = await exchangeBytes(port, 'GET /v1/inventory HTTP/1.1\r\nHost: x\r\n');
  expect(received).toMatch(/^HTTP\/1\.1 408 /);
  expect(received).toContain('"the request did not arrive in time"');
});

test('lets the request under way end when it stops, and takes no new one', async () => {
  const store = new MemoryStore();
  const gate = Promise.withResolvers<readonly Uint8Array[]>();
  const arrival = Promise.withResolvers<void>();
  const slow = Object.assign(Object.create(store) as MemoryStore, {
    list: () => {
      arrival.resolve();
      return gate.promise;
    },
  });
  const mock = createMock({ store: slow, apiKeys: ['demo-key'] });
  const server = await startServer({ mock, port: 0 });
  const pending = fetch(`${server.url}/inventory`, { headers });
  await arrival.promise;
  const closed = server.close();
  await expect(fetch(`${server.url}/inventory`, { headers })).rejects.toThrow('fetch failed');
  gate.resolve(store.list());
  expect(await (await pending).text()).toBe('[]');
  await closed;
});

test('cuts off a request that does not end in time when it stops', async () => {
  const never = Object.assign(Object.create(new MemoryStore()) as MemoryStore, {
    list: () => new Promise(() => undefined),
  });
  const mock = createMock({ store: never, apiKeys: ['demo-key'] });
  const server = await startServer({ mock, port: 0 });
  const failure = fetch(`${server.url}/inventory`, { headers }).catch(String);
  await server.close(200);
  expect(await failure).toBe('TypeError: fetch failed');
});

test('says what to do where it cannot listen', async () => {
  const { port } = await start();
  await expect(startServer({ mock: createMockUnderTest(), port })).rejects.toThrow(
    `cannot listen on 127.0.0.1:${port}: another process uses the port. Stop it, or choose another port with --port; --port 0 picks a free one`,
  );
  await expect(
    startServer({ mock: createMockUnderTest(), port: 0, host: '192.0.2.1' }),
  ).rejects.toThrow('this machine has no such address. Choose another with --host');
});

test('listens on IPv6 as well', async () => {
  const { url } = await start({ host: '::1' });
  expect(url).toMatch(/^http:\/\/\[::1\]:\d+\/v1$/);
  expect((await fetch(`${url}/inventory`, { headers })).status).toBe(200);
});

test('tells of every exchange, and measures it', async () => {
  const exchanges: Exchange[] = [];
  const { url } = await start({ onExchange: (exchange) => exchanges.push(exchange) });
  await fetch(`${url}/inventory?api_key=demo-key`, { headers });
  await patch(url, 1, '{"quantity":"5"}');
  expect(exchanges).toMatchObject([
    { method: 'GET', path: '/v1/inventory', status: 200 },
    {
      method: 'PATCH',
      path: '/v1/inventory/1',
      status: 400,
      refusal: 'quantity must be an integer; got the string "5"',
    },
  ]);
  expect(exchanges.every(({ duration }) => duration > 0)).toBe(true);
});

test.for([
  'demo-key',
  `key-of-${'many'.repeat(40)}-letters`,
  'a"quoted\\key',
  'short',
  'short-and-long',
])('never tells of the key %s, wherever a request repeats it', async (key) => {
  const exchanges: Exchange[] = [];
  const mock = createMock({ store: new MemoryStore(), apiKeys: ['short', key] });
  const { url } = await start({ mock, onExchange: (exchange) => exchanges.push(exchange) });
  const send = (path: string, body: string, type = 'application/json'): Promise<Response> =>
    fetch(`${url}${path}`, {
      method: 'PATCH',
      headers: { Authorization: 'Bearer short', 'Content-Type': type },
      body,
    });
  await send(`/inventory/${encodeURIComponent(key)}`, '{"quantity":5}');
  await send('/inventory/1', `{"quantity":${key}`);
  await send('/inventory/1', `${key}: many words before it and behind it, so that it is cut`);
  await send('/inventory/1', `{"${key}":1}`);
  await send('/inventory/1', `{"quantity":"${key}"}`);
  await send(`/${encodeURIComponent(key)}`, '');
  await send('/inventory/1', '{"quantity":5}', `text/${key}`);
  expect(exchanges).toHaveLength(7);
  const told = JSON.stringify(exchanges);
  expect(told).not.toContain(key.slice(0, 8));
  expect(told).not.toContain(encodeURIComponent(key));
});

test('does not let a client hide its requests by the key it sends', async () => {
  const exchanges: Exchange[] = [];
  const { url } = await start({ onExchange: (exchange) => exchanges.push(exchange) });
  await fetch(`${url}/inventory`, { headers: { Authorization: 'Bearer /' } });
  expect(exchanges).toMatchObject([{ path: '/v1/inventory', refusal: /not valid/ }]);
});

test('stops at once though a connection has not asked for anything', async () => {
  const server = await startServer({ mock: createMockUnderTest(), port: 0 });
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  await server.close(60_000);
  expect(await closed).toEqual([false]);
});

test('does not answer twice where the rest of a body that is too large is malformed', async () => {
  const { port } = await start({ mock: createMockUnderTest({ 'body-limit': 10 }) });
  const received = await exchangeBytes(
    port,
    'PATCH /v1/inventory/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer demo-key\r\nTransfer-Encoding: chunked\r\n\r\n',
    `14\r\n${'x'.repeat(20)}\r\nno chunk at all\r\n`,
  );
  expect(received.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  expect(received).toMatch(/^HTTP\/1\.1 413 /);
});

test('takes a body of exactly the limit, and not one byte more', async () => {
  const { url } = await start({ mock: createMockUnderTest({ 'body-limit': 20 }) });
  expect((await patch(url, 1, '{"quantity":5}'.padEnd(20))).status).toBe(200);
  expect((await patch(url, 1, '{"quantity":5}'.padEnd(21))).status).toBe(413);
});

test('answers 408 for a body that does not arrive in time', async () => {
  const { port } = await start({ requestTimeout: 300 });
  const received = await exchangeBytes(
    port,
    'PATCH /v1/inventory/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n{"quan',
  );
  expect(received).toMatch(/^HTTP\/1\.1 408 /);
  expect(received).toContain('Access-Control-Allow-Origin: *');
});

test('does not keep a connection that it has refused, though the client never closes it', async () => {
  const server = await startServer({
    mock: createMockUnderTest(),
    port: 0,
    requestTimeout: 300,
  });
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.write('PATCH /v1/inventory/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n{"quan');
  await once(socket.resume(), 'end');
  expect(await server.close(60_000)).toBeUndefined();
});
