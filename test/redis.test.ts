import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { InventoryItem } from '../src/inventory/item.ts';
import type { StorageEvent, StoredSandbox } from '../src/inventory/sandbox-storage.ts';
import { StoreUnavailableError } from '../src/inventory/store.ts';
import { stringifyExactJson } from '../src/json/exact-json.ts';
import { openRedisSandboxes, type RedisStorage } from '../src/stores/redis.ts';
import {
  redisCommand,
  startRedis,
  startRedisCluster,
  startSentinel,
  untilTrue,
  type RedisServer,
} from './redis-processes.ts';

const seed: readonly InventoryItem[] = [
  { petId: 1n, quantity: 12n, status: 'available' },
  { petId: 9_007_199_254_740_993n, quantity: 0n, status: 'sold' },
];

/** However busy the machine is: far less than anything that waits for a server to come back. */
const atOnce = 5000;

async function startForTest(...options: readonly string[]): Promise<RedisServer> {
  const server = await startRedis(...options);
  onTestFinished(() => server.stop());
  return server;
}

async function open(url: string): Promise<RedisStorage> {
  const storage = await openRedisSandboxes({ url });
  onTestFinished(() => storage.close());
  return storage;
}

async function create(
  storage: RedisStorage,
  options: Partial<Parameters<typeof storage.create>[0]> = {},
): Promise<StoredSandbox> {
  const sandbox = await storage.create({ settings: '{}', seed, ...options });
  if (sandbox === 'taken') throw new Error('the id or the key is taken');
  return sandbox;
}

async function find(storage: RedisStorage, apiKey: string): Promise<StoredSandbox> {
  const sandbox = await storage.find(apiKey);
  if (sandbox === undefined) throw new Error('no sandbox has the key');
  return sandbox;
}

const textOf = async ({ store }: StoredSandbox): Promise<string> =>
  Buffer.concat([...(await store.list())]).toString();

/** What an operation comes to: its result, or what it is rejected with. */
async function outcomeOf(operation: () => unknown): Promise<unknown> {
  try {
    return await operation();
  } catch (error) {
    return error;
  }
}

/** What an operation is rejected with. */
async function refusalOf(operation: () => unknown): Promise<Error> {
  const start = performance.now();
  const refusal = await outcomeOf(operation);
  expect(performance.now() - start, 'it is over at once').toBeLessThan(atOnce);
  if (refusal instanceof Error) return refusal;
  throw new Error('it was not refused');
}

test('two processes see at once what the other writes', async () => {
  const server = await startForTest();
  const [one, two] = [await open(server.url), await open(server.url)];
  const created = await create(one, { apiKey: 'key' });
  const found = await find(two, 'key');
  expect(found.id).toBe(created.id);
  for (let quantity = 0n; quantity < 50n; quantity += 1n) {
    const [writer, reader] = quantity % 2n === 0n ? [created, found] : [found, created];
    expect(await writer.store.update(1n, { quantity })).toMatchObject({ quantity });
    expect(await textOf(reader)).toContain(`{"petId":1,"quantity":${quantity},`);
    expect(await reader.store.get(1n)).toMatchObject({ quantity });
  }
  await found.store.replace([{ petId: 7n, quantity: 7n, status: 'pending' }]);
  expect(await created.store.update(1n, { quantity: 1n })).toBeUndefined();
  expect(await created.store.update(7n, { quantity: 8n })).toMatchObject({
    quantity: 8n,
    previous: { quantity: 7n },
  });
  await created.reset();
  expect(await textOf(found)).toBe(stringifyExactJson(seed));
});

test('settings that another process has changed count from the next operation on', async () => {
  const server = await startForTest();
  const [one, two] = [await open(server.url), await open(server.url)];
  const { id } = await create(one, { apiKey: 'key', settings: 'old' });
  const found = await find(two, 'key');
  expect(found.settings).toBe('old');
  await one.configure(id, { settings: 'new' });
  await found.store.list();
  expect((await find(two, 'key')).settings).toBe('new');
  await two.configure(id, { settings: 'newest' });
  const { store } = await find(one, 'key');
  await store.update(1n, { quantity: 1n });
  expect((await find(one, 'key')).settings).toBe('newest');
});

