import type { Answer, Case } from '../case.ts';

const applied: Answer = { status: 200, body: 'item', quantity: 8n };
const refused: Answer = { status: 400, body: 'error' };
const unsupported: Answer = { status: 415, body: 'error' };

function withContentType(
  id: string,
  title: string,
  contentType: string | undefined,
  answers: Case['answers'],
): Case {
  return {
    id: `updateInventory/${id}`,
    title,
    operation: 'updateInventory',
    clauses: ['5/json-content-type'],
    given: { pet: 'existing' },
    request: {
      method: 'PATCH',
      path: '/inventory/{petId}',
      headers: [
        ['Authorization', 'Bearer {apiKey}'],
        ...(contentType === undefined ? [] : [['Content-Type', contentType] as const]),
      ],
      body: '{"quantity":8}',
    },
    answers,
  };
}

const otherMediaType: Case['answers'] = [
  refused,
  { ...unsupported, choice: { decision: 'content-type', choice: '415' } },
  { ...applied, choice: { decision: 'content-type', choice: 'ignore' } },
];

export const contentTypeCases: readonly Case[] = [
  withContentType(
    '200/content-type-parameter',
    'ignores a parameter of the media type',
    'application/json; charset=utf-8',
    [applied, refused, unsupported],
  ),
  withContentType(
    '200/content-type-upper-case',
    'ignores the case of the media type',
    'Application/JSON',
    [applied, refused, unsupported],
  ),
  withContentType(
    '400/content-type-missing',
    'refuses a body without a media type',
    undefined,
    otherMediaType,
  ),
  withContentType(
    '400/content-type-text',
    'refuses a body declared as text',
    'text/plain',
    otherMediaType,
  ),
  withContentType(
    '400/content-type-form',
    'refuses a body declared as a form',
    'application/x-www-form-urlencoded',
    otherMediaType,
  ),
  withContentType(
    '400/content-type-json-patch',
    'refuses a body declared as a JSON Patch',
    'application/json-patch+json',
    otherMediaType,
  ),
];
