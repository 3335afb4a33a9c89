import type { Case, OperationId, Precondition, RequestTemplate } from '../case.ts';
import type { ClauseId } from '../clauses.ts';

interface Refusal {
  readonly cause: string;
  readonly title: string;
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  readonly headers: RequestTemplate['headers'];
  readonly query?: string;
}

/** The value of `Authorization` in each case that has one. */
const invalid: readonly (readonly [cause: string, what: string, value: string])[] = [
  ['wrong-key', 'a key that is not known', 'Bearer stockcheck-wrong-key'],
  [
    'wrong-key-scheme-in-lower-case',
    'a key that is not known, under the scheme in lower case',
    'bearer stockcheck-wrong-key',
  ],
  ['word-undefined', 'the word undefined for a key', 'Bearer undefined'],
  ['word-null', 'the word null for a key', 'Bearer null'],
  ['key-prefix', 'a key without its last character', 'Bearer {apiKey:prefix}'],
  ['key-suffix', 'a key without its first character', 'Bearer {apiKey:suffix}'],
  ['key-extended', 'a key with one more character', 'Bearer {apiKey:extended}'],
  ['key-altered', 'a key with another last character', 'Bearer {apiKey:altered}'],
  ['key-other-case', 'a key in the other case', 'Bearer {apiKey:other-case}'],
  ['key-in-quotes', 'a key in quotes', 'Bearer "{apiKey}"'],
  ['two-tokens', 'two tokens', 'Bearer {apiKey} {apiKey}'],
  ['wrong-and-right-token', 'a wrong token before the right one', 'Bearer wrong {apiKey}'],
  ['token-list', 'a list of tokens', 'Bearer {apiKey}, {apiKey}'],
];

const otherScheme: readonly (readonly [cause: string, what: string, value: string])[] = [
  ['bare-key', 'a key without a scheme', '{apiKey}'],
  ['basic', 'Basic credentials', 'Basic {apiKey:basic}'],
  ['basic-with-key', 'the key under the scheme Basic', 'Basic {apiKey}'],
  ['other-scheme', 'the key under the scheme Token', 'Token {apiKey}'],
  ['scheme-with-colon', 'a colon behind the scheme', 'Bearer: {apiKey}'],
  ['scheme-without-space', 'no space behind the scheme', 'Bearer{apiKey}'],
];

const missing: readonly (readonly [cause: string, what: string, value: string])[] = [
  ['empty', 'an empty Authorization header', ''],
  ['scheme-alone', 'the scheme without a key', 'Bearer'],
];

const refusals: readonly Refusal[] = [
  {
    cause: 'missing',
    title: 'refuses a request without a key',
    clauses: [
      '5/missing-key',
      '4/authentication-required',
      '2/error-fields',
      '2/error-code-string',
      '2/error-message-string',
      '2/error-status-integer',
    ],
    headers: [],
  },
  ...missing.map(([cause, what, value]): Refusal => ({
    cause,
    title: `refuses ${what}`,
    clauses: ['5/missing-key'],
    headers: [['Authorization', value]],
  })),
  ...invalid.map(([cause, what, value]): Refusal => ({
    cause,
    title: `refuses ${what}`,
    clauses: ['5/invalid-key'],
    headers: [['Authorization', value]],
  })),
  ...otherScheme.map(([cause, what, value]): Refusal => ({
    cause,
    title: `refuses ${what}`,
    clauses: ['5/bearer-scheme', '5/missing-key'],
    headers: [['Authorization', value]],
  })),
  ...['api_key', 'key', 'access_token'].map((parameter): Refusal => ({
    cause: `key-in-query-${parameter.replace('_', '-')}`,
    title: `refuses a key in the query parameter ${parameter}`,
    clauses: ['5/authorization-header', '5/missing-key'],
    headers: [],
    query: `?${parameter}={apiKey}`,
  })),
  {
    cause: 'key-in-cookie',
    title: 'refuses a key in a cookie',
    clauses: ['5/authorization-header', '5/missing-key'],
    headers: [['Cookie', 'api_key={apiKey}; token={apiKey}; session={apiKey}']],
  },
  {
    cause: 'key-in-another-header',
    title: 'refuses a key in the header X-API-Key',
    clauses: ['5/authorization-header', '5/missing-key'],
    headers: [['X-API-Key', '{apiKey}']],
  },
];

function unauthorized(
  operation: OperationId,
  refusal: Refusal,
  request: Pick<RequestTemplate, 'method' | 'path' | 'body'>,
  given: Precondition,
): Case {
  return {
    id: `${operation}/401/${refusal.cause}`,
    title: refusal.title,
    operation,
    clauses: [
      ...refusal.clauses,
      '7/401-unauthorized',
      '5/every-operation',
      '7/error-body',
      '7/status-repeats',
    ],
    given,
    request: {
      ...request,
      path: request.path + (refusal.query ?? ''),
      headers:
        request.method === 'PATCH' && !refusal.headers.some(([name]) => name === 'Content-Type')
          ? [...refusal.headers, ['Content-Type', 'application/json']]
          : refusal.headers,
    },
    answers: [{ status: 401, body: 'error' }],
  };
}

const list = (refusal: Refusal): Case =>
  unauthorized('listInventory', refusal, { method: 'GET', path: '/inventory' }, { pet: 'none' });

const update = (refusal: Refusal): Case =>
  unauthorized(
    'updateInventory',
    refusal,
    { method: 'PATCH', path: '/inventory/{petId}', body: '{"quantity":5}' },
    { pet: 'existing', quantity: 3n },
  );

/** 401 comes before every other reason to refuse. */
const first = (
  cause: string,
  before: string,
  headers: RequestTemplate['headers'],
  path: string,
  body: string | undefined,
  given: Precondition,
): Case =>
  unauthorized(
    'updateInventory',
    {
      cause,
      title: `answers 401 before ${before}`,
      clauses: [
        headers.some(([name]) => name === 'Authorization') ? '5/invalid-key' : '5/missing-key',
      ],
      headers,
    },
    { method: 'PATCH', path, ...(body === undefined ? {} : { body }) },
    given,
  );

const wrongKey: RequestTemplate['headers'] = [['Authorization', 'Bearer stockcheck-wrong-key']];

export const unauthorizedCases: readonly Case[] = [
  ...refusals.map(list),
  ...refusals.map(update),
  first('before-400', '400', [], '/inventory/{petId}', '{"quantity":"5"}', { pet: 'existing' }),
  first('before-400-malformed', '400 for malformed JSON', wrongKey, '/inventory/{petId}', '{', {
    pet: 'existing',
  }),
  first('before-400-no-body', '400 for no body', wrongKey, '/inventory/{petId}', undefined, {
    pet: 'existing',
  }),
  first(
    'before-415',
    'the media type',
    [['Content-Type', 'text/plain']],
    '/inventory/{petId}',
    '5',
    {
      pet: 'existing',
    },
  ),
  first('before-404', '404', [], '/inventory/{petId}', '{"quantity":5}', { pet: 'absent' }),
  first(
    'before-404-wrong-key',
    '404, with a wrong key',
    wrongKey,
    '/inventory/{petId}',
    '{"quantity":5}',
    {
      pet: 'absent',
    },
  ),
  first('before-404-and-400', '404 and 400', [], '/inventory/{petId}', '{"quantity":"5"}', {
    pet: 'absent',
  }),
  first('before-pet-id-syntax', 'the syntax of the petId', [], '/inventory/abc', '{"quantity":5}', {
    pet: 'none',
  }),
];
