import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  redisCommand,
  startRedis,
  startRedisCluster,
  type RedisServer,
} from './redis-processes.ts';
import { fromSources, runServe, startServe, type ServedProcess } from './served-process.ts';

let folder: string;
let shared: RedisServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stockcheck-'));
  shared = await startRedis();
});

afterAll(async () => {
  await shared.stop();
  await rm(folder, { recursive: true });
});

let count = 0;

/** A store that nobody has used. */
const stores: readonly { readonly name: string; readonly make: () => string }[] = [
  { name: 'SQLite', make: () => `sqlite:${join(folder, `stock-${(count += 1)}.db`)}` },
  { name: 'Redis', make: () => `${shared.url}?prefix=test-${(count += 1)}` },
];

const headers = (key: string): Record<string, string> => ({
  Authorization: `Bearer ${key}`,
  'Content-Type': 'application/json',
});

function patch(url: string, petId: number, quantity: number, key = 'demo-key'): Promise<Response> {
  return fetch(`${url}/inventory/${petId}`, {
    method: 'PATCH',
    headers: headers(key),
    body: JSON.stringify({ quantity }),
  });
}

const list = (url: string, key = 'demo-key'): Promise<Response> =>
  fetch(`${url}/inventory`, { headers: headers(key) });

async function quantityOf(url: string, petId: number, key = 'demo-key'): Promise<number> {
  const items = (await (await list(url, key)).json()) as { petId: number; quantity: number }[];
  return items.find((item) => item.petId === petId)?.quantity ?? Number.NaN;
}