test('settings that another process has changed count soon, though only snapshots are asked for', async () => {
  const server = await startForTest();
  const [one, two] = [await open(server.url), await open(server.url)];
  const { id } = await create(one, { apiKey: 'key', settings: 'old' });
  const found = await find(two, 'key');
  await one.configure(id, { settings: 'new' });
  await untilTrue(async () => {
    await found.snapshots();
    return (await find(two, 'key')).settings === 'new';
  }, atOnce);
  expect((await find(two, 'key')).settings).toBe('new');
});

test('a sandbox that another process has deleted is gone with the next operation', async () => {
  const server = await startForTest();
  const [one, two] = [await open(server.url), await open(server.url)];
  const { id } = await create(one, { apiKey: 'key' });
  const found = await find(two, 'key');
  await one.delete(id);
  const refusal = await refusalOf(() => found.store.update(1n, { quantity: 1n }));
  expect(refusal.message).toContain(`sandbox ${id} has been deleted or has expired`);
  expect(await two.find('key')).toBeUndefined();
});

test('Redis itself forgets all of a sandbox that has expired, and its seed after it', async () => {
  const server = await startForTest();
  const storage = await open(server.url);
  const sandbox = await create(storage, { apiKey: 'key', expiresAt: Date.now() + 3000 });
  await sandbox.store.update(1n, { quantity: 1n });
  await sandbox.takeSnapshot('one', 1);
  await sandbox.store.replace([{ petId: 7n, quantity: 7n, status: 'pending' }]);
  await sandbox.store.update(7n, { quantity: 1n });
  await sandbox.advance?.([['a', 1]]);
  const keys = async (): Promise<readonly string[]> => {
    const all = await redisCommand(server.port, 'KEYS', '*');
    return all.split('\n').filter((key) => key.includes(`{${sandbox.id}}`));
  };
  expect(await keys()).toHaveLength(7);
  const ttls = (await keys()).map((key) => redisCommand(server.port, 'PTTL', key));
  for (const ttl of await Promise.all(ttls)) expect(Number(ttl)).toBeGreaterThan(0);
  await untilTrue(async () => (await keys()).length === 0);
  expect(await storage.find('key')).toBeUndefined();
  expect(await storage.count()).toBe(0);
  const rest = (await redisCommand(server.port, 'KEYS', '*')).split('\n').filter(Boolean);
  expect(rest.filter((key) => !key.startsWith('stockcheck:seed:'))).toEqual([]);
  expect(Number(await redisCommand(server.port, 'PTTL', rest[0] ?? ''))).toBeGreaterThan(0);
});

test('a seed lives as long as any sandbox that is made from it', async () => {
  const server = await startForTest();
  const storage = await open(server.url);
  await create(storage, { expiresAt: Date.now() + 3_600_000 });
  const key = await redisCommand(server.port, 'KEYS', 'stockcheck:seed:*}');
  const ttl = async (): Promise<number> => Number(await redisCommand(server.port, 'PTTL', key));
  expect(await ttl()).toBeGreaterThan(3_600_000);
  await create(storage, { expiresAt: Date.now() + 1000 });
  expect(await ttl()).toBeGreaterThan(3_600_000);
  const { id } = await create(storage, { expiresAt: Date.now() + 1000 });
  await storage.configure(id, { settings: '', expiresAt: Date.now() + 7_200_000 });
  expect(await ttl()).toBeGreaterThan(7_200_000);
  await create(storage);
  expect(await ttl()).toBe(-1);
  await create(storage, { expiresAt: Date.now() + 1000 });
  expect(await ttl()).toBe(-1);
});

test('a seed that was needed for ever goes when nobody needs it any more', async () => {
  const server = await startForTest();
  const storage = await open(server.url);
  const one = await create(storage, { apiKey: 'one' });
  const two = await create(storage, { apiKey: 'two' });
  const seeds = (await redisCommand(server.port, 'KEYS', 'stockcheck:seed:*')).split('\n');
  expect(seeds).toHaveLength(2);
  const ttls = async (): Promise<readonly number[]> =>
    Promise.all(seeds.map(async (key) => Number(await redisCommand(server.port, 'PTTL', key))));
  expect(await ttls()).toEqual([-1, -1]);
  await storage.delete(one.id);
  await storage.configure(two.id, { settings: 'still for ever' });
  // The key is taken: what was to be created needs nothing.
  expect(await storage.create({ apiKey: 'two', settings: '', seed })).toBe('taken');
  expect(await ttls()).toEqual([-1, -1]);
  await storage.configure(two.id, { settings: '', expiresAt: Date.now() + 3_600_000 });
  for (const ttl of await ttls()) expect(ttl).toBeGreaterThan(3_600_000);
  await storage.configure(two.id, { settings: 'for ever again' });
  expect(await ttls()).toEqual([-1, -1]);
  await create(storage, { expiresAt: Date.now() + 7_200_000 });
  await storage.delete(two.id);
  for (const ttl of await ttls()) expect(ttl).toBeGreaterThan(7_200_000);
});

