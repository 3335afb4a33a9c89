import { expect, test } from 'vitest';
import { SettingsChangedError } from '../src/inventory/sandbox-storage.ts';
import { StoreUnavailableError } from '../src/inventory/store.ts';
import type { MockRequest } from '../src/mock/exchange.ts';
import { parseFixture } from '../src/mock/fixture.ts';
import type { Mock } from '../src/mock/mock.ts';
import { defaultPolicy } from '../src/mock/policy.ts';
import { createSandboxes, type Sandboxes } from '../src/mock/sandboxes.ts';
import type { SandboxEvent } from '../src/mock/sandbox.ts';
import { MemorySandboxes } from '../src/stores/memory-sandboxes.ts';

const pets = [
  { petId: 1, quantity: 5, status: 'available' },
  { petId: 9_007_199_254_740_993n, quantity: 0, status: 'sold' },
];

const slowdown = [{ fault: { kind: 'delay', milliseconds: 1 } }] as const;

function toRequest(method: string, path: string, apiKey: string, body?: string): MockRequest {
  const headers: Record<string, string> = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
  };
  return {
    method,
    path,
    header: (name) => headers[name],
    body: new TextEncoder().encode(body),
  };
}

async function send(
  mock: Mock,
  apiKey: string,
  method = 'GET',
  path = '/v1/inventory',
  body?: string,
): Promise<{ status: number; text: string }> {
  const response = await mock.handle(toRequest(method, path, apiKey, body));
  const text =
    typeof response.body === 'string'
      ? response.body
      : Buffer.concat([...response.body]).toString();
  return { status: response.status, text };
}

const setQuantity = (mock: Sandboxes, apiKey: string, petId: number | bigint, quantity: number) =>
  send(mock, apiKey, 'PATCH', `/v1/inventory/${petId}`, `{"quantity": ${quantity}}`);

test('a key opens a sandbox that no other key can see', async () => {
  const mock = await createSandboxes({ fixture: pets });
  const first = await mock.create();
  const second = await mock.create();
  await setQuantity(mock, first.apiKey, 1, 77);
  expect((await send(mock, first.apiKey)).text).toContain('"petId":1,"quantity":77');
  expect((await send(mock, second.apiKey)).text).toContain('"petId":1,"quantity":5');
  expect((await send(mock, 'demo-key')).text).toContain('"petId":1,"quantity":5');
});

test('makes keys that say what they are and that cannot be guessed', async () => {
  const mock = await createSandboxes();
  const { apiKey, sandbox } = await mock.create();
  expect(apiKey).toMatch(/^sb-[a-z0-9]{32}$/);
  expect(sandbox.id).toMatch(/^[a-z0-9]{10}$/);
});

test('takes a key of your own, and refuses one that is taken', async () => {
  const mock = await createSandboxes();
  expect(await mock.create({ apiKey: 'worker-1' })).toMatchObject({ apiKey: 'worker-1' });
  expect((await send(mock, 'worker-1')).status).toBe(200);
  await expect(mock.create({ apiKey: 'worker-1' })).rejects.toMatchObject({ kind: 'conflict' });
  await expect(mock.create({ apiKey: 'demo-key' })).rejects.toMatchObject({ kind: 'conflict' });
});

test('refuses a key that opens nothing, and one whose sandbox was deleted', async () => {
  const mock = await createSandboxes();
  const { apiKey, sandbox } = await mock.create();
  await mock.delete(sandbox.id);
  expect((await send(mock, apiKey)).status).toBe(401);
  expect((await send(mock, 'nobody')).status).toBe(401);
  await expect(mock.get(sandbox.id)).rejects.toMatchObject({ kind: 'notFound' });
});

