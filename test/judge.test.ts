import { expect, test } from 'vitest';
import { cases } from '../contracts/cases.ts';
import type { ClauseId } from '../contracts/clauses.ts';
import { judgeResponse, type Judgement } from '../contracts/judge.ts';

function judge(
  id: string,
  status: number,
  body: string | Uint8Array,
  contentType = 'application/json',
): Judgement {
  const subject = cases.find((one) => one.id === id);
  if (subject === undefined) throw new Error(`there is no case ${id}`);
  return judgeResponse(
    subject,
    {
      status,
      header: (name) => (name === 'content-type' ? contentType : undefined),
      body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
    },
    subject.given.pet === 'none' ? undefined : 7n,
  );
}

const list = 'listInventory/200/all-entries';
const update = 'updateInventory/200/sets-quantity';
const invalid = 'updateInventory/400/quantity-string';
const item = '{"petId":7,"quantity":12,"status":"sold"}';
const error = '{"code":"x","message":"","status":400}';

test.for([
  [list, 200, '[]'],
  [list, 200, `[${item},{"petId":-9223372036854775808,"quantity":-5,"status":"available","x":1}]`],
  [list, 200, '[{"petId":7.0,"quantity":1e2,"status":"pending"}]'],
  [list, 200, `[{"petId":7,"quantity":${'9'.repeat(5000)},"status":"pending"}]`],
  [update, 200, item],
  [update, 200, '{"status":"pending","petId":7,"note":null,"quantity":12.0}'],
  [invalid, 400, error],
  [invalid, 400, '{"code":"","message":"m","status":400.0,"trace":[]}'],
] as const)('finds nothing wrong with %s answered by %s %s', ([id, status, body]) => {
  const { answer, violations } = judge(id, status, body);
  expect(violations).toEqual([]);
  expect(answer).toBeDefined();
});

const oneItem = (fields: string): string => `[{${fields}}]`;

test.for<readonly [string, number, string | Uint8Array, ClauseId, string]>([
  [list, 500, '[]', '1/lists-every-pet', 'status'],
  [list, 200, '{}', '4.1/lists-an-array', '$'],
  [list, 200, '{"items":[]}', '4.1/lists-an-array', '$'],
  [list, 200, '[5]', '2/item-fields', '$[0]'],
  [list, 200, oneItem('"quantity":1,"status":"sold"'), '2/item-fields', '$[0].petId'],
  [list, 200, oneItem('"petId":1,"status":"sold"'), '2/item-fields', '$[0].quantity'],
  [list, 200, oneItem('"petId":1,"quantity":1'), '2/item-fields', '$[0].status'],
  [list, 200, oneItem('"petId":"1","quantity":1,"status":"sold"'), '2/pet-id-int64', '$[0].petId'],
  [list, 200, oneItem('"petId":1.5,"quantity":1,"status":"sold"'), '2/pet-id-int64', '$[0].petId'],
  [
    list,
    200,
    oneItem('"petId":9223372036854775808,"quantity":1,"status":"sold"'),
    '2/pet-id-int64',
    '$[0].petId',
  ],
  [
    list,
    200,
    oneItem('"petId":1,"quantity":"1","status":"sold"'),
    '2/quantity-integer',
    '$[0].quantity',
  ],
  [
    list,
    200,
    oneItem('"petId":1,"quantity":1.5,"status":"sold"'),
    '2/quantity-integer',
    '$[0].quantity',
  ],
  [
    list,
    200,
    oneItem('"petId":1,"quantity":null,"status":"sold"'),
    '2/quantity-integer',
    '$[0].quantity',
  ],
  [list, 200, oneItem('"petId":1,"quantity":1,"status":3'), '2/status-string', '$[0].status'],
  [list, 200, oneItem('"petId":1,"quantity":1,"status":"SOLD"'), '3/status-values', '$[0].status'],
  [list, 200, `[${item},${item}]`, '1/lists-every-pet', '$[1].petId'],
  [list, 200, '[', '4/json-bodies', '$'],
  [list, 200, '', '4/json-bodies', '$'],
  [list, 200, Uint8Array.of(0x5b, 0xff, 0x5d), '4/json-bodies', '$'],
  [update, 204, '', '4.2/answers-the-updated-entry', 'status'],
  [update, 200, `[${item}]`, '2/item-fields', '$'],
  [
    update,
    200,
    '{"petId":8,"quantity":12,"status":"sold"}',
    '4.2/answers-the-updated-entry',
    '$.petId',
  ],
  [
    update,
    200,
    '{"petId":7,"quantity":3,"status":"sold"}',
    '4.2/answers-the-updated-entry',
    '$.quantity',
  ],
  [invalid, 422, error, '2/update-quantity-integer', 'status'],
  [invalid, 400, '"no"', '7/error-body', '$'],
  [invalid, 400, 'Bad Request', '7/error-body', '$'],
  [invalid, 400, '{"message":"m","status":400}', '2/error-fields', '$.code'],
  [invalid, 400, '{"code":"c","status":400}', '2/error-fields', '$.message'],
  [invalid, 400, '{"code":"c","message":"m"}', '2/error-fields', '$.status'],
  [invalid, 400, '{"code":4,"message":"m","status":400}', '2/error-code-string', '$.code'],
  [invalid, 400, '{"code":"c","message":[],"status":400}', '2/error-message-string', '$.message'],
  [invalid, 400, '{"code":"c","message":"m","status":"400"}', '2/error-status-integer', '$.status'],
  [invalid, 400, '{"code":"c","message":"m","status":500}', '7/status-repeats', '$.status'],
])('finds what is wrong with %s answered by %s %s', ([id, status, body, clause, at]) => {
  expect(judge(id, status, body).violations).toMatchObject([{ clause, at }]);
});

test('asks for the media type, and ignores its parameters and case', () => {
  for (const contentType of ['application/json; charset=utf-8', 'Application/JSON']) {
    expect(judge(list, 200, '[]', contentType).violations).toEqual([]);
  }
  for (const contentType of ['text/html', 'application/problem+json', '']) {
    expect(judge(list, 200, '[]', contentType).violations).toMatchObject([
      { clause: '4/json-bodies', at: 'header content-type' },
    ]);
  }
});
