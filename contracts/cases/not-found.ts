import type { Answer, Case, CasePet } from '../case.ts';
import type { ClauseId } from '../clauses.ts';

const notFound: Answer = { status: 404, body: 'error' };

/** A petId that is not a canonical int64 may be called invalid as well as unknown. */
const notFoundOrInvalid: Case['answers'] = [
  notFound,
  { status: 400, body: 'error', choice: { decision: 'pet-id-syntax', choice: '400' } },
];

function update(
  cause: string,
  title: string,
  pet: CasePet,
  path: string,
  answers: Case['answers'],
  clause: ClauseId,
  body = '{"quantity":5}',
): Case {
  return {
    id: `updateInventory/${answers[0].status}/${cause}`,
    title,
    operation: 'updateInventory',
    clauses: [
      clause,
      '7/404-not-found',
      '2/error-fields',
      '2/error-code-string',
      '2/error-message-string',
      '2/error-status-integer',
      '7/error-body',
      '7/status-repeats',
    ],
    given: { pet },
    request: {
      method: 'PATCH',
      path,
      headers: [
        ['Authorization', 'Bearer {apiKey}'],
        ['Content-Type', 'application/json'],
      ],
      body,
    },
    answers,
  };
}

const unknown = (cause: string, title: string, pet: CasePet, path = '/inventory/{petId}'): Case =>
  update(cause, title, pet, path, [notFound], '4.2/pet-id-in-the-path');

/** `{petId}` in the path is that of an existing pet, which must not be found by another spelling. */
const misspelt = (cause: string, what: string, petId: string): Case =>
  update(
    cause,
    `does not take ${what} for a petId`,
    petId.includes('{petId') ? 'existing' : 'none',
    `/inventory/${petId}`,
    notFoundOrInvalid,
    '4.2/pet-id-is-int64',
  );

const bothWrong: Case['answers'] = [
  { status: 400, body: 'error' },
  { ...notFound, choice: { decision: 'error-precedence', choice: '404-first' } },
];

export const notFoundCases: readonly Case[] = [
  unknown('unknown-pet', 'does not know a pet that is not listed', 'absent'),
  unknown('beside-large-pet', 'does not round a large petId to another', 'beside-large'),
  unknown(
    'negative',
    'does not know a negative petId that is not listed',
    'none',
    '/inventory/-7203685477580719',
  ),
  unknown(
    'int64-maximum',
    'does not know the largest int64',
    'none',
    '/inventory/9223372036854775807',
  ),
  unknown(
    'int64-minimum',
    'does not know the smallest int64',
    'none',
    '/inventory/-9223372036854775808',
  ),
  unknown(
    'wrapped-to-32-bits',
    'does not wrap a petId to 32 bits',
    'existing',
    '/inventory/{petId:plus-2^32}',
  ),
  misspelt('beyond-int64', 'one more than the largest int64', '9223372036854775808'),
  misspelt('below-int64', 'one less than the smallest int64', '-9223372036854775809'),
  misspelt('wrapped-to-64-bits', '2^64', '18446744073709551616'),
  misspelt('pet-wrapped-to-64-bits', 'a petId and 2^64', '{petId:plus-2^64}'),
  misspelt('hundred-digits', 'a number of a hundred digits', '9'.repeat(100)),
  misspelt('word', 'a word', 'abc'),
  misspelt('null', 'null', 'null'),
  misspelt('name-of-every-object', 'the name of what every object has', 'constructor'),
  misspelt('name-of-the-prototype', 'the name of the prototype', '__proto__'),
  misspelt('other-digits', 'digits of another script', '%D9%A1'),
  misspelt('separator', 'a separator between digits', '1_0'),
  misspelt('fraction', 'a fraction', '1.5'),
  misspelt('fraction-of-a-pet', 'a petId with .5 behind it', '{petId}.5'),
  misspelt('fraction-of-zero', 'a petId with .0 behind it', '{petId}.0'),
  misspelt('exponent', 'a petId with an exponent', '{petId}e0'),
  misspelt('leading-zero', 'a petId with a leading zero', '0{petId}'),
  misspelt('plus-sign', 'a petId with a plus sign', '+{petId}'),
  misspelt('letters-behind', 'a petId with letters behind it', '{petId}abc'),
  misspelt('hexadecimal', 'a hexadecimal number', '0x1'),
  misspelt('pet-in-hexadecimal', 'a petId in hexadecimal digits', '{petId:hexadecimal}'),
  misspelt('space-before', 'a petId with a space before it', '%20{petId}'),
  misspelt('space-behind', 'a petId with a space behind it', '{petId}%20'),
  misspelt('in-quotes', 'a petId in quotes', '%22{petId}%22'),
  misspelt('two-pet-ids', 'two petIds', '{petId},{petId}'),
  misspelt('negative-zero', '-0', '-0'),
  update(
    'unknown-pet-and-invalid-quantity',
    'refuses an invalid quantity for a pet that is not listed',
    'absent',
    '/inventory/{petId}',
    bothWrong,
    '7/400-invalid-body',
    '{"quantity":"5"}',
  ),
  update(
    'unknown-pet-and-malformed-body',
    'refuses malformed JSON for a pet that is not listed',
    'absent',
    '/inventory/{petId}',
    bothWrong,
    '7/400-invalid-body',
    '{"quantity":',
  ),
];