test('says which sandboxes have the name that was taken for an id', async () => {
  const mock = await createSandboxes();
  const ids: string[] = [];
  const make = async (): Promise<void> => {
    ids.push((await mock.create({ name: 'ann' })).sandbox.id);
  };
  await mock.create({ name: 'an"n', policy: { 'error-codes': { unauthorized: 'ann' } } });
  await expect(mock.get('ann')).rejects.toThrow('there is no sandbox "ann": it never was');
  await make();
  const only = `there is no sandbox "ann": that is the name of ${ids[0]}; use this id`;
  await expect(mock.get('ann')).rejects.toThrow(only);
  await expect(mock.delete('ann')).rejects.toThrow(only);
  await expect(mock.get('an"n')).rejects.toThrow('that is the name of');
  await make();
  await expect(mock.get('ann')).rejects.toThrow(
    `that is the name of 2 sandboxes: ${ids.join(', ')}; use the id of one`,
  );
  for (let more = 0; more < 4; more += 1) await make();
  await expect(mock.get('ann')).rejects.toThrow(
    `that is the name of 6 sandboxes, such as ${ids.slice(0, 5).join(', ')}; use the id of one`,
  );
});

test('does not look for a name among thousands of sandboxes', async () => {
  const mock = await createSandboxes({ fixture: 'empty' });
  for (let more = 0; more < 1000; more += 1) await mock.create({ name: 'ann' });
  await expect(mock.get('ann')).rejects.toThrow('there is no sandbox "ann": it never was');
});

test('with any key, those that open a sandbox open theirs', async () => {
  const mock = await createSandboxes({ apiKeys: 'any', fixture: pets });
  const { apiKey } = await mock.create();
  await setQuantity(mock, apiKey, 1, 8);
  expect((await send(mock, 'whoever')).text).toContain('"petId":1,"quantity":5');
});

test('a sandbox that has expired is gone', async () => {
  let now = 1_000_000;
  const mock = await createSandboxes({ now: () => now });
  const { apiKey, sandbox } = await mock.create({ timeToLive: 10 });
  expect(sandbox.expiresAt).toBe(1_010_000);
  now += 9_999;
  expect((await send(mock, apiKey)).status).toBe(200);
  now += 1;
  expect((await send(mock, apiKey)).status).toBe(401);
  expect((await mock.list()).map(({ id }) => id)).toEqual(['default']);
});

test('the time to live of a sandbox begins at the instant at which it was made', async () => {
  let now = 1000;
  const mock = await createSandboxes({ now: () => now++ });
  const { sandbox } = await mock.create({ timeToLive: 10 });
  expect(sandbox.expiresAt).toBe(sandbox.createdAt + 10_000);
});

test('a time to live can be prolonged, or lifted', async () => {
  let now = 0;
  const mock = await createSandboxes({ now: () => now });
  const { sandbox } = await mock.create({ timeToLive: 10 });
  now = 5000;
  await sandbox.configure({ timeToLive: 60 });
  expect(sandbox.expiresAt).toBe(65_000);
  await sandbox.configure({ timeToLive: null });
  expect(sandbox.expiresAt).toBeUndefined();
  now = 10 ** 12;
  expect((await mock.get(sandbox.id)).id).toBe(sandbox.id);
});

test('goes back to its fixture, and to a snapshot', async () => {
  const mock = await createSandboxes({ fixture: pets });
  const { sandbox, apiKey } = await mock.create();
  await setQuantity(mock, apiKey, 1, 6);
  await sandbox.snapshot('six');
  await setQuantity(mock, apiKey, 1, 7);
  await sandbox.restore('six');
  expect((await sandbox.items())[0]).toMatchObject({ quantity: 6n });
  await sandbox.reset();
  expect((await sandbox.items())[0]).toMatchObject({ quantity: 5n });
  await expect(sandbox.restore('seven')).rejects.toThrow(
    `there is no snapshot "seven" of sandbox "${sandbox.id}"; there are "six"`,
  );
});

test('tells how it differs from its fixture and from a snapshot', async () => {
  const mock = await createSandboxes({ fixture: pets });
  const { sandbox, apiKey } = await mock.create();
  await setQuantity(mock, apiKey, 9_007_199_254_740_993n, 3);
  await sandbox.snapshot('three');
  const change = {
    petId: 9_007_199_254_740_993n,
    before: { quantity: 0n, status: 'sold' },
    after: { quantity: 3n, status: 'sold' },
  };
  expect(await sandbox.diff()).toEqual({ changed: [change], added: [], removed: [] });
  expect(await sandbox.diff('three')).toEqual({ changed: [], added: [], removed: [] });
  await sandbox.set([{ petId: 2, quantity: 1, status: 'pending' }]);
  expect(await sandbox.diff('three')).toMatchObject({
    changed: [],
    added: [{ petId: 2n }],
    removed: [{ petId: 1n }, { petId: 9_007_199_254_740_993n }],
  });
});

