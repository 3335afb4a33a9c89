import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import type { MockRequest, MockResponse } from '../../src/mock/exchange.ts';
import { createMock, type Mock } from '../../src/mock/mock.ts';
import { startServer } from '../../src/server/http-server.ts';
import { providerStatesPath } from '../../src/server/serve-provider-states.ts';
import { MemoryStore } from '../../src/stores/memory.ts';
import { toPactJson } from '../consumer/pact-document.ts';
import { contractPact } from '../consumer/pacts.ts';
import { startLocalBroker, type LocalBroker } from '../../test/local-broker.ts';
import { policies } from '../../test/policies.ts';
import {
  formatVerification,
  verifyPact,
  type PactVerification,
  type PactVerificationOptions,
} from './verify-pact.ts';

// Each test starts a process.
vi.setConfig({ testTimeout: 60_000 });

const apiKey = 'kEy-0f-the-provider';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(cleanups.splice(0).map((cleanup) => cleanup()));
});

/** A change to what a conforming provider answers. */
type Change = (
  response: MockResponse,
  request: MockRequest,
) => MockResponse | Promise<MockResponse>;

const unchanged: Change = (response) => response;

/** Starts a provider that conforms, but for one change. */
async function startProvider(
  change: Change,
  mock: Mock = createMock({ store: new MemoryStore(), apiKeys: [apiKey] }),
): Promise<Pick<PactVerificationOptions, 'providerUrl' | 'apiKey' | 'stateUrl'>> {
  const handle: Mock['handle'] = async (request) => change(await mock.handle(request), request);
  const server = await startServer({ mock: { ...mock, handle }, port: 0 });
  cleanups.push(() => server.close(0));
  const stateUrl = new URL(providerStatesPath, server.url).href;
  return { providerUrl: server.url, apiKey, stateUrl };
}

/** A pact with some interactions of ours. */
function toPactWith(...keys: readonly string[]): string {
  const interactions = contractPact.interactions.filter(({ key }) => keys.includes(key));
  expect(interactions).toHaveLength(keys.length);
  return toPactJson({ ...contractPact, interactions });
}

/** The path of a pact file with some interactions of ours. */
async function writePactWith(...keys: readonly string[]): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'stockcheck-test-'));
  cleanups.push(() => rm(directory, { recursive: true }));
  const file = join(directory, 'pact.json');
  await writeFile(file, toPactWith(...keys));
  return file;
}

const toText = ({ body }: MockResponse): string =>
  typeof body === 'string' ? body : Buffer.concat(body).toString('utf8');

const rewrite =
  (pattern: RegExp, replacement: string): Change =>
  (response) => ({ ...response, body: toText(response).replace(pattern, replacement) });

const answerInstead =
  (status: number, instead: number): Change =>
  (response) =>
    response.status === status ? { ...response, status: instead } : response;

const setsQuantity = 'updateInventory/200/sets-quantity';
const allEntries = 'listInventory/200/all-entries';

const violations: readonly (readonly [violation: string, key: string, at: string, Change])[] = [
  [
    'a quantity that is a string',
    setsQuantity,
    '$.quantity',
    rewrite(/"quantity":(\d+)/, '"quantity":"$1"'),
  ],
  [
    'a quantity with a fraction',
    setsQuantity,
    '$.quantity',
    rewrite(/"quantity":12/, '"quantity":12.5'),
  ],
  ['another quantity', setsQuantity, '$.quantity', rewrite(/"quantity":12/, '"quantity":13')],
  ['another pet', setsQuantity, '$.petId', rewrite(/"petId":12/, '"petId":1')],
  ['another status', setsQuantity, '$.status', rewrite(/available/, 'gone')],
  ['no status', setsQuantity, 'status', rewrite(/,"status":"\w+"/, '')],
  [
    'text instead of JSON',
    setsQuantity,
    'Content-Type',
    (response) => ({ ...response, headers: ['Content-Type', 'text/plain'] }),
  ],
  [
    'a list of strings',
    allEntries,
    '$[0].quantity',
    rewrite(/"quantity":(\d+)/g, '"quantity":"$1"'),
  ],
  ['a list inside an object', allEntries, '$', rewrite(/^(.*)$/s, '{"items":$1}')],
  [
    'a list without the large pet',
    'listInventory/200/has-the-items',
    'Variant',
    rewrite(/9007199254740993/, '9007199254740992'),
  ],
  ['an entry in an empty list', 'listInventory/200/empty', '$', rewrite(/^\[\]$/, '[{}]')],
  [
    'a rounded petId',
    'updateInventory/200/large-pet-id',
    '$.petId',
    rewrite(/9007199254740993/, '9007199254740992'),
  ],
  [
    'an error without a code',
    'updateInventory/400/quantity-string',
    'code',
    rewrite(/"code":"\w+",/, ''),
  ],
  [
    'an error with another status',
    'updateInventory/404/unknown-pet',
    '$.status',
    rewrite(/"status":404/, '"status":400'),
  ],
  ['422 for 400', 'updateInventory/400/truncated-object', '422', answerInstead(400, 422)],
  ['500 for 400', 'updateInventory/400/invalid-utf-8', '500', answerInstead(400, 500)],
  ['200 for 404', 'updateInventory/404/beyond-int64', '200', answerInstead(404, 200)],
  ['403 for 401', 'updateInventory/401/key-prefix', '403', answerInstead(401, 403)],
];

