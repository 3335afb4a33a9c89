import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { toFetch } from '../src/mock/fetch.ts';
import type { JournalPage } from '../src/mock/journal-entry.ts';
import type { SandboxEvent } from '../src/mock/sandbox.ts';
import { createSandboxes, type Sandboxes, type SandboxesOptions } from '../src/mock/sandboxes.ts';
import { openRedisSandboxes } from '../src/stores/redis.ts';
import { startRedis, startRedisCluster, type RedisServer } from './redis-processes.ts';

let redis: RedisServer;

beforeAll(async () => {
  redis = await startRedis();
});

afterAll(() => redis.stop());

type OpenMock = (options?: SandboxesOptions) => Promise<Sandboxes>;

/** Opens mocks, as several servers have them, over one Redis. */
function installation(url: string = redis.url): OpenMock {
  const prefix = randomUUID();
  return async (options = {}) => {
    const bugs: unknown[] = [];
    const storage = await openRedisSandboxes({ url: `${url}?prefix=${prefix}` });
    const mock = await createSandboxes({ storage, onBug: (bug) => bugs.push(bug), ...options });
    onTestFinished(async () => {
      await mock.close();
      expect(bugs).toEqual([]);
    });
    return mock;
  };
}

async function patch(
  mock: Sandboxes,
  petId: number,
  quantity: number,
  apiKey = 'demo-key',
): Promise<void> {
  const request = new Request(`http://mock/v1/inventory/${petId}`, {
    method: 'PATCH',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: `{"quantity":${quantity}}`,
  });
  expect((await toFetch(mock)(request)).status).toBe(200);
}

const bodiesOf = ({ exchanges }: JournalPage): readonly string[] =>
  exchanges.map(({ request }) => request.body.text);

test('a journal has what every server has answered, in the order it happened', async () => {
  const open = installation();
  const [one, other, third] = [await open(), await open(), await open()];
  await patch(one, 1, 10);
  await patch(other, 2, 20);
  await patch(one, 1, 30);
  await patch(third, 5, 40);
  const pages = await Promise.all(
    [one, other, third].map((mock) => mock.default.journal.waitFor({})),
  );
  for (const page of pages) {
    expect(bodiesOf(page)).toEqual([10, 20, 30, 40].map((quantity) => `{"quantity":${quantity}}`));
    expect(page).toEqual(pages[0]);
    expect(page.last).toBe(page.exchanges.at(-1)?.sequence);
    expect(page).not.toHaveProperty('isPartial');
  }
  const found = await one.default.journal.waitFor({ operation: 'updateInventory', petId: 2n });
  expect(found.exchanges).toMatchObject([
    { petId: 2n, verdict: { verdict: 'pass' }, change: { after: { quantity: 20n } } },
  ]);
});

test('pages over several servers miss nothing, whichever of them is asked', async () => {
  const open = installation();
  const mocks = [await open(), await open()];
  const seen: string[] = [];
  let after = 0;
  for (let quantity = 0; quantity < 40; quantity += 1) {
    await patch(mocks[quantity % 3 === 0 ? 0 : 1] ?? fail(), 1, quantity);
    const mock = mocks[quantity % 2] ?? fail();
    const page = await mock.default.journal.waitFor({ after, limit: 1 });
    seen.push(...bodiesOf(page));
    after = page.exchanges.at(-1)?.sequence ?? after;
  }
  expect(seen).toEqual(Array.from({ length: 40 }, (_, index) => `{"quantity":${index}}`));
});

function fail(): never {
  throw new Error('there is no such mock');
}

test('what comes behind the last exchange is found, whatever the clocks say', async () => {
  const open = installation();
  const slow = await open({ now: () => Date.now() - 20_000 });
  const fast = await open({ now: () => Date.now() + 20_000 });
  await patch(fast, 1, 1);
  await patch(slow, 1, 2);
  for (let quantity = 3; quantity < 9; quantity += 1) {
    const asked = quantity % 2 === 0 ? slow : fast;
    const { last, exchanges } = await asked.default.journal.waitFor({});
    expect(exchanges.map(({ sequence }) => sequence)).toContain(last);
    await patch(quantity % 3 === 0 ? slow : fast, 1, quantity);
    const next = await (quantity % 4 < 2 ? slow : fast).default.journal.waitFor({ after: last });
    expect(bodiesOf(next)).toEqual([`{"quantity":${quantity}}`]);
  }
});