test('exports itself as a fixture from which another one starts', async () => {
  const mock = await createSandboxes({
    fixture: { inventory: pets, scenarios: { slow: slowdown }, policy: { 'content-type': '415' } },
  });
  await mock.default.update(1n, { quantity: 12n, status: 'pending' });
  const text = await mock.default.export();
  const parsed = parseFixture(text);
  expect(parsed).toMatchObject({ ok: true, fixture: { policy: { 'content-type': '415' } } });
  if (!parsed.ok) return;
  const again = await createSandboxes({ loadedFixture: parsed.fixture });
  expect(await again.default.items()).toEqual(await mock.default.items());
  expect(again.default.scenarios).toEqual(['slow']);
});

test('answers by the policy of the sandbox', async () => {
  const mock = await createSandboxes({ fixture: pets });
  const { sandbox, apiKey } = await mock.create({ policy: { 'quantity-range': { minimum: 0 } } });
  expect((await setQuantity(mock, apiKey, 1, -1)).status).toBe(400);
  expect((await setQuantity(mock, 'demo-key', 1, -1)).status).toBe(200);
  await sandbox.configure({ policy: { 'quantity-range': {} } });
  expect((await setQuantity(mock, apiKey, 1, -1)).status).toBe(200);
});

test('scenarios are switched while it runs', async () => {
  const scenarios = {
    gone: [{ operation: 'updateInventory', fault: { kind: 'error', status: 404 } }],
  } as const;
  const mock = await createSandboxes({ fixture: { inventory: pets, scenarios } });
  const { sandbox, apiKey } = await mock.create({ scenario: 'gone' });
  expect((await setQuantity(mock, apiKey, 1, 1)).status).toBe(404);
  await sandbox.configure({ scenario: null });
  expect((await setQuantity(mock, apiKey, 1, 1)).status).toBe(200);
  await expect(sandbox.configure({ scenario: 'lost' })).rejects.toThrow(
    'scenario: there is no scenario "lost"; its fixture has "gone"',
  );
});

test('faults are added and removed', async () => {
  const mock = await createSandboxes({ fixture: pets });
  const { sandbox, apiKey } = await mock.create();
  const fault = await sandbox.addFault({ fault: { kind: 'error', status: 401 } });
  expect((await send(mock, apiKey)).status).toBe(401);
  expect(await sandbox.faults()).toMatchObject([{ id: fault.id, seen: 1, hits: 1 }]);
  await sandbox.removeFault(fault.id);
  expect((await send(mock, apiKey)).status).toBe(200);
  await expect(sandbox.removeFault(fault.id)).rejects.toMatchObject({ kind: 'notFound' });
});

test('the journal of a sandbox knows its own exchanges only, and no key', async () => {
  const mock = await createSandboxes({ fixture: pets });
  const { sandbox, apiKey } = await mock.create();
  await setQuantity(mock, apiKey, 1, 9);
  await send(mock, 'demo-key');
  const { exchanges } = sandbox.journal.find({});
  expect(exchanges).toMatchObject([
    {
      sequence: 1,
      operation: 'updateInventory',
      petId: 1n,
      response: { status: 200 },
      change: { petId: 1n, before: { quantity: 5n }, after: { quantity: 9n } },
      verdict: { verdict: 'pass' },
    },
  ]);
  expect(JSON.stringify(exchanges, (_, value: unknown) => String(value))).not.toContain(apiKey);
});

test('the journal counts the delays that were asked for', async () => {
  const mock = await createSandboxes({ fixture: pets, now: () => 1000 });
  await mock.default.addFault({ fault: { kind: 'delay', milliseconds: 250 } });
  await send(mock, 'demo-key');
  expect(mock.default.journal.find().exchanges).toMatchObject([{ duration: 250 }]);
});

