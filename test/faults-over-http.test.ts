import { once } from 'node:events';
import { get, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import type { InventoryItem } from '../src/inventory/item.ts';
import { createFaultPlan, type FaultPlan } from '../src/mock/faults/fault-plan.ts';
import type { FaultRuleInput } from '../src/mock/faults/fault-rule.ts';
import { toWholeFixture } from '../src/mock/faults/whole-fixture.ts';
import { createMock, type Mock } from '../src/mock/mock.ts';
import type { Exchange } from '../src/server/exchange.ts';
import { startServer, type RunningServer } from '../src/server/http-server.ts';
import { MemoryStore } from '../src/stores/memory.ts';
import { defaultItems } from './mock-under-test.ts';

interface Broken extends RunningServer {
  readonly plan: FaultPlan;
  readonly mock: Mock;
  readonly exchanges: readonly Exchange[];
}

async function start(
  rules: readonly FaultRuleInput[],
  items: Iterable<InventoryItem> = defaultItems(),
): Promise<Broken> {
  const plan = createFaultPlan({ rules, seed: 7 });
  const store = new MemoryStore(items);
  const mock = createMock({ store, apiKeys: ['demo-key'], fault: plan.fault });
  const exchanges: Exchange[] = [];
  const server = await startServer({
    mock,
    port: 0,
    onExchange: (exchange) => exchanges.push(exchange),
  });
  onTestFinished(() => server.close(0));
  return { ...server, plan, mock, exchanges };
}

const headers = { Authorization: 'Bearer demo-key', 'Content-Type': 'application/json' };

function patch(url: string, quantity: number, more: RequestInit = {}): Promise<Response> {
  const body = `{"quantity":${quantity}}`;
  return fetch(`${url}/inventory/1`, { method: 'PATCH', headers, body, ...more });
}

const head = 'Host: mock.test\r\nAuthorization: Bearer demo-key\r\n';
const list = `GET /v1/inventory HTTP/1.1\r\n${head}\r\n`;
const update = `PATCH /v1/inventory/1 HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 14\r\n\r\n{"quantity":5}`;

/** What a connection came to: the bytes, and whether it ended in good order (FIN) or not (RST). */
interface Ending {
  readonly bytes: string;
  readonly ending: string;
}

function open(port: number, text: string): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('latin1');
  socket.write(text);
  onTestFinished(() => {
    socket.destroy();
  });
  return socket;
}

function endingOf(socket: Socket): Promise<Ending> {
  return new Promise((resolve) => {
    let bytes = '';
    socket.on('data', (text: string) => (bytes += text));
    socket.on('end', () => resolve({ bytes, ending: 'FIN' }));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ bytes, ending: error.code ?? '' }),
    );
  });
}

/** What stands on the server for pet 1. */
async function quantityOf({ mock }: Broken): Promise<bigint | undefined> {
  return [...(await mock.items())][0]?.quantity;
}

test('answers a documented error, and changes nothing', async () => {
  const server = await start([{ petId: 1, times: 1, fault: { kind: 'error', status: 404 } }]);
  const refused = await patch(server.url, 5);
  expect(refused.status).toBe(404);
  expect(await refused.json()).toEqual({
    code: 'not_found',
    message: 'the mock was told to answer this updateInventory with 404',
    status: 404,
  });
  expect(await quantityOf(server)).toBe(12n);
  expect((await patch(server.url, 5)).status).toBe(200);
});

test.for([
  [503, 'unavailable'],
  [429, 'too_many_requests'],
] as const)('answers %s with Retry-After, which a page may read', async ([status, code]) => {
  const server = await start([{ fault: { kind: 'unavailable', status, retryAfter: 3 } }]);
  const refused = await patch(server.url, 5);
  expect(refused.status).toBe(status);
  expect(refused.headers.get('Retry-After')).toBe('3');
  expect(refused.headers.get('Access-Control-Expose-Headers')).toBe('Retry-After');
  expect(refused.headers.get('Access-Control-Allow-Origin')).toBe('*');
  expect(await refused.json()).toEqual({
    code,
    message: `the mock was told to answer this updateInventory with ${status}`,
    status,
  });
  expect(await quantityOf(server)).toBe(12n);
});

test('leaves Retry-After out where the rule does', async () => {
  const { url } = await start([{ fault: { kind: 'unavailable', status: 503 } }]);
  const refused = await fetch(`${url}/inventory`, { headers });
  expect(refused.status).toBe(503);
  expect(refused.headers.has('Retry-After')).toBe(false);
  expect(refused.headers.has('Access-Control-Expose-Headers')).toBe(false);
});