test.for(violations)('finds %s in %s', async ([, key, at, change]) => {
  // The gateway looks at the list to see that a state is set: only what is verified is changed.
  const provider = await startProvider((response, request) => {
    const isVerifier = request.header('user-agent')?.startsWith('pact') === true;
    return isVerifier ? change(response, request) : response;
  });
  const verification = await verifyPact({ ...provider, pacts: [await writePactWith(key)] });
  expect(verification).toMatchObject({ verdict: 'fail', interactions: [{ key, verdict: 'fail' }] });
  expect(verification.interactions[0]?.problems.join('\n')).toContain(at);
});

test.for(policies)('accepts $decision=$choice', async ({ policy }) => {
  const mock = createMock({ store: new MemoryStore(), apiKeys: [apiKey], policy });
  const verification = await verifyPact(await startProvider((response) => response, mock));
  expect(verification.verdict, formatVerification(verification)).toBe('pass');
});

test('accepts every answer that the specification leaves open', async () => {
  const mock = createMock({
    store: new MemoryStore(),
    apiKeys: [apiKey],
    policy: {
      'error-codes': { invalid_request: 'E400', unauthorized: 'E401', not_found: 'E404' },
      'quantity-range': { minimum: 0n, maximum: 2_147_483_647n },
      'integer-notation': 'refuse',
      'unknown-fields': 'refuse',
      'status-transition': 'by-quantity',
      'error-precedence': '404-first',
      'pet-id-syntax': '400',
      'content-type': '415',
      'scheme-case': 'exact',
      challenge: 'none',
    },
  });
  const provider = await startProvider((response) => {
    const body = toText(response)
      .replaceAll(/"(quantity|status)":(-?\d{1,15})\b/g, '"$1":$2.0')
      .replaceAll(/\}(?=,\{|\]|$)/g, ',"note":null}');
    return { ...response, headers: ['content-type', 'Application/JSON; charset=UTF-8'], body };
  }, mock);
  const verification = await verifyPact(provider);
  expect(verification.verdict, formatVerification(verification)).toBe('pass');
  expect(verification.interactions).toHaveLength(contractPact.interactions.length);
});

test('asks with the key of the provider, and leaves wrong keys wrong', async () => {
  const asked: (string | undefined)[] = [];
  const paths: string[] = [];
  const provider = await startProvider((response, request) => {
    if (request.header('user-agent')?.startsWith('pact') === true) {
      asked.push(request.header('authorization'));
      paths.push(request.path);
    }
    return response;
  });
  const causes = ['missing', 'key-prefix', 'key-suffix', 'key-extended', 'key-altered'];
  const schemes = ['key-other-case', 'bare-key', 'basic', 'basic-with-key', 'key-in-query-api-key'];
  const keys = [...causes, ...schemes].map((cause) => `listInventory/401/${cause}`);
  const verification = await verifyPact({
    ...provider,
    pacts: [await writePactWith(allEntries, ...keys)],
  });
  expect(verification.verdict, formatVerification(verification)).toBe('pass');
  expect(asked).toEqual([
    `Bearer ${apiKey}`,
    undefined,
    `Bearer ${apiKey.slice(0, -1)}`,
    `Bearer ${apiKey.slice(1)}`,
    `Bearer ${apiKey}x`,
    `Bearer ${apiKey.slice(0, -1)}x`,
    'Bearer KeY-0F-THE-PROVIDER',
    apiKey,
    `Basic ${btoa(`${apiKey}:`)}`,
    `Basic ${apiKey}`,
    undefined,
  ]);
  expect(new Set(paths)).toEqual(new Set(['/v1/inventory']));
});

test('a key without letters has no other case, and is not refused for it', async () => {
  const mock = createMock({ store: new MemoryStore(), apiKeys: ['12345678'] });
  const provider = await startProvider(unchanged, mock);
  const pacts = [await writePactWith('listInventory/401/key-other-case')];
  const verification = await verifyPact({ ...provider, apiKey: '12345678', pacts });
  expect(verification.verdict).toBe('pass');
});

