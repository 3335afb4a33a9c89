import { expect, onTestFinished, test } from 'vitest';
import type { InventoryItem } from '../../src/inventory/item.ts';
import { stringifyExactJson } from '../../src/json/exact-json.ts';
import { concludeReport } from '../../src/verify/explain.ts';
import type { Report } from '../../src/verify/report.ts';
import { verify } from '../../src/verify/verify.ts';
import type { VerifyOptions } from '../../src/verify/verify-options.ts';
import { startServer } from '../../src/server/http-server.ts';
import { apiKey, createMockUnderTest, defaultItems } from '../mock-under-test.ts';
import { policies } from '../policies.ts';
import { contentsOf, sendJson, startProvider, type Provider } from './provider.ts';

function verifyProvider(
  provider: Pick<Provider, 'url'>,
  options: Partial<VerifyOptions> = {},
): Promise<Report> {
  return verify({ baseUrl: provider.url, apiKey, ...options });
}

const toLines = ({ received }: Provider): readonly string[] =>
  received.map(({ method, path, body }) => `${method} ${path} ${body.toString('latin1')}`);

const failures = (report: Report): readonly string[] =>
  report.results.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);

test('passes a provider that conforms, without advice', async () => {
  const report = await verifyProvider(await startProvider(), { strict: true });
  expect(failures(report)).toEqual([]);
  expect(report).toMatchObject({ verdict: 'pass', exitCode: 0, advice: [] });
});

test('is only inconclusive where a pet was named as unknown, but is listed', async () => {
  const report = await verifyProvider(await startProvider(), { unknownPets: [2n] });
  expect(failures(report)).toEqual([]);
  expect(report.exitCode).toBe(3);
  expect(concludeReport(report)).toBe(
    'Inconclusive: pet 2 was named as unknown, but it is listed.',
  );
});

test('says that a pet that was named is not listed', async () => {
  const report = await verifyProvider(await startProvider(), { pets: [777n] });
  expect(concludeReport(report)).toBe(
    'Inconclusive: pet 777 was named to be written to, but it is not listed.',
  );
});

for (const { policy } of policies) {
  test(`accepts ${stringifyExactJson(policy)}`, async () => {
    const report = await verifyProvider(await startProvider({ policy }));
    expect(failures(report)).toEqual([]);
    expect(report.exitCode).toBe(0);
  });
}

const wrongOptions: readonly (readonly [options: object, error: ErrorConstructor, says: string])[] =
  [
    [{ apiKey: undefined }, TypeError, 'there is no API key'],
    [{ apiKey: '' }, TypeError, 'there is no API key'],
    [{ apiKey: 'two words' }, RangeError, 'visible ASCII characters without spaces'],
    [{ baseUrl: 'nowhere' }, TypeError, 'must be an address such as http://127.0.0.1:4010/v1'],
    [{ baseUrl: 'ftp://127.0.0.1/v1' }, TypeError, 'must be an address such as'],
    [{ baseUrl: 'http://a:b@127.0.0.1/v1' }, RangeError, 'must not hold credentials'],
    [{ baseUrl: 'http://127.0.0.1/v1?x=1' }, RangeError, 'without "?" and "#"'],
    [{ readonly: true }, TypeError, 'there is no option "readonly"'],
    [{ stateToken: 't' }, TypeError, 'stateToken needs stateUrl'],
    [
      { stateUrl: 'http://127.0.0.1:9/', stateToken: 'a b' },
      RangeError,
      'stateToken must be one or more visible',
    ],
  ];

for (const [options, error, says] of wrongOptions) {
  test(`refuses the options ${JSON.stringify(options)}`, async () => {
    const outcome = verify({ baseUrl: 'http://127.0.0.1:9/v1', apiKey, ...options });
    await expect(outcome).rejects.toThrow(error);
    await expect(outcome).rejects.toThrow(says);
  });
}

test('counts advice as failure where that is asked for', async () => {
  const provider = await startProvider({ policy: { challenge: 'none' } });
  expect(await verifyProvider(provider)).toMatchObject({ verdict: 'advice', exitCode: 0 });
  const strict = await verifyProvider(provider, { strict: true });
  expect(strict.exitCode).toBe(1);
  expect(strict.advice.map(({ message }) => message)).toEqual([
    expect.stringContaining('WWW-Authenticate'),
  ]);
});