async function admin(
  { url }: Pick<ServedProcess, 'url'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const response = await fetch(new URL(`/_stockcheck${path}`, url), {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

test('a server that cannot listen leaves the store of the one that does alone', async () => {
  const argv = ['--store', stores[0]?.make() ?? ''];
  const server = await startServe(argv);
  await patch(server.url, 1, 99);
  const { port } = new URL(server.url);
  const other = await runServe([...argv, '--reseed', '--port', port]);
  expect(other).toMatchObject({ code: 2 });
  expect(other.errors).toContain('another process uses the port');
  expect(await quantityOf(server.url, 1)).toBe(99);
  await server.end();
});

test('a Redis that comes back empty is seeded anew', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const server = await startServe(['--store', redis.url]);
  const ready = new URL('/_stockcheck/ready', server.url);
  await admin(server, 'PATCH', '/sandboxes/default/inventory/1', { quantity: 99 });
  await redisCommand(redis.port, 'FLUSHALL');
  await expect.poll(async () => (await fetch(ready)).status).toBe(503);
  await expect.poll(async () => (await fetch(ready)).status).toBe(200);
  expect(await quantityOf(server.url, 1)).toBe(12);
  await server.end();
});

test.for(stores)('a restart keeps everything in $name', async ({ make }) => {
  const argv = ['--store', make(), '--policy', 'content-type=415'];
  const first = await startServe(argv);
  expect(first.output()).toMatch(/store \S+: new, 12 pets from the fixture "default"\n$/);
  await patch(first.url, 1, 77);
  const rule = { operation: 'listInventory', nth: 2, fault: { kind: 'unavailable', status: 503 } };
  const created = await admin(first, 'POST', '/sandboxes', {
    name: 'mine',
    scenario: 'bad network',
  });
  const { id, apiKey } = created as { id: string; apiKey: string };
  await admin(first, 'PATCH', `/sandboxes/${id}/inventory/2`, { quantity: 5 });
  await admin(first, 'PUT', `/sandboxes/${id}/snapshots/before`);
  await admin(first, 'POST', `/sandboxes/default/faults`, rule);
  expect(await first.end()).toEqual({ code: 0 });

  const second = await startServe(['--store', argv[1] ?? '']);
  expect(second.output()).toMatch(
    /store \S+: 12 pets in the default sandbox and 1 other sandbox, as they were left; --reseed starts the default one over\n$/,
  );
  expect(await quantityOf(second.url, 1)).toBe(77);
  const view = await admin(second, 'GET', `/sandboxes/${id}`);
  expect(view).toMatchObject({
    name: 'mine',
    scenario: 'bad network',
    snapshots: [{ name: 'before' }],
  });
  const items = await admin(second, 'GET', `/sandboxes/${id}/inventory`);
  expect(items).toMatchObject({ 1: { petId: 2, quantity: 5 } });
  await admin(second, 'PATCH', `/sandboxes/${id}`, { scenario: null });
  expect(await quantityOf(second.url, 2, apiKey)).toBe(5);
  expect(await admin(second, 'GET', '/sandboxes/default/faults')).toMatchObject({
    faults: [{ rule }],
  });
  expect(await admin(second, 'GET', '/sandboxes/default')).toMatchObject({
    policy: { 'content-type': '415' },
  });
});

test.for(stores)('--reseed starts over in $name, and leaves other sandboxes', async ({ make }) => {
  const store = make();
  const first = await startServe(['--store', store]);
  await patch(first.url, 1, 77);
  await admin(first, 'PUT', '/sandboxes/default/snapshots/old');
  const { id } = await admin(first, 'POST', '/sandboxes', {});
  await admin(first, 'POST', '/sandboxes', {});
  await first.end();
  const second = await startServe(['--store', store, '--reseed', '--fixture', 'edge']);
  expect(second.output()).toMatch(
    /store \S+: started over, \d+ pets from the fixture "edge"; kept 2 other sandboxes\n$/,
  );
  expect(await quantityOf(second.url, 1)).not.toBe(77);
  expect(await admin(second, 'GET', '/sandboxes/default')).toMatchObject({ snapshots: [] });
  expect(await admin(second, 'GET', `/sandboxes/${String(id)}`)).toMatchObject({ pets: 12 });
});

test('a policy and keys on the command line come before what was kept', async () => {
  const store = `sqlite:${join(folder, 'policy.db')}`;
  await (await startServe(['--store', store, '--policy', 'content-type=415'])).end();
  const argv = ['--store', store, '--policy', 'scheme-case=exact', '--api-key', 'another'];
  const second = await startServe(argv);
  expect((await list(second.url)).status).toBe(401);
  expect((await list(second.url, 'another')).status).toBe(200);
  expect(await admin(second, 'GET', '/sandboxes/default')).toMatchObject({
    policy: { 'content-type': '415', 'scheme-case': 'exact' },
  });
});

test('STOCKCHECK_STORE names the store as well, and the flag comes before it', async () => {
  const env = { STOCKCHECK_STORE: `sqlite:${join(folder, 'environment.db')}` };
  const server = await startServe([], env);
  await patch(server.url, 1, 77);
  await server.end();
  expect((await startServe([], env)).output()).toContain('as they were left');
  const wrong = await runServe([], { STOCKCHECK_STORE: 'sqlite:/nowhere/x.db' });
  expect(wrong.errors).toMatch(/^error: STOCKCHECK_STORE: cannot keep sandboxes in/);
  const other = `sqlite:${join(folder, 'flag.db')}`;
  expect((await startServe(['--store', other], env)).output()).toContain(`store ${other}: new`);
});

test.for([
  [['--store', 'postgres://me:secret@db/x'], 'there is no such store'],
  [['--store', 'stock.db'], 'expected sqlite:FILE'],
  [['--store', 'sqlite:'], 'the name of a file is missing'],
  [['--store', 'sqlite://stock.db'], 'write sqlite:FILE, without slashes'],
  [['--store', 'sqlite:/nowhere/at/all.db'], 'there is no folder /nowhere/at'],
  [['--store', 'redis://me:secret@127.0.0.1:1'], 'redis://127.0.0.1:1 cannot be used'],
  [['--store', 'redis://me:se@cret@127.0.0.1:1?waits=secret'], 'is not the URL of a Redis'],
  [['--store', 'redis://127.0.0.1:1?secrets=1'], 'there is no parameter'],
  [['--reseed'], '--reseed needs --store'],
  [['--workers', '2'], '--workers needs a store that processes share'],
  [['--store', 'memory', '--workers', '2'], '--workers needs a store that processes share'],
  [['--store', 'sqlite:/nowhere/x.db', '--workers', '2'], 'there is no folder /nowhere'],
  [['--store', 'sqlite:x.db', '--watch', '--fixture', 'x.json'], '--watch and --store exclude'],
] as const)('%s is refused with 2 and a reason', async ([argv, reason]) => {
  const { code, output, errors } = await runServe(argv);
  expect(errors).toContain(reason);
  expect(errors).toMatch(/^error: /);
  expect(errors).not.toContain('secret@');
  expect(errors).not.toContain('cret@');
  expect(output).toBe('');
  expect(code).toBe(2);
});

test('a file that is no database is refused, and left as it is', async () => {
  const file = join(folder, 'notes.txt');
  await writeFile(file, 'notes of mine, which nobody may overwrite; '.repeat(10));
  const { code, errors } = await runServe(['--store', `sqlite:${file}`]);
  expect(errors).toContain('it is not an SQLite database. It was left as it is');
  expect(code).toBe(2);
});

test('two servers on one Redis are one', async () => {
  const store = stores[1]?.make() ?? '';
  const [one, other] = await Promise.all([
    startServe(['--store', store]),
    startServe(['--store', store]),
  ]);
  await patch(one.url, 1, 77);
  expect(await quantityOf(other.url, 1)).toBe(77);
  const { apiKey, id } = await admin(one, 'POST', '/sandboxes', {});
  await patch(other.url, 1, 5, String(apiKey));
  expect(await quantityOf(one.url, 1, String(apiKey))).toBe(5);
  expect(await quantityOf(one.url, 1)).toBe(77);
  await admin(other, 'DELETE', `/sandboxes/${String(id)}`);
  expect((await list(one.url, String(apiKey))).status).toBe(401);
});

test('a server whose Redis does not answer says so, and does not wait for it', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const server = await startServe(['--store', redis.url]);
  redis.signal('SIGSTOP');
  const answer = await patch(server.url, 1, 77);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ message: expect.stringContaining('is unknown') });
  expect((await list(server.url)).status).toBe(503);
  redis.signal('SIGCONT');
  await expect.poll(async () => (await list(server.url)).status).toBe(200);
});

