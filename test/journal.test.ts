import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { toCaseRequest } from '../contracts/case.ts';
import { cases } from '../contracts/cases.ts';
import type { ApiKeys } from '../src/inventory/authorization.ts';
import { stringifyExactJson } from '../src/json/exact-json.ts';
import type { MockRequest } from '../src/mock/exchange.ts';
import { createFaultPlan } from '../src/mock/faults/fault-plan.ts';
import {
  createJournal,
  NothingKeptError,
  TooManyWaitersError,
  type OwnJournal,
  type JournalOptions,
} from '../src/mock/journal.ts';
import type { JournalEntry } from '../src/mock/journal-entry.ts';
import { BodyKeeper } from '../src/mock/keep-body.ts';
import { defaultPolicy, type PolicyChanges } from '../src/mock/policy.ts';
import { handleRequest, type Answered, type Fault } from '../src/mock/mock.ts';
import { MemoryStore } from '../src/stores/memory.ts';
import { apiKey, defaultItems, toFacts } from './mock-under-test.ts';
import { policies } from './policies.ts';

const encoder = new TextEncoder();
const startedAt = Date.UTC(2026, 10, 21, 9, 30);

interface SentRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

interface Setting extends JournalOptions {
  readonly apiKeys?: ApiKeys;
  readonly policy?: PolicyChanges;
  readonly fault?: Fault;
  readonly store?: MemoryStore;
}

/** A journal behind the engine over the default fixture. */
function open({ apiKeys = [apiKey], policy, fault, store, ...options }: Setting = {}): {
  readonly journal: OwnJournal;
  readonly send: (request: SentRequest) => void;
} {
  const journal = createJournal({
    onBug: (error) => {
      throw error;
    },
    ...options,
  });
  const engine = {
    store: store ?? new MemoryStore(defaultItems()),
    apiKeys,
    policy: { ...defaultPolicy, ...policy },
    fault,
    onAnswer: (answered: Answered) =>
      journal.record(answered, { startedAt, duration: 1.5, apiKeys }),
  };
  return {
    journal,
    send: (request) => {
      void handleRequest(toMockRequest(request), engine, (error) => {
        throw error;
      });
    },
  };
}

function toMockRequest({ method = 'GET', path, headers, body }: SentRequest): MockRequest {
  const sent: Readonly<Record<string, string>> = {
    authorization: `Bearer ${apiKey}`,
    ...headers,
  };
  return {
    method,
    path: path ?? '/v1/inventory',
    header: (name) => sent[name],
    body: typeof body === 'string' ? encoder.encode(body) : (body ?? new Uint8Array()),
  };
}

const json = { 'content-type': 'application/json' };

const toUpdate = (petId: bigint | string, body: SentRequest['body']): SentRequest => ({
  method: 'PATCH',
  path: `/v1/inventory/${petId}`,
  headers: json,
  ...(body === undefined ? {} : { body }),
});

const only = ({ exchanges }: { readonly exchanges: readonly JournalEntry[] }): JournalEntry => {
  expect(exchanges).toHaveLength(1);
  return exchanges[0] as JournalEntry;
};

test('keeps request, response, verdict and change of an update', () => {
  const { journal, send } = open();
  const before = defaultItems().find(({ petId }) => petId === 5n);
  send(toUpdate(5n, '{"quantity":9007199254740993}'));
  const entry = only(journal.find());
  expect(entry).toMatchObject({
    sequence: 1,
    at: '2026-11-21T09:30:00.000Z',
    duration: 1.5,
    operation: 'updateInventory',
    petId: 5n,
    request: {
      method: 'PATCH',
      path: '/v1/inventory/5',
      headers: [['Content-Type', 'application/json']],
      body: { length: 29, text: '{"quantity":9007199254740993}', isCut: false },
    },
    response: {
      status: 200,
      body: {
        text: `{"petId":5,"quantity":9007199254740993,"status":"${before?.status}"}`,
        isCut: false,
      },
    },
    verdict: { verdict: 'pass', findings: [] },
    change: {
      petId: 5n,
      before: { quantity: before?.quantity, status: before?.status },
      after: { quantity: 9_007_199_254_740_993n, status: before?.status },
    },
  });
  expect(entry.verdict.clauses).toContain('4.2/answers-the-updated-entry');
  expect(entry.response.headers).toContainEqual(['Content-Type', 'application/json']);
  expect(entry).not.toHaveProperty('refusal');
  expect(entry).not.toHaveProperty('fault');
});

