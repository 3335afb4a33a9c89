import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, request, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openEvents } from './event-client.ts';
import { startRedis, type RedisServer } from './redis-processes.ts';
import { ownerOf, runServe, startServe, workersOf, type ServedProcess } from './served-process.ts';

let folder: string;
let redis: RedisServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stockcheck-'));
  redis = await startRedis();
});

afterAll(async () => {
  await redis.stop();
  await rm(folder, { recursive: true });
});

let count = 0;

const stores: readonly { readonly name: string; readonly make: () => string }[] = [
  { name: 'SQLite', make: () => `sqlite:${join(folder, `stock-${(count += 1)}.db`)}` },
  { name: 'Redis', make: () => `${redis.url}?prefix=workers-${(count += 1)}` },
];

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** A connection that stays open, and so stays with one worker. */
interface Connection {
  /** The worker that serves it. */
  readonly worker: number;
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
}

async function connect({ url, pid }: ServedProcess): Promise<Connection> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  let localPort = 0;
  const ask = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const outgoing = request(`${url}${path}`, {
      agent,
      method,
      headers: { Authorization: 'Bearer demo-key', 'Content-Type': 'application/json' },
    });
    outgoing.once('socket', (socket: Socket) => {
      const note = (): void => void (localPort = socket.localPort ?? 0);
      if (socket.connecting) socket.once('connect', note);
      else note();
    });
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = await once(outgoing, 'response');
    return { status: response.statusCode, body: await text(response) };
  };
  await ask('GET', '/inventory');
  return { worker: await ownerOf(localPort, await workersOf(pid)), ask };
}

/** A connection to each of two workers. */
async function connectToBoth(server: ServedProcess): Promise<readonly [Connection, Connection]> {
  const first = await connect(server);
  for (;;) {
    const other = await connect(server);
    if (other.worker !== first.worker) return [first, other];
  }
}

const journal = async ({ url }: ServedProcess, query = ''): Promise<readonly unknown[]> => {
  const response = await fetch(new URL(`/_stockcheck/sandboxes/default/journal${query}`, url));
  const page = (await response.json()) as { exchanges: readonly unknown[] };
  return page.exchanges;
};

test.for(stores)('two workers over $name are one server', async ({ make }) => {
  const server = await startServe(['--store', make(), '--workers', '2']);
  expect(server.output().match(/listening on/g)).toHaveLength(1);
  expect(await workersOf(server.pid)).toHaveLength(2);
  const [one, other] = await connectToBoth(server);
  const before = (await journal(server, '?limit=1000')).length;
  for (let quantity = 1; quantity <= 20; quantity += 1) {
    expect((await one.ask('PATCH', '/inventory/1', { quantity })).status).toBe(200);
    expect((await other.ask('GET', '/inventory')).body).toContain(`"quantity":${quantity},`);
  }
  // Asked at once: what the workers have not told yet is waited for.
  expect((await journal(server, '?limit=1000')).length - before).toBe(40);
  expect(await server.end()).toEqual({ code: 0 });
  // On a busy machine it may say that it waits.
  expect(server.errors().replace(/^waiting for requests under way.*\n/m, '')).toBe('');
});

test('the journal, long polls and events are those of all workers', async () => {
  const server = await startServe(['--store', stores[0]?.make() ?? '', '--workers', '2']);
  const [one, other] = await connectToBoth(server);
  const port = Number(new URL(server.url).port);
  const events = await openEvents({ port }, '/sandboxes/default/events');
  onTestFinished(() => events.close());
  for (const [connection, quantity] of [
    [one, 71],
    [other, 72],
  ] as const) {
    await connection.ask('PATCH', '/inventory/1', { quantity });
    expect(await events.next()).toMatchObject({ type: 'exchange' });
    expect(await events.next()).toMatchObject({
      type: 'change',
      data: expect.stringContaining(`"quantity":${quantity}`),
    });
  }
  const found = journal(server, '?operation=updateInventory&status=404&wait=10');
  await other.ask('PATCH', '/inventory/404', { quantity: 1 });
  expect(await found).toMatchObject([{ response: { status: 404 } }]);
});