test('workers serve over a Redis Cluster', async () => {
  const cluster = await startRedisCluster();
  onTestFinished(() => cluster.stop());
  const server = await startServe(['--store', cluster.url, '--workers', '2']);
  const created = await Promise.all(
    Array.from({ length: 8 }, () => admin(server, 'POST', '/sandboxes', {})),
  );
  const keys = created.map(({ apiKey }) => String(apiKey));
  await Promise.all(keys.map((key, index) => patch(server.url, 1, 100 + index, key)));
  const quantities = await Promise.all(keys.map((key) => quantityOf(server.url, 1, key)));
  expect(quantities).toEqual(keys.map((_, index) => 100 + index));
});

test.for([
  { how: 'alone', more: [] },
  { how: 'with workers', more: ['--workers', '2'] },
])(
  'a server $how says at once that Redis is away, and goes on when it is back',
  async ({ more }) => {
    const redis = await startRedis('--appendonly', 'yes', '--appendfsync', 'always');
    onTestFinished(() => redis.stop());
    const server = await startServe(['--store', redis.url, ...more]);
    const ready = (): Promise<Response> => fetch(new URL('/_stockcheck/ready', server.url));
    const live = (): Promise<Response> => fetch(new URL('/_stockcheck/live', server.url));
    expect((await patch(server.url, 1, 77)).status).toBe(200);
    expect((await ready()).status).toBe(200);

    await redis.kill();
    // Each of them, whichever process answers.
    for (const ask of [() => list(server.url), () => patch(server.url, 1, 78), ready]) {
      const answers = await Promise.all(Array.from({ length: 4 }, ask));
      for (const answer of answers) {
        expect(answer.status).toBe(503);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(await answer.json()).toMatchObject({ status: 503, message: expect.any(String) });
      }
    }
    expect((await live()).status).toBe(200);

    await redis.start();
    await expect.poll(async () => (await ready()).status).toBe(200);
    await expect.poll(async () => (await list(server.url)).status).toBe(200);
    expect(await quantityOf(server.url, 1)).toBe(77);
    expect(server.errors()).not.toContain('a bug');
  },
);

