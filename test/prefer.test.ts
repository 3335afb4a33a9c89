import { request as httpRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import type { FaultHit } from '../src/mock/exchange.ts';
import { createFaultPlan } from '../src/mock/faults/fault-plan.ts';
import type { FaultRuleInput } from '../src/mock/faults/fault-rule.ts';
import { toFetch } from '../src/mock/fetch.ts';
import { createMock, type Mock } from '../src/mock/mock.ts';
import { createSandboxes } from '../src/mock/sandboxes.ts';
import { startServer } from '../src/server/http-server.ts';
import { MemoryStore } from '../src/stores/memory.ts';
import { defaultItems } from './mock-under-test.ts';

function createMockWith(...rules: readonly FaultRuleInput[]): Mock {
  const { fault } = createFaultPlan({ rules });
  return createMock({ store: new MemoryStore(defaultItems()), apiKeys: ['demo-key'], fault });
}

const authorized = { Authorization: 'Bearer demo-key', 'Content-Type': 'application/json' };

function list(prefer: string): Request {
  const headers = { ...authorized, Prefer: prefer };
  return new Request('http://mock.test/v1/inventory', { headers });
}

function patch(prefer: string, body = '{"quantity":5}', petId = '1'): Request {
  const headers = { ...authorized, Prefer: prefer };
  return new Request(`http://mock.test/v1/inventory/${petId}`, { method: 'PATCH', headers, body });
}

test.for([400, 401, 404])('answers an update with %s where it asks for it', async (status) => {
  const mock = createMockWith();
  const response = await toFetch(mock)(patch(`code=${status}`));
  expect(response.status).toBe(status);
  expect(response.headers.get('Preference-Applied')).toBe(`code=${status}`);
  expect(response.headers.get('Access-Control-Expose-Headers')).toContain('Preference-Applied');
  expect(response.headers.get('Vary')).toBe('Prefer');
  expect(await response.json()).toMatchObject({
    status,
    message: `the request asked to be answered with ${status} (Prefer: code=${status})`,
  });
  expect([...(await mock.items())]).toEqual(defaultItems());
});

test('a forced 401 has its challenge, and the page may read both headers', async () => {
  const response = await toFetch(createMockWith())(list('code=401'));
  expect(response.status).toBe(401);
  expect(response.headers.get('WWW-Authenticate')).toBe('Bearer');
  expect(response.headers.get('Access-Control-Expose-Headers')).toBe(
    'WWW-Authenticate, Preference-Applied',
  );
});

test('200 lets the operation run, whatever rules there are', async () => {
  const mock = createMockWith({ fault: { kind: 'reset' } });
  const response = await toFetch(mock)(patch('code=200'));
  expect(response.status).toBe(200);
  expect(response.headers.get('Preference-Applied')).toBe('code=200');
  expect(await response.json()).toEqual({ petId: 1, quantity: 5, status: 'available' });
});

test('does not claim a 200 that did not come', async () => {
  const response = await toFetch(createMockWith())(patch('code=200', '{}'));
  expect(response.status).toBe(400);
  expect(response.headers.has('Preference-Applied')).toBe(false);
  expect(response.headers.get('Vary')).toBe('Prefer');
});

test.for([
  ['code="404"', 404],
  ['CODE = 404', 404],
  ['code="4\\04"', 404],
  ['code=404; because="a, b; code=401"', 404],
  ['code=404, code=401', 404],
  ['return=minimal, code=404', 404],
  ['respond-async, foo="code=401, \\" code=400", code=404', 404],
  ['return=minimal', 200],
  ['respond-async, handling=lenient; code=404', 200],
  ['encode=404', 200],
  ['"code=404"', 200],
  ['', 200],
  [', ,', 200],
  ['foo="never ends, code=404', 200],
] as const)('reads Prefer: %s', async ([prefer, status]) => {
  const response = await toFetch(createMockWith())(patch(prefer));
  expect(response.status).toBe(status);
  expect(response.headers.get('Preference-Applied')).toBe(status === 404 ? 'code=404' : null);
});

test.for([
  ['code=500', 'got "500"'],
  ['code=999999', 'got "999999"'],
  ['code', 'got ""'],
  ['code=""', 'got ""'],
  ['code=4O4', 'got "4O4"'],
  ['code==404', 'got "=404"'],
  ['code=404 401', 'got "404 401"'],
  ['wait=1, code=+404', 'got "+404"'],
] as const)('refuses Prefer: %s, and changes nothing', async ([prefer, got]) => {
  const mock = createMockWith();
  const response = await toFetch(mock)(patch(prefer));
  expect(response.status).toBe(400);
  expect(response.headers.has('Preference-Applied')).toBe(false);
  expect(await response.json()).toEqual({
    code: 'invalid_request',
    message: `Prefer: code must be one of 200, 400, 401, 404, the statuses that the specification documents for updateInventory; ${got}`,
    status: 400,
  });
  expect([...(await mock.items())]).toEqual(defaultItems());
});

test.for(['503', '429'])('says that a rule can do what Prefer: code=%s cannot', async (code) => {
  const response = await toFetch(createMockWith())(list(`code=${code}`));
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(`got \\"${code}\\"; a fault rule can answer ${code}`);
});

test('refuses a status that is documented for the other operation alone', async () => {
  const response = await toFetch(createMockWith())(list('code=404'));
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(
    'Prefer: code must be one of 200, 401, the statuses that the specification documents for listInventory; got \\"404\\"',
  );
});

test.for(['1.5', '-1', '61', 'soon', '', '1e1', '9'.repeat(30)])(
  'refuses Prefer: wait=%s, and changes nothing',
  async (wait) => {
    const mock = createMockWith();
    const response = await toFetch(mock)(patch(`wait=${wait}`));
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(
      'Prefer: wait must be a whole number of seconds from 0 to 60; got',
    );
    expect([...(await mock.items())]).toEqual(defaultItems());
  },
);

test('waits as long as the request asks for', async () => {
  const mock = createMockWith({ fault: { kind: 'delay', milliseconds: 250 } });
  const ask = (prefer: string) => {
    const headers = new Map([
      ['authorization', 'Bearer demo-key'],
      ['prefer', prefer],
    ]);
    return mock.handle({
      method: 'GET',
      path: '/v1/inventory',
      header: (name) => headers.get(name),
      body: new Uint8Array(),
    });
  };
  const { delivery } = await ask('wait=60');
  expect(delivery?.delay).toBe(60_250);
  // A request that says what it wants is no matter of rules.
  const forced = await ask('code=401, wait=2');
  expect(forced.delivery?.delay).toBe(2000);
  expect(forced.headers.join('|')).toContain('Preference-Applied|code=401, wait=2');
  expect((await ask('code=401')).delivery).toBeUndefined();
});

test('says that it did not wait at all where 0 is asked for', async () => {
  const response = await toFetch(createMockWith())(patch('wait=0'));
  expect(response.status).toBe(200);
  expect(response.headers.get('Preference-Applied')).toBe('wait=0');
});

test.for(['code=404', 'wait=soon'])(
  'refuses Prefer: %s on purpose, as a fault does',
  async (prefer) => {
    const sandboxes = await createSandboxes();
    const exchanged: (FaultHit | undefined)[] = [];
    const server = await startServer({
      sandboxes,
      port: 0,
      onExchange: ({ fault }) => exchanged.push(fault),
    });
    onTestFinished(() => server.close(0));
    const headers = { ...authorized, Prefer: prefer };
    expect((await fetch(`${server.url}/inventory`, { headers })).status).toBe(400);
    const fault = { id: 'prefer', kind: 'error' };
    expect(sandboxes.default.journal.find().exchanges).toMatchObject([
      { fault, verdict: { verdict: 'fail' }, refusal: expect.stringContaining('Prefer: ') },
    ]);
    expect(exchanged).toEqual([fault]);
  },
);

test('asks for a key first', async () => {
  const fetch = toFetch(createMockWith());
  for (const prefer of ['code=200', 'code=404', 'code=nonsense', 'wait=nonsense']) {
    const headers = { Prefer: prefer };
    const response = await fetch(new Request('http://mock.test/v1/inventory', { headers }));
    expect(response.status).toBe(401);
    expect(response.headers.has('Preference-Applied')).toBe(false);
    expect(await response.text()).not.toContain('Prefer');
  }
});

test('is read in good time, however it is written', async () => {
  const hostile = `${'"\\'.repeat(3000)}${'a="'.repeat(3000)}${' ;=,'.repeat(1000)}`;
  const response = await toFetch(createMockWith())(patch(hostile));
  expect(response.status).toBe(200);
});

test('several lines of Prefer count over HTTP, and the answer comes late', async () => {
  const server = await startServer({ mock: createMockWith(), port: 0 });
  onTestFinished(() => server.close(0));
  const outgoing = httpRequest(`${server.url}/inventory`, {
    headers: [
      'Host',
      'mock.test',
      'Authorization',
      'Bearer demo-key',
      'Prefer',
      'return=minimal',
      'Prefer',
      'wait=1',
      'Prefer',
      'code=401',
    ],
  });
  const start = performance.now();
  outgoing.end();
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  incoming.resume();
  expect(performance.now() - start).toBeGreaterThan(990);
  expect(incoming.statusCode).toBe(401);
  expect(incoming.headers['preference-applied']).toBe('code=401, wait=1');
});