test('under load, going on from page to page finds every exchange once', async () => {
  const open = installation();
  const mocks = [await open(), await open()];
  const writing = mocks.map(async (mock, index) => {
    for (let step = 0; step < 100; step += 1) await patch(mock, 1 + index, index * 1000 + step);
  });
  const seen: string[] = [];
  let after = 0;
  let isOver = false;
  const all = Promise.all(writing).finally(() => {
    isOver = true;
  });
  for (let turn = 0; ; turn += 1) {
    const wasOver = isOver;
    const page = await (mocks[turn % 2] ?? fail()).default.journal.waitFor({ after, limit: 1000 });
    seen.push(...bodiesOf(page));
    after = page.last;
    if (wasOver) break;
  }
  await all;
  expect(seen).toHaveLength(200);
  expect(new Set(seen).size).toBe(200);
});

test('a wait ends with the request to another server that fits', async () => {
  const open = installation();
  const [one, other] = [await open(), await open()];
  const waiting = one.default.journal.waitFor({ petId: 2n, wait: 60 });
  await patch(other, 1, 5);
  await patch(one, 1, 6);
  await patch(other, 2, 7);
  expect(bodiesOf(await waiting)).toEqual(['{"quantity":7}']);
});

test('a wait ends where a sandbox is used first by another server', async () => {
  const open = installation();
  const [one, other] = [await open(), await open()];
  const { sandbox, apiKey } = await one.create();
  const waiting = sandbox.journal.waitFor({ wait: 60 });
  await patch(other, 1, 5, apiKey);
  expect(bodiesOf(await waiting)).toEqual(['{"quantity":5}']);
});

test('a wait ends without an exchange where none comes, and where it is given up', async () => {
  const open = installation();
  const [one, other] = [await open(), await open()];
  await patch(other, 1, 5);
  const { last } = await one.default.journal.waitFor({});
  const page = await one.default.journal.waitFor({ petId: 2n, wait: 0.05 });
  expect(page).toEqual({ exchanges: [], last });
  const giving = new AbortController();
  const waiting = one.default.journal.waitFor({ petId: 2n, wait: 60 }, giving.signal);
  giving.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});

test('a server waits for what is on its way to it before it answers', async () => {
  const open = installation();
  const one = await open();
  let quantity = 0;
  const other: Sandboxes = await open({
    gather: () => patch(other, 1, (quantity += 1)),
  });
  expect(bodiesOf(await one.default.journal.waitFor({}))).toContain('{"quantity":1}');
  expect(bodiesOf(await other.default.journal.waitFor({ limit: 1 }))).toEqual([
    `{"quantity":${quantity}}`,
  ]);
});

test('a journal that is cleared by one server is empty for all', async () => {
  const open = installation();
  const [one, other] = [await open(), await open()];
  await patch(one, 1, 5);
  await patch(other, 1, 6);
  await one.default.journal.clear();
  expect((await other.default.journal.waitFor({})).exchanges).toEqual([]);
  await patch(other, 1, 7);
  expect(bodiesOf(await one.default.journal.waitFor({}))).toEqual(['{"quantity":7}']);
});

test('a sandbox that is made again with the same key has none of the old exchanges', async () => {
  const open = installation();
  const [one, other] = [await open(), await open()];
  const { sandbox } = await one.create({ apiKey: 'again' });
  await patch(other, 1, 5, 'again');
  await one.delete(sandbox.id);
  const { sandbox: next } = await one.create({ apiKey: 'again' });
  expect(next.id).toBe(sandbox.id);
  expect((await next.journal.waitFor({})).exchanges).toEqual([]);
  await patch(other, 1, 6, 'again');
  expect(bodiesOf(await next.journal.waitFor({}))).toEqual(['{"quantity":6}']);
});

