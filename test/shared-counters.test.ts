import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { SandboxStorage } from '../src/inventory/sandbox-storage.ts';
import type { MaybePromise } from '../src/inventory/store.ts';
import { toFetch } from '../src/mock/fetch.ts';
import { createSandboxes, type Sandboxes } from '../src/mock/sandboxes.ts';
import { openRedisSandboxes } from '../src/stores/redis.ts';
import { openSqliteSandboxes } from '../src/stores/sqlite.ts';
import { startRedis, startRedisCluster, type RedisServer } from './redis-processes.ts';

let folder: string;
let redis: RedisServer;
let cluster: Awaited<ReturnType<typeof startRedisCluster>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stockcheck-'));
  [redis, cluster] = await Promise.all([startRedis(), startRedisCluster()]);
});

afterAll(async () => {
  await Promise.all([redis.stop(), cluster.stop()]);
  await rm(folder, { recursive: true });
});

let count = 0;

/** Storages over one and the same place, each as a server of its own opens it. */
const places: readonly {
  readonly name: string;
  readonly choose: () => () => MaybePromise<SandboxStorage>;
}[] = [
  {
    name: 'SQLite',
    choose() {
      const file = join(folder, `${(count += 1)}.db`);
      return () => openSqliteSandboxes({ file });
    },
  },
  { name: 'Redis', choose: () => chooseRedis(redis.url) },
  { name: 'Redis Cluster', choose: () => chooseRedis(cluster.url) },
];

function chooseRedis(url: string): () => MaybePromise<SandboxStorage> {
  const prefix = `counters-${(count += 1)}`;
  return () => openRedisSandboxes({ url: `${url}?prefix=${prefix}` });
}

async function openMock(storage?: SandboxStorage): Promise<Sandboxes> {
  const mock = await createSandboxes(storage === undefined ? {} : { storage });
  onTestFinished(() => mock.close());
  return mock;
}

async function openTwo(
  open: () => MaybePromise<SandboxStorage>,
): Promise<readonly [Sandboxes, Sandboxes]> {
  return [await openMock(await open()), await openMock(await open())];
}

/** The status of an update. */
async function update(mock: Sandboxes, apiKey = 'demo-key'): Promise<number> {
  const response = await toFetch(mock)(
    new Request('http://mock/v1/inventory/1', {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      body: '{"quantity":1}',
    }),
  );
  return response.status;
}

/** The statuses of so many updates, one after another, by the mocks in turn. */
async function updates(number: number, ...mocks: readonly Sandboxes[]): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < number; index += 1) {
    const mock = mocks[index % mocks.length];
    if (mock !== undefined) statuses.push(await update(mock));
  }
  return statuses;
}

const counted = async (mock: Sandboxes): Promise<readonly (readonly number[])[]> =>
  (await mock.default.faults()).map(({ seen, hits }) => [seen, hits]);

const unavailable = { kind: 'unavailable', status: 503 } as const;

test.for(places)('two servers over $name fail the third update, once', async ({ choose }) => {
  const [one, other] = await openTwo(choose());
  expect(await updates(2, one, other)).toEqual([200, 200]);
  await one.default.addFault({ operation: 'updateInventory', nth: 3, fault: unavailable });
  // The first to be asked is the one that has not been told.
  expect(await updates(6, other, one)).toEqual([200, 200, 503, 200, 200, 200]);
  await Promise.all([one.settle(), other.settle()]);
  for (const mock of [one, other]) expect(await counted(mock)).toEqual([[6, 1]]);

  await other.default.setFaults([{ times: 2, fault: unavailable }]);
  expect(await updates(4, one, other)).toEqual([503, 503, 200, 200]);
  // What makes no difference any more is counted behind the answers.
  await Promise.all([one.settle(), other.settle()]);
  for (const mock of [one, other]) expect(await counted(mock)).toEqual([[4, 2]]);
});

test.for(places)('two servers over $name lose none of many changes', async ({ choose }) => {
  const mocks = await openTwo(choose());
  const added = await Promise.all(
    Array.from({ length: 4 }, () =>
      mocks.map(async (mock) => mock.default.addFault({ fault: unavailable })),
    ).flat(),
  );
  const ids = added.map(({ id }) => id).toSorted();
  expect(new Set(ids).size).toBe(8);
  for (const mock of mocks) {
    expect((await mock.default.faults()).map(({ id }) => id).toSorted()).toEqual(ids);
  }
});

const chance = [
  { probability: 0.3, times: 4, fault: unavailable },
  { probability: 0.4, fault: { kind: 'error', status: 404 } },
  { every: 3, fault: { kind: 'unavailable', status: 429 } },
] as const;

test.for(places)('two servers over $name do with a seed what one does', async ({ choose }) => {
  const alone = await openMock();
  const [one, other] = await openTwo(choose());
  for (const mock of [alone, one]) {
    await mock.default.setFaults(chance.map((rule) => ({ ...rule, petId: 1 })));
    await mock.default.configure({ seed: 7 });
  }
  const expected = await updates(40, alone);
  expect(new Set(expected)).toEqual(new Set([200, 404, 429, 503]));
  expect(await updates(40, other, one, one)).toEqual(expected);
  await Promise.all([one.settle(), other.settle()]);
  for (const mock of [one, other]) expect(await counted(mock)).toEqual(await counted(alone));
  const views = (await other.default.faults()).map(({ id }) => id);
  expect((await one.default.faults()).map(({ id }) => id)).toEqual(views);
});

