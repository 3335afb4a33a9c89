import { expect, test } from 'vitest';
import { toCaseRequest, type Case, type CaseRequest } from '../contracts/case.ts';
import { cases } from '../contracts/cases.ts';
import { clauses, type ClauseId } from '../contracts/clauses.ts';
import { readCredentials } from '../contracts/credentials.ts';
import type { ExchangeFacts, ObservedRequest } from '../contracts/expectation.ts';
import { judgeResponse } from '../contracts/judge.ts';
import {
  judgeExchange,
  type ExchangeJudgement,
  type ObservedResponse,
} from '../contracts/judge-exchange.ts';
import { apiKey, createMockUnderTest, toFacts } from './mock-under-test.ts';
import { violations } from './mutants/gallery.ts';
import type { BrokenProvider } from './mutants/mutant.ts';
import { choosePet } from './mutants/probe.ts';
import type { Provider } from './mutants/provider.ts';
import type { RawClient } from './mutants/raw-client.ts';
import { variations } from './mutants/variations.ts';
import { withProvider } from './mutants/with-provider.ts';
import { policies } from './policies.ts';
import { inProcess } from './transports/in-process.ts';

const encoder = new TextEncoder();

function observe({ method, path, headers, body }: CaseRequest): ObservedRequest {
  return {
    method,
    path,
    header: (name) => headers.find(([known]) => known.toLowerCase() === name)?.[1],
    body: body ?? new Uint8Array(),
  };
}

/** All that can be known of a request: whether its key is valid, and whether its pet exists. */
function learn(
  { path, headers }: CaseRequest,
  key: string,
  petIds: ReadonlySet<bigint>,
): ExchangeFacts {
  const authorization = headers.find(([name]) => name === 'Authorization')?.[1];
  const [, petId] = /^[/]inventory[/](-?[0-9]+)$/.exec(path) ?? [];
  return {
    credentials: readCredentials(authorization, (sent) => sent === key),
    ...(petId === undefined ? {} : { petExists: petIds.has(BigInt(petId)) }),
  };
}

const allPolicies = [{ decision: 'none', choice: 'all defaults', policy: {} }, ...policies];

test.for(allPolicies)(
  'passes every case of the table with $decision: $choice',
  async ({ policy }) => {
    for (const subject of cases) {
      const mock = createMockUnderTest(policy);
      const petIds = new Set([...(await mock.items())].map(({ petId }) => petId));
      const request = toCaseRequest(subject, toFacts(subject));
      if (request === undefined) throw new Error(`${subject.id} cannot be sent`);
      const connection = await inProcess.open(mock);
      const response = await connection.send(request);

      const known = judgeExchange(observe(request), response, learn(request, apiKey, petIds));
      expect(known, subject.id).toMatchObject({ verdict: 'pass', findings: [] });
      expect(known.clauses, subject.id).toContain(subject.clauses[0]);
      // A stranger on the wire knows neither keys nor pets.
      expect(judgeExchange(observe(request), response), subject.id).toMatchObject({
        verdict: 'pass',
        findings: [],
      });
    }
  },
);

/** Sends cases to a provider, and tells where the judge does not say what the case table says. */
async function compareWithTable(
  provider: Provider,
  client: RawClient,
  isMeant: (subject: Case) => boolean,
): Promise<{ readonly disagreed: readonly string[]; readonly failed: number }> {
  const disagreed: string[] = [];
  let failed = 0;
  for (const subject of cases.filter(isMeant)) {
    provider.reset();
    const listed = new Set(provider.inventory.keys());
    const petId = choosePet(provider, subject.given.pet);
    const request = toCaseRequest(subject, {
      apiKey: provider.apiKey,
      listed,
      ...(petId === undefined ? {} : { petId }),
    });
    const received = request === undefined ? undefined : await client.send(request);
    if (request === undefined || received?.ok !== true) continue;
    const breaksCase = judgeResponse(subject, received, petId).violations.length > 0;
    const facts = learn(request, provider.apiKey, listed);
    const judged = judgeExchange(observe(request), received, facts);
    if (judged.verdict === 'fail') failed += 1;
    if (breaksCase !== (judged.verdict === 'fail')) {
      disagreed.push(`${subject.id} ${received.status}: ${JSON.stringify(judged)}`);
    }
  }
  return { disagreed, failed };
}