test('names the choices that the provider makes', async () => {
  const provider = await startProvider({
    policy: { 'quantity-range': { minimum: 0n, maximum: 2_147_483_647n }, 'content-type': '415' },
  });
  const { choices } = await verifyProvider(provider);
  const chosen = Object.fromEntries(choices.map((one) => [one.decision, one.choices]));
  expect(chosen).toMatchObject({
    'quantity-range': ['bounded'],
    'content-type': ['415'],
    'integer-notation': ['accept'],
  });
});

test('leaves the inventory as it was', async () => {
  const provider = await startProvider();
  const before = await contentsOf(provider.mock);
  const { footprint } = await verifyProvider(provider);
  expect(await contentsOf(provider.mock)).toBe(before);
  expect(footprint.restored).toBeGreaterThan(0);
  expect(footprint.notRestored).toEqual([]);
});

test('says which status could not be restored', async () => {
  const provider = await startProvider({
    items: [{ petId: 5n, quantity: 0n, status: 'pending' }],
    policy: { 'status-transition': 'by-quantity' },
  });
  const { footprint } = await verifyProvider(provider);
  expect(footprint.notRestored).toEqual([
    {
      petId: 5n,
      expected: { quantity: 0n, status: 'pending' },
      received: { quantity: 0n, status: 'sold' },
      reason: 'the API cannot set a status',
    },
  ]);
});

test('restores what it changed when it is interrupted', async () => {
  const controller = new AbortController();
  const provider = await startProvider({
    intercept: ({ number }) => {
      if (number === 200) controller.abort();
      return false;
    },
  });
  const before = await contentsOf(provider.mock);
  const report = await verifyProvider(provider, { signal: controller.signal });
  expect(report).toMatchObject({ exitCode: 3, reason: 'the run was interrupted' });
  expect(provider.received.length).toBeLessThan(300);
  expect(await contentsOf(provider.mock)).toBe(before);
});

test('restores what a broken provider changed in pets that nobody named', async () => {
  const provider = await startProvider({
    intercept: async ({ method, headers }, _, mock) => {
      if (method === 'PATCH' && headers.authorization === undefined) {
        await mock.replace(
          [...(await mock.items())].map((item) =>
            item.petId === 13n ? { ...item, quantity: 66n } : item,
          ),
        );
      }
      return false;
    },
  });
  const before = await contentsOf(provider.mock);
  const report = await verifyProvider(provider);
  expect(report.exitCode).toBe(1);
  expect(await contentsOf(provider.mock)).toBe(before);
});

test('sends nothing but GET in a read-only run', async () => {
  const provider = await startProvider();
  const report = await verifyProvider(provider, { readOnly: true });
  expect(new Set(provider.received.map(({ method }) => method))).toEqual(new Set(['GET']));
  expect(report.exitCode).toBe(0);
  expect(report.results.length).toBeGreaterThan(20);
  expect(report.leftOut).toContainEqual({
    id: 'updateInventory/200/zero',
    reason: 'only GET is sent in a read-only run',
  });
});

test('keeps to a number of writes, and restores within it', async () => {
  const provider = await startProvider();
  const before = await contentsOf(provider.mock);
  const { footprint, leftOut } = await verifyProvider(provider, { maximumWrites: 12 });
  expect(footprint.writes).toBeLessThanOrEqual(12);
  expect(leftOut.map(({ reason }) => reason)).toContain('12 writes do not suffice for it');
  expect(await contentsOf(provider.mock)).toBe(before);
});

test('writes to the pets that were named, and to no others', async () => {
  const provider = await startProvider();
  const report = await verifyProvider(provider, { pets: [8n, 12n] });
  expect(report.exitCode).toBe(0);
  const listed = new Set(defaultItems().map(({ petId }) => `/v1/inventory/${petId}`));
  const written = provider.received
    .filter(({ method, path }) => method === 'PATCH' && listed.has(path))
    .map(({ path }) => path);
  expect(new Set(written)).toEqual(new Set(['/v1/inventory/8', '/v1/inventory/12']));
});

test('takes the ids that were named as unknown', async () => {
  const provider = await startProvider();
  await verifyProvider(provider, { unknownPets: [700n, 701n] });
  const paths = provider.received.map(({ path }) => path);
  expect(paths).toContain('/v1/inventory/700');
  expect(paths.filter((path) => /\/1\d{9}$/.test(path))).toEqual([]);
});