test('resets the connection before the operation', async () => {
  const server = await start([{ fault: { kind: 'reset' } }]);
  expect(await endingOf(open(server.port, update))).toEqual({ bytes: '', ending: 'ECONNRESET' });
  expect(await quantityOf(server)).toBe(12n);
  expect(server.exchanges).toEqual([
    expect.objectContaining({ status: 0, refusal: 'the mock was told to reset the connection' }),
  ]);
  await expect(patch(server.url, 5)).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
});

test('resets the connection after the operation: the client cannot know', async () => {
  const server = await start([{ fault: { kind: 'reset', after: true } }]);
  expect(await endingOf(open(server.port, update))).toEqual({ bytes: '', ending: 'ECONNRESET' });
  expect(await quantityOf(server)).toBe(5n);
});

test.for([
  [false, 12n],
  [true, 5n],
] as const)('closes without a byte; after the operation: %s', async ([after, quantity]) => {
  const fault = { kind: 'empty-reply', ...(after ? { after } : {}) } as const;
  const server = await start([{ fault }]);
  expect(await endingOf(open(server.port, update))).toEqual({ bytes: '', ending: 'FIN' });
  expect(await quantityOf(server)).toBe(quantity);
});

test('an empty reply is a socket hang up for a client of Node', async () => {
  const { url } = await start([{ fault: { kind: 'empty-reply' } }]);
  const [error] = (await once(get(`${url}/inventory`, { headers }), 'error')) as [Error];
  expect(error.message).toBe('socket hang up');
});

test('never answers, until the client gives up', async () => {
  const server = await start([{ times: 1, fault: { kind: 'hang', after: true } }]);
  const giveUp = new AbortController();
  const hanging = patch(server.url, 5, { signal: giveUp.signal });
  // Other requests are answered meanwhile, so this one was seen and has had its time.
  while (server.plan.views()[0]?.hits === 0) await fetch(`${server.url}/nowhere`);
  expect((await patch(server.url, 6)).status).toBe(200);
  giveUp.abort();
  await expect(hanging).rejects.toThrow('aborted');
});

test('stops at once, whatever never gets its answer', async () => {
  const server = await start([{ fault: { kind: 'hang' } }]);
  // The second request of the connection waits behind the first.
  const socket = open(server.port, list + list);
  const ending = endingOf(socket);
  while ((server.plan.views()[0]?.hits ?? 0) < 2) await fetch(`${server.url}/nowhere`);
  // Of the test's own time, this would take more than there is.
  await server.close(600_000);
  expect((await ending).bytes).toBe('');
});

test('closes in the middle of a body that Content-Length counts in full', async () => {
  const server = await start([
    { nth: 1, fault: { kind: 'truncate', bytes: 9 } },
    { nth: 2, fault: { kind: 'truncate', bytes: 1_000_000 } },
    { nth: 3, fault: { kind: 'truncate', bytes: 0 } },
    { fault: { kind: 'truncate' } },
  ]);
  const whole = '{"petId":1,"quantity":5,"status":"available"}';
  for (const bytes of [whole.slice(0, 9), whole.slice(0, -1), '', whole.slice(0, 22)]) {
    const received = await endingOf(open(server.port, update));
    expect(received.ending).toBe('FIN');
    const [top, body] = received.bytes.split('\r\n\r\n');
    expect(top).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(top).toContain(`\r\nContent-Length: ${whole.length}`);
    expect(body).toBe(bytes);
  }
  expect(await quantityOf(server)).toBe(5n);
  const response = await patch(server.url, 5);
  await expect(response.text()).rejects.toThrow('terminated');
});

test('truncates a list that goes out in segments', async () => {
  const items = Array.from({ length: 5000 }, (_, index) => ({
    petId: BigInt(index),
    quantity: 1n,
    status: 'sold' as const,
  }));
  const { port } = await start([{ fault: { kind: 'truncate', bytes: 100_000 } }], items);
  const { bytes, ending } = await endingOf(open(port, list));
  expect(ending).toBe('FIN');
  expect(bytes.split('\r\n\r\n')[1]).toHaveLength(100_000);
});

