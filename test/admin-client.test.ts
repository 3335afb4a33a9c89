import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  createAdminClient,
  AdminError,
  type AdminClient,
  type AdminEvent,
  type SandboxClient,
  type SandboxRequest,
} from '../src/admin/index.ts';
import { createInventoryClient } from '../src/client/inventory-client.ts';
import { createSandboxes } from '../src/index.ts';
import { startServer, type RunningServer } from '../src/server/index.ts';

const large = 9_007_199_254_740_993n;
const fixture = {
  inventory: [
    { petId: 1, quantity: 5, status: 'available' },
    { petId: large, quantity: 2n ** 70n, status: 'sold' },
  ],
  scenarios: {
    'black friday': [
      { operation: 'updateInventory', every: 2, fault: { kind: 'unavailable', status: 503 } },
    ],
  },
} as const;

let server: RunningServer;
let admin: AdminClient;

beforeAll(async () => {
  server = await startServer({
    sandboxes: await createSandboxes({ fixture: 'edge' }),
    port: 0,
    verify: async (options) => {
      options.onStart(1);
      await Promise.resolve();
      options.onResult({ id: 'a-case', verdict: 'pass', changes: [{ petId: large }] });
      return { verdict: 'pass', reason: options.readOnly ? 'read only' : 'all' };
    },
  });
  admin = createAdminClient({ url: server.url });
});

afterAll(() => server.close());

/** A sandbox that is deleted after the test. */
async function create(request: SandboxRequest = { fixture }): Promise<SandboxClient> {
  const sandbox = await admin.createSandbox(request);
  onTestFinished(() => sandbox[Symbol.asyncDispose]());
  return sandbox;
}

async function failureOf(promise: Promise<unknown>): Promise<AdminError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AdminError);
  return error as AdminError;
}

test('creates a sandbox that its key opens, and deletes it', async () => {
  const sandbox = await admin.createSandbox({ name: 'mine', fixture: 'edge', timeToLive: 60 });
  const client = createInventoryClient(sandbox);
  expect(await client.list()).toEqual({ kind: 'ok', items: await sandbox.items() });
  expect(sandbox.baseUrl).toBe(server.url);
  expect(await sandbox.view()).toMatchObject({ id: sandbox.id, name: 'mine', fixture: 'edge' });
  await sandbox.delete();
  expect(await client.list()).toMatchObject({ kind: 'unauthorized' });
  expect(await failureOf(sandbox.view())).toMatchObject({ status: 404, code: 'not_found' });
});

test('creates a sandbox from nothing but defaults', async () => {
  const sandbox = await create({});
  expect(await sandbox.items()).toEqual(await admin.sandbox('default').items());
});

test('deletes a sandbox that is disposed of, also one that is gone already', async () => {
  const sandbox = await admin.createSandbox();
  await sandbox[Symbol.asyncDispose]();
  expect(await failureOf(sandbox.items())).toMatchObject({ status: 404 });
  await sandbox[Symbol.asyncDispose]();
});

test('gives what the server refuses as errors, with its reasons', async () => {
  expect(await failureOf(admin.sandbox('default').delete())).toMatchObject({ status: 409 });
  expect(await failureOf(admin.createSandbox({ fixture: 'nothing' }))).toMatchObject({
    status: 400,
    code: 'invalid_request',
    message: expect.stringContaining('$.fixture'),
  });
  const sandbox = await create();
  const taken = await failureOf(admin.createSandbox({ apiKey: sandbox.apiKey }));
  expect(taken.status).toBe(409);
  expect(taken.message).not.toContain(sandbox.apiKey);
});

test('reads and writes items with all their digits', async () => {
  const sandbox = await create();
  expect(await sandbox.items()).toEqual([
    { petId: 1n, quantity: 5n, status: 'available' },
    { petId: large, quantity: 2n ** 70n, status: 'sold' },
  ]);
  expect(await sandbox.setItem(large, { quantity: 2n ** 80n })).toEqual({
    petId: large,
    quantity: 2n ** 80n,
    status: 'sold',
  });
  expect(await sandbox.setItem(1, { status: 'pending' })).toMatchObject({ status: 'pending' });
  expect(await failureOf(sandbox.setItem(404, { quantity: 1 }))).toMatchObject({ status: 404 });
  await sandbox.set(new Set([{ petId: large + 1n, quantity: -3, status: 'available' }]));
  expect(await sandbox.items()).toEqual([
    { petId: large + 1n, quantity: -3n, status: 'available' },
  ]);
});