test('a seed that nobody needs lives on for a minute, for those who are about to use it', async () => {
  const server = await startForTest();
  const storage = await open(server.url);
  const { id } = await create(storage);
  await storage.delete(id);
  const [key = '', ...others] = (await redisCommand(server.port, 'KEYS', '*')).split('\n');
  expect(key).toMatch(/^stockcheck:seed:[^:]+$/);
  expect(others).toEqual([]);
  const ttl = Number(await redisCommand(server.port, 'PTTL', key));
  expect(ttl).toBeGreaterThan(0);
  expect(ttl).toBeLessThanOrEqual(60_000);
});

test('a key goes on opening a sandbox that somebody else tries to create as well', async () => {
  const server = await startForTest();
  const [one, two] = [await open(server.url), await open(server.url)];
  const taken = { id: 'one', apiKey: 'key', settings: 'other', seed };
  await create(one, { ...taken, settings: 'mine', expiresAt: Date.now() + 3_600_000 });
  expect(await two.create({ ...taken, expiresAt: Date.now() + 60_000 })).toBe('taken');
  expect(await find(await open(server.url), 'key')).toMatchObject({ id: 'one', settings: 'mine' });
  const [alias = ''] = (await redisCommand(server.port, 'KEYS', '*:alias')).split('\n');
  expect(Number(await redisCommand(server.port, 'PTTL', alias))).toBeGreaterThan(3_000_000);

  const both = await Promise.all(
    [one, two, one, two].map(async (storage) =>
      storage.create({ ...taken, id: 'two', apiKey: 'k' }),
    ),
  );
  expect(both.filter((sandbox) => sandbox !== 'taken')).toHaveLength(1);
  expect((await find(await open(server.url), 'k')).id).toBe('two');
});

test('keys are nowhere in Redis', async () => {
  const server = await startForTest();
  const storage = await open(server.url);
  const sandbox = await create(storage, { apiKey: 'very-secret-key' });
  await create(storage, { id: 'other', apiKey: 'another-secret-key' });
  await sandbox.store.update(1n, { quantity: 1n });
  await redisCommand(server.port, 'CONFIG', 'SET', 'rdbcompression', 'no');
  const { stdout } = await promisify(execFile)(
    'redis-cli',
    ['-p', String(server.port), '--rdb', '-'],
    { encoding: 'buffer', maxBuffer: 10_000_000 },
  );
  expect(stdout.includes(sandbox.id)).toBe(true);
  expect(stdout.includes('secret')).toBe(false);
});

test('a server that is gone fails every operation at once, and is used again when it is back', async () => {
  const server = await startForTest();
  const storage = await open(server.url);
  const sandbox = await create(storage, { apiKey: 'key' });
  await textOf(sandbox);
  await server.kill();
  for (const operation of [
    () => sandbox.store.list(),
    () => sandbox.store.update(1n, { quantity: 1n }),
    () => sandbox.store.replace(seed),
    () => storage.find('unknown'),
    () => storage.get(sandbox.id),
    () => storage.list(),
    () => storage.create({ settings: '', seed }),
  ]) {
    const refusal = await refusalOf(operation);
    expect(refusal).toBeInstanceOf(StoreUnavailableError);
    expect(refusal).toMatchObject({ retryAfterSeconds: 1 });
  }
  expect(await storage.ready()).toMatchObject({
    ready: false,
    reason: expect.stringContaining(`redis://127.0.0.1:${server.port} cannot be reached`),
  });
  await server.start();
  await untilTrue(async () => (await storage.ready()).ready);
  // It kept nothing on disk: what is not there is not made up.
  expect(await storage.find('key')).toBeUndefined();
  const again = await create(storage, { apiKey: 'key' });
  expect(await textOf(again)).toBe(stringifyExactJson(seed));
});