test('answers HEAD in full where only the body would be spoilt', async () => {
  const { url } = await start([
    { nth: 1, fault: { kind: 'truncate' } },
    { nth: 2, fault: { kind: 'slow-drip', bytesPerSecond: 1 } },
  ]);
  for (let count = 0; count < 2; count += 1) {
    const response = await fetch(`${url}/inventory`, { method: 'HEAD', headers });
    expect(response.status).toBe(200);
    expect(Number(response.headers.get('Content-Length'))).toBeGreaterThan(100);
  }
});

test('sends JSON that is malformed, with its right length', async () => {
  const server = await start([{ fault: { kind: 'malformed-json' } }]);
  const updated = await patch(server.url, 5);
  expect(updated.headers.get('Content-Type')).toBe('application/json');
  expect(await updated.text()).toBe('{"petId":1,"quantity":5,"status":"available"');
  const listed = await (await fetch(`${server.url}/inventory`, { headers })).text();
  expect(() => JSON.parse(listed) as unknown).toThrow(SyntaxError);
  expect(JSON.parse(`${listed}]`)).toHaveLength(12);
  await server.mock.replace([]);
  expect(await (await fetch(`${server.url}/inventory`, { headers })).text()).toBe('[');
  server.plan.clear();
  await server.mock.replace(defaultItems());
  // What is handed out is shared: the next list is whole.
  expect(await (await fetch(`${server.url}/inventory`, { headers })).json()).toHaveLength(12);
});

test('declares the body as something else', async () => {
  const { url } = await start([
    { nth: 1, fault: { kind: 'wrong-content-type' } },
    { fault: { kind: 'wrong-content-type', contentType: 'application/xml; charset=x' } },
  ]);
  const first = await patch(url, 5);
  expect(first.headers.get('Content-Type')).toBe('text/html');
  expect(await first.json()).toEqual({ petId: 1, quantity: 5, status: 'available' });
  expect((await patch(url, 5)).headers.get('Content-Type')).toBe('application/xml; charset=x');
});

/** The pieces of a body as they come. */
async function piecesOf(incoming: IncomingMessage): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of incoming) pieces.push((piece as Buffer).toString());
  return pieces;
}

test('drips a body in pieces as large as the rate says', async () => {
  const { url } = await start([{ fault: { kind: 'slow-drip', bytesPerSecond: 150 } }]);
  const outgoing = httpRequest(`${url}/inventory/1`, { method: 'PATCH', headers });
  outgoing.end('{"quantity":5}');
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  expect(incoming.headers['content-length']).toBe('45');
  expect(await piecesOf(incoming)).toEqual([
    '{"petId":1,"qua',
    'ntity":5,"statu',
    's":"available"}',
  ]);
});

/** How many timers this process waits for. */
function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}

test.for([
  ['drips', { kind: 'slow-drip', bytesPerSecond: 1 }],
  ['waits', { kind: 'delay', milliseconds: 600_000 }],
] as const)('leaves nothing behind when the client leaves while it %s', async ([, fault]) => {
  const server = await start([{ fault }]);
  const before = timers();
  // Many, so that Node's own timers, which come and go, do not matter.
  const sockets = Array.from({ length: 200 }, () => open(server.port, list));
  while (server.plan.views()[0]?.hits !== 200) await fetch(`${server.url}/nowhere`);
  expect(timers()).toBeGreaterThan(before + 100);
  for (const socket of sockets) socket.destroy();
  while (timers() > before + 100) await fetch(`${server.url}/nowhere`);
  await server.close(600_000);
});

test('answers late, in the order that the delays say', async () => {
  const { url, exchanges } = await start([
    { nth: 1, fault: { kind: 'delay', milliseconds: 1000 } },
    { nth: 2, fault: { kind: 'delay', milliseconds: 40 } },
  ]);
  const order: number[] = [];
  const late = patch(url, 1).then(() => order.push(1));
  await patch(url, 2).then(() => order.push(2));
  await patch(url, 3).then(() => order.push(3));
  await late;
  expect(order).toEqual([2, 3, 1]);
  expect(exchanges[2]?.duration).toBeGreaterThan(990);
});

test('tells of an answer that was never sent, because the client left while it was late', async () => {
  const { port, url, plan, exchanges } = await start([
    { fault: { kind: 'delay', milliseconds: 600_000 } },
  ]);
  const socket = open(port, list);
  while (plan.views()[0]?.hits === 0) await fetch(`${url}/nowhere`);
  socket.destroy();
  await expect
    .poll(() => exchanges.find(({ path }) => path === '/v1/inventory'))
    .toMatchObject({
      status: 0,
      fault: { id: 'f1', kind: 'delay' },
      refusal: 'the connection ended before the answer was due',
    });
});