test.for(stores)('three workers over $name count together what faults see', async ({ make }) => {
  const server = await startServe(['--store', make(), '--workers', '3']);
  const [one, other] = await connectToBoth(server);
  const connections = [one, other, await connect(server), other, one];
  const faults = new URL('/_stockcheck/sandboxes/default/faults', server.url);
  const put = async (rules: readonly unknown[]): Promise<void> => {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(faults, { method: 'PUT', headers, body: JSON.stringify(rules) });
    expect(response.status).toBe(204);
  };
  const updateAll = async (): Promise<readonly number[]> => {
    const statuses: number[] = [];
    for (const connection of [...connections, ...connections]) {
      statuses.push((await connection.ask('PATCH', '/inventory/1', { quantity: 1 })).status);
    }
    return statuses;
  };
  const read = async (): Promise<unknown> =>
    ((await (await fetch(faults)).json()) as { faults: unknown }).faults;
  const fault = { kind: 'unavailable', status: 503 };

  await put([{ nth: 3, fault }, { fault: { kind: 'slow-drip', bytesPerSecond: 1_000_000 } }]);
  expect(await updateAll()).toEqual([200, 200, 503, 200, 200, 200, 200, 200, 200, 200]);
  // The process that is asked serves none of them.
  await expect.poll(read).toMatchObject([
    { seen: 10, hits: 1 },
    { seen: 10, hits: 9 },
  ]);
  const rules = [{ probability: 0.4, times: 3, fault }];
  await put(rules);
  const first = await updateAll();
  expect(first.filter((status) => status === 503)).toHaveLength(3);
  await put(rules);
  expect(await updateAll()).toEqual(first);
  await expect.poll(read).toMatchObject([{ seen: 10, hits: 3 }]);
});

test('a change that a worker and Redis both tell of is told once', async () => {
  const server = await startServe(['--store', stores[1]?.make() ?? '', '--workers', '2']);
  const [connection] = await connectToBoth(server);
  const port = Number(new URL(server.url).port);
  const events = await openEvents({ port }, '/sandboxes/default/events');
  onTestFinished(() => events.close());
  /** The quantity of the next change of a pet. */
  const nextChange = async (petId: number): Promise<number> => {
    for (;;) {
      const { type, data = '' } = (await events.next()) ?? {};
      const [, pet, quantity] = /"item":\{"petId":(\d+),"quantity":(\d+)/.exec(data) ?? [];
      if (type === 'change' && Number(pet) === petId) return Number(quantity);
    }
  };
  // Until Redis has taken the subscription, it tells nothing.
  const heard = nextChange(2);
  const subscription = { isHeard: false };
  void heard.then(() => (subscription.isHeard = true));
  for (let quantity = 1; !subscription.isHeard; quantity += 1) {
    await connection.ask('PATCH', '/inventory/2', { quantity });
  }
  const quantities = Array.from({ length: 100 }, (_, index) => 101 + index);
  for (const quantity of quantities) await connection.ask('PATCH', '/inventory/1', { quantity });
  // What is told twice would come before this one.
  await connection.ask('PATCH', '/inventory/1', { quantity: 999 });
  const told: number[] = [];
  while (told.at(-1) !== 999) told.push(await nextChange(1));
  expect(told).toEqual([...quantities, 999]);
});

test('what the admin API changes counts in every worker', async () => {
  const server = await startServe(['--store', stores[0]?.make() ?? '', '--workers', '2']);
  const both = await connectToBoth(server);
  const response = await fetch(new URL('/_stockcheck/sandboxes/default/faults', server.url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ petId: 3, fault: { kind: 'error', status: 404 } }),
  });
  expect(response.status).toBe(201);
  for (const connection of both) {
    expect((await connection.ask('PATCH', '/inventory/3', { quantity: 1 })).status).toBe(404);
    expect((await connection.ask('PATCH', '/inventory/2', { quantity: 1 })).status).toBe(200);
  }
});

test('a mock of several workers verifies itself', async () => {
  const server = await startServe(['--store', stores[0]?.make() ?? '', '--workers', '2']);
  const response = await fetch(new URL('/_stockcheck/verifications', server.url), {
    method: 'POST',
  });
  const lines = (await response.text()).trim().split('\n');
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
    type: 'end',
    report: { exitCode: 0 },
  });
});

test('a page of another origin is refused by the admin API behind the workers', async () => {
  const server = await startServe(['--store', stores[0]?.make() ?? '', '--workers', '1']);
  const response = await fetch(new URL('/_stockcheck/sandboxes', server.url), {
    headers: { Origin: 'https://evil.example' },
  });
  expect(response.status).toBe(403);
  const nameless = request(new URL('/_stockcheck/sandboxes', server.url), { setHost: false }).end();
  const [refused] = (await once(nameless, 'response')) as [IncomingMessage];
  expect(refused.statusCode).toBe(403);
  expect(JSON.parse(await text(refused))).toMatchObject({ code: 'forbidden', status: 403 });
  const whole = { method: 'OPTIONS', path: new URL('/_stockcheck/sandboxes', server.url).href };
  const preflight = request(server.url, {
    ...whole,
    headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' },
  }).end();
  const [answer] = (await once(preflight, 'response')) as [IncomingMessage];
  expect(answer.resume().statusCode).toBe(403);
});

