import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { SandboxStorage, StorageEvent } from '../src/inventory/sandbox-storage.ts';
import { EchoFilter } from '../src/mock/echo-filter.ts';
import { toFetch } from '../src/mock/fetch.ts';
import type { SandboxEvent } from '../src/mock/sandbox.ts';
import { createSandboxes, type Sandboxes } from '../src/mock/sandboxes.ts';
import { MemorySandboxes } from '../src/stores/memory-sandboxes.ts';
import { openRedisSandboxes } from '../src/stores/redis.ts';
import { redisCommand, startRedis, type RedisServer } from './redis-processes.ts';

let redis: RedisServer;

beforeAll(async () => {
  redis = await startRedis();
});

afterAll(() => redis.stop());

let count = 0;

/** Two mocks, as two servers have them, over one Redis. */
async function openTwo(): Promise<readonly [Sandboxes, Sandboxes]> {
  const url = `${redis.url}?prefix=shared-${(count += 1)}`;
  const open = async (): Promise<Sandboxes> => {
    const mock = await createSandboxes({ storage: await openRedisSandboxes({ url }) });
    onTestFinished(() => mock.close());
    return mock;
  };
  return [await open(), await open()];
}

/** All that is told, in short. */
function hear(mock: Sandboxes, sandbox?: string): string[] {
  const heard: string[] = [];
  const tell = (event: SandboxEvent): void => {
    const id = event.type === 'deleted' ? event.id : event.sandbox.id;
    const what =
      event.type === 'change' ? ` ${event.item.previous.quantity}-${event.item.quantity}` : '';
    heard.push(`${event.type} ${id === 'default' ? id : 'other'}${what}`);
  };
  onTestFinished(mock.subscribe(tell, sandbox));
  return heard;
}

/** Changes a pet until the other mock tells of it: then it listens. */
async function untilHeard(by: Sandboxes, heard: string[], id = 'default'): Promise<void> {
  const sandbox = await by.get(id);
  let quantity = 1000n;
  await expect
    .poll(async () => {
      await sandbox.update(2n, { quantity: (quantity += 1n) });
      return heard.length;
    })
    .toBeGreaterThan(0);
  const last = `-${quantity}`;
  await expect.poll(() => heard.at(-1)).toContain(last);
  heard.length = 0;
}

test('a mock tells of what another one does with the same Redis', async () => {
  const [one, other] = await openTwo();
  const heard = hear(one);
  await untilHeard(other, heard);
  await other.default.update(1n, { quantity: 71n });
  await expect
    .poll(() => heard.splice(0))
    .toEqual([expect.stringMatching(/^change default \d+-71$/)]);
  await other.default.reset();
  await expect.poll(() => heard.splice(0)).toEqual(['replaced default']);
  await other.default.snapshot('before');
  await expect.poll(() => heard.splice(0)).toEqual(['sandbox default']);
  await other.default.configure({ policy: { 'content-type': '415' } });
  await expect.poll(() => heard.splice(0)).toEqual(['sandbox default']);
  expect(one.policy['content-type']).toBe('415');
  const { sandbox } = await other.create();
  // Behind it may come `replaced`: what happened until Redis was listened to is not known.
  await expect.poll(() => heard).toContain('created other');
  await other.delete(sandbox.id);
  await expect.poll(() => heard.at(-1)).toBe('deleted other');
});

test('a mock tells of what it does itself once', async () => {
  const [one, other] = await openTwo();
  const heard = hear(one);
  await untilHeard(other, heard);
  const request = new Request('http://mock/v1/inventory/1', {
    method: 'PATCH',
    headers: { Authorization: 'Bearer demo-key', 'Content-Type': 'application/json' },
    body: '{"quantity":71}',
  });
  expect((await toFetch(one)(request)).status).toBe(200);
  await one.default.update(1n, { quantity: 72n });
  await one.default.reset();
  await one.default.snapshot('before');
  const { sandbox } = await one.create();
  await one.delete(sandbox.id);
  // What the other one does comes last: all that Redis tells of the first has been heard by then.
  await other.default.update(2n, { quantity: 5n });
  await expect.poll(() => heard.at(-1)).toMatch(/-5$/);
  expect(heard.map((event) => event.replace(/ \d+-/, ' '))).toEqual([
    'exchange default',
    'change default 71',
    'change default 72',
    'replaced default',
    'sandbox default',
    'created other',
    'deleted other',
    'change default 5',
  ]);
});

test('a sandbox that another mock deletes is forgotten, and its journal closed', async () => {
  const [one, other] = await openTwo();
  const { sandbox, apiKey } = await one.create();
  const heard = hear(one);
  await untilHeard(other, heard, sandbox.id);
  const waiting = sandbox.journal.waitFor({ wait: 60 });
  await other.delete(sandbox.id);
  expect(await waiting).toEqual({ exchanges: [], last: 0 });
  await expect.poll(() => heard.splice(0)).toEqual(['deleted other']);
  await expect(one.get(sandbox.id)).rejects.toMatchObject({ kind: 'notFound' });
  const headers = { Authorization: `Bearer ${apiKey}` };
  const response = await toFetch(one)(new Request('http://mock/v1/inventory', { headers }));
  expect(response.status).toBe(401);
});

