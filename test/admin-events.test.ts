import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSandboxes } from '../src/mock/sandboxes.ts';
import type { AdminStream } from '../src/server/admin/admin-answer.ts';
import { EventFeed } from '../src/server/admin/event-feed.ts';
import type { RunningServer } from '../src/server/http-server.ts';
import { patchPet, serveSandboxes } from './admin-server.ts';
import { openEvents, type EventClient, type ReceivedEvent } from './event-client.ts';

async function listen(
  server: RunningServer,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventClient> {
  const client = await openEvents(server, path, headers);
  onTestFinished(() => client.close());
  return client;
}

const resume = (lastEventId: string) => ({ 'Last-Event-ID': lastEventId });

/** Not `once`: a stream that its client breaks off has an error as well. */
function closing({ response }: EventClient): Promise<void> {
  return new Promise((resolve) => response.once('close', () => resolve()));
}

async function take(client: EventClient, count: number): Promise<readonly ReceivedEvent[]> {
  const events: ReceivedEvent[] = [];
  while (events.length < count) {
    const event = await client.next();
    if (event === undefined) throw new Error(`the stream ended behind ${events.length} events`);
    events.push(event);
  }
  return events;
}

test('tells of an update: the exchange and the change, with every digit', async () => {
  const { server } = await serveSandboxes();
  const client = await listen(server, '/events');
  expect(client.response.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
  });
  await patchPet(server, 'demo-key', 9_007_199_254_740_993n, 10n ** 30n);
  const [exchange, change] = await take(client, 2);
  expect(exchange?.type).toBe('exchange');
  expect(exchange?.data).toContain('"operation":"updateInventory","petId":9007199254740993');
  expect(exchange?.data).not.toContain('demo-key');
  expect(change?.type).toBe('change');
  expect(change?.data).toContain(`{"petId":9007199254740993,"quantity":${10n ** 30n},`);
  expect(Number(change?.id)).toBe(Number(exchange?.id) + 1);
});

test('tells of one sandbox only what happens in it', async () => {
  const { server, sandboxes } = await serveSandboxes();
  const { sandbox, apiKey } = await sandboxes.create();
  const client = await listen(server, `/sandboxes/${sandbox.id}/events`);
  await patchPet(server, 'demo-key', 1, 5);
  await patchPet(server, apiKey, 2, 6);
  const events = await take(client, 2);
  expect(events.map(({ type }) => type)).toEqual(['exchange', 'change']);
  for (const { data } of events) {
    expect(JSON.parse(data)).toMatchObject({ sandbox: sandbox.id });
  }
});

test('keeps the order where views have to be read in between', async () => {
  const { server, sandboxes } = await serveSandboxes();
  const client = await listen(server, '/events');
  const { sandbox } = await sandboxes.create({ name: 'Ann' });
  await sandbox.update(1n, { quantity: 5n });
  await sandbox.snapshot('a');
  await sandbox.reset();
  await sandboxes.delete(sandbox.id);
  const events = await take(client, 5);
  expect(events.map(({ type }) => type)).toEqual([
    'created',
    'change',
    'sandbox',
    'replaced',
    'deleted',
  ]);
  expect(JSON.parse(events[0]?.data ?? '')).toMatchObject({
    sandbox: sandbox.id,
    view: { id: sandbox.id, name: 'Ann', pets: 12 },
  });
  const ids = events.map(({ id }) => Number(id));
  expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? 0) + index));
});

test('goes on where a connection broke off', async () => {
  const { server, sandboxes } = await serveSandboxes();
  const first = await listen(server, '/events');
  await sandboxes.default.update(1n, { quantity: 1n });
  const [seen] = await take(first, 1);
  first.close();
  await closing(first);
  await sandboxes.default.update(1n, { quantity: 2n });
  await sandboxes.default.update(1n, { quantity: 3n });
  const second = await listen(server, '/events', resume(seen?.id ?? ''));
  await sandboxes.default.update(1n, { quantity: 4n });
  expect(quantitiesOf(await take(second, 3))).toEqual([2, 3, 4]);
});

test('lets a client resume that has heard nothing yet', async () => {
  const { server, sandboxes } = await serveSandboxes();
  const first = await listen(server, '/events');
  expect(first.lastEventId).toMatch(/^\d+$/);
  first.close();
  await closing(first);
  await sandboxes.default.update(1n, { quantity: 2n });
  const second = await listen(server, '/events', resume(first.lastEventId));
  expect((await take(second, 1))[0]?.type).toBe('change');
});

test('says so where it cannot go on: something may be missing', async () => {
  const { server, sandboxes } = await serveSandboxes();
  const first = await listen(server, '/events');
  const start = first.lastEventId;
  for (let quantity = 0n; quantity < 1001n; quantity += 1n) {
    await sandboxes.default.update(1n, { quantity });
  }
  for (const lastEventId of [start, '1', 'nonsense', '99999999999999999']) {
    const client = await listen(server, '/events', resume(lastEventId));
    const [event] = await take(client, 1);
    expect(JSON.parse(event?.data ?? '')).toEqual({ type: 'replaced', sandbox: '*' });
    const one = await listen(server, '/sandboxes/default/events', resume(lastEventId));
    const [other] = await take(one, 1);
    expect(JSON.parse(other?.data ?? '')).toEqual({ type: 'replaced', sandbox: 'default' });
  }
  const behind = await listen(server, '/events', resume(String(Number(start) + 1)));
  expect(await take(behind, 1000)).toHaveLength(1000);
});