test('takes an export as a fixture, with all digits', async () => {
  const sandbox = await create();
  await sandbox.setItem(1, { quantity: large });
  const text = await sandbox.export();
  const copy = await create({ fixture: text });
  expect(await copy.items()).toEqual(await sandbox.items());
  expect((await copy.view()).scenarios).toEqual(['black friday']);
  await sandbox.set(fixture);
  await sandbox.set(text);
  expect(await sandbox.items()).toEqual(await copy.items());
});

test('goes back to the fixture and to snapshots, and tells the difference', async () => {
  const sandbox = await create();
  await sandbox.setItem(1, { quantity: 6 });
  expect(await sandbox.snapshot('six / 6 %')).toMatchObject({ name: 'six / 6 %' });
  await sandbox.setItem(1, { quantity: 7 });
  const before = { quantity: 6n, status: 'available' };
  expect(await sandbox.diff('six / 6 %')).toEqual({
    changed: [{ petId: 1n, before, after: { quantity: 7n, status: 'available' } }],
    added: [],
    removed: [],
  });
  await sandbox.restore('six / 6 %');
  expect(await sandbox.diff()).toMatchObject({ changed: [{ petId: 1n, after: before }] });
  expect((await sandbox.view()).snapshots.map(({ name }) => name)).toEqual(['six / 6 %']);
  await sandbox.deleteSnapshot('six / 6 %');
  expect(await failureOf(sandbox.restore('six / 6 %'))).toMatchObject({ status: 404 });
  await createInventoryClient(sandbox).list();
  await sandbox.reset();
  expect(await sandbox.diff()).toEqual({ changed: [], added: [], removed: [] });
  expect((await sandbox.journal()).exchanges).toHaveLength(1);
  await sandbox.reset({ clearJournal: true });
  expect((await sandbox.journal()).exchanges).toEqual([]);
});

test('changes policy, name, time to live and scenario', async () => {
  const sandbox = await create();
  const view = await sandbox.configure({
    name: 'other',
    timeToLive: null,
    policy: { 'quantity-range': { minimum: 0, maximum: 2n ** 65n } },
  });
  expect(view).toMatchObject({ name: 'other', scenarios: ['black friday'] });
  expect(view.expiresAt).toBeUndefined();
  expect(view.policy['quantity-range']).toEqual({ minimum: 0n, maximum: 2n ** 65n });
  expect(view.policy['body-limit']).toBe(1_048_576);
  expect((await sandbox.configure({ policy: view.policy })).policy).toEqual(view.policy);
  expect(await sandbox.useScenario('black friday')).toMatchObject({ scenario: 'black friday' });
  const client = createInventoryClient(sandbox);
  const kinds = [await client.update(1, 1), await client.update(1, 2)].map(({ kind }) => kind);
  expect(kinds).toEqual(['ok', 'unexpected']);
  expect((await sandbox.useScenario(null)).scenario).toBeUndefined();
  expect(await failureOf(sandbox.useScenario('cyber monday'))).toMatchObject({ status: 400 });
});

test('adds, replaces and takes away faults', async () => {
  const sandbox = await create();
  const client = createInventoryClient(sandbox);
  const fault = await sandbox.addFault({
    petId: large,
    fault: { kind: 'error', status: 404, message: 'gone' },
  });
  expect(await client.update(large, 1)).toMatchObject({ error: { message: 'gone' } });
  expect(await client.update(1, 1)).toMatchObject({ kind: 'ok' });
  expect(await sandbox.faults()).toMatchObject([{ id: fault.id, hits: 1, rule: { petId: large } }]);
  await sandbox.removeFault(fault.id);
  expect(await client.update(large, 1)).toMatchObject({ kind: 'ok' });
  await sandbox.setFaults([{ fault: { kind: 'reset' } }, { fault: { kind: 'malformed-json' } }]);
  expect(await client.list()).toMatchObject({ kind: 'unreachable' });
  await sandbox.clearFaults();
  expect(await client.list()).toMatchObject({ kind: 'ok' });
  expect(await sandbox.faults()).toEqual([]);
});

test('reads the journal by what is asked, and clears it', async () => {
  const sandbox = await create();
  const client = createInventoryClient(sandbox);
  await client.list();
  await client.update(large, 2n ** 66n);
  await client.update(404, 1);
  const { exchanges, last } = await sandbox.journal();
  expect(exchanges.map(({ response }) => response.status)).toEqual([200, 200, 404]);
  expect(exchanges[1]).toMatchObject({
    sequence: 2,
    operation: 'updateInventory',
    petId: large,
    change: { before: { quantity: 2n ** 70n }, after: { quantity: 2n ** 66n } },
    verdict: { verdict: 'pass' },
  });
  expect(last).toBe(3);
  expect((await sandbox.journal({ petId: large })).exchanges).toEqual([exchanges[1]]);
  expect((await sandbox.journal({ status: 404 })).exchanges).toEqual([exchanges[2]]);
  expect((await sandbox.journal({ after: 1, limit: 1 })).exchanges).toEqual([exchanges[1]]);
  expect((await sandbox.journal({ method: 'GET' })).exchanges).toEqual([exchanges[0]]);
  await sandbox.clearJournal();
  expect((await sandbox.journal()).exchanges).toEqual([]);
});

