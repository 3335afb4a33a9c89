import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { createAdminClient, type SandboxHandle } from '../src/admin/index.ts';
import { openEvents } from './event-client.ts';
import { redisCommand, startRedis, type RedisServer } from './redis-processes.ts';
import { startServe, type ServedProcess } from './served-process.ts';

let redis: RedisServer;

beforeAll(async () => {
  redis = await startRedis();
});

afterAll(() => redis.stop());

/** Starts so many servers over one Redis. */
async function startServers(
  count: number,
  ...options: readonly string[]
): Promise<readonly ServedProcess[]> {
  const store = `${redis.url}?prefix=${randomUUID()}`;
  // The first one makes the default sandbox.
  const first = await startServe(['--store', store, ...options]);
  const others = await Promise.all(
    Array.from({ length: count - 1 }, () => startServe(['--store', store, ...options])),
  );
  return [first, ...others];
}

const sandboxOf = ({ url }: ServedProcess): SandboxHandle =>
  createAdminClient({ url }).sandbox('default');

async function patch({ url }: ServedProcess, petId: number, quantity: number): Promise<void> {
  const response = await fetch(`${url}/inventory/${petId}`, {
    method: 'PATCH',
    headers: { Authorization: 'Bearer demo-key', 'Content-Type': 'application/json' },
    body: `{"quantity":${quantity}}`,
  });
  expect(response.status).toBe(200);
}

async function quantitiesOf(sandbox: SandboxHandle): Promise<readonly (bigint | undefined)[]> {
  const { exchanges } = await sandbox.journal({ operation: 'updateInventory' });
  return exchanges.map(({ change }) => change?.after.quantity);
}

test.for([{ options: [] }, { options: ['--workers', '2'] }])(
  'whichever server is asked, the journal is that of all: $options',
  async ({ options }) => {
    const [one, other] = await startServers(2, ...options);
    if (one === undefined || other === undefined) throw new Error('there are two');
    const [atOne, atOther] = [sandboxOf(one), sandboxOf(other)];
    await patch(one, 1, 101);
    await patch(other, 2, 102);
    await patch(one, 1, 103);
    expect(await quantitiesOf(atOne)).toEqual([101n, 102n, 103n]);
    expect(await quantitiesOf(atOther)).toEqual([101n, 102n, 103n]);

    const { last } = await atOne.journal();
    const waiting = atOne.waitForRequest({ petId: 5, after: last }, { timeoutMs: 60_000 });
    await patch(other, 5, 104);
    expect((await waiting).change?.after.quantity).toBe(104n);

    await atOther.reset({ clearJournal: true });
    expect(await quantitiesOf(atOne)).toEqual([]);
    await patch(other, 1, 105);
    await atOne.clearJournal();
    expect(await quantitiesOf(atOther)).toEqual([]);
  },
);

test('the events of one server tell of the exchanges of another', async () => {
  const [one, other] = await startServers(2);
  if (one === undefined || other === undefined) throw new Error('there are two');
  const port = Number(new URL(one.url).port);
  const client = await openEvents({ port }, '/sandboxes/default/events');
  onTestFinished(() => client.close());
  const exchange = (async () => {
    for (;;) {
      const event = await client.next();
      if (event === undefined || event.type === 'exchange') return event;
    }
  })();
  let heard = false;
  void exchange.then(() => (heard = true));
  // Until the other one knows that somebody listens.
  await expect
    .poll(async () => {
      await patch(other, 1, 7);
      return heard;
    })
    .toBe(true);
  const data = (await exchange)?.data ?? '';
  expect(JSON.parse(data)).toMatchObject({ exchange: { operation: 'updateInventory', petId: 1 } });
  expect(data).not.toContain('demo-key');
});

test('a server that was killed is not waited for, and one that hangs not for long', async () => {
  const [one, other, third] = await startServers(3);
  if (one === undefined || other === undefined || third === undefined) throw new Error('three');
  const sandbox = sandboxOf(one);
  await patch(one, 1, 1);
  await patch(other, 1, 2);
  await patch(third, 1, 3);
  await other.end('SIGKILL');
  await expect.poll(() => sandbox.journal()).not.toHaveProperty('isPartial');
  expect(await quantitiesOf(sandbox)).toEqual([1n, 3n]);
  process.kill(third.pid, 'SIGSTOP');
  expect(await sandbox.journal()).toMatchObject({ exchanges: [{}], isPartial: true });
  process.kill(third.pid, 'SIGCONT');
  await expect.poll(() => sandbox.journal()).not.toHaveProperty('isPartial');
  expect(await quantitiesOf(sandbox)).toEqual([1n, 3n]);
});

test('a server tells what it has answered while Redis is away', async () => {
  const own = await startRedis();
  onTestFinished(() => own.stop());
  const server = await startServe(['--store', own.url]);
  await patch(server, 1, 1);
  await own.kill();
  const headers = { Authorization: 'Bearer demo-key' };
  expect((await fetch(`${server.url}/inventory`, { headers })).status).toBe(503);
  const page = await sandboxOf(server).journal();
  expect(page.exchanges.map(({ response }) => response.status)).toEqual([200]);
  expect(page.isPartial).toBe(true);
});

/** How many scripts Redis has run, and how often something was published. */
async function scriptsAndMessages(): Promise<number> {
  const text = await redisCommand(redis.port, 'INFO', 'commandstats');
  return ['spublish', 'evalsha', 'eval']
    .map((name) => Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(text)?.[1] ?? 0))
    .reduce((sum, count) => sum + count, 0);
}

test('a request that nobody asks about costs no message', async () => {
  const [one] = await startServers(2);
  if (one === undefined) throw new Error('there are two');
  await patch(one, 1, 1);
  const before = await scriptsAndMessages();
  for (let quantity = 0; quantity < 20; quantity += 1) await patch(one, 1, quantity);
  // One script for each, and what that tells those who listen to the inventory.
  expect((await scriptsAndMessages()) - before).toBe(40);
});