test('a wait for a sandbox that has expired ends where another one has its key', async () => {
  const mock = await installation()();
  const { sandbox } = await mock.create({ apiKey: 'again', timeToLive: 1 });
  const waiting = sandbox.journal.waitFor({ wait: 60 });
  await expect.poll(async () => (await mock.create({ apiKey: 'again' })).apiKey).toBe('again');
  expect((await waiting).exchanges).toEqual([]);
});

/** The exchanges and faults that a mock tells of. */
function hear(mock: Sandboxes, sandbox?: string): string[] {
  const heard: string[] = [];
  const tell = (event: SandboxEvent): void => {
    if (event.type === 'exchange') heard.push(event.exchange.request.body.text);
    if (event.type === 'fault') heard.push(event.fault.kind);
  };
  onTestFinished(mock.subscribe(tell, sandbox));
  return heard;
}

/** Sends requests to one mock until the other tells of one: then it listens. */
async function untilHeard(by: Sandboxes, heard: string[], apiKey?: string): Promise<void> {
  await expect
    .poll(async () => {
      await patch(by, 1, 1, apiKey);
      return heard.length;
    })
    .toBeGreaterThan(0);
  await patch(by, 1, 2, apiKey);
  await expect.poll(() => heard).toContain('{"quantity":2}');
  heard.length = 0;
}

test('who listens at one server hears what another one answers, and what it spoils', async () => {
  const open = installation();
  const [one, other] = [await open(), await open()];
  const heard = hear(one);
  await untilHeard(other, heard);
  await patch(other, 1, 71);
  await patch(one, 1, 72);
  await expect.poll(() => heard.toSorted()).toEqual(['{"quantity":71}', '{"quantity":72}']);
  heard.length = 0;
  await other.default.addFault({ fault: { kind: 'delay', milliseconds: 0 } });
  await patch(other, 1, 73);
  await expect.poll(() => heard).toEqual(['{"quantity":73}', 'delay']);
});

test('who listens to one sandbox hears nothing of others', async () => {
  const open = installation();
  const [one, other] = [await open(), await open()];
  const { sandbox, apiKey } = await one.create();
  const heard = hear(one, sandbox.id);
  await untilHeard(other, heard, apiKey);
  await patch(other, 1, 71);
  await patch(other, 1, 72, apiKey);
  await expect.poll(() => heard).toEqual(['{"quantity":72}']);
});

test('a query with a Redis that is away has the own part, at once', async () => {
  const own = await startRedis();
  onTestFinished(() => own.stop());
  const open = installation(own.url);
  const [one, other] = [await open(), await open()];
  await patch(one, 1, 5);
  await patch(other, 1, 6);
  const waiting = one.default.journal.waitFor({ petId: 2n, wait: 0.5 });
  await own.kill();
  const page = await one.default.journal.waitFor({});
  expect(bodiesOf(page)).toEqual(['{"quantity":5}']);
  expect(page.isPartial).toBe(true);
  expect((await waiting).exchanges).toEqual([]);
  await own.start();
  // As soon as both are heard again, it is whole.
  await expect
    .poll(async () => one.default.journal.waitFor({}))
    .toMatchObject({ exchanges: [{}, {}] });
});

test('several servers over a Redis Cluster have one journal', async () => {
  const cluster = await startRedisCluster();
  onTestFinished(() => cluster.stop());
  const open = installation(cluster.url);
  const [one, other] = [await open(), await open()];
  const { sandbox, apiKey } = await one.create();
  const waiting = sandbox.journal.waitFor({ petId: 2n, wait: 60 });
  await patch(other, 1, 5, apiKey);
  await patch(other, 2, 6, apiKey);
  expect(bodiesOf(await waiting)).toEqual(['{"quantity":6}']);
  expect(bodiesOf(await sandbox.journal.waitFor({}))).toEqual(['{"quantity":5}', '{"quantity":6}']);
  const heard = hear(one, sandbox.id);
  await untilHeard(other, heard, apiKey);
});