/** Every third of those that one request can show. */
const broken: readonly BrokenProvider[] = violations
  // Its bytes are judged by who asked for no encoding.
  .filter(({ needs, name }) => needs === undefined && name !== 'gzip-unasked')
  .filter((_, index) => index % 3 === 0);

test('says of broken providers what the case table says, without knowing the case', async () => {
  let shown = 0;
  for (const violation of broken) {
    const { disagreed, failed } = await withProvider(violation, (provider, client) =>
      compareWithTable(provider, client, ({ clauses: named }) => named.includes(violation.breaks)),
    );
    expect(disagreed, violation.name).toEqual([]);
    if (failed > 0) shown += 1;
  }
  expect(broken.length).toBeGreaterThan(100);
  // The others answer as they should, and do something else.
  expect(shown / broken.length).toBeGreaterThan(0.8);
});

test.for(variations)('finds nothing wrong with $name, which is legal', async (variation) => {
  const { disagreed, failed } = await withProvider(variation, (provider, client) =>
    compareWithTable(provider, client, () => true),
  );
  expect(disagreed).toEqual([]);
  expect(failed).toBe(0);
});

interface Exchange {
  readonly method?: string;
  readonly path?: string;
  readonly contentType?: string;
  readonly body?: string | Uint8Array;
  readonly facts?: ExchangeFacts;
  readonly status?: number;
  readonly answer?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly request?: Partial<ObservedRequest>;
  readonly response?: Partial<ObservedResponse>;
}

const known: ExchangeFacts = { credentials: 'valid-key', petExists: true };

/** Judges an update of pet 7 to 12 that is answered as it should be, but for what is given. */
function judge(exchange: Exchange): ExchangeJudgement {
  const { status = 200, headers = {}, contentType = 'application/json' } = exchange;
  const { body = '{"quantity":12}' } = exchange;
  const answer =
    exchange.answer ??
    (status === 200 ? '{"petId":7,"quantity":12,"status":"sold"}' : toError(status));
  return judgeExchange(
    {
      method: exchange.method ?? 'PATCH',
      path: exchange.path ?? '/inventory/7',
      header: (name) => (name === 'content-type' && contentType !== '' ? contentType : undefined),
      body: typeof body === 'string' ? encoder.encode(body) : body,
      ...exchange.request,
    },
    {
      status,
      header: (name) => ({ 'content-type': 'application/json', ...headers })[name],
      body: encoder.encode(answer),
      ...exchange.response,
    },
    exchange.facts ?? known,
  );
}

const toError = (status: number): string => `{"code":"c","message":"m","status":${status}}`;

test.for<readonly [string, Exchange]>([
  ['an update', {}],
  ['a path with a query', { path: '/inventory/7?verbose=1' }],
  ['a petId that is percent-encoded', { path: '/inventory/%37' }],
  ['400 for a quantity beyond int32', { body: '{"quantity":2147483648}', status: 400 }],
  ['415 for a media type with a parameter', { contentType: 'application/json; v=1', status: 415 }],
  ['415 for no media type', { contentType: '', status: 415 }],
  ['413', { status: 413, answer: '<h1>Too large</h1>', headers: { 'content-type': 'text/html' } }],
  ['404 where the pet is not known', { status: 404, facts: { credentials: 'valid-key' } }],
  ['401 where the key is not known', { status: 401, facts: { petExists: true } }],
  ['400 for a byte order mark', { body: '\uFEFF{"quantity":12}', status: 400 }],
  ['200 for a byte order mark', { body: '\uFEFF{"quantity":12}' }],
  ['the first of two quantities', { body: '{"quantity":12,"quantity":5}' }],
  ['400 for two quantities', { body: '{"quantity":12,"qu\\u0061ntity":5}', status: 400 }],
  ['400 for more digits than we read', { body: `{"quantity":${'9'.repeat(5000)}}`, status: 400 }],
  ['200 for more digits than we read', { body: `{"quantity":${'9'.repeat(5000)}}` }],
  [
    'JSON that is nested deeply',
    { body: `{"quantity":12,"note":${'['.repeat(50_000)}${']'.repeat(50_000)}}` },
  ],
])('passes %s', ([, exchange]) => {
  expect(judge(exchange)).toMatchObject({ verdict: 'pass', findings: [] });
});