test.for([
  { how: 'alone', more: [] },
  { how: 'with workers', more: ['--workers', '2'] },
])('a server $how refuses what can be no key while Redis is away', async ({ more }) => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const server = await startServe(['--store', redis.url, '--policy', 'scheme-case=exact', ...more]);
  const ask = (authorization: string | undefined, path = '/inventory'): Promise<Response> =>
    fetch(`${server.url}${path}`, {
      headers: authorization === undefined ? {} : { Authorization: authorization },
    });
  const none = [undefined, '', 'Bearer', 'Basic wrong', 'wrong', 'Bearer one two'];
  const before = await Promise.all(none.map(async (header) => (await ask(header)).text()));
  await redis.kill();
  await expect.poll(async () => (await ask('Bearer demo-key')).status).toBe(503);

  for (const [index, header] of none.entries()) {
    const answer = await ask(header);
    expect(answer.status, header).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(await answer.text()).toBe(before[index]);
  }
  // They may open a sandbox that only Redis knows, and its policy may know other schemes.
  for (const header of ['Bearer demo-key', 'Bearer wrong', 'bearer wrong']) {
    const answer = await ask(header);
    expect(answer.status, header).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
  }
  expect((await ask(undefined, '/nothing')).status).toBe(404);
  // Otherwise a page could not read the 503 that comes after it.
  const preflight = await fetch(`${server.url}/inventory/1`, {
    method: 'OPTIONS',
    headers: { Origin: 'http://shop.example', 'Access-Control-Request-Method': 'PATCH' },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
});

/** Lets the files of a process grow up to a number of bytes. */
const limitFiles = (pid: number, bytes: string): Promise<unknown> =>
  promisify(execFile)('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`]);

test('a server that can write no more refuses updates, reads on, and writes when there is room', async () => {
  const store = stores[0]?.make() ?? '';
  // An error in place of the signal, as where a disk is full.
  const wrapper = ['sh', '-c', 'trap "" XFSZ; exec "$0" "$@"'];
  const server = await startServe(['--store', store], {}, fromSources, wrapper);
  expect((await patch(server.url, 1, 77)).status).toBe(200);
  await limitFiles(server.pid, '4096');
  const answer = await patch(server.url, 1, 78);
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('5');
  expect(await answer.json()).toMatchObject({
    message: expect.stringMatching(
      /^the file that keeps the inventory cannot be used: the disk failed \(SQLite: .*\)$/,
    ),
  });
  expect(await quantityOf(server.url, 1)).toBe(77);
  await expect(admin(server, 'POST', '/sandboxes', {})).rejects.toThrow('503');
  await limitFiles(server.pid, 'unlimited');
  expect((await patch(server.url, 2, 79)).status).toBe(200);
  expect(server.errors()).toBe('');
  await server.end('SIGKILL');
  const again = await startServe(['--store', store]);
  expect([await quantityOf(again.url, 1), await quantityOf(again.url, 2)]).toEqual([77, 79]);
});

test('a server goes on writing to a file that is made read-only, and no other one starts there', async () => {
  const place = join(folder, 'read-only');
  await mkdir(place);
  const file = join(place, 'stock.db');
  // Rights bind root only where it gives up its own.
  const wrapper =
    process.getuid?.() === 0 ? ['setpriv', '--inh-caps=-all', '--bounding-set=-all'] : [];
  const server = await startServe(['--store', `sqlite:${file}`], {}, fromSources, wrapper);
  for (const ending of ['', '-wal', '-shm']) await chmod(`${file}${ending}`, 0o400);
  await chmod(place, 0o500);
  expect((await patch(server.url, 1, 77)).status).toBe(200);
  const other = await runServe(['--store', `sqlite:${file}`], {}, wrapper);
  expect(other.errors).toContain(`the folder ${place} is read-only`);
  expect(other.code).toBe(2);
  await server.end('SIGKILL');
  await chmod(place, 0o700);
  for (const ending of ['', '-wal', '-shm']) await chmod(`${file}${ending}`, 0o600);
  const again = await startServe(['--store', `sqlite:${file}`], {}, fromSources, wrapper);
  expect(await quantityOf(again.url, 1)).toBe(77);
});