test('judges what was selected', async () => {
  const report = await verifyProvider(await startProvider(), {
    selects: (id) => id.startsWith('updateInventory/404/'),
  });
  const ids = report.results.map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(20);
  // The list is what everything is looked at with.
  expect(ids.filter((id) => !id.startsWith('updateInventory/404/'))).toEqual([
    'listInventory/200/all-entries',
  ]);
});

test('is inconclusive where nobody listens', async () => {
  const report = await verify({ baseUrl: 'http://127.0.0.1:9/v1', apiKey });
  expect(report).toMatchObject({ verdict: 'inconclusive', exitCode: 3, results: [] });
  expect(report.reason).toContain('nothing accepts connections there');
});

test('is inconclusive where the key is refused', async () => {
  const report = await verifyProvider(await startProvider(), { apiKey: 'another-key' });
  expect(report).toMatchObject({ exitCode: 3, results: [] });
  expect(report.reason).toContain('refuses the API key');
});

test('fails a provider that refuses the key for the list alone', async () => {
  const provider = await startProvider({
    intercept: ({ method }, response) =>
      method === 'GET' &&
      sendJson(response, 401, '{"code":"unauthorized","message":"no","status":401}'),
  });
  const report = await verifyProvider(provider);
  expect(report.exitCode).toBe(1);
  expect(failures(report)).toContain('listInventory/200/all-entries');
});

test('is inconclusive where the inventory is empty', async () => {
  const report = await verifyProvider(await startProvider({ items: [] }));
  expect(report.exitCode).toBe(3);
  const findings = report.results.flatMap((result) => result.findings);
  expect(findings.map(({ message }) => message)).toContain(
    'the inventory is empty, so there is no pet to update; add one, or give a state-change URL',
  );
});

const answersToEverything: readonly (readonly [status: number, body: string, exitCode: number])[] =
  [
    [401, '{"code":"unauthorized","message":"no","status":401}', 3],
    [200, '[]', 1],
    [200, '[{"petId":1,"quantity":3,"status":"available"}]', 1],
    [500, '{"code":"internal","message":"broken","status":500}', 1],
    [404, '{"code":"not_found","message":"nothing here","status":404}', 1],
  ];

for (const [status, body, exitCode] of answersToEverything) {
  test(`exits with ${exitCode} where everything is answered with ${status} ${body}`, async () => {
    const provider = await startProvider({
      intercept: (_, response) => sendJson(response, status, body),
    });
    expect(await verifyProvider(provider)).toMatchObject({ exitCode });
  });
}

const hugeItems: readonly InventoryItem[] = [
  { petId: -9_223_372_036_854_775_808n, quantity: 10n ** 40n, status: 'sold' },
  { petId: 9_223_372_036_854_775_807n, quantity: -5n, status: 'pending' },
];

test('works on pets whose quantities a provider could refuse, if it takes them back', async () => {
  const provider = await startProvider({ items: hugeItems });
  const before = await contentsOf(provider.mock);
  const report = await verifyProvider(provider);
  expect(failures(report)).toEqual([]);
  expect(report.exitCode).toBe(0);
  expect(await contentsOf(provider.mock)).toBe(before);
});

test('leaves pets alone whose quantities cannot be restored', async () => {
  const provider = await startProvider({
    items: [...hugeItems, { petId: 4n, quantity: 4n, status: 'available' }],
    policy: { 'quantity-range': { minimum: 0n, maximum: 1_000_000_000_000n } },
  });
  const before = await contentsOf(provider.mock);
  const report = await verifyProvider(provider);
  expect(failures(report)).toEqual([]);
  expect(await contentsOf(provider.mock)).toBe(before);
});

test('makes the same requests again from the same seed', async () => {
  const [first, second] = [await startProvider(), await startProvider()];
  await verifyProvider(first, { seed: 42, concurrency: 1 });
  await verifyProvider(second, { seed: 42, concurrency: 1 });
  expect(toLines(second)).toEqual(toLines(first));
});