test.for<readonly [string, Exchange, ClauseId, string]>([
  ['500', { status: 500 }, '4.2/answers-the-updated-entry', 'it answered 500; expected 200. '],
  [
    '200 for an invalid quantity',
    { body: '{"quantity":"12"}' },
    '2/update-quantity-integer',
    'it answered 200; expected 400. ',
  ],
  [
    '200 for an unknown pet',
    { facts: { ...known, petExists: false } },
    '4.2/pet-id-in-the-path',
    'it answered 200; expected 404. ',
  ],
  [
    '200 for what is no petId',
    { path: '/inventory/07' },
    '4.2/pet-id-is-int64',
    'it answered 200; expected 404 or 400. ',
  ],
  [
    '200 without a key',
    { facts: { ...known, credentials: 'missing' } },
    '5/missing-key',
    'it answered 200; expected 401. ',
  ],
  [
    '200 for a wrong key',
    { facts: { ...known, credentials: 'invalid-key' } },
    '5/invalid-key',
    'it answered 200; expected 401. ',
  ],
  [
    '401 for a valid key',
    { status: 401 },
    '4.2/answers-the-updated-entry',
    'it answered 401; expected 200. ',
  ],
  [
    'another quantity',
    { answer: '{"petId":7,"quantity":13,"status":"sold"}' },
    '4.2/answers-the-updated-entry',
    'at $.quantity is the number 13; expected 12. ',
  ],
  [
    'another pet',
    { answer: '{"petId":8,"quantity":12,"status":"sold"}' },
    '4.2/answers-the-updated-entry',
    'at $.petId is the number 8; expected 7. ',
  ],
  [
    'an unknown status of the pet',
    { answer: '{"petId":7,"quantity":12,"status":"lost"}' },
    '3/status-values',
    'at $.status is the string "lost"; expected available, pending or sold. ',
  ],
  [
    'an error that tells another status',
    { body: '{', status: 400, answer: toError(422) },
    '7/status-repeats',
    'at $.status is the number 422; expected 400. ',
  ],
  [
    'an error that is text',
    { body: '', status: 400, answer: 'no', headers: { 'content-type': 'text/plain' } },
    '4/json-bodies',
    'the header content-type is text/plain; expected application/json. ',
  ],
  [
    'a list that is none',
    { method: 'GET', path: '/inventory', answer: '{}' },
    '4.1/lists-an-array',
    'the body is an empty object; expected an array. ',
  ],
  [
    'a response that broke off',
    { response: { brokeOff: true } },
    '4/json-bodies',
    'the response is not whole: it broke off; expected a whole body. ',
  ],
  [
    'a wrong entry in the beginning of a list',
    {
      method: 'GET',
      path: '/inventory',
      answer: '[{"petId":1,"quantity":"2","status":"sold"},{"petId":2,"quant',
      response: { bodyIsCut: true },
    },
    '2/quantity-integer',
    'at $[0].quantity is the string "2"; expected an integer. ',
  ],
  [
    'the beginning of what is no list',
    {
      method: 'GET',
      path: '/inventory',
      answer: '{"items":[',
      response: { bodyIsCut: true },
    },
    '4.1/lists-an-array',
    'the body is no array; expected an array. ',
  ],
  [
    'the beginning of what is no entry',
    { answer: '<!doctype html><title>It works', response: { bodyIsCut: true } },
    '4/json-bodies',
    'the body is no object; expected an object. ',
  ],
])('fails %s', ([, exchange, clause, beginning]) => {
  const { verdict, clauses: named, findings } = judge(exchange);
  expect(verdict).toBe('fail');
  expect(findings[0]).toMatchObject({ clause });
  expect(findings[0]?.message.startsWith(`${beginning}Clause ${clause}: `)).toBe(true);
  expect(named[0]).toBe(clause);
});