test('waits for a request that is past, and for one that is still to come', async () => {
  const sandbox = await create();
  const client = createInventoryClient(sandbox);
  await client.update(1, 1);
  const past = await sandbox.waitForRequest({ operation: 'updateInventory', petId: 1 });
  expect(past.sequence).toBe(1);
  const coming = sandbox.waitForRequest(
    { petId: 1, after: past.sequence },
    { timeoutMs: 30_000, matching: ({ change }) => change?.after.quantity === 3n },
  );
  await client.list();
  await client.update(1, 2);
  await client.update(1, 3);
  expect(await coming).toMatchObject({ sequence: 4, change: { after: { quantity: 3n } } });
});

test('says what it waited for, and what came instead', async () => {
  const sandbox = await create();
  const client = createInventoryClient(sandbox);
  await client.list();
  await client.update(404, 1);
  const error = await failureOf(sandbox.waitForRequest({ petId: 1 }, { timeoutMs: 300 }));
  expect(error.code).toBe('request_not_seen');
  expect(error.message).toBe(
    `no request with petId 1 came to sandbox ${sandbox.id} within 300 ms; the last it has seen:\n` +
      '  1. GET /v1/inventory → 200\n' +
      '  2. PATCH /v1/inventory/404 {"quantity":1} → 404',
  );
});

test('says that a request came which is not what it waited for, and which fault hit it', async () => {
  const sandbox = await create();
  const client = createInventoryClient(sandbox);
  await sandbox.setFaults([{ times: 1, fault: { kind: 'reset' } }]);
  await client.list();
  await sandbox.setFaults([{ fault: { kind: 'malformed-json' } }]);
  await client.list();
  await fetch(`${sandbox.baseUrl}/inventory/1`, {
    method: 'PATCH',
    headers: { Authorization: `Bearer ${sandbox.apiKey}` },
    body: '{\r\n  "quantity": \u001b[31m5\u2028}\n',
  });
  const waiting = sandbox.waitForRequest(
    { operation: 'listInventory' },
    { timeoutMs: 300, matching: ({ response }) => response.status === 418 },
  );
  expect((await failureOf(waiting)).message).toBe(
    `no request with operation listInventory for which matching is true came to sandbox ${sandbox.id} within 300 ms; the last it has seen:\n` +
      '  1. GET /v1/inventory → no answer (fault reset)\n' +
      '  2. GET /v1/inventory → 200 (fault malformed-json)\n' +
      '  3. PATCH /v1/inventory/1 { "quantity": [31m5 } → 400 (fault malformed-json)',
  );
});

test('stops waiting when its signal is aborted, or the sandbox goes away', async () => {
  const sandbox = await create();
  const stop = new AbortController();
  const stopped = sandbox.waitForRequest({}, { signal: stop.signal, timeoutMs: 30_000 });
  const reason = new Error('enough');
  setImmediate(() => stop.abort(reason));
  await expect(stopped).rejects.toBe(reason);
  await sandbox.delete();
  expect(await failureOf(sandbox.waitForRequest())).toMatchObject({ status: 404 });
});

async function take(
  events: AsyncIterable<AdminEvent>,
  isLast: (event: AdminEvent) => boolean,
): Promise<AdminEvent[]> {
  const taken: AdminEvent[] = [];
  for await (const event of events) {
    taken.push(event);
    if (isLast(event)) break;
  }
  return taken;
}

test('tells of what happens in a sandbox, and ends when it is deleted', async () => {
  const sandbox = await create();
  const other = await create();
  const events = sandbox.events();
  await events.open();
  const client = createInventoryClient(sandbox);
  await other.setItem(1, { quantity: 100 });
  await client.update(large, 7);
  await sandbox.reset();
  await sandbox.useScenario('black friday');
  await client.update(1, 7);
  await client.update(1, 8);
  await sandbox.delete();
  const told = await Array.fromAsync(events);
  expect(told.every((event) => event.sandbox === sandbox.id)).toBe(true);
  expect(told.find(({ type }) => type === 'change')).toMatchObject({
    item: { petId: large, quantity: 7n, status: 'sold' },
    before: { quantity: 2n ** 70n },
  });
  expect(new Set(told.map(({ type }) => type))).toEqual(
    new Set(['change', 'exchange', 'replaced', 'sandbox', 'fault', 'deleted']),
  );
  expect(told.at(-1)?.type).toBe('deleted');
});

