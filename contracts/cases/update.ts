import type { Answer, Case, Choice, Precondition, RequestTemplate } from '../case.ts';
import type { ClauseId } from '../clauses.ts';

interface UpdateOptions {
  readonly given?: Partial<Precondition>;
  readonly clauses?: readonly ClauseId[];
  readonly headers?: RequestTemplate['headers'];
  readonly times?: number;
  /** Other legal answers. */
  readonly otherwise?: readonly Answer[];
}

const jsonHeaders = [
  ['Authorization', 'Bearer {apiKey}'],
  ['Content-Type', 'application/json'],
] as const;

function updates(
  cause: string,
  title: string,
  body: string,
  quantity: bigint,
  options: UpdateOptions = {},
): Case {
  return {
    id: `updateInventory/200/${cause}`,
    title,
    operation: 'updateInventory',
    clauses: ['4.2/answers-the-updated-entry', ...(options.clauses ?? [])],
    given: { pet: 'existing', ...options.given },
    request: {
      method: 'PATCH',
      path: '/inventory/{petId}',
      headers: options.headers ?? jsonHeaders,
      body,
    },
    ...(options.times === undefined ? {} : { times: options.times }),
    answers: [{ status: 200, body: 'item', quantity }, ...(options.otherwise ?? [])],
  };
}

const refusedBy = (choice: Choice): Answer => ({ status: 400, body: 'error', choice });

const refusedAsOutOfRange: readonly Answer[] = [
  refusedBy({ decision: 'quantity-range', choice: 'bounded' }),
];

const refusedAsNotation: readonly Answer[] = [
  refusedBy({ decision: 'integer-notation', choice: 'refuse' }),
];

const refusedAsUnknown: readonly Answer[] = [
  refusedBy({ decision: 'unknown-fields', choice: 'refuse' }),
];

const itemClauses = [
  '1/updates-one-pet',
  '2/item-fields',
  '2/pet-id-int64',
  '2/quantity-integer',
  '2/status-string',
  '3/status-values',
  '4/json-bodies',
  '4.1/current-levels',
  '4.2/pet-id-in-the-path',
  '5/json-content-type',
  '9/version-prefix',
] as const satisfies readonly ClauseId[];

/** A quantity that must come back with the digits that were sent. */
const exact = (
  cause: string,
  title: string,
  quantity: bigint,
  otherwise: readonly Answer[] = refusedAsOutOfRange,
): Case =>
  updates(cause, title, `{"quantity":${quantity}}`, quantity, {
    clauses: ['2/quantity-integer', '4.1/current-levels'],
    otherwise,
  });

const inPieces = updates(
  'body-in-pieces',
  'reads a body that arrives in pieces',
  '{"quantity":8}',
  8n,
  {
    clauses: ['4.2/body-required'],
  },
);