test('keeps why a request was refused', () => {
  const { journal, send } = open();
  send(toUpdate(5n, '{"quantity":"5"}'));
  expect(only(journal.find())).toMatchObject({
    response: { status: 400 },
    refusal: 'quantity must be an integer; got the string "5"',
    verdict: { verdict: 'pass' },
  });
  expect(only(journal.find())).not.toHaveProperty('change');
});

test('tells of no change where the quantity was that already', () => {
  const { journal, send } = open();
  const quantity = defaultItems().find(({ petId }) => petId === 5n)?.quantity;
  send(toUpdate(5n, `{"quantity":${quantity}}`));
  expect(only(journal.find())).not.toHaveProperty('change');
});

test.for([
  { path: '/v1/inventory/%35', petId: 5n },
  { path: '/v1/inventory/9007199254740993', petId: 9_007_199_254_740_993n },
  { path: '/v1/inventory/1234567890123456', petId: 1_234_567_890_123_456n },
  { path: '/v1/inventory/abc', petId: undefined },
  { path: '/v1/inventory/%E0%A4%A', petId: undefined },
])('tells the path $path as it was sent', ({ path, petId }) => {
  const { journal, send } = open();
  send({ ...toUpdate(1n, '{"quantity":1}'), path });
  const entry = only(journal.find());
  expect(entry.request.path).toBe(path);
  expect(entry.petId).toBe(petId);
  expect(entry.operation).toBe('updateInventory');
});

test('keeps requests that are addressed to no operation, which the contract does not cover', () => {
  const { journal, send } = open();
  send({ method: 'DELETE' });
  send({ path: '/v1/pets/5' });
  send({ path: '/elsewhere' });
  const { exchanges } = journal.find();
  expect(exchanges.map(({ response }) => response.status)).toEqual([405, 404, 404]);
  expect(exchanges.map(({ request }) => request.path)).toEqual([
    '/v1/inventory',
    '/v1/pets/5',
    '/elsewhere',
  ]);
  for (const entry of exchanges) {
    expect(entry).not.toHaveProperty('operation');
    expect(entry.verdict).toEqual({ verdict: 'pass', clauses: [], findings: [] });
  }
});

test.for([{ decision: 'none', choice: 'all defaults', policy: {} }, ...policies])(
  'finds that every case of the table keeps the contract with $decision: $choice',
  ({ policy }) => {
    for (const subject of cases) {
      const request = toCaseRequest(subject, toFacts(subject));
      if (request === undefined) throw new Error(`${subject.id} cannot be sent`);
      const { journal, send } = open({ policy });
      const headers = request.headers.map(([name, value]) => [name.toLowerCase(), value]);
      send({
        method: request.method,
        path: `/v1${request.path.split('?', 1)[0]}`,
        headers: { authorization: undefined, ...Object.fromEntries(headers) },
        ...(request.body === undefined ? {} : { body: request.body }),
      });
      const { verdict } = only(journal.find());
      expect(verdict, subject.id).toMatchObject({ verdict: 'pass', findings: [] });
      expect(verdict.clauses, subject.id).toContain(subject.clauses[0]);
    }
  },
);

test('cuts long bodies between two characters, and says how long they were', () => {
  const { journal, send } = open({ bodyBytes: 100 });
  send(toUpdate(5n, `{"quantity":5,"note":"${'é'.repeat(100)}"}`));
  send({});
  const [update, list] = journal.find().exchanges;
  expect(update?.request.body).toEqual({
    length: 224,
    text: `{"quantity":5,"note":"${'é'.repeat(39)}`,
    isCut: true,
  });
  expect(list?.response.body.text).toHaveLength(100);
  expect(list?.response.body.isCut).toBe(true);
  expect(update?.verdict).toMatchObject({
    verdict: 'inconclusive',
    findings: [expect.stringContaining("the request's body was kept")],
  });
});

test('cuts a long text of a response', () => {
  const { journal, send } = open({ bodyBytes: 100 });
  send(toUpdate(5n, `{"quantity":${'9'.repeat(1000)}}`));
  const { body } = only(journal.find()).response;
  expect(body.isCut).toBe(true);
  expect(body.text).toBe(`{"petId":5,"quantity":${'9'.repeat(78)}`);
  expect(body.length).toBeGreaterThan(1000);
});