test.for([1, 0])(
  'tells of an answer that never had its turn, because the client left (%i ms late)',
  async (milliseconds) => {
    const { port, url, plan, exchanges } = await start([
      { nth: 1, fault: { kind: 'hang' } },
      { nth: 2, fault: { kind: 'delay', milliseconds } },
      { nth: 2, fault: { kind: 'reset' } },
    ]);
    const socket = open(port, list + list);
    while (plan.views()[2]?.hits === 0) await fetch(`${url}/nowhere`);
    for (let request = 0; request < 20; request += 1) await fetch(`${url}/nowhere`);
    socket.destroy();
    await expect
      .poll(() => exchanges.filter(({ fault }) => fault !== undefined), { timeout: 5000 })
      .toMatchObject([{ fault: { kind: 'hang' } }, { status: 0, fault: { kind: 'reset' } }]);
  },
);

test('tells of an answer that was made when the client had left already', async () => {
  const plan = createFaultPlan({ rules: [{ fault: { kind: 'delay', milliseconds: 600_000 } }] });
  const store = new MemoryStore(defaultItems());
  const mock = createMock({ store, apiKeys: ['demo-key'], fault: plan.fault });
  const [begun, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const exchanges: Exchange[] = [];
  const server = await startServer({
    mock: {
      ...mock,
      async handle(request) {
        if (request.path !== '/v1/inventory') return mock.handle(request);
        begun.resolve();
        await left.promise;
        return mock.handle(request);
      },
    },
    port: 0,
    onExchange: (exchange) => exchanges.push(exchange),
  });
  onTestFinished(() => server.close(0));
  const socket = open(server.port, list);
  await begun.promise;
  socket.destroy();
  for (let request = 0; request < 20; request += 1) await fetch(`${server.url}/nowhere`);
  left.resolve();
  await expect
    .poll(() => exchanges.filter(({ fault }) => fault !== undefined), { timeout: 5000 })
    .toMatchObject([{ status: 0, fault: { kind: 'delay' } }]);
});

test('an update that is late has happened when the wait begins', async () => {
  const server = await start([
    { operation: 'updateInventory', fault: { kind: 'delay', milliseconds: 600_000 } },
  ]);
  const giveUp = new AbortController();
  const late = patch(server.url, 5, { signal: giveUp.signal });
  while ((await quantityOf(server)) !== 5n) await fetch(`${server.url}/nowhere`);
  giveUp.abort();
  await expect(late).rejects.toThrow('aborted');
});

test('cuts off the answers that are late when its patience is at an end', async () => {
  const server = await start([{ fault: { kind: 'delay', milliseconds: 600_000 } }]);
  const late = patch(server.url, 5);
  while (server.plan.views()[0]?.hits === 0) await fetch(`${server.url}/nowhere`);
  await Promise.all([expect(late).rejects.toThrow('fetch failed'), server.close(0)]);
});

test('delays a reset as well', async () => {
  const { port } = await start([
    { fault: { kind: 'delay', milliseconds: 20 } },
    { fault: { kind: 'reset' } },
  ]);
  expect((await endingOf(open(port, list))).ending).toBe('ECONNRESET');
});

test('spares the answers that are before it on the same connection', async () => {
  const { port } = await start([
    { nth: 1, fault: { kind: 'delay', milliseconds: 50 } },
    { nth: 2, fault: { kind: 'empty-reply' } },
  ]);
  const { bytes, ending } = await endingOf(open(port, list + list));
  expect(bytes).toContain('[{"petId":1,"quantity":12,"status":"available"}');
  expect(bytes.match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(ending).toBe('FIN');
});

test('says that it cannot read a request behind the answer that is on its way, not in it', async () => {
  const { port } = await start([{ fault: { kind: 'slow-drip', bytesPerSecond: 5000 } }]);
  const socket = open(port, list);
  const ended = endingOf(socket);
  await once(socket, 'data');
  socket.write('no request at all\r\n\r\n');
  const { bytes } = await ended;
  const [, first = '', second = ''] = bytes.split('HTTP/1.1 ');
  expect(JSON.parse(first.slice(first.indexOf('\r\n\r\n')))).toHaveLength(12);
  expect(second).toContain('400 Bad Request');
});

test('says it behind an answer that is late as well', async () => {
  const { port, exchanges } = await start([{ fault: { kind: 'delay', milliseconds: 50 } }]);
  const { bytes } = await endingOf(open(port, `${list}no request at all\r\n\r\n`));
  expect(bytes.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  expect(exchanges.map(({ status }) => status)).toEqual([200, 400]);
});

test('lets a client go that cannot be read and leaves before its answer', async () => {
  const { port, plan, url } = await start([{ times: 1, fault: { kind: 'hang' } }]);
  const socket = open(port, `${list}no request at all\r\n\r\n`);
  while (plan.views()[0]?.hits === 0) await fetch(`${url}/inventory`, { headers });
  const closed = once(socket, 'close');
  socket.resume().end();
  await closed;
  expect(socket.destroyed).toBe(true);
});

test('reads no further where a client sends on and on without waiting for late answers', async () => {
  const { port, plan, url } = await start([
    { operation: 'listInventory', fault: { kind: 'delay', milliseconds: 600_000 } },
  ]);
  const socket = open(port, list.repeat(20_000));
  while (plan.views()[0]?.hits === 0) await fetch(`${url}/nowhere`);
  for (let count = 0; count < 200; count += 1) await fetch(`${url}/nowhere`);
  // A hundred, and what had been read by then.
  expect(plan.views()[0]?.hits).toBeLessThan(2000);
  socket.destroy();
});

test('lets go of the body of a request whose answer is late', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const plan = createFaultPlan({
    rules: [{ times: 1, fault: { kind: 'delay', milliseconds: 600_000 } }],
  });
  const store = new MemoryStore(defaultItems());
  const mock = createMock({ store, apiKeys: ['demo-key'], fault: plan.fault });
  const bodies: WeakRef<Uint8Array>[] = [];
  const server = await startServer({
    mock: {
      ...mock,
      handle(request) {
        if (request.method === 'PATCH') bodies.push(new WeakRef(request.body));
        return mock.handle(request);
      },
    },
    port: 0,
    onExchange: () => undefined,
  });
  onTestFinished(() => server.close(0));
  const { url } = server;
  const giveUp = new AbortController();
  const late = patch(url, 5, { signal: giveUp.signal });
  while (bodies.length === 0) await fetch(`${url}/nowhere`);
  const [body] = bodies;
  await fetch(`${url}/inventory`, { headers });
  collectGarbage();
  expect(body?.deref()).toBeUndefined();
  giveUp.abort();
  await expect(late).rejects.toThrow('aborted');
});

test('answers all that a client sends without waiting, in its order', async () => {
  const { port } = await start([{ fault: { kind: 'delay', milliseconds: 1 } }]);
  const socket = open(
    port,
    update + list.repeat(2000) + list.replace('\r\n', '\r\nConnection: close\r\n'),
  );
  const { bytes, ending } = await endingOf(socket);
  expect(bytes.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2002);
  expect(bytes.indexOf('[')).toBeGreaterThan(bytes.indexOf('{"petId":1,"quantity":5,'));
  expect(ending).toBe('FIN');
});

test('closes where a client sends on and on that never gets an answer', async () => {
  const { port } = await start([{ fault: { kind: 'hang' } }]);
  const socket = open(port, list.repeat(20_000));
  expect((await endingOf(socket)).bytes).toBe('');
});

test.for(['code=demo-key', 'code="demo-key"', String.raw`code="de\mo-\key"`, 'wait=demo-key'])(
  'tells the log nothing of a key in Prefer: %s',
  async (prefer) => {
    const { url, exchanges } = await start([]);
    const { status } = await fetch(`${url}/inventory`, { headers: { ...headers, Prefer: prefer } });
    expect(status).toBe(400);
    expect(exchanges).toMatchObject([{ refusal: 'not shown: the request repeats an API key' }]);
    expect(JSON.stringify(exchanges)).not.toContain('demo-key');
  },
);

test('the same seed gives the same run over HTTP', async () => {
  const { scenarios = {} } = toWholeFixture('default');
  const rules = (scenarios['bad network'] ?? []).filter(({ fault }) => fault.kind !== 'delay');
  const run = async (): Promise<string[]> => {
    const { port } = await start(rules.filter(({ fault }) => fault.kind !== 'hang'));
    const endings: string[] = [];
    for (let count = 0; count < 60; count += 1) {
      const text = (count % 2 === 0 ? list : update).replace('\r\n', '\r\nConnection: close\r\n');
      const { bytes, ending } = await endingOf(open(port, text));
      endings.push(`${ending} ${bytes.length}`);
    }
    return endings;
  };
  const first = await run();
  expect(new Set(first).size).toBeGreaterThanOrEqual(4);
  expect(await run()).toEqual(first);
});