test('a server that does not answer fails what waits for it within the time out, and the rest at once', async () => {
  const server = await startForTest();
  const storage = await open(`${server.url}?timeout=500`);
  const sandbox = await create(storage, { apiKey: 'key' });
  await sandbox.store.update(1n, { quantity: 1n });
  server.signal('SIGSTOP');
  const refusals = await Promise.all(
    Array.from({ length: 20 }, () => refusalOf(() => sandbox.store.update(1n, { quantity: 2n }))),
  );
  for (const refusal of refusals) {
    expect(refusal).toBeInstanceOf(StoreUnavailableError);
    expect(refusal.message).toMatch(/has not answered within 500 ms|connection .* was lost/);
    expect(refusal.message).toContain('whether a write was made is unknown');
  }
  expect((await refusalOf(() => sandbox.store.list())).message).toContain('cannot be reached');
  server.signal('SIGCONT');
  await untilTrue(async () => (await storage.ready()).ready);
  expect(await sandbox.store.get(1n)).toMatchObject({ petId: 1n });
});

/** Stands before a server. While it is cutting, requests arrive and answers are lost with the connection. */
async function startCutter(port: number): Promise<{ readonly url: string; isCutting: boolean }> {
  const state = { url: '', isCutting: false };
  const cutter = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    for (const socket of [client, server]) socket.on('error', () => {});
    client.pipe(server);
    server.on('data', (answer) => {
      if (state.isCutting) client.destroy();
      else client.write(answer);
    });
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  });
  cutter.listen(0, '127.0.0.1');
  await once(cutter, 'listening');
  onTestFinished(() => void cutter.close());
  state.url = `redis://127.0.0.1:${(cutter.address() as AddressInfo).port}`;
  return state;
}

test('a write whose answer is lost is made once, and nobody says that it was not', async () => {
  const server = await startForTest();
  const cutter = await startCutter(server.port);
  const storage = await open(cutter.url);
  const { store } = await create(storage, { id: 'one' });
  await store.update(1n, { quantity: 1n });
  const revision = async (): Promise<number> =>
    Number(await redisCommand(server.port, 'HGET', 'stockcheck:{one}:sandbox', 'revision'));
  const before = await revision();
  cutter.isCutting = true;
  const refusal = await refusalOf(() => store.update(1n, { quantity: 2n }));
  expect(refusal).toBeInstanceOf(StoreUnavailableError);
  expect(refusal.message).toContain('whether a write was made is unknown');
  cutter.isCutting = false;
  await untilTrue(async () => (await storage.ready()).ready);
  expect(await store.get(1n)).toMatchObject({ quantity: 2n });
  expect(await revision()).toBe(before + 1);
});

test('a copy of an inventory is not trusted beyond the connection that it came over', async () => {
  const server = await startForTest();
  const storage = await open(server.url);
  const sandbox = await create(storage, { id: 'one' });
  await sandbox.store.update(1n, { quantity: 5n });
  expect(await textOf(sandbox)).toContain('"quantity":5,');
  // As if a replica that has missed the write were the master now: the revision is the same.
  await redisCommand(server.port, 'HSET', 'stockcheck:{one}:items', '1', '4 sold');
  await redisCommand(server.port, 'CLIENT', 'KILL', 'TYPE', 'normal');
  await untilTrue(
    async () => !(await textOf(sandbox).catch(() => '"quantity":5,')).includes(':5,'),
  );
  expect(await textOf(sandbox)).toContain('"quantity":4,"status":"sold"');
});

test('a write that too few replicas have is refused with ?wait=1, reads are not', async () => {
  const server = await startForTest();
  const plain = await open(server.url);
  await create(plain, { apiKey: 'key' });
  const storage = await open(`${server.url}?wait=1&waitTimeout=50`);
  const sandbox = await find(storage, 'key');
  const refusal = await refusalOf(() => sandbox.store.update(1n, { quantity: 1n }));
  expect(refusal).toBeInstanceOf(StoreUnavailableError);
  expect(refusal.message).toContain('0 of 1 replicas have acknowledged the write within 50 ms');
  expect(await sandbox.store.get(1n)).toMatchObject({ quantity: 1n });

  const replica = await startForTest();
  await redisCommand(replica.port, 'REPLICAOF', '127.0.0.1', String(server.port));
  await untilTrue(async () =>
    (await redisCommand(replica.port, 'INFO', 'replication')).includes('master_link_status:up'),
  );
  const isUpdated = async (): Promise<boolean> =>
    !((await outcomeOf(() => sandbox.store.update(1n, { quantity: 3n }))) instanceof Error);
  await untilTrue(isUpdated);
  const item = await redisCommand(replica.port, 'HGET', `stockcheck:{${sandbox.id}}:items`, '1');
  expect(item).toBe('3 available');
});