export const updateCases: readonly Case[] = [
  updates('sets-quantity', 'sets the quantity of one pet', '{"quantity":12}', 12n, {
    clauses: itemClauses,
    given: { quantity: 3n },
  }),
  updates('zero', 'sets a quantity to zero', '{"quantity":0}', 0n, {
    clauses: ['2/quantity-integer', '3/status-values', '4.1/current-levels'],
    given: { quantity: 3n },
  }),
  updates('from-zero', 'sets a quantity that was zero', '{"quantity":4}', 4n, {
    clauses: ['4.1/current-levels'],
    given: { quantity: 0n },
  }),
  updates('same-value', 'accepts the quantity that the pet has already', '{"quantity":7}', 7n, {
    clauses: ['4.1/current-levels'],
    given: { quantity: 7n },
  }),
  updates('repeated', 'sets the quantity anew each time, not adds it', '{"quantity":9}', 9n, {
    clauses: ['1/updates-one-pet', '4.1/current-levels'],
    given: { quantity: 2n },
    times: 3,
  }),
  exact('one', 'sets a quantity to one', 1n, []),
  exact('above-16-bits', 'keeps 65537', 65_537n, []),
  exact('int32-maximum', 'keeps the largest int32', 2_147_483_647n, []),
  exact('negative', 'keeps a negative quantity', -1n),
  exact('int32-maximum-and-one', 'keeps one more than the largest int32', 2_147_483_648n),
  exact('uint32-and-one', 'keeps 2^32 + 1', 4_294_967_297n),
  exact('int32-minimum', 'keeps the smallest int32', -2_147_483_648n),
  exact('beyond-double', 'keeps 2^53 + 1, which a double rounds', 9_007_199_254_740_993n),
  exact('beyond-double-negative', 'keeps -(2^53 + 1)', -9_007_199_254_740_993n),
  exact('beyond-int64', 'keeps 2^63', 9_223_372_036_854_775_808n),
  exact('thirty-digits', 'keeps thirty digits', 123_456_789_012_345_678_901_234_567_890n),
  updates('large-pet-id', 'finds the pet whose id a double would round', '{"quantity":6}', 6n, {
    clauses: ['2/pet-id-int64', '4.2/pet-id-is-int64', '4.2/pet-id-in-the-path'],
    given: { pet: 'large' },
  }),
  updates('fraction-of-zero', 'reads 5.0 as an integer', '{"quantity":5.0}', 5n, {
    clauses: ['2/update-quantity-integer'],
    otherwise: refusedAsNotation,
  }),
  updates('exponent', 'reads 1e2 as an integer', '{"quantity":1e2}', 100n, {
    clauses: ['2/update-quantity-integer'],
    otherwise: refusedAsNotation,
  }),
  updates('exponent-of-fraction', 'reads 1.5E+1 as an integer', '{"quantity":1.5E+1}', 15n, {
    clauses: ['2/update-quantity-integer'],
    otherwise: refusedAsNotation,
  }),
  updates(
    'exponent-beyond-double',
    'reads 1e400 as an integer',
    '{"quantity":1e400}',
    10n ** 400n,
    {
      clauses: ['2/quantity-integer', '4.1/current-levels'],
      otherwise: [...refusedAsNotation, ...refusedAsOutOfRange],
    },
  ),
  updates('negative-zero', 'reads -0 as an integer', '{"quantity":-0}', 0n, {
    clauses: ['2/update-quantity-integer'],
    otherwise: refusedAsNotation,
  }),
  updates('white-space', 'ignores white space', ' {\r\n\t"quantity" : 8 }\n', 8n, {
    clauses: ['2/update-quantity-required'],
  }),
  {
    ...inPieces,
    request: { ...inPieces.request, inPieces: true },
  },
  updates('escaped-name', 'reads an escaped field name', '{"quant\\u0069ty":8}', 8n, {
    clauses: ['2/update-quantity-required'],
  }),
  updates('unknown-field', 'ignores a field it does not know', '{"quantity":8,"note":"x"}', 8n, {
    clauses: ['2/update-quantity-required'],
    otherwise: refusedAsUnknown,
  }),
  updates(
    'unknown-fields-of-the-item',
    'does not let the body rename the pet',
    '{"petId":{petId:other},"quantity":8}',
    8n,
    { clauses: ['4.2/pet-id-in-the-path'], otherwise: refusedAsUnknown },
  ),
  updates(
    'unknown-status',
    'does not take a status from the body',
    '{"quantity":8,"status":"lost"}',
    8n,
    { clauses: ['3/status-values'], otherwise: refusedAsUnknown },
  ),
  updates('scheme-in-upper-case', 'knows the scheme in upper case', '{"quantity":8}', 8n, {
    clauses: ['5/bearer-scheme'],
    headers: [
      ['Authorization', 'BEARER {apiKey}'],
      ['Content-Type', 'application/json'],
    ],
    otherwise: [
      { status: 401, body: 'error', choice: { decision: 'scheme-case', choice: 'exact' } },
    ],
  }),
];