test('tells of what happens, to those who want to know of that sandbox', async () => {
  const mock = await createSandboxes({ fixture: pets });
  const { sandbox, apiKey } = await mock.create();
  const events: SandboxEvent[] = [];
  const stop = mock.subscribe((event) => events.push(event), sandbox.id);
  await setQuantity(mock, apiKey, 1, 9);
  await setQuantity(mock, 'demo-key', 1, 9);
  await sandbox.reset();
  await sandbox.snapshot('one');
  stop();
  await sandbox.reset();
  expect(events.map(({ type }) => type)).toEqual(['exchange', 'change', 'replaced', 'sandbox']);
});

test('there is a limit to sandboxes, snapshots and pets', async () => {
  const limits = { sandboxes: 1, snapshots: 1, pets: 2 };
  const mock = await createSandboxes({ limits });
  const { sandbox } = await mock.create();
  await expect(mock.create()).rejects.toMatchObject({ kind: 'limit' });
  await sandbox.snapshot('one');
  await sandbox.snapshot('one');
  await expect(sandbox.snapshot('two')).rejects.toMatchObject({ kind: 'limit' });
  await expect(
    sandbox.set([...pets, { petId: 3, quantity: 1, status: 'sold' }]),
  ).rejects.toMatchObject({ kind: 'limit' });
});

