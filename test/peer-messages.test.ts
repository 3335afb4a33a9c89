import * as fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { JournalEntry } from '../src/mock/journal-entry.ts';
import { writePeerMessage, type PeerMessage } from '../src/mock/peers/peer-message.ts';
import { readPeerMessage } from '../src/mock/peers/read-peer-message.ts';
import { createSandboxes, type Sandboxes } from '../src/mock/sandboxes.ts';
import { openRedisSandboxes } from '../src/stores/redis.ts';
import { startRedis, type RedisServer } from './redis-processes.ts';

let redis: RedisServer;

beforeAll(async () => {
  redis = await startRedis();
});

afterAll(() => redis.stop());

const sender = { from: 'abcdefgh01234567', server: 255 };

const exchange: JournalEntry = {
  sequence: 460_000_000_000_511,
  at: '2026-11-21T20:00:00.123Z',
  duration: -0.25,
  operation: 'updateInventory',
  petId: 9_007_199_254_740_993n,
  request: {
    method: 'PATCH',
    path: '/v1/inventory/9007199254740993',
    headers: [['Content-Type', 'application/json']],
    body: { length: 14, text: '{"quantity":5}', isCut: false },
  },
  response: {
    status: 200,
    headers: [],
    body: { length: 5000, text: 'é\u0000\ufffd', isCut: true },
  },
  verdict: { verdict: 'fail', clauses: ['4.2/200'], findings: ['it is wrong'] },
  refusal: 'none',
  change: {
    petId: 9_007_199_254_740_993n,
    before: { quantity: -(10n ** 30n), status: 'sold' },
    after: { quantity: 5n, status: 'available' },
  },
  fault: { id: 'f1', kind: 'delay' },
};

const journal = { sandbox: 'default', createdAt: 1_790_000_000_000 };

const messages: readonly PeerMessage[] = [
  { kind: 'hello' },
  {
    kind: 'question',
    id: 1,
    ...journal,
    query: { operation: 'updateInventory', petId: -9_223_372_036_854_775_808n, wait: 0.5 },
    mark: 460_000_000_000_255,
    upTo: 460_000_000_000_511,
  },
  { kind: 'question', id: 2, ...journal, query: {}, mark: 0 },
  { kind: 'answer', id: 1, exchanges: [exchange], last: exchange.sequence, isLastPart: true },
  { kind: 'clear', id: 3, ...journal },
  { kind: 'watch', id: 4, ...journal, query: { after: 7, method: 'PATCH', status: 0 } },
  { kind: 'unwatch', id: 4 },
  { kind: 'seen', id: 4 },
  { kind: 'follow', sandboxes: ['default', 'a-1'] },
  { kind: 'follow' },
  { kind: 'exchanges', exchanges: [{ sandbox: 'default', exchange }], dropped: 3 },
  { kind: 'deleted', sandbox: 'a-1' },
];

test.for(messages)('$kind is read as it was written, with every digit', (message) => {
  expect(readPeerMessage(writePeerMessage(sender, message))).toEqual({ sender, message });
});

test('what is no message, or one of another version, is dropped', () => {
  const [hello] = messages;
  if (hello === undefined) throw new Error('there is none');
  const text = writePeerMessage(sender, hello);
  for (const wrong of [
    '',
    'null',
    '[]',
    '{',
    'change 1 2',
    text.replace('"version":1', '"version":2'),
    text.replace('"version":1,', ''),
    text.replace('255', '256'),
    text.replace('abc', '../'),
    text.replace('hello', 'toString'),
    text.replace('}', `,"more":"${'x'.repeat(4_194_304)}"}`),
  ]) {
    expect(readPeerMessage(wrong)).toBeUndefined();
  }
});

test('a message with any part missing or wrong is dropped or understood, and never an error', () => {
  const other = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.string());
  const run = fc.check(
    fc.property(fc.constantFrom(...messages), fc.nat(60), other, (message, place, replacement) => {
      const text = writePeerMessage(sender, message);
      let at = 0;
      const spoilt = JSON.stringify(JSON.parse(text), (_name, part: unknown) =>
        (at += 1) === place + 2 ? replacement : part,
      );
      readPeerMessage(spoilt ?? '');
    }),
    { numRuns: 2000 },
  );
  expect(run.failed).toBe(false);
});

const header = (name: string) => (name === 'authorization' ? 'Bearer demo-key' : undefined);

test('servers go on where others tell them nonsense', async () => {
  const url = `${redis.url}?prefix=${randomUUID()}`;
  const bugs: unknown[] = [];
  const open = async (): Promise<Sandboxes> => {
    const storage = await openRedisSandboxes({ url });
    const mock = await createSandboxes({ storage, onBug: (bug) => bugs.push(bug) });
    onTestFinished(() => mock.close());
    return mock;
  };
  const [one, other] = [await open(), await open()];
  const stranger = await openRedisSandboxes({ url });
  onTestFinished(() => stranger.close());
  const far = Number.MAX_SAFE_INTEGER;
  for (const message of [
    ...messages,
    { kind: 'question', id: 9, ...journal, query: {}, mark: far } as const,
    { kind: 'answer', id: 1, exchanges: [], last: far, isLastPart: true } as const,
    { kind: 'follow', sandboxes: [] } as const,
  ]) {
    await stranger.board.post('all', writePeerMessage(sender, message));
    await stranger.board.post('all', writePeerMessage(sender, message).slice(0, -5));
  }
  const request = { method: 'GET', path: '/v1/inventory', body: new Uint8Array() };
  expect((await other.handle({ ...request, header })).status).toBe(200);
  const { exchanges } = await one.default.journal.waitFor({});
  expect(exchanges).toHaveLength(1);
  expect(exchanges[0]?.sequence).toBeLessThan(far / 2);
  expect(bugs).toEqual([]);
});