test.for<readonly [string, Exchange, string]>([
  [
    'a request whose body was cut and applied',
    { request: { bodyIsCut: true } },
    "only the beginning of the request's body was kept, so it is not known whether 200 is right",
  ],
  [
    'a request whose body was cut and refused',
    { status: 400, request: { bodyIsCut: true } },
    "only the beginning of the request's body was kept, so it is not known whether 400 is right",
  ],
  [
    'a list that was cut',
    {
      method: 'GET',
      path: '/inventory',
      answer: '[{"petId":1,"quantity":2,"status":"sold"},{"petId":2,"quant',
      response: { bodyIsCut: true },
    },
    "only the beginning of the response's body was kept; the entries in it are right",
  ],
  [
    'a list that begins with more white space than was kept',
    {
      method: 'GET',
      path: '/inventory',
      answer: '\r\n\t '.repeat(1000),
      response: { bodyIsCut: true },
    },
    "only the beginning of the response's body was kept; the entries in it are right",
  ],
  [
    'the beginning of an entry',
    { answer: ' {"petId":7,"quantity":12,"note":"', response: { bodyIsCut: true } },
    "only the beginning of the response's body was kept",
  ],
  [
    'a body that is encoded',
    { headers: { 'content-encoding': 'gzip' } },
    'the body of the response is encoded, so it was not judged',
  ],
])('cannot judge %s', ([, exchange, reason]) => {
  expect(judge(exchange)).toMatchObject({ verdict: 'inconclusive', findings: [], reason });
});

test.for<readonly [string, Exchange]>([
  ['404 for a petId that is none', { path: '/inventory/abc', status: 404 }],
  ['415', { contentType: 'text/plain', status: 415 }],
  ['401', { facts: { credentials: 'missing' }, status: 401 }],
])('judges %s though the body of the request was cut', ([, exchange]) => {
  expect(judge({ ...exchange, request: { bodyIsCut: true } }).verdict).toBe('pass');
  expect(judge({ ...exchange, status: 500, request: { bodyIsCut: true } }).verdict).toBe('fail');
});

test.for<readonly [string, Exchange]>([
  ['another path', { path: '/pets/7' }],
  ['the root', { path: '/' }],
  ['another method', { method: 'DELETE' }],
  ['HEAD', { method: 'HEAD', path: '/inventory' }],
  ['a longer path', { path: '/inventory/7/quantity' }],
])('has nothing to say of %s', ([, exchange]) => {
  expect(judge({ ...exchange, status: 500, answer: 'no' })).toEqual({
    verdict: 'pass',
    clauses: [],
    findings: [],
    reason: 'the specification does not cover this request',
  });
});

test('fails a request that nothing answers', () => {
  const request: ObservedRequest = {
    method: 'GET',
    path: '/inventory',
    header: () => undefined,
    body: new Uint8Array(),
  };
  expect(judgeExchange(request, undefined, known)).toMatchObject({
    verdict: 'fail',
    findings: [
      {
        clause: '1/lists-every-pet',
        message: expect.stringMatching(/nothing was answered; expected .* with status 200[.]/),
      },
    ],
  });
});

test('tells at most twenty findings of a list in which all is wrong', () => {
  const answer = JSON.stringify(Array.from({ length: 5000 }, () => ({})));
  const { findings } = judge({ method: 'GET', path: '/inventory', answer });
  expect(findings).toHaveLength(20);
});

test('names only clauses that there are', () => {
  const ids = new Set(clauses.map(({ id }) => id));
  const { clauses: named } = judge({});
  expect(named.filter((id) => !ids.has(id))).toEqual([]);
  expect(new Set(named).size).toBe(named.length);
});