test('scripts that the server has forgotten are sent again', async () => {
  const server = await startForTest();
  const storage = await open(server.url);
  const sandbox = await create(storage);
  await sandbox.store.update(1n, { quantity: 1n });
  await redisCommand(server.port, 'SCRIPT', 'FLUSH');
  expect(await sandbox.store.update(1n, { quantity: 2n })).toMatchObject({ quantity: 2n });
});

test('a replica that was a master is not read any more', async () => {
  const server = await startForTest();
  const storage = await open(server.url);
  const sandbox = await create(storage);
  await textOf(sandbox);
  const master = await startForTest();
  await redisCommand(server.port, 'REPLICAOF', '127.0.0.1', String(master.port));
  expect((await refusalOf(() => sandbox.store.list())).message).toContain('it is a replica');
  await untilTrue(async () => {
    const readiness = await storage.ready();
    return !readiness.ready && readiness.reason.includes('it is a replica');
  });
  await redisCommand(server.port, 'REPLICAOF', 'NO', 'ONE');
  await untilTrue(async () => (await storage.ready()).ready);
});

test('an address that led to a replica is looked up again', async () => {
  const server = await startForTest();
  const storage = await open(server.url);
  await create(storage);
  const connections = async (): Promise<readonly string[]> => {
    const clients = await redisCommand(server.port, 'CLIENT', 'LIST');
    return [...clients.matchAll(/^id=([0-9]+) .* cmd=eval/gm)].map(([, id]) => id ?? '');
  };
  const before = await connections();
  expect(before).toHaveLength(1);
  await redisCommand(server.port, 'REPLICAOF', '127.0.0.1', '1');
  await refusalOf(() => storage.count());
  await redisCommand(server.port, 'REPLICAOF', 'NO', 'ONE');
  await untilTrue(async () => (await storage.ready()).ready);
  expect(await connections()).toHaveLength(1);
  expect(await connections()).not.toEqual(before);
});

test('a seed that is gone is named, with what may have done it', async () => {
  const server = await startForTest();
  const [one, two] = [await open(server.url), await open(server.url)];
  const { id } = await create(one, { apiKey: 'key' });
  const seeds = await redisCommand(server.port, 'KEYS', 'stockcheck:seed:*');
  await redisCommand(server.port, 'DEL', ...seeds.split('\n'));
  const found = await find(two, 'key');
  for (const operation of [
    () => found.store.list(),
    () => found.store.update(1n, { quantity: 1n }),
    () => found.store.count?.(),
  ]) {
    const refusal = await refusalOf(operation);
    expect(refusal).toBeInstanceOf(StoreUnavailableError);
    expect(refusal.message).toContain(`is gone, which sandbox ${id} is made from`);
  }
});

test('a server that is out of memory is read, and what makes room is done', async () => {
  const server = await startForTest();
  const storage = await open(server.url);
  const sandbox = await create(storage, { id: 'one', apiKey: 'key' });
  await sandbox.takeSnapshot('a', 1);
  await redisCommand(server.port, 'CONFIG', 'SET', 'maxmemory', '1');
  for (const operation of [
    () => sandbox.store.update(1n, { quantity: 1n }),
    () => sandbox.store.replace([]),
    () => storage.create({ settings: '', seed }),
  ]) {
    const refusal = await refusalOf(operation);
    expect(refusal).toBeInstanceOf(StoreUnavailableError);
    expect(refusal.message).toContain('it is out of memory');
  }
  expect(await textOf(sandbox)).toBe(stringifyExactJson(seed));
  expect(await sandbox.deleteSnapshot('a')).toBe(true);
  expect(await storage.delete('one')).toBe(true);
  expect(await storage.list()).toEqual([]);
  const rest = await redisCommand(server.port, 'KEYS', '*');
  expect(rest).toMatch(/^stockcheck:seed:[^:]+$/);
});