test('tells of what happens in all sandboxes, until its signal is aborted', async () => {
  const stop = new AbortController();
  const events = admin.events(stop.signal);
  await events.open();
  const sandbox = await create();
  await sandbox.delete();
  const isMine = (event: AdminEvent, type: AdminEvent['type']): boolean =>
    event.type === type && event.sandbox === sandbox.id;
  const told = await take(events, (event) => isMine(event, 'deleted'));
  expect(told.filter((event) => isMine(event, 'created'))).toHaveLength(1);
  stop.abort();
  expect(await take(events, () => false)).toEqual([]);
});

test('brings a sandbox into a provider state, and back', async () => {
  const sandbox = await create();
  const other = await create();
  const state = 'the inventory has no pet';
  await sandbox.setState(state, { params: { petId: large } });
  expect((await sandbox.items()).map(({ petId }) => petId)).toEqual([1n]);
  expect(await other.items()).toHaveLength(2);
  await sandbox.setState(state, { action: 'teardown' });
  expect(await sandbox.items()).toHaveLength(2);
  expect(await failureOf(sandbox.setState('it rains'))).toMatchObject({ status: 400 });
});

test('lists sandboxes page by page', async () => {
  const first = await create();
  const second = await create();
  const page = await admin.listSandboxes();
  const ids = page.sandboxes.map(({ id }) => id);
  expect(ids.slice(-2)).toEqual([first.id, second.id]);
  expect(page).toMatchObject({ count: ids.length, limit: 10_000 });
  expect(await admin.listSandboxes({ limit: 1, after: first.id })).toMatchObject({
    sandboxes: [{ id: second.id }],
    count: ids.length,
  });
});

test('shows fixtures, contract and the description of the admin API', async () => {
  const names = (await admin.fixtures()).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['server', 'default', 'empty', 'edge']));
  const { clauses, decisions, cases } = await admin.contract();
  expect(clauses.find(({ id }) => id === '5/missing-key')?.sentence).toContain('401');
  expect(decisions.find(({ id }) => id === 'content-type')?.default).toBe('400');
  expect(cases.every(({ id, title, status }) => id !== '' && title !== '' && status > 0)).toBe(
    true,
  );
  expect(await admin.openapi()).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) });
  expect([await admin.isLive(), await admin.isReady()]).toEqual([true, true]);
});

test('tells of a verification as it goes on', async () => {
  expect(await Array.fromAsync(admin.verify({ readOnly: true }))).toEqual([
    { type: 'start', subjects: 1 },
    {
      type: 'result',
      result: { id: 'a-case', verdict: 'pass', changes: [{ petId: large }] },
    },
    { type: 'end', report: { verdict: 'pass', reason: 'read only' } },
  ]);
  const refused = admin.verify({ sandbox: 'nothing' });
  expect(await failureOf(Array.fromAsync(refused))).toMatchObject({ status: 404 });
});

test('sends the token to a server that wants one', async () => {
  const guarded = await startServer({
    sandboxes: await createSandboxes(),
    port: 0,
    adminToken: 'sesame-123',
  });
  try {
    const without = await failureOf(createAdminClient({ url: guarded.url }).createSandbox());
    expect(without).toMatchObject({ status: 401, code: 'unauthorized' });
    const wrong = await failureOf(
      createAdminClient({ url: guarded.url, token: 'sesame-124' }).createSandbox(),
    );
    expect(wrong.message).toContain('the token that was given is not the one');
    expect(wrong.message).not.toContain('sesame-124');
    const client = createAdminClient({ url: guarded.url, token: 'sesame-123' });
    const sandbox = await client.createSandbox();
    expect(await createInventoryClient(sandbox).list()).toMatchObject({ kind: 'ok' });
  } finally {
    await guarded.close();
  }
});

test('stays small, and needs neither Node nor any package', async () => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'esnext',
      rolldownOptions: {
        input: fileURLToPath(new URL('../src/admin/index.ts', import.meta.url)),
        external: /^(?:node:|[^./])/,
        preserveEntrySignatures: 'strict',
      },
    },
  });
  const [{ code, imports }] = (built as Rolldown.RolldownOutput).output;
  expect(imports).toEqual([]);
  expect(gzipSync(code).length).toBeLessThanOrEqual(6000);
});