test('keeps at most a mebibyte for clients that come back', async () => {
  const { server, sandboxes } = await serveSandboxes();
  const client = await listen(server, '/events');
  const start = client.lastEventId;
  // 300 events of 4 KB each.
  for (let index = 0n; index < 300n; index += 1n) {
    await sandboxes.default.update(1n, { quantity: 10n ** 4000n + index });
  }
  const second = await listen(server, '/events', resume(start));
  expect((await take(second, 1))[0]?.type).toBe('replaced');
});

function quantitiesOf(events: readonly ReceivedEvent[]): readonly number[] {
  return events.map(
    ({ data }) => (JSON.parse(data) as { item: { quantity: number } }).item.quantity,
  );
}

test('listens to what its clients want to know only, and tells each of an event once', async () => {
  const { server, sandboxes } = await serveSandboxes();
  const { sandbox } = await sandboxes.create();
  const subscribe = vi.spyOn(sandboxes, 'subscribe');
  const one = await listen(server, `/sandboxes/${sandbox.id}/events`);
  const other = await listen(server, `/sandboxes/${sandbox.id}/events`);
  expect(subscribe.mock.calls.map(([, only]) => only)).toEqual([sandbox.id]);
  const all = await listen(server, '/events');
  await sandboxes.default.update(1n, { quantity: 1n });
  await sandbox.update(1n, { quantity: 2n });
  await sandbox.update(1n, { quantity: 3n });
  expect(quantitiesOf(await take(one, 2))).toEqual([2, 3]);
  expect(quantitiesOf(await take(other, 2))).toEqual([2, 3]);
  expect(quantitiesOf(await take(all, 3))).toEqual([1, 2, 3]);
});

test('says that something may be missing where a sandbox was not listened to', async () => {
  const { server, sandboxes } = await serveSandboxes();
  const { sandbox } = await sandboxes.create();
  const one = await listen(server, `/sandboxes/${sandbox.id}/events`);
  const before = one.lastEventId;
  await sandbox.update(1n, { quantity: 1n });
  await take(one, 1);
  const late = await listen(server, '/sandboxes/default/events', resume(before));
  expect((await take(late, 1))[0]?.type).toBe('replaced');
  const again = await listen(server, `/sandboxes/${sandbox.id}/events`, resume(before));
  expect((await take(again, 1))[0]?.type).toBe('change');
});

test('ends the stream of a sandbox when it is deleted', async () => {
  const { server, sandboxes } = await serveSandboxes();
  const { sandbox } = await sandboxes.create();
  const client = await listen(server, `/sandboxes/${sandbox.id}/events`);
  await sandboxes.delete(sandbox.id);
  expect((await client.rest()).map(({ type }) => type)).toEqual(['deleted']);
});

test('ends every stream at once when the server stops', async () => {
  const { server } = await serveSandboxes();
  const clients = [await listen(server, '/events'), await listen(server, '/events')];
  // Longer than the test may take: nothing is cut off by patience.
  await server.close(600_000);
  for (const client of clients) expect(await client.rest()).toEqual([]);
});

test('cuts off a client that does not read, and nobody else', async () => {
  const { server, sandboxes } = await serveSandboxes();
  const reader = await listen(server, '/events');
  const socket = connect(server.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(
    `GET /_stockcheck/events HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAccept: text/event-stream\r\n\r\n`,
  );
  await once(socket, 'data');
  socket.pause();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  let heard = 0;
  const reading = (async () => {
    while ((await reader.next()) !== undefined) heard += 1;
  })();
  // The system takes some megabytes for a reader that does not read; what is behind them waits here.
  const large = 10n ** 4000n;
  for (let index = 0; index < 8000; index += 1) {
    await sandboxes.default.update(1n, { quantity: large + BigInt(index) });
    if (index % 50 === 0) await setImmediate();
  }
  // What was sent before it was cut off is read first.
  socket.resume();
  await closed;
  await expect.poll(() => heard).toBe(8000);
  reader.close();
  await reading;
});

test('holds 64 MiB for all who do not read, however many they are', async () => {
  const sandboxes = await createSandboxes();
  const feed = new EventFeed(sandboxes, () => undefined);
  onTestFinished(() => feed.close());
  let waiting = 0;
  const addSilent = (): void => {
    const gone = new AbortController();
    let mine = 0;
    const stream: AdminStream = {
      signal: gone.signal,
      write(text) {
        mine += text.length;
        waiting += text.length;
      },
      get waiting() {
        return mine;
      },
      end: () => undefined,
      destroy() {
        waiting -= mine;
        gone.abort();
      },
    };
    feed.add(stream, undefined, undefined);
  };
  for (let count = 0; count < 1000; count += 1) addSilent();
  let most = 0;
  for (let index = 0n; index < 100n; index += 1n) {
    await sandboxes.default.update(1n, { quantity: 10n ** 4000n + index });
    await setImmediate();
    most = Math.max(most, waiting);
  }
  // And what was sent in the last turn.
  expect(most).toBeGreaterThan(60_000_000);
  expect(most).toBeLessThan(67_108_864 + 10_000_000);
  expect(waiting).toBe(0);
});

test('tells a thousand clients, and others when to ask again', async () => {
  const { server, send } = await serveSandboxes();
  const sockets = Array.from({ length: 1000 }, () => connect(server.port, '127.0.0.1'));
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  for (const socket of sockets)
    socket.write('GET /_stockcheck/events HTTP/1.1\r\nHost: [::1]\r\n\r\n');
  await Promise.all(sockets.map((socket) => once(socket, 'data')));
  expect(await send('GET', '/events')).toMatchObject({
    status: 503,
    headers: { 'retry-after': '5' },
    body: { message: 'the server tells 1000 clients of events already; close some' },
  });
});