test('never shows the key, even where the provider repeats it', async () => {
  const provider = await startProvider((response, request) => ({
    ...response,
    status: 500,
    headers: ['Content-Type', 'application/json', 'X-Key', apiKey],
    body: `{"petId":"you sent ${request.header('authorization')}"}`,
  }));
  const verification = await verifyPact({
    ...provider,
    pacts: [await writePactWith(setsQuantity)],
  });
  expect(verification.verdict).toBe('fail');
  expect(JSON.stringify(verification)).toContain('you sent Bearer ***');
  expect(JSON.stringify(verification)).not.toContain(apiKey);
});

test('takes the origin alone for the base address', async () => {
  const { providerUrl, ...provider } = await startProvider(unchanged);
  const pacts = [await writePactWith(allEntries)];
  const verification = await verifyPact({
    ...provider,
    providerUrl: new URL(providerUrl).origin,
    pacts,
  });
  expect(verification.verdict, formatVerification(verification)).toBe('pass');
});

test('fails where there is no state-change URL', async () => {
  const { stateUrl: _, ...provider } = await startProvider(unchanged);
  const verification = await verifyPact({ ...provider, pacts: [await writePactWith(allEntries)] });
  expect(verification).toMatchObject({
    verdict: 'fail',
    interactions: [{ verdict: 'fail' }],
    problems: [
      'the provider state "the inventory has the items" cannot be set: there is no state-change URL; give one with PROVIDER_STATES_URL or stateUrl',
    ],
  });
});

test('sends the token that state changes need, and never repeats it', async () => {
  const mock = createMock({ store: new MemoryStore(), apiKeys: [apiKey] });
  const server = await startServer({ mock, port: 0, adminToken: 'let-me-in' });
  cleanups.push(() => server.close(0));
  const provider = {
    providerUrl: server.url,
    apiKey,
    stateUrl: new URL(providerStatesPath, server.url).href,
    pacts: [await writePactWith('updateInventory/200/sets-quantity')],
  };
  const withToken = await verifyPact({ ...provider, stateToken: 'let-me-in' });
  expect(withToken).toMatchObject({ verdict: 'pass', problems: [] });
  const wrong = await verifyPact({ ...provider, stateToken: 'leave-me-out' });
  expect(wrong.problems).toEqual([expect.stringContaining('the state-change URL answered 401')]);
  expect(JSON.stringify(wrong)).not.toContain('leave-me-out');
});

test('fails where a state is not known', async () => {
  const provider = await startProvider(unchanged);
  const stateUrl = `${provider.providerUrl}/nowhere`;
  const pacts = [await writePactWith('listInventory/401/missing')];
  const verification = await verifyPact({ ...provider, stateUrl, pacts });
  expect(verification).toMatchObject({ verdict: 'fail', interactions: [{ verdict: 'fail' }] });
  expect(verification.problems).toEqual([
    expect.stringContaining(
      '"the inventory has the items" was not set: the state-change URL answered 404',
    ),
  ]);
});

test.for([
  ['updateInventory/200/sets-quantity', 'the list lacks the pet 12'],
  ['updateInventory/404/unknown-pet', 'the list has the pet 424242'],
  ['listInventory/200/empty', 'the list has entries'],
  ['updateInventory/200/zero', 'the pet 5 is listed with the quantity 1, not 3'],
] as const)('fails %s where a state is accepted but not set: %s', async ([key, lack]) => {
  const store = new MemoryStore([
    { petId: key.endsWith('zero') ? 12n : 5n, quantity: 1n, status: 'sold' },
    { petId: 424_242n, quantity: 1n, status: 'sold' },
  ]);
  const mock = createMock({ store, apiKeys: [apiKey] });
  // An endpoint that answers every state with success, as many frameworks do.
  const provider = await startProvider(unchanged, { ...mock, replace: () => undefined });
  const verification = await verifyPact({ ...provider, pacts: [await writePactWith(key)] });
  expect(verification).toMatchObject({ verdict: 'fail', interactions: [{ verdict: 'fail' }] });
  expect(verification.problems.join('\n')).toContain(
    `the state-change URL answered 200, but ${lack.replace('pet 5', 'pet 12')}`,
  );
});

test('gives up a provider that never answers', async () => {
  const provider = await startProvider((response, request) =>
    request.method === 'PATCH' ? new Promise(() => undefined) : response,
  );
  const verification = await verifyPact({ ...provider, timeout: 100 });
  expect(verification.verdict).toBe('fail');
  expect(verification.problems).toContain(
    'PATCH /v1/inventory/12 got no answer that could be read: no answer within 100 ms',
  );
});