test('judges a list that is too long to be kept by its beginning', () => {
  const items = Array.from({ length: 1000 }, (_, index) => ({
    petId: BigInt(index),
    quantity: 1n,
    status: 'sold' as const,
  }));
  const { journal, send } = open({ store: new MemoryStore(items) });
  send({});
  const { response, verdict } = only(journal.find());
  expect(response.body.length).toBe(encoder.encode(stringifyExactJson(items)).length);
  expect(response.body.text).toHaveLength(4096);
  expect(verdict).toMatchObject({
    verdict: 'inconclusive',
    findings: [expect.stringContaining('the entries in it are right')],
  });
});

test('replaces bytes that are not UTF-8, and shows a byte order mark', () => {
  const { journal, send } = open();
  send(toUpdate(5n, Uint8Array.of(0x7b, 0xff, 0x7d)));
  send(toUpdate(5n, Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d)));
  const texts = journal.find().exchanges.map(({ request }) => request.body.text);
  expect(texts).toEqual(['{\uFFFD}', '\uFEFF{}']);
});

test.for([
  { kind: 'error', outcome: { kind: 'notFound', message: 'm' }, verdict: 'pass' },
  { kind: 'error', outcome: { kind: 'invalid', message: 'm' }, verdict: 'fail' },
  { kind: 'reset', outcome: undefined, verdict: 'fail' },
  { kind: 'hang', outcome: undefined, verdict: 'fail' },
  { kind: 'empty-reply', outcome: undefined, verdict: 'fail' },
  { kind: 'truncate', outcome: undefined, verdict: 'fail' },
  { kind: 'delay', outcome: undefined, verdict: 'pass' },
] as const)('tells of a fault of kind $kind, and judges what it made: $verdict', (row) => {
  const { kind, outcome, verdict } = row;
  const fault = { id: 'f1', kind };
  const { journal, send } = open({
    fault: () => (outcome === undefined ? { fault } : { fault, outcome }),
  });
  send(toUpdate(5n, '{"quantity":5}'));
  const entry = only(journal.find());
  expect(entry.fault).toEqual(fault);
  expect(entry.verdict.verdict).toBe(verdict);
});

test('judges what a fault spoilt', () => {
  const { journal, send } = open({
    fault: () => ({
      fault: { id: 'f1', kind: 'malformed-json' },
      spoil: (response) => ({ ...response, body: '{"petId":' }),
    }),
  });
  send(toUpdate(5n, '{"quantity":5}'));
  expect(only(journal.find()).verdict).toMatchObject({
    verdict: 'fail',
    findings: [expect.stringMatching(/^the body is text that is not JSON: .*Clause 4.json-bodies/)],
  });
});

test('keeps what a request preferred where something came of it', () => {
  const { journal, send } = open({
    fault: () => ({ fault: { id: 'prefer', kind: 'error' } }),
  });
  send({ headers: { prefer: 'code=401' } });
  expect(only(journal.find()).request.headers).toEqual([['Prefer', 'code=401']]);
});

const secret = 'a-very-secret-key';
const escaped = Array.from(
  secret,
  (character) => String.raw`\u00${character.charCodeAt(0).toString(16)}`,
);
const percentEncoded = Array.from(
  secret,
  (character) => `%${character.charCodeAt(0).toString(16)}`,
);

test.for<readonly [string, SentRequest]>([
  ['in the path', toUpdate(secret, '{"quantity":5}')],
  ['in a path that leads nowhere', { path: `/${secret}/x` }],
  ['percent-encoded in the path', toUpdate(percentEncoded.join(''), '{}')],
  ['percent-encoded beside what is not', toUpdate(`%zz${percentEncoded.join('')}`, '{}')],
  ['in the body', toUpdate(5n, `{"quantity":"${secret}"}`)],
  ['in a field name', toUpdate(5n, `{"${secret}":5}`)],
  ['with escapes in the body', toUpdate(5n, `{"quantity":"${escaped.join('')}"}`)],
  ['in a long body', toUpdate(5n, `${'x'.repeat(1000)}${secret}`)],
  ['where the body is cut', toUpdate(5n, `${' '.repeat(90)}${secret}`)],
  ['in the Content-Type', { ...toUpdate(5n, '{}'), headers: { 'content-type': `a/${secret}` } }],
])('never tells of a key %s', ([, request]) => {
  for (const apiKeys of [[secret], 'any', ['another-key']] as const) {
    const { journal, send } = open({ apiKeys, bodyBytes: 100 });
    const headers = { ...request.headers, authorization: `Bearer ${secret}` };
    send({ ...request, headers });
    const text = stringifyExactJson(journal.find());
    expect(text).toContain('(hidden)');
    for (const form of [secret, secret.slice(0, 8), escaped.slice(0, 8).join('')]) {
      expect(text).not.toContain(form);
      expect(text).not.toContain(JSON.stringify(form).slice(1, -1));
    }
    expect(text).not.toContain(percentEncoded.slice(0, 8).join(''));
  }
});