test.for(places)('over $name, what begins anew does so for all servers', async ({ choose }) => {
  const [one, other] = await openTwo(choose());
  await one.default.addFault({ nth: 1, fault: unavailable });
  expect(await updates(3, other, one)).toEqual([503, 200, 200]);
  // Another rule is added: the first one goes on counting.
  const added = await other.default.addFault({
    nth: 2,
    fault: { kind: 'unavailable', status: 429 },
  });
  expect(await updates(3, one, other)).toEqual([200, 429, 200]);
  await other.settle();
  expect(await counted(one)).toEqual([
    [6, 1],
    [3, 1],
  ]);
  await other.default.configure({ seed: 8 });
  expect(await updates(3, one, other)).toEqual([503, 429, 200]);
  await one.default.configure({ policy: { challenge: 'none' }, name: 'still counting' });
  expect(await updates(1, other)).toEqual([200]);
  // Whoever takes it away calls it what all call it.
  await one.default.removeFault(added.id);
  await one.settle();
  expect(await counted(other)).toEqual([[4, 1]]);
  await one.default.configure({ scenario: 'every second request fails' });
  expect(await updates(4, other, one)).toEqual([200, 503, 200, 503]);
  await other.default.configure({ scenario: null });
  await other.default.configure({ scenario: 'every second request fails' });
  expect(await updates(2, one)).toEqual([200, 503]);
});

test.for(places)('over $name, no counter outlives its rule', async ({ choose }) => {
  const open = choose();
  const storage = await open();
  const mock = await openMock(storage);
  const counters = async (): Promise<number | undefined> =>
    (await (await storage.get('default'))?.counters?.())?.size;
  await mock.default.setFaults([{ times: 1, fault: unavailable }, { fault: unavailable }]);
  await updates(2, mock);
  await mock.default.faults();
  expect(await counters()).toBe(4);
  await mock.default.configure({ seed: 9 });
  expect(await counters()).toBe(0);
  await updates(2, mock);
  await mock.default.setFaults([]);
  expect(await counters()).toBe(0);
  expect(await updates(1, mock)).toEqual([200]);
});

test.for(places)('over $name, a policy counts for all servers at once', async ({ choose }) => {
  const [one, other] = await openTwo(choose());
  await updates(2, one, other);
  await other.default.configure({ policy: { 'status-transition': 'by-quantity' } });
  const response = await toFetch(one)(
    new Request('http://mock/v1/inventory/1', {
      method: 'PATCH',
      headers: { Authorization: 'Bearer demo-key', 'Content-Type': 'application/json' },
      body: '{"quantity":0}',
    }),
  );
  expect(await response.json()).toMatchObject({ quantity: 0, status: 'sold' });
});

test.for(places)(
  'over $name, a sandbox that another server deletes is gone',
  async ({ choose }) => {
    const [one, other] = await openTwo(choose());
    const { sandbox } = await one.create();
    await sandbox.addFault({ times: 1, fault: unavailable });
    await other.delete(sandbox.id);
    for (const gone of [sandbox.faults(), sandbox.addFault({ fault: unavailable })]) {
      await expect(gone).rejects.toMatchObject({ kind: 'notFound' });
    }
  },
);

test.for(places)('over $name, a sandbox that is started over counts anew', async ({ choose }) => {
  const [one, other] = await openTwo(choose());
  const rule = { times: 1, fault: unavailable } as const;
  await one.default.addFault(rule);
  expect(await updates(2, other, one)).toEqual([503, 200]);
  await one.reseed({ inventory: [{ petId: 1n, quantity: 1n, status: 'available' }] });
  await one.default.addFault(rule);
  // To the other server it is the same rule, with the same name.
  expect(await updates(2, other)).toEqual([503, 200]);
});

test('a server that is started again goes on counting', async () => {
  const open = places[0]?.choose();
  const first = await createSandboxes({ ...(open && { storage: await open() }) });
  await first.default.setFaults([{ probability: 0.5, fault: unavailable }]);
  const statuses = await updates(20, first);
  await first.close();
  const second = await openMock(await open?.());
  const alone = await openMock();
  await alone.default.setFaults([{ probability: 0.5, fault: unavailable }]);
  expect([...statuses, ...(await updates(20, second))]).toEqual(await updates(40, alone));
});

test('where Redis is away, a request that would be counted is answered with 503', async () => {
  const own = await startRedis();
  const mock = await openMock(await openRedisSandboxes({ url: own.url }));
  await mock.default.setFaults([{ nth: 1000, fault: { kind: 'error', status: 401 } }]);
  expect(await update(mock)).toBe(200);
  await own.stop();
  expect(await updates(2, mock)).toEqual([503, 503]);
});