test('what Redis refuses is refused before replicas are waited for', async () => {
  const server = await startForTest();
  const before = await create(await open(server.url), { apiKey: 'key' });
  // So that Redis knows the script: what it does not know is sent again, behind the waiting.
  await before.store.update(1n, { quantity: 1n });
  const waiting = await open(`${server.url}?wait=1&waitTimeout=50000&timeout=60000`);
  const { store } = await find(waiting, 'key');
  await redisCommand(server.port, 'CONFIG', 'SET', 'maxmemory', '1');
  const refusal = await refusalOf(() => store.update(1n, { quantity: 2n }));
  expect(refusal.message).toContain('it is out of memory');
});

test('a thousand sandboxes and more that expire together are not counted', async () => {
  const server = await startForTest();
  const storage = await open(server.url);
  const expiresAt = Date.now() + 2000.5;
  await Promise.all(Array.from({ length: 1100 }, () => create(storage, { expiresAt })));
  await create(storage);
  await untilTrue(async () => Number(await redisCommand(server.port, 'DBSIZE')) < 100);
  expect(await storage.count()).toBe(1);
});

/** The rights that the documentation names. */
async function readRights(): Promise<readonly string[]> {
  const page = await readFile(new URL('../docs/redis.md', import.meta.url), 'utf8');
  const [, rights = ''] = /Rights \(ACL\): `([^`]+)`/.exec(page) ?? [];
  return rights.split(/\s+/);
}

async function expectAllToWork(storage: RedisStorage, server: RedisServer): Promise<void> {
  const events: StorageEvent[] = [];
  const sandbox = await create(storage, { id: 'one', apiKey: 'key' });
  storage.subscribe((event) => events.push(event), 'one');
  storage.subscribe(() => {});
  await untilTrue(() => events.length > 0);
  await sandbox.store.update(1n, { quantity: 1n });
  await sandbox.takeSnapshot('a', 1);
  await sandbox.store.replace([]);
  await sandbox.restoreSnapshot('a');
  expect([...((await sandbox.snapshotItems('a')) ?? [])]).toHaveLength(2);
  expect(await sandbox.snapshots()).toHaveLength(1);
  expect(await textOf(sandbox)).toContain('"quantity":1,');
  await sandbox.deleteSnapshot('a');
  await sandbox.reset();
  await storage.configure('one', { settings: 'new', expiresAt: Date.now() + 60_000 });
  expect(await storage.list()).toHaveLength(1);
  expect(await storage.count()).toBe(1);
  expect(await storage.ready()).toEqual({ ready: true });
  await storage.delete('one');
  await untilTrue(() => events.some(({ kind }) => kind === 'deleted'));
  expect(await redisCommand(server.port, 'ACL', 'LOG')).toBe('');
}

test.for([
  { kind: 'one server', options: [], scheme: 'redis' },
  { kind: 'a cluster', options: ['--cluster-enabled', 'yes'], scheme: 'redis+cluster' },
])('the documented rights are enough for $kind', async ({ options, scheme }) => {
  const server = await startForTest(...options);
  if (options.length > 0) {
    await redisCommand(server.port, 'CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await untilTrue(async () =>
      (await redisCommand(server.port, 'CLUSTER', 'INFO')).includes('cluster_state:ok'),
    );
  }
  const user = ['ACL', 'SETUSER', 'stock', 'on', '>secret', 'resetchannels'];
  await redisCommand(server.port, ...user, ...(await readRights()));
  const storage = await open(`${scheme}://stock:secret@127.0.0.1:${server.port}`);
  await expectAllToWork(storage, server);
});

test('a write that was made is not denied where its replicas cannot be asked for', async () => {
  const server = await startForTest();
  await redisCommand(server.port, 'ACL', 'SETUSER', 'default', '-wait');
  const plain = await open(server.url);
  await create(plain, { apiKey: 'key' });
  const storage = await open(`${server.url}?wait=1`);
  const { store } = await find(storage, 'key');
  const refusal = await refusalOf(() => store.update(1n, { quantity: 5n }));
  expect(refusal).toBeInstanceOf(StoreUnavailableError);
  expect(refusal.message).toMatch(/no replica can be waited for \(NOPERM .*\); it was made/);
  expect(await store.get(1n)).toMatchObject({ quantity: 5n });
});