test('never tells of a key in Prefer', () => {
  const { journal, send } = open({ fault: () => ({ fault: { id: 'prefer', kind: 'error' } }) });
  send({ headers: { prefer: `key=${apiKey}` } });
  const entry = only(journal.find());
  expect(entry.request.headers).toEqual([['Prefer', '(hidden)']]);
  expect(stringifyExactJson(entry)).not.toContain(apiKey);
});

test.for([
  ['as it is', `code=${apiKey}`],
  ['in quotes', `code="${apiKey}"`],
  ['with quoted pairs', `code="${apiKey.replaceAll(/./g, String.raw`\$&`)}"`],
  ['as a time', `wait=${apiKey}`],
] as const)('never tells of a key that a refusal of Prefer quotes, %s', ([, prefer]) => {
  const { journal, send } = open({ fault: createFaultPlan().fault });
  send({ headers: { prefer } });
  const entry = only(journal.find());
  expect(entry.response.status).toBe(400);
  expect(stringifyExactJson(entry)).not.toContain(apiKey);
  expect(entry.request.headers).toEqual([['Prefer', '(hidden)']]);
});

test('tells neither petId nor change where a key is a number that they repeat', () => {
  const store = new MemoryStore([{ petId: 123_456n, quantity: 1n, status: 'sold' }]);
  const { journal, send } = open({ apiKeys: ['123456'], store });
  send({
    ...toUpdate(123_456n, '{"quantity":2}'),
    headers: { ...json, authorization: 'Bearer 123456' },
  });
  expect(stringifyExactJson(journal.find())).not.toContain('123456');
  expect(only(journal.find()).verdict.verdict).toBe('pass');
  expect(journal.find({ petId: 123_456n }).exchanges).toEqual([]);
});

test('hides nothing for a token that is too short to be a secret', () => {
  const { journal, send } = open();
  send({ headers: { authorization: 'Bearer /' } });
  expect(only(journal.find()).request.path).toBe('/v1/inventory');
});

test('finds by operation, petId, method, status and verdict', () => {
  const { journal, send } = open({
    fault: (operation) =>
      operation === 'listInventory' ? { outcome: { kind: 'invalid', message: 'm' } } : undefined,
  });
  send({});
  send(toUpdate(5n, '{"quantity":1}'));
  send(toUpdate(6n, '{"quantity":1}'));
  send(toUpdate(5n, '{"quantity":"1"}'));
  send({ method: 'DELETE' });
  const find = (query: Parameters<OwnJournal['find']>[0]): readonly number[] =>
    journal.find(query).exchanges.map(({ sequence }) => sequence);
  expect(find({})).toEqual([1, 2, 3, 4, 5]);
  expect(find({ operation: 'updateInventory' })).toEqual([2, 3, 4]);
  expect(find({ operation: 'updateInventory', petId: 5n })).toEqual([2, 4]);
  expect(find({ petId: 5n, status: 400 })).toEqual([4]);
  expect(find({ method: 'DELETE' })).toEqual([5]);
  expect(find({ verdict: 'fail' })).toEqual([1]);
  expect(find({ after: 3 })).toEqual([4, 5]);
  expect(find({ limit: 2 })).toEqual([4, 5]);
  expect(find({ after: 1, limit: 1, operation: 'updateInventory' })).toEqual([2]);
  expect(find({ petId: 7n })).toEqual([]);
  expect(journal.find({ petId: 7n }).last).toBe(5);
});