test('empties the journals that rested longest where all of them take too much', async () => {
  const limits = { exchanges: 100, allJournalsBytes: 20_000 };
  const mock = await createSandboxes({ fixture: pets, limits });
  const keys: string[] = [];
  for (let count = 0; count < 10; count += 1) keys.push((await mock.create()).apiKey);
  for (const apiKey of keys) {
    for (let count = 0; count < 10; count += 1) await send(mock, apiKey);
  }
  const sandboxes = (await mock.list()).filter(({ id }) => id !== 'default');
  const bytes = sandboxes.map(({ journal }) => journal.bytes);
  expect(bytes.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(20_000);
  expect(bytes[0]).toBe(0);
  expect(sandboxes.at(-1)?.journal.size).toBe(10);
});

test.each([
  [{ fixture: 'nothing' }, 'there is no fixture "nothing"'],
  [{ timeToLive: 0 }, 'timeToLive must be a whole number of seconds'],
  [{ seed: 1.5 }, 'seed must be an integer'],
  [{ name: '' }, 'the name of a sandbox must have 1 to 64'],
  [{ apiKey: 'two words' }, 'apiKey must have 1 to 256 visible'],
  [{ policy: { 'content-type': 'maybe' } }, 'content-type'],
  [{ fixture: [{ petId: 1.5, quantity: 1, status: 'sold' }] }, 'item 0: petId'],
  [{ scenario: 'none' }, 'there is no scenario "none"'],
  [{ colour: 'red' }, 'there is no option "colour"'],
])('refuses to create a sandbox with %j', async (options, message) => {
  const mock = await createSandboxes({ fixture: pets });
  await expect(mock.create(options as never)).rejects.toThrow(message);
  expect(await mock.list()).toHaveLength(1);
});

test.each([
  [{ fixtur: 'edge' }, 'there is no option "fixtur"'],
  [{ limits: { sandboxs: 1 } }, 'limits: there is no option "sandboxs"'],
  [{ limits: { sandboxes: -1 } }, 'limits.sandboxes must be an integer from 0 up; got -1'],
  [{ policy: { 'content-type': 'maybe' } }, 'content-type'],
  [{ policy: { 'content-tipe': '415' } }, 'content-tipe'],
])('refuses to be created with %j', async (options, message) => {
  await expect(createSandboxes(options as never)).rejects.toThrow(message);
});

test.each([
  [{ colour: 'red' }, 'there is no option "colour"'],
  [null, 'the changes of a sandbox must be an object'],
  [{ seed: 1.5 }, 'seed must be an integer'],
])('refuses to change a sandbox by %j', async (changes, message) => {
  const mock = await createSandboxes({ fixture: pets });
  await expect(mock.default.configure(changes as never)).rejects.toThrow(message);
});

test('bounds of a policy may be numbers', async () => {
  const mock = await createSandboxes({ policy: { 'quantity-range': { minimum: 0 } } });
  expect(mock.policy['quantity-range']).toEqual({ minimum: 0n });
});

test('never repeats a long name', async () => {
  const mock = await createSandboxes();
  const name = 'x'.repeat(100_000);
  const refused = await mock.create({ name }).catch((error: unknown) => error);
  expect((refused as Error).message.length).toBeLessThan(500);
});

test('a storage that was emptied is seeded anew, once it has been empty for a second', async () => {
  let now = 0;
  const storage = new MemorySandboxes({ now: () => now });
  const mock = await createSandboxes({ fixture: pets, storage, now: () => now });
  await setQuantity(mock, 'demo-key', 1, 9);
  storage.delete('default');
  await expect(mock.ready()).rejects.toThrow('the default sandbox is not in the storage');
  expect((await send(mock, 'demo-key')).status).toBe(503);
  now = 999;
  expect((await send(mock, 'demo-key')).status).toBe(503);
  now = 1000;
  expect((await send(mock, 'demo-key')).status).toBe(503);
  await expect.poll(() => send(mock, 'demo-key')).toMatchObject({ status: 200 });
  expect((await send(mock, 'demo-key')).text).toContain('"petId":1,"quantity":5');
  await mock.ready();
});

test('the default sandbox can be seeded anew and cannot be deleted', async () => {
  const mock = await createSandboxes({ fixture: pets });
  const { apiKey } = await mock.create();
  await mock.reseed({ inventory: [{ petId: 4n, quantity: 4n, status: 'sold' }], apiKeys: ['new'] });
  expect((await send(mock, 'new')).text).toBe('[{"petId":4,"quantity":4,"status":"sold"}]');
  expect((await send(mock, 'demo-key')).status).toBe(401);
  expect((await send(mock, apiKey)).text).toContain('"petId":1,');
  await expect(mock.delete('default')).rejects.toMatchObject({ kind: 'conflict' });
});

test('what an expired sandbox took is given back without another one being created', async () => {
  let now = 1_000_000;
  const events: string[] = [];
  const storage = new MemorySandboxes({ now: () => now });
  const mock = await createSandboxes({ now: () => now, storage });
  mock.subscribe((event) => events.push(event.type));
  const { sandbox, apiKey } = await mock.create({ timeToLive: 60 });
  await send(mock, apiKey);
  const waiting = sandbox.journal.waitFor({ petId: 1n, wait: 60 });
  now += 61_000;
  await send(mock, 'demo-key');
  expect(await waiting).toMatchObject({ exchanges: [] });
  expect(events).toEqual(['created', 'exchange', 'deleted', 'exchange']);
  expect(storage.count()).toBe(1);
});

test('what other processes answer lets what an expired sandbox took be given back, too', async () => {
  let now = 1_000_000;
  const events: string[] = [];
  const mock = await createSandboxes({ now: () => now });
  await mock.create({ timeToLive: 60 });
  mock.subscribe((event) => events.push(event.type));
  now += 61_000;
  await mock.adoptExchanges('default', []);
  expect(events).toEqual(['deleted']);
});

test.for(['.', '..', ' a', 'a\n', ''])('refuses the name "%s" of a snapshot', async (name) => {
  const mock = await createSandboxes();
  await expect(mock.default.snapshot(name)).rejects.toMatchObject({
    kind: 'invalid',
    message: expect.stringMatching(/^the name of a snapshot must have 1 to 64 printable/),
  });
  expect(await mock.default.snapshots()).toEqual([]);
});

test('refuses the 51st fault, and keeps those before', async () => {
  const mock = await createSandboxes();
  for (let count = 0; count < 50; count += 1) {
    await mock.default.addFault({ fault: { kind: 'delay', milliseconds: 0 } });
  }
  await expect(mock.default.addFault({ fault: { kind: 'reset' } })).rejects.toMatchObject({
    name: 'SandboxError',
    kind: 'limit',
    message: 'a mock takes at most 50 rules; got 51',
  });
  expect(await mock.default.faults()).toHaveLength(50);
});

test('a sandbox that is served alone is judged by the keys that open it there', async () => {
  const mock = await createSandboxes();
  const { sandbox, apiKey } = await mock.create();
  const alone = await mock.alone(sandbox.id, [apiKey]);
  expect((await send(alone, apiKey)).status).toBe(200);
  expect((await send(alone, 'another-key')).status).toBe(401);
  const { exchanges } = sandbox.journal.find();
  expect(exchanges.map(({ verdict }) => verdict)).toMatchObject([
    { verdict: 'pass' },
    { verdict: 'pass', clauses: expect.arrayContaining(['5/invalid-key']) },
  ]);
});

test('keeps every one of the changes that are made at once', async () => {
  const storage = new MemorySandboxes();
  const mock = await createSandboxes({ storage });
  const { sandbox } = await mock.create({ fixture: 'default' });
  const [, , , fault] = await Promise.all([
    sandbox.configure({ name: 'mine' }),
    sandbox.configure({ seed: 7 }),
    sandbox.configure({ policy: { challenge: 'none' } }),
    sandbox.addFault({ fault: { kind: 'hang' } }),
    sandbox.configure({ policy: { 'content-type': '415' }, scenario: 'bad network' }),
  ]);
  const changed = {
    name: 'mine',
    seed: 7,
    scenario: 'bad network',
    policy: { challenge: 'none', 'content-type': '415' },
  };
  expect(sandbox).toMatchObject(changed);
  const hang = { id: fault.id, rule: { fault: { kind: 'hang' } } };
  expect((await sandbox.faults()).at(-1)).toMatchObject(hang);
  // What was stored as well.
  const again = await createSandboxes({ storage });
  expect(await again.get(sandbox.id)).toMatchObject(changed);
  expect((await (await again.get(sandbox.id)).faults()).at(-1)).toMatchObject(hang);
});

test('goes on with changes behind one that was refused', async () => {
  const mock = await createSandboxes();
  const changes = await Promise.allSettled([
    mock.default.configure({ scenario: 'lost' }),
    mock.default.configure({ seed: 8 }),
    mock.default.removeFault('f1'),
    mock.default.addFault({ fault: { kind: 'reset' } }),
  ]);
  expect(changes.map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  expect(mock.default.seed).toBe(8);
  expect(await mock.default.faults()).toHaveLength(1);
});

test('a sandbox that is served alone answers by the settings that it has by now', async () => {
  class BusyStorage extends MemorySandboxes {
    /** How many updates come too late. */
    late = 0;
    override get(id: string) {
      const { settings = '', store } = super.get(id) ?? {};
      const found = super.configure(id, { settings });
      if (store === undefined || found === undefined || found === 'changed') return undefined;
      const update = (...change: Parameters<typeof store.update>) => {
        this.late -= 1;
        if (this.late >= 0) throw new SettingsChangedError(id);
        return store.update(...change);
      };
      return Object.assign(found, {
        judgedStore: Object.assign(Object.create(store) as typeof store, { update }),
      });
    }
  }
  const storage = new BusyStorage();
  const mock = await createSandboxes({ storage });
  const { sandbox, apiKey } = await mock.create();
  const alone = await mock.alone(sandbox.id, [apiKey]);
  storage.late = 1;
  const updating = send(alone, apiKey, 'PATCH', '/v1/inventory/1', '{"quantity":9}');
  expect((await updating).status).toBe(200);
});

test('a sandbox that takes the id of another has nothing of its exchanges and counts', async () => {
  const storage = new MemorySandboxes();
  const mock = await createSandboxes({ storage });
  for (const createdAt of [1, 2]) {
    storage.delete('one');
    const settings = `{"createdAt":${createdAt},"rules":[{"nth":2,"fault":{"kind":"hang"}}]}`;
    const seed = [{ petId: 1n, quantity: 5n, status: 'sold' as const }];
    storage.create({ id: 'one', apiKey: 'one', settings, seed });
    expect(await send(mock, 'one')).toMatchObject({ status: 200 });
    const sandbox = await mock.get('one');
    expect(sandbox.journal.find().exchanges).toHaveLength(1);
    expect(await sandbox.faults()).toMatchObject([{ seen: 1, hits: 0 }]);
  }
});

test('two mocks over one storage in memory lose none of many changes', async () => {
  const storage = new MemorySandboxes();
  const mocks = [await createSandboxes({ storage }), await createSandboxes({ storage })];
  const hang = { fault: { kind: 'hang' } } as const;
  const adding = [...mocks, ...mocks].map(async (mock) => mock.default.addFault(hang));
  expect(new Set((await Promise.all(adding)).map(({ id }) => id)).size).toBe(4);
});

test('takes no more snapshots than it may where many are asked for at once', async () => {
  const mock = await createSandboxes({ limits: { snapshots: 3 } });
  const names = Array.from({ length: 9 }, (_, index) => `s${index}`);
  const taken = await Promise.allSettled(names.map((name) => mock.default.snapshot(name)));
  expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  expect(await mock.default.snapshots()).toHaveLength(3);
});

test('faults that cannot be stored stay as they were', async () => {
  class FullDisk extends MemorySandboxes {
    isFull = false;
    override configure(...given: Parameters<MemorySandboxes['configure']>) {
      if (this.isFull) throw new StoreUnavailableError('the disk is full', 1);
      return super.configure(...given);
    }
  }
  const storage = new FullDisk();
  const mock = await createSandboxes({ storage });
  const { id } = await mock.default.addFault({ fault: { kind: 'hang' } });
  storage.isFull = true;
  const kinds = async (): Promise<readonly string[]> =>
    (await mock.default.faults()).map(({ rule }) => rule.fault.kind);
  await expect(mock.default.addFault({ fault: { kind: 'reset' } })).rejects.toThrow('is full');
  expect(await kinds()).toEqual(['hang']);
  await expect(mock.default.removeFault(id)).rejects.toThrow('is full');
  expect(await kinds()).toEqual(['hang']);
  await expect(mock.default.setFaults([])).rejects.toThrow('is full');
  expect(await kinds()).toEqual(['hang']);
});

test.for([
  { settings: 'garbage', left: '$: expected a JSON object' },
  { settings: '[]', left: '$: expected a JSON object' },
  { settings: '{"policy":{"long-gone":"x"}}', left: '$.policy["long-gone"]' },
  { settings: '{"policy":{"content-type":"500"}}', left: '$.policy["content-type"]' },
  { settings: '{"scenarios":{"storm":[{"fault":{"kind":"flood"}}]}}', left: '$.scenarios.storm' },
  { settings: '{"rules":[{"fault":{"kind":"flood"}}]}', left: '$.rules[0].fault.kind' },
  { settings: '{"rules":5,"seed":"x","createdAt":1e99,"name":7,"new":[1]}', left: undefined },
  { settings: '{"scenario":"constructor","seed":99999999999}', left: undefined },
])('a sandbox with the settings $settings keeps its inventory', async ({ settings, left }) => {
  const bugs: unknown[] = [];
  const storage = new MemorySandboxes();
  const items = [{ petId: 1n, quantity: 5n, status: 'sold' as const }];
  storage.create({ id: 'default', settings, seed: items });
  storage.create({ id: 'other', apiKey: 'other', settings, seed: items });
  const mock = await createSandboxes({ storage, onBug: (error) => bugs.push(error) });
  for (const apiKey of ['demo-key', 'other']) {
    expect(await send(mock, apiKey)).toMatchObject({
      status: 200,
      text: '[{"petId":1,"quantity":5,"status":"sold"}]',
    });
  }
  expect((await mock.list()).map(({ id }) => id)).toEqual(['default', 'other']);
  const sandbox = await mock.get('other');
  expect(sandbox).toMatchObject({ name: 'unnamed', policy: defaultPolicy });
  expect(await sandbox.faults()).toEqual([]);
  expect(new Date(sandbox.createdAt).toISOString()).toBe('1970-01-01T00:00:00.000Z');
  await sandbox.configure({ policy: { challenge: 'none' } });
  expect(sandbox.policy.challenge).toBe('none');
  const told = bugs.map((bug) => String(bug).includes(left ?? 'nothing'));
  expect(told).toEqual(left === undefined ? [] : [true, true]);
});

test('faults whose numbers are damaged, or another version has left out, get new ones', async () => {
  const rules = '"rules":[{"fault":{"kind":"reset"}},{"fault":{"kind":"hang"}}]';
  const storage = new MemorySandboxes();
  const mock = await createSandboxes({ storage });
  const idsOf = async (settings: string): Promise<readonly string[]> => {
    storage.delete('other');
    storage.create({ id: 'other', settings, seed: [] });
    return (await (await mock.get('other')).faults()).map(({ id }) => id);
  };
  const numbers = '"run":1,"lastId":7,"lastPlace":4,"played":[]';
  expect(await idsOf(`{${rules},"numbering":{${numbers},"added":[[7,4],[3,1]]}}`)).toEqual([
    'f7',
    'f3',
  ]);
  for (const numbering of [`{${numbers},"added":[[7,4]]}`, `{"added":5}`, '5', '{"run":"x"}']) {
    expect(await idsOf(`{${rules},"numbering":${numbering}}`)).toEqual(['f1', 'f2']);
  }
  expect(await idsOf(`{${rules}}`)).toEqual(['f1', 'f2']);
});

test('what can be read of damaged settings stays', async () => {
  const storage = new MemorySandboxes();
  const mock = await createSandboxes({ storage });
  const known = '"content-type":"415","quantity-range":{"minimum":0}';
  storage.create({
    id: 'other',
    settings: `{"name":"mine","seed":7,"policy":{"long-gone":1,${known}},"rules":[{},{"fault":{"kind":"hang"}}]}`,
    seed: [],
  });
  const sandbox = await mock.get('other');
  expect(sandbox.policy).toEqual({
    ...defaultPolicy,
    'content-type': '415',
    'quantity-range': { minimum: 0n },
  });
  expect((await sandbox.faults()).map(({ rule }) => rule.fault)).toEqual([{ kind: 'hang' }]);
  expect(sandbox.name).toBe('mine');
});

test('answers the request though a listener throws, and tells the others', async () => {
  const bugs: unknown[] = [];
  const told: string[] = [];
  const mock = await createSandboxes({ fixture: pets, onBug: (error) => bugs.push(error) });
  const error = new Error('not today');
  mock.subscribe(() => {
    throw error;
  });
  mock.subscribe(({ type }) => told.push(type));
  expect((await send(mock, 'demo-key')).status).toBe(200);
  expect(bugs).toEqual([error]);
  expect(told).toEqual(['exchange']);
});

test.for([
  ['Basic KEY', {}, 401],
  ['bearer KEY', {}, 200],
  ['bearer KEY', { 'scheme-case': 'exact' }, 401],
  ['Bearer  KEY', {}, 200],
  ['Bearer other KEY', {}, 401],
  ['xBearer KEY', {}, 401],
  ['Bearer: KEY', {}, 401],
  ['KEY', {}, 401],
  ['Bearer KEY ', {}, 401],
] as const)('judges the whole header "%s" by the policy %o', async ([pattern, policy, status]) => {
  const mock = await createSandboxes({ policy });
  const { apiKey } = await mock.create();
  for (const key of [apiKey, 'demo-key']) {
    const authorization = pattern.replace('KEY', key);
    const request = { ...toRequest('GET', '/v1/inventory', key), header: () => authorization };
    expect((await mock.handle(request)).status).toBe(status);
  }
});

test('journals of one seed show the beginning that each list had', async () => {
  const fixture = Array.from({ length: 10_000 }, (_, index) => ({
    petId: index,
    quantity: 1,
    status: 'sold' as const,
  }));
  const mock = await createSandboxes({ fixture });
  for (const petId of [0, 50, 9999, 0]) {
    const { apiKey, sandbox } = await mock.create();
    await setQuantity(mock, apiKey, petId, 777);
    const { text } = await send(mock, apiKey);
    const [entry] = sandbox.journal.find({ operation: 'listInventory' }).exchanges;
    expect(entry?.response.body).toEqual({
      text: text.slice(0, 4096),
      length: text.length,
      isCut: true,
    });
  }
});
