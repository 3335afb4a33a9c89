import type { Case } from '../case.ts';

export const listCases: readonly Case[] = [
  {
    id: 'listInventory/200/all-entries',
    title: 'lists every entry in one array',
    operation: 'listInventory',
    clauses: [
      '1/lists-every-pet',
      '2/item-fields',
      '2/pet-id-int64',
      '2/quantity-integer',
      '2/status-string',
      '3/status-values',
      '4/json-bodies',
      '4.1/lists-an-array',
      '5/bearer-scheme',
      '5/authorization-header',
      '8/one-array',
      '9/version-prefix',
    ],
    given: { pet: 'none' },
    request: {
      method: 'GET',
      path: '/inventory',
      headers: [['Authorization', 'Bearer {apiKey}']],
    },
    times: 2,
    answers: [{ status: 200, body: 'list' }],
  },
  {
    id: 'listInventory/200/scheme-in-lower-case',
    title: 'knows the scheme in lower case',
    operation: 'listInventory',
    clauses: ['5/bearer-scheme'],
    given: { pet: 'none' },
    request: {
      method: 'GET',
      path: '/inventory',
      headers: [['Authorization', 'bearer {apiKey}']],
    },
    answers: [
      { status: 200, body: 'list' },
      { status: 401, body: 'error', choice: { decision: 'scheme-case', choice: 'exact' } },
    ],
  },
];