test('keeps the last exchanges, so many and no more', () => {
  const { journal, send } = open({ limit: 3 });
  for (let count = 0; count < 10; count += 1) send({});
  expect(journal.find().exchanges.map(({ sequence }) => sequence)).toEqual([8, 9, 10]);
  expect(journal).toMatchObject({ size: 3, last: 10 });
});

test('goes on counting when it is cleared', () => {
  const { journal, send } = open({ limit: 3 });
  for (let count = 0; count < 5; count += 1) send({});
  journal.clear();
  expect(journal).toMatchObject({ size: 0, bytes: 0, last: 5 });
  expect(journal.find()).toEqual({ exchanges: [], last: 5 });
  for (let count = 0; count < 5; count += 1) send({});
  expect(journal.find().exchanges.map(({ sequence }) => sequence)).toEqual([8, 9, 10]);
});

test('keeps no more bytes than it may, whatever the requests are', () => {
  const { journal, send } = open({ bytes: 50_000 });
  let fullest = 0;
  for (let count = 0; count < 500; count += 1) {
    send(toUpdate(5n, `{"quantity":5,"note":"${'x'.repeat((count * 97) % 6000)}"}`));
    send({ path: `/${'y'.repeat((count * 89) % 8000)}` });
    send(toUpdate(5n, `{"quantity":${'9'.repeat(1 + ((count * 31) % 3000))}}`));
    send({ ...toUpdate(5n, '{}'), headers: { 'content-type': 'z'.repeat((count * 53) % 5000) } });
    send({});
    fullest = Math.max(fullest, journal.bytes);
  }
  expect(fullest).toBeLessThanOrEqual(50_000);
  expect(fullest).toBeGreaterThan(40_000);
  expect(journal.size).toBe(journal.find({ limit: 1000 }).exchanges.length);
  expect(journal.last).toBe(2500);
});

test('keeps the newest exchange however large it is', () => {
  const { journal, send } = open({ bytes: 1 });
  send({});
  send(toUpdate(5n, '{"quantity":5}'));
  expect(only(journal.find()).sequence).toBe(2);
});

test('comes back to the same number of bytes, and counts a list that stays the same once', () => {
  const { journal, send } = open({ limit: 100 });
  const round = (): number => {
    for (let count = 0; count < 1000; count += 1) send({});
    return journal.bytes;
  };
  const once = round();
  expect(round()).toBe(once);
  expect(once).toBeLessThan(100 * 1000 + 4096);
});