test('a default sandbox that another mock starts over is told of as replaced', async () => {
  const [one, other] = await openTwo();
  const heard = hear(one);
  await untilHeard(other, heard);
  await other.reseed({ inventory: [{ petId: 7n, quantity: 7n, status: 'sold' }] });
  await expect.poll(() => heard).toContain('sandbox default');
  expect(heard[0]).toBe('replaced default');
  expect(await one.default.items()).toEqual([{ petId: 7n, quantity: 7n, status: 'sold' }]);
});

/** How many scripts a Redis has run. */
async function scriptsOf({ port }: RedisServer): Promise<number> {
  const text = await redisCommand(port, 'INFO', 'commandstats');
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(text)?.[1]);
}

test('a request costs one round trip to Redis, with the default key as with another', async () => {
  const [mock] = await openTwo();
  const { apiKey } = await mock.create();
  for (const key of ['demo-key', apiKey]) {
    const ask = (): Promise<Response> =>
      toFetch(mock)(
        new Request('http://mock/v1/inventory/1', {
          method: 'PATCH',
          headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
          body: '{"quantity":71}',
        }),
      );
    await ask();
    const before = await scriptsOf(redis);
    for (let sent = 0; sent < 100; sent += 1) expect((await ask()).status).toBe(200);
    // What it knows of the sandbox counts for a second without another one.
    expect((await scriptsOf(redis)) - before).toBeLessThan(110);
  }
});

/** Tells of what other processes do when a test says so. */
class ToldSandboxes extends MemorySandboxes implements SandboxStorage {
  readonly listeners = new Map<(event: StorageEvent) => void, string | undefined>();

  subscribe(listener: (event: StorageEvent) => void, sandbox?: string): () => void {
    this.listeners.set(listener, sandbox);
    return () => this.listeners.delete(listener);
  }

  tell(event: StorageEvent): void {
    for (const listener of this.listeners.keys()) listener(event);
  }
}

test('the storage is asked to tell only of what somebody listens to, and once', async () => {
  const storage = new ToldSandboxes();
  const mock = await createSandboxes({ storage });
  const asked = (): readonly (string | undefined)[] => [...storage.listeners.values()];
  expect(asked()).toEqual([]);
  const first = mock.subscribe(() => undefined, 'default');
  const second = mock.subscribe(() => undefined, 'default');
  expect(asked()).toEqual(['default']);
  const all = mock.subscribe(() => undefined);
  expect(asked()).toEqual([undefined]);
  all();
  expect(asked()).toEqual(['default']);
  first();
  expect(asked()).toEqual(['default']);
  second();
  expect(asked()).toEqual([]);
});

test('events of the storage come in order, also where a sandbox is read first', async () => {
  const storage = new ToldSandboxes();
  const mock = await createSandboxes({ storage });
  const heard = hear(mock, 'default');
  const item = {
    petId: 1n,
    quantity: 2n,
    status: 'sold',
    previous: { quantity: 1n, status: 'sold' },
  } as const;
  storage.tell({ kind: 'replaced', sandbox: 'default' });
  storage.tell({ kind: 'change', sandbox: 'default', item });
  storage.tell({ kind: 'settings', sandbox: 'default' });
  storage.tell({ kind: 'replaced', sandbox: 'nowhere' });
  await expect
    .poll(() => heard)
    .toEqual(['replaced default', 'change default 1-2', 'sandbox default']);
});

const change = (from: bigint, to: bigint): StorageEvent => ({
  kind: 'change',
  sandbox: 'default',
  item: { petId: 1n, quantity: to, status: 'sold', previous: { quantity: from, status: 'sold' } },
});

test('an own change passes once, whether the storage tells of it before or after', () => {
  const filter = new EchoFilter(() => 0);
  expect(filter.passes('own', change(1n, 2n))).toBe(true);
  expect(filter.passes('own', change(2n, 3n))).toBe(true);
  expect(filter.passes('heard', change(1n, 2n))).toBe(false);
  expect(filter.passes('heard', change(2n, 3n))).toBe(false);
  expect(filter.passes('heard', change(3n, 4n))).toBe(true);
  expect(filter.passes('own', change(3n, 4n))).toBe(false);
});

test("an own change is told again where somebody else's came before it after all", () => {
  const filter = new EchoFilter(() => 0);
  expect(filter.passes('own', change(2n, 3n))).toBe(true);
  expect(filter.passes('heard', change(1n, 2n))).toBe(true);
  expect(filter.passes('heard', change(2n, 3n))).toBe(true);
});

test('an own change whose echo is lost hides nothing for long', () => {
  let now = 0;
  const filter = new EchoFilter(() => now);
  const replaced: StorageEvent = { kind: 'replaced', sandbox: 'default' };
  expect(filter.passes('own', replaced)).toBe(true);
  now = 3001;
  expect(filter.passes('heard', replaced)).toBe(true);
});