test('the admin API behind the workers asks for the token', async () => {
  const env = { STOCKCHECK_ADMIN_TOKEN: 'let-me-in' };
  const server = await startServe(['--store', stores[0]?.make() ?? '', '--workers', '1'], env);
  const url = new URL('/_stockcheck/sandboxes', server.url);
  expect((await fetch(url)).status).toBe(401);
  const headers = { Authorization: 'Bearer let-me-in' };
  expect((await fetch(url, { headers })).status).toBe(200);
  expect((await fetch(new URL('/_stockcheck/live', server.url))).status).toBe(200);
  expect(server.output()).not.toContain('let-me-in');
});

test('a worker that is killed is replaced, and nothing that was acknowledged is lost', async () => {
  const server = await startServe(['--store', stores[0]?.make() ?? '', '--workers', '2']);
  const [one, other] = await connectToBoth(server);
  await one.ask('PATCH', '/inventory/1', { quantity: 77 });
  process.kill(one.worker, 'SIGKILL');
  await expect
    .poll(async () => (await workersOf(server.pid)).filter((pid) => pid !== one.worker).length)
    .toBe(2);
  expect((await other.ask('GET', '/inventory')).body).toContain('"quantity":77,');
  const [fresh, third] = await connectToBoth(server);
  expect([fresh.worker, third.worker]).not.toContain(one.worker);
  expect((await fresh.ask('GET', '/inventory')).body).toContain('"quantity":77,');
  expect(server.errors()).toMatch(
    new RegExp(`^worker ${one.worker} ended \\(SIGKILL\\); another one starts in \\d+ ms\\n$`),
  );
  expect(await server.end()).toEqual({ code: 0 });
});

test('all workers can die, and the address stays', async () => {
  const server = await startServe(['--store', stores[0]?.make() ?? '', '--workers', '2']);
  const before = await workersOf(server.pid);
  for (const worker of before) process.kill(worker, 'SIGKILL');
  const headers = { Authorization: 'Bearer demo-key' };
  const ask = (): Promise<number> =>
    fetch(`${server.url}/inventory`, { headers }).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(async () => (await workersOf(server.pid)).length).toBe(2);
  await expect.poll(ask).toBe(200);
});

test('every line of the log is whole', async () => {
  const server = await startServe(['--store', stores[0]?.make() ?? '', '--workers', '2']);
  const both = await connectToBoth(server);
  const requests = 300;
  await Promise.all(
    both.map(async (connection) => {
      for (let index = 0; index < requests; index += 1) {
        await connection.ask('PATCH', '/inventory/1', { quantity: index });
      }
    }),
  );
  await server.end();
  const lines = server.output().split('\n');
  const line = /^PATCH \/v1\/inventory\/1 200 \d+\.\d ms$/;
  expect(lines.filter((one) => line.test(one))).toHaveLength(2 * requests);
  const others = lines.filter((one) => one !== '' && !line.test(one));
  for (const other of others) {
    expect(other).toMatch(/^(listening|console|store) |^GET \/v1\/inventory 200 \d+\.\d ms$/);
  }
});

test.for(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s ends all of them', async (signal) => {
  const server = await startServe(['--store', stores[0]?.make() ?? '', '--workers', '2']);
  const workers = await workersOf(server.pid);
  // A terminal tells the workers as well.
  if (signal === 'SIGINT') for (const worker of workers) process.kill(worker, signal);
  expect(await server.end(signal)).toEqual({ code: 0 });
  for (const worker of workers) expect(() => process.kill(worker, 0)).toThrow('ESRCH');
});

test('workers end when the process above them is killed', async () => {
  const server = await startServe(['--store', stores[0]?.make() ?? '', '--workers', '2']);
  const workers = await workersOf(server.pid);
  await server.end('SIGKILL');
  // One that has ended, but that nobody has waited for, has no command line any more.
  const lines = (): Promise<readonly string[]> =>
    Promise.all(workers.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  await expect.poll(lines).toEqual(['', '']);
});

test('a server whose workers cannot be kept alive ends with 2 and the reason', async () => {
  const store = stores[0]?.make() ?? '';
  const server = await startServe(['--store', store, '--workers', '2']);
  const file = store.replace('sqlite:', '');
  await rm(file);
  await writeFile(file, 'no database '.repeat(100));
  for (const worker of await workersOf(server.pid)) process.kill(worker, 'SIGKILL');
  expect(await server.exited).toBe(2);
  expect(server.errors()).toContain('error: no worker can be kept running; the last one said: ');
  expect(server.errors()).toContain('it is not an SQLite database');
});

test('workers that cannot begin end the server with 2 and the reason', async () => {
  const first = await startServe(['--store', stores[0]?.make() ?? '']);
  const { port } = new URL(first.url);
  const store = stores[0]?.make() ?? '';
  const { code, errors } = await runServe(['--port', port, '--store', store, '--workers', '2']);
  expect(errors).toMatch(
    /^error: cannot listen on 127\.0\.0\.1:\d+: another process uses the port/,
  );
  expect(code).toBe(2);
});