test('holds neither a long list nor the buffer that a body is a part of', async () => {
  setFlagsFromString('--expose_gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const journal = createJournal();
  const record = (): readonly WeakRef<ArrayBufferLike>[] => {
    const segment = encoder.encode(`[${' '.repeat(480_000)}]`);
    const others = [encoder.encode('['.padEnd(5000)), encoder.encode(']'.padEnd(500_000))];
    const pool = new Uint8Array(500_000).fill(0x20);
    for (const list of [[segment], others]) {
      const answered: Answered = {
        startedAt: 0,
        request: toMockRequest(toUpdate(5n, pool.subarray(10, 20))),
        route: { kind: 'listInventory' },
        outcome: { kind: 'listed', list },
        response: { status: 200, headers: [], body: list },
        engine: { apiKeys: 'any' },
      };
      journal.record(answered, { startedAt, apiKeys: 'any' });
    }
    return [segment, ...others, pool].map(({ buffer }) => new WeakRef(buffer));
  };
  const buffers = record();
  await setImmediate();
  collectGarbage();
  expect(buffers.map((buffer) => buffer.deref()?.byteLength)).toEqual(buffers.map(() => undefined));
  expect(journal.find().exchanges.map(({ response }) => response.body.length)).toEqual([
    480_002, 505_000,
  ]);
});

/** Timers that go off when they are told to. */
function createTimers(): {
  readonly setTimer: NonNullable<JournalOptions['setTimer']>;
  readonly running: Map<() => void, number>;
} {
  const running = new Map<() => void, number>();
  return {
    running,
    setTimer: (callback, milliseconds) => {
      running.set(callback, milliseconds);
      return () => running.delete(callback);
    },
  };
}

test('answers at once where something matches, and does not wait without wait', async () => {
  const { setTimer, running } = createTimers();
  const { journal, send } = open({ setTimer });
  expect(await journal.waitFor({ petId: 5n })).toEqual({ exchanges: [], last: 0 });
  send(toUpdate(5n, '{"quantity":1}'));
  expect(only(await journal.waitFor({ petId: 5n, wait: 5 })).sequence).toBe(1);
  expect(running.size).toBe(0);
});

test('waits for the first exchange that matches', async () => {
  const { setTimer, running } = createTimers();
  const { journal, send } = open({ setTimer });
  const page = journal.waitFor({ operation: 'updateInventory', petId: 5n, status: 200, wait: 5 });
  expect([...running.values()]).toEqual([5000]);
  send({});
  send(toUpdate(6n, '{"quantity":1}'));
  send(toUpdate(5n, '{"quantity":"1"}'));
  expect(running.size).toBe(1);
  send(toUpdate(5n, '{"quantity":1}'));
  expect(running.size).toBe(0);
  expect(only(await page)).toMatchObject({ sequence: 4, change: { after: { quantity: 1n } } });
});

test('waits for what comes after a sequence', async () => {
  const { setTimer } = createTimers();
  const { journal, send } = open({ setTimer });
  send({});
  const page = journal.waitFor({ after: 1, wait: 60 });
  send({});
  expect(only(await page).sequence).toBe(2);
});

test('has what was waited for, though it has given way to others since', async () => {
  const { setTimer } = createTimers();
  const { journal, send } = open({ limit: 1, setTimer });
  const page = journal.waitFor({ method: 'PATCH', wait: 5 });
  send(toUpdate(5n, '{"quantity":1}'));
  send({});
  expect(only(await page)).toMatchObject({ sequence: 1, petId: 5n });
});

test('ends a wait with an empty page when the time is over', async () => {
  const { setTimer, running } = createTimers();
  const { journal, send } = open({ setTimer });
  send({});
  const page = journal.waitFor({ status: 404, wait: 2 });
  for (const goOff of running.keys()) goOff();
  expect(await page).toEqual({ exchanges: [], last: 1 });
  expect(running.size).toBe(0);
});

test('ends a wait by the clock of the platform', async () => {
  const { journal } = open();
  expect(await journal.waitFor({ wait: 0.01 })).toEqual({ exchanges: [], last: 0 });
});

test('gives up a wait that is aborted', async () => {
  const { setTimer, running } = createTimers();
  const { journal } = open({ setTimer });
  const reason = new Error('the client went away');
  const controller = new AbortController();
  const page = journal.waitFor({ wait: 5 }, controller.signal);
  controller.abort(reason);
  await expect(page).rejects.toBe(reason);
  expect(running.size).toBe(0);
  await expect(journal.waitFor({}, controller.signal)).rejects.toBe(reason);
});

test('lets so many wait and no more, and lets others in when some have ended', async () => {
  const { setTimer } = createTimers();
  const { journal, send } = open({ setTimer });
  const pages = Array.from({ length: 100 }, () => journal.waitFor({ wait: 5 }));
  const refused = await journal.waitFor({ wait: 5 }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(TooManyWaitersError);
  expect(refused).toMatchObject({
    limit: 100,
    message: expect.stringMatching(/^100 requests are waiting .* ask again without wait/),
  });
  send({});
  for (const page of await Promise.all(pages)) expect(only(page).sequence).toBe(1);
  const later = journal.waitFor({ after: 1, wait: 5 });
  send({});
  expect(only(await later).sequence).toBe(2);
});

test.for([-1, 61, Number.NaN])('refuses to wait for %s seconds', async (wait) => {
  await expect(open().journal.waitFor({ wait })).rejects.toThrow(
    `wait must be a number of seconds from 0 to 60; got ${wait}`,
  );
});

test('ends every wait when it is closed', async () => {
  const { setTimer, running } = createTimers();
  const { journal } = open({ setTimer });
  const pages = [journal.waitFor({ wait: 5 }), journal.waitFor({ wait: 60 })];
  journal.close();
  expect(await Promise.all(pages)).toEqual([
    { exchanges: [], last: 0 },
    { exchanges: [], last: 0 },
  ]);
  expect(running.size).toBe(0);
});

test('measures until now where it is not told how long an exchange took', () => {
  const journal = createJournal({ now: () => startedAt + 7.5 });
  const store = new MemoryStore();
  const engine = {
    store,
    apiKeys: 'any' as const,
    policy: defaultPolicy,
    onAnswer: (answered: Answered) => journal.record(answered, { startedAt, apiKeys: 'any' }),
  };
  void handleRequest(toMockRequest({}), engine, (error) => {
    throw error;
  });
  expect(only(journal.find()).duration).toBe(7.5);
});

test('keeps nothing with a limit of 0, and refuses to wait for what can never come', async () => {
  const { setTimer, running } = createTimers();
  const { journal, send } = open({ limit: 0, setTimer });
  send({});
  expect(await journal.waitFor({})).toEqual({ exchanges: [], last: 0 });
  const refused = await journal.waitFor({ wait: 60 }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(NothingKeptError);
  expect(running.size).toBe(0);
});

test.for([
  ['limit', 0],
  ['bytes', 1],
  ['bodyBytes', 1],
  ['waiters', 1],
] as const)('refuses a wrong %s', ([name, least]) => {
  for (const value of [least - 1, 1.5, Number.NaN]) {
    expect(() => createJournal({ [name]: value })).toThrow(
      `${name} must be an integer from ${least} up; got ${value}`,
    );
  }
});

test.for([
  ['{"quantity":0}', 0n],
  ['{"quantity":12}', 12n],
  ['{"quantity": 12}', 12n],
  [' {"quantity":12}', 12n],
  ['{"quantity":12 }', 12n],
  ['{"quantity":1.2e1}', 12n],
  ['{"quantity":12.0}', 12n],
  ['{"quantity":-12}', -12n],
  ['{"quantity":-0}', 0n],
  ['{"quantity":9007199254740991}', 9_007_199_254_740_991n],
  ['{"quantity":9007199254740993}', 9_007_199_254_740_993n],
  ['{"quantitx":12,"quantity":12}', 12n],
] as const)('tells of the body %s as it was sent, and of the change', ([body, quantity]) => {
  const { journal, send } = open();
  send(toUpdate(5n, body));
  const { request, response, change, verdict } = only(journal.find());
  expect(request.body).toEqual({ length: body.length, text: body, isCut: false });
  expect(response.body.text).toBe(`{"petId":5,"quantity":${quantity},"status":"pending"}`);
  expect(change?.after).toEqual({ quantity, status: 'pending' });
  expect(verdict).toMatchObject({ verdict: 'pass', findings: [] });
});

test('tells of each exchange what it was, whatever it takes the place of', () => {
  const requests: readonly SentRequest[] = [
    toUpdate(5n, '{"quantity":1}'),
    toUpdate(5n, `{"quantity":${10n ** 30n}}`),
    { ...toUpdate('%35', '{"quantity":2}') },
    {},
    toUpdate(404n, '{"quantity":3}'),
    { method: 'DELETE', path: '/elsewhere' },
  ];
  const store = new MemoryStore(defaultItems());
  const { journal, send } = open({ limit: 1, store });
  for (const request of [...requests, ...requests.toReversed(), ...requests]) {
    send(request);
    const alone = open({ store });
    alone.send(request);
    const { sequence: _, change: __, ...told } = only(journal.find());
    const { sequence: ___, change: ____, ...expected } = only(alone.journal.find());
    expect(told).toEqual(expected);
  }
});

test('lets go of what has given way to others', async () => {
  setFlagsFromString('--expose_gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const { journal, send } = open({ bytes: 5000 });
  const sendLong = (): WeakRef<ArrayBufferLike> => {
    const body = new Uint8Array(4000).fill(0x20);
    send(toUpdate(5n, body));
    return new WeakRef(body.buffer);
  };
  const [first, second] = [sendLong(), sendLong()];
  await setImmediate();
  collectGarbage();
  expect([first.deref()?.byteLength, second.deref()?.byteLength]).toEqual([undefined, 4000]);
  expect(journal.size).toBe(1);
});

test('keeps the beginning of each part of a larger buffer', () => {
  const keeper = new BodyKeeper(4);
  const bytes = encoder.encode('[1,2,3,4,5,6]');
  const keep = (start: number, end?: number): string => {
    const { kept } = keeper.keep([bytes.subarray(start, end), encoder.encode('x')]);
    return new TextDecoder().decode(kept as Uint8Array);
  };
  expect([keep(0), keep(2), keep(0, 6), keep(2), keep(0)]).toEqual([
    '[1,2',
    ',2,3',
    '[1,2',
    ',2,3',
    '[1,2',
  ]);
});
