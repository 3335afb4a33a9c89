import { afterAll, beforeAll, expect, test } from 'vitest';
import { toCaseRequest, type Answer, type Case, type Choice } from '../contracts/case.ts';
import { cases } from '../contracts/cases.ts';
import { decisions } from '../contracts/decisions.ts';
import { judgeResponse } from '../contracts/judge.ts';
import { stringifyExactJson } from '../src/json/exact-json.ts';
import type { PolicyChanges } from '../src/mock/policy.ts';
import { createMockUnderTest, defaultItems, toFacts } from './mock-under-test.ts';
import { transports } from './transports/all.ts';
import { inProcess } from './transports/in-process.ts';
import type { Transport } from './transports/transport.ts';

// A browser may have to be installed first.
beforeAll(async () => {
  for (const transport of transports) await transport.setUp?.();
}, 300_000);
afterAll(async () => {
  for (const transport of transports) await transport.tearDown?.();
});

for (const transport of transports) {
  for (const subject of cases) {
    test(`${subject.id} ${transport.name}: ${subject.title}`, async () => {
      await expectAnswer(transport, subject, subject.answers[0], {});
    });
  }
}

/** A policy for every answer to a decision that is not the default. */
const policies: readonly (Choice & { readonly policy: PolicyChanges })[] = [
  {
    decision: 'error-codes',
    choice: 'renamed',
    policy: { 'error-codes': { invalid_request: 'E400', unauthorized: 'E401', not_found: 'E404' } },
  },
  {
    decision: 'quantity-range',
    choice: 'bounded',
    policy: { 'quantity-range': { minimum: 0n, maximum: 2_147_483_647n } },
  },
  { decision: 'integer-notation', choice: 'refuse', policy: { 'integer-notation': 'refuse' } },
  { decision: 'unknown-fields', choice: 'refuse', policy: { 'unknown-fields': 'refuse' } },
  {
    decision: 'status-transition',
    choice: 'by-quantity',
    policy: { 'status-transition': 'by-quantity' },
  },
  {
    decision: 'error-precedence',
    choice: '404-first',
    policy: { 'error-precedence': '404-first' },
  },
  { decision: 'pet-id-syntax', choice: '400', policy: { 'pet-id-syntax': '400' } },
  { decision: 'content-type', choice: '415', policy: { 'content-type': '415' } },
  { decision: 'content-type', choice: 'ignore', policy: { 'content-type': 'ignore' } },
  { decision: 'scheme-case', choice: 'exact', policy: { 'scheme-case': 'exact' } },
  { decision: 'challenge', choice: 'none', policy: { challenge: 'none' } },
  { decision: 'unspecified-routes', choice: '404', policy: { 'unspecified-routes': '404' } },
  { decision: 'body-limit', choice: 'bytes', policy: { 'body-limit': 4096 } },
];

for (const { decision, choice, policy } of policies) {
  for (const subject of cases) {
    test(`${subject.id} with ${decision}=${choice}`, async () => {
      const chosen = subject.answers.find(
        (answer) => answer.choice?.decision === decision && answer.choice.choice === choice,
      );
      await expectAnswer(inProcess, subject, chosen ?? subject.answers[0], policy);
    });
  }
}

test('every answer to every decision has been tried', () => {
  const tried = new Set(policies.map(({ decision, choice }) => `${decision}=${choice}`));
  const others = decisions.flatMap(({ id, choices }) =>
    choices.slice(1).map(({ name }) => `${id}=${name}`),
  );
  expect(others.filter((other) => !tried.has(other))).toEqual([]);
});

/** Sends a case's request to a fresh mock and expects this answer, and what must hold after it. */
async function expectAnswer(
  transport: Transport,
  subject: Case,
  expected: Answer,
  policy: PolicyChanges,
): Promise<void> {
  const mock = createMockUnderTest(policy);
  const facts = toFacts(subject);
  const before = defaultItems().map((item) =>
    item.petId === facts.petId && subject.given.quantity !== undefined
      ? { ...item, quantity: subject.given.quantity }
      : item,
  );
  await mock.replace(before);
  const request = toCaseRequest(subject, facts);
  if (request === undefined) throw new Error(`${subject.id} cannot be sent`);

  const connection = await transport.open(mock);
  try {
    for (let time = 0; time < (subject.times ?? 1); time += 1) {
      const received = await connection.send(request);
      const { violations } = judgeResponse(
        { ...subject, answers: [expected] },
        received,
        facts.petId,
      );
      expect(violations, new TextDecoder().decode(received.body)).toEqual([]);
    }
  } finally {
    await connection.close();
  }

  const after = before.map((item) =>
    expected.body === 'item' && item.petId === facts.petId
      ? { ...item, quantity: expected.quantity }
      : item,
  );
  const ignoreStatus = policy['status-transition'] === 'by-quantity';
  const toText = (items: Iterable<object>): string =>
    stringifyExactJson([...items].map((item) => (ignoreStatus ? { ...item, status: '' } : item)));
  expect(toText(await mock.items())).toBe(toText(after));
}