test.for([
  [
    'nobody answers',
    { providerUrl: 'http://127.0.0.1:1/v1' },
    'GET http://127.0.0.1:1/v1/inventory got no answer',
  ],
  ['the key is refused', { apiKey: 'another-key' }, 'the provider refuses the API key'],
  ['there is no such pact', { pacts: ['no-such-pact.json'] }, "'no-such-pact.json' does not exist"],
  ['nobody is the broker', { broker: { url: 'http://127.0.0.1:1' } }, 'http://127.0.0.1:1'],
] as const)('is inconclusive where %s', async ([, options, problem]) => {
  const provider = await startProvider(unchanged);
  const verification = await verifyPact({ ...provider, ...options });
  expect(verification).toMatchObject({ verdict: 'inconclusive', interactions: [] });
  expect(verification.problems.join('\n')).toContain(problem);
  expect(JSON.stringify(verification)).not.toContain('another-key');
});

test('is not made to leave interactions out by the environment', async () => {
  const before = process.env['PACT_DESCRIPTION'];
  process.env['PACT_DESCRIPTION'] = 'listInventory/200/empty';
  cleanups.push(() => {
    if (before === undefined) delete process.env['PACT_DESCRIPTION'];
    else process.env['PACT_DESCRIPTION'] = before;
    return Promise.resolve();
  });
  const verification = await verifyPact(await startProvider(unchanged));
  expect(verification.interactions).toHaveLength(contractPact.interactions.length);
});

test('says what to install where the verifier of Pact is missing', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'stockcheck-test-'));
  cleanups.push(() => rm(directory, { recursive: true }));
  await mkdir(join(directory, 'src'));
  await cp('contracts', join(directory, 'contracts'), { recursive: true });
  await cp('src/json', join(directory, 'src/json'), { recursive: true });
  await writeFile(join(directory, 'package.json'), '{"type":"module"}');
  await writeFile(
    join(directory, 'run.ts'),
    `import { verifyPact } from './contracts/provider/verify-pact.ts';
     await verifyPact({ providerUrl: 'http://127.0.0.1:1', apiKey: 'key' }).catch((error) => console.log(String(error)));`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, ['run.ts'], { cwd: directory });
  expect(stdout).toContain(
    'PactCoreMissingError: verifying a pact needs @pact-foundation/pact-core',
  );
  expect(stdout).toContain('npm install -D @pact-foundation/pact-core@20');
});

/** Verifies a provider against what a broker has, and publishes the result. */
async function verifyWithBroker(change: Change): Promise<[PactVerification, LocalBroker]> {
  const broker = await startLocalBroker([
    toPactWith(setsQuantity, 'updateInventory/200/large-pet-id'),
    toPactWith('listInventory/401/key-prefix'),
  ]);
  cleanups.push(() => broker.close());
  const verification = await verifyPact({
    ...(await startProvider(change)),
    broker: {
      url: broker.url,
      token: 'broker-token',
      selectors: [{ mainBranch: true }, { deployedOrReleased: true }],
      publish: { providerVersion: '1.2.3', branch: 'main', buildUrl: 'http://127.0.0.1/build/7' },
    },
  });
  return [verification, broker];
}

test('verifies what a broker has, and publishes the results', async () => {
  const [verification, { requests }] = await verifyWithBroker(unchanged);
  expect(verification.verdict, formatVerification(verification)).toBe('pass');
  expect(verification.interactions.map(({ key }) => key)).toEqual([
    setsQuantity,
    'updateInventory/200/large-pet-id',
    'listInventory/401/key-prefix',
  ]);
  expect(new Set(requests.map(({ authorization }) => authorization))).toEqual(
    new Set(['Bearer broker-token']),
  );
  const asked = requests.find(({ body }) => body.includes('consumerVersionSelectors'));
  expect(JSON.parse(asked?.body ?? '')).toMatchObject({
    consumerVersionSelectors: [{ mainBranch: true }, { deployedOrReleased: true }],
    providerVersionBranch: 'main',
  });
  expect(requests.find(({ method }) => method === 'PUT')?.path).toBe(
    '/pacticipants/pet-store-inventory/branches/main/versions/1.2.3',
  );
  const published = requests.filter(({ path }) => path.endsWith('/results'));
  expect(published.map(({ path }) => path)).toEqual(['/pacts/0/results', '/pacts/1/results']);
  for (const { body } of published) {
    expect(JSON.parse(body)).toMatchObject({
      success: true,
      providerApplicationVersion: '1.2.3',
      buildUrl: 'http://127.0.0.1/build/7',
    });
  }
});

test('publishes a failure as one, without the key', async () => {
  const [verification, { requests }] = await verifyWithBroker((response, request) =>
    request.method === 'PATCH'
      ? { ...response, body: `{"petId":12,"quantity":"${request.header('authorization')}"}` }
      : response,
  );
  expect(verification.verdict).toBe('fail');
  const results = requests.filter(({ path }) => path.endsWith('/results'));
  expect(results.map(({ body }) => (JSON.parse(body) as { success: boolean }).success)).toEqual([
    false,
    true,
  ]);
  expect(JSON.stringify(requests)).not.toContain(apiKey);
});