test('sentinels say who the master is, also after another one has become it', async () => {
  const [one, two] = [await startForTest(), await startForTest()];
  await redisCommand(two.port, 'REPLICAOF', '127.0.0.1', String(one.port));
  await untilTrue(async () =>
    (await redisCommand(two.port, 'INFO', 'replication')).includes('master_link_status:up'),
  );
  const sentinel = await startSentinel(one.port, 'stock');
  onTestFinished(() => sentinel.stop());
  await untilTrue(async () =>
    (await redisCommand(sentinel.port, 'SENTINEL', 'REPLICAS', 'stock')).includes(String(two.port)),
  );
  const storage = await open(
    `redis+sentinel://127.0.0.1:1,127.0.0.1:${sentinel.port}/stock?wait=1`,
  );
  const sandbox = await create(storage, { apiKey: 'key' });
  await sandbox.store.update(1n, { quantity: 5n });
  await one.kill();
  // No replica is left to acknowledge writes, but reads find the new master.
  await untilTrue(async () => (await storage.ready()).ready);
  expect(await sandbox.store.get(1n)).toMatchObject({ quantity: 5n });
});

test(
  'slots that move to another master of the cluster are followed',
  { timeout: 120_000 },
  async () => {
    const cluster = await startRedisCluster();
    onTestFinished(() => cluster.stop());
    const storage = await open(cluster.url);
    const sandboxes = await Promise.all(Array.from({ length: 30 }, () => create(storage)));
    for (const { store } of sandboxes) await store.update(1n, { quantity: 1n });
    const [first, second] = cluster.nodes;
    if (first === undefined || second === undefined) throw new Error('the cluster has no nodes');
    const [from, to] = await Promise.all(
      [first, second].map(({ port }) => redisCommand(port, 'CLUSTER', 'MYID')),
    );
    const address = `127.0.0.1:${first.port}`;
    const reshard = `--cluster reshard ${address} --cluster-from ${from} --cluster-to ${to}`;
    const moving = promisify(execFile)('redis-cli', [
      ...reshard.split(' '),
      '--cluster-slots',
      '5000',
      '--cluster-yes',
    ]);
    const outcomes = new Set<unknown>();
    const state = { isOver: false };
    const moved = moving.finally(() => {
      state.isOver = true;
    });
    let quantity = 1n;
    while (!state.isOver) {
      quantity += 1n;
      for (const { store } of sandboxes) {
        // While the keys of a sandbox lie on two nodes it cannot be used, and says so.
        const outcome = await outcomeOf(() => store.update(1n, { quantity }));
        outcomes.add(outcome instanceof Error ? outcome.constructor : typeof outcome);
      }
    }
    await moved;
    outcomes.delete(StoreUnavailableError);
    expect([...outcomes]).toEqual(['object']);
    for (const sandbox of sandboxes) {
      expect(await sandbox.store.update(1n, { quantity: 77n })).toMatchObject({ quantity: 77n });
      expect(await textOf(sandbox)).toContain('"quantity":77,');
    }
  },
);

test.for([
  { kind: 'one server', start: startRedis },
  { kind: 'a cluster', start: startRedisCluster },
])('tells of the changes of other processes on $kind', async ({ start }) => {
  const server = await start();
  onTestFinished(() => server.stop());
  const [one, two] = [await open(server.url), await open(server.url)];
  const sandbox = await create(one, { apiKey: 'key' });
  const events: StorageEvent[] = [];
  const ofOne: StorageEvent[] = [];
  const end = two.subscribe((event) => events.push(event));
  two.subscribe((event) => ofOne.push(event), sandbox.id);
  // It says that it listens.
  await untilTrue(() => ofOne.some(({ kind }) => kind === 'replaced'));
  await untilTrue(async () => {
    const { id } = await create(one);
    await one.delete(id);
    return events.some(({ kind }) => kind === 'created');
  });
  events.length = 0;
  ofOne.length = 0;

  await sandbox.store.update(1n, { quantity: 10n ** 30n, status: 'sold' });
  await sandbox.takeSnapshot('one', 1);
  await sandbox.reset();
  await one.configure(sandbox.id, { settings: 'new' });
  await one.delete(sandbox.id);
  const mine = (event: StorageEvent): boolean => event.sandbox === sandbox.id;
  await untilTrue(() => events.some((event) => mine(event) && event.kind === 'deleted'));
  const expected = [
    {
      kind: 'change',
      sandbox: sandbox.id,
      item: {
        petId: 1n,
        quantity: 10n ** 30n,
        status: 'sold',
        previous: { quantity: 12n, status: 'available' },
      },
    },
    ...['snapshots', 'replaced', 'settings', 'deleted'].map((kind) => ({
      kind,
      sandbox: sandbox.id,
    })),
  ];
  await untilTrue(() => ofOne.length >= expected.length);
  expect(ofOne).toEqual(expected);
  expect(events.filter(mine)).toEqual(expected);
  end();
  const other = await create(one);
  await other.store.update(1n, { quantity: 1n });
  expect(events.filter((event) => event.sandbox === other.id)).toEqual([]);
});