test('sets states where there is a state-change URL', async () => {
  const states: string[] = [];
  const provider = await startProvider({
    items: [],
    intercept: async ({ path, body, headers }, response, mock) => {
      if (path !== '/states') return false;
      expect(headers.authorization).toBeUndefined();
      const { state, params, action } = JSON.parse(body.toString()) as {
        state: string;
        params: { items?: { petId: number; quantity: number; status: 'available' }[] };
        action: string;
      };
      states.push(`${action}: ${state}`);
      if (action === 'teardown') return sendJson(response, 200, '{}');
      const items = params.items ?? [];
      await mock.replace(
        items.map(({ petId, quantity, status }) => ({
          // Digits that the test does not look at are lost here.
          petId: petId >= 2 ** 53 ? 9_007_199_254_740_993n : BigInt(petId),
          quantity: BigInt(quantity),
          status,
        })),
      );
      return sendJson(response, 200, '{}');
    },
  });
  const report = await verifyProvider(provider, {
    stateUrl: new URL('/states', provider.url),
  });
  expect(failures(report)).toEqual([]);
  expect(report).toMatchObject({ exitCode: 0, leftOut: [] });
  expect(states).toEqual([
    'setup: the inventory has the items',
    'setup: the inventory is empty',
    // What was there before.
    'teardown: the inventory has the items',
  ]);
  expect(await contentsOf(provider.mock)).toBe('');
});

test('brings back what the states of the mock replaced', async () => {
  const mock = createMockUnderTest();
  const server = await startServer({ mock, port: 0 });
  onTestFinished(() => server.close());
  const before = await contentsOf(mock);
  const report = await verifyProvider(server, {
    stateUrl: new URL('/_stockcheck/states', server.url),
  });
  expect(report).toMatchObject({ exitCode: 0, leftOut: [] });
  expect(report.footprint.notRestored).toEqual([]);
  expect(await contentsOf(mock)).toBe(before);
});

test('sends the token of the state-change URL there, and nowhere else', async () => {
  const mock = createMockUnderTest();
  const adminToken = 'let-me-in';
  const keys = new Set<string | undefined>();
  const handle: typeof mock.handle = (request) => {
    keys.add(request.header('authorization'));
    return mock.handle(request);
  };
  const server = await startServer({ mock: { ...mock, handle }, port: 0, adminToken });
  onTestFinished(() => server.close());
  const stateUrl = new URL('/_stockcheck/states', server.url);
  const report = await verifyProvider(server, { stateUrl, stateToken: adminToken });
  expect(report).toMatchObject({ exitCode: 0, leftOut: [] });
  expect([...keys].filter((key) => key?.includes(adminToken))).toEqual([]);
  expect(await verifyProvider(server, { stateUrl })).toMatchObject({ exitCode: 3 });
  const wrong = await verifyProvider(server, { stateUrl, stateToken: 'wrong-token' });
  expect(wrong.reason).toContain('it answered 401');
  expect(JSON.stringify(wrong)).not.toContain('wrong-token');
});

test('fails a provider that lists no more than fifty pets of a state', async () => {
  const provider = await startProvider({
    items: [{ petId: 1n, quantity: 1n, status: 'available' }],
    intercept: async ({ path }, response, mock) => {
      if (path === '/states') {
        await mock.replace(
          Array.from({ length: 50 }, (_, index) => ({
            petId: BigInt(101 + 3 * index),
            quantity: BigInt((index * 7) % 50),
            status: (['available', 'pending', 'sold'] as const)[index % 3] ?? 'available',
          })),
        );
        return sendJson(response, 200, '{}');
      }
      return false;
    },
  });
  const report = await verifyProvider(provider, { stateUrl: new URL('/states', provider.url) });
  const listed = report.results.find(({ id }) => id === 'listInventory/200/all-entries');
  expect(listed?.findings[0]).toMatchObject({ clause: '1/lists-every-pet', at: 'inventory' });
});

test('is inconclusive where a state cannot be set', async () => {
  const provider = await startProvider();
  const report = await verifyProvider(provider, { stateUrl: new URL('/states', provider.url) });
  expect(report.exitCode).toBe(3);
  expect(report.reason).toContain('the state "the inventory has the items" could not be set');
});

test('is inconclusive where a state was set in name only', async () => {
  const provider = await startProvider({
    intercept: ({ path }, response) => path === '/states' && sendJson(response, 200, '{}'),
  });
  const report = await verifyProvider(provider, { stateUrl: new URL('/states', provider.url) });
  expect(report.exitCode).toBe(3);
  expect(report.reason).toContain('the list is as it was before');
});