test('tells that something may have been missed when a lost connection is back', async () => {
  const server = await startForTest();
  const [one, two] = [await open(server.url), await open(server.url)];
  const sandbox = await create(one);
  const events: StorageEvent[] = [];
  two.subscribe((event) => events.push(event), sandbox.id);
  await untilTrue(() => events.length === 1);
  await redisCommand(server.port, 'CLIENT', 'KILL', 'TYPE', 'pubsub');
  await untilTrue(() => events.length === 2);
  expect(events[1]).toEqual({ kind: 'replaced', sandbox: sandbox.id });
  await untilTrue(async () => {
    await sandbox.store.update(1n, { quantity: 1n });
    return events.some(({ kind }) => kind === 'change');
  });
});

test.for([
  ['postgres://user:secret@host', 'is not the URL of a Redis'],
  ['redis://user:secret/with@slash@host/x', 'is not the URL of a Redis'],
  ['redis://user:secret?a@host', 'is not the URL of a Redis'],
  ['redis://user:secret#a@host', 'is not the URL of a Redis'],
  ['redis://host/x?sentinelPassword=secret', 'must be an integer from 0'],
  ['redis+sentinel://host/master?sentinelPassword=secret@1', 'is not the URL of a Redis'],
  ['redis+sentinel://host/master?sentinelPassword=s@secret', 'is not the URL of a Redis'],
  ['redis://:secret', 'an @ behind the password is missing'],
  ['redis://user:secret/0', 'an @ behind the password is missing'],
  ['redis+cluster://user:secret,host/0', 'an @ behind the password is missing'],
  ['redis+sentinel://:secret@host/master%', 'the name of the master holds a %'],
  ['redis://:secret@one:1,two:2', 'names several servers'],
  ['redis://:secret%zz@host', 'write % as %25'],
  ['redis+sentinel://:secret@host', 'the name of the master is missing'],
  ['redis+cluster://:secret@host/1', 'one database only'],
  ['redis://:secret@host:99999', 'host or host:port is wrong'],
  ['redis://:secret@host?wait=-1', 'wait must be an integer from 0 to 100; got "-1"'],
  ['redis://:secret@host?wait=1&timeout=500', 'waitTimeout must be less than timeout'],
  ['redis://:secret@host?pool=1', 'there is no parameter "pool"; there are wait,'],
  ['redis://:secret@host?prefix={a}', 'prefix must be'],
] as const)('refuses the URL %s, and does not repeat its secret', async ([url, message]) => {
  const refusal = await refusalOf(() => openRedisSandboxes({ url }));
  expect(refusal.message).toContain(message);
  expect(refusal.message).not.toContain('secret');
});

test('names what to install where the package redis is missing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stockcheck-no-redis-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // A copy of the sources in a folder that has no packages.
  for (const room of ['src', 'contracts']) {
    await cp(new URL(`../${room}`, import.meta.url), join(folder, room), { recursive: true });
  }
  const script = `import { openRedisSandboxes } from '${join(folder, 'src/stores/redis.ts')}';
    await openRedisSandboxes({ url: 'redis://127.0.0.1:1' }).catch((error) => console.log(error.message));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', script],
    { cwd: folder },
  );
  expect(stdout).toContain('sandboxes in Redis need the package redis');
  expect(stdout).toContain('run: npm install redis');
});

test('closes its connections, and does not come back', async () => {
  const server = await startForTest();
  const storage = await openRedisSandboxes({ url: `${server.url}?wait=1` });
  storage.subscribe(() => {}, 'any');
  storage.close();
  await untilTrue(async () => {
    const clients = await redisCommand(server.port, 'CLIENT', 'LIST');
    return clients.split('\n').length === 1;
  });
  await sleep(200);
  expect((await redisCommand(server.port, 'CLIENT', 'LIST')).split('\n')).toHaveLength(1);
});
