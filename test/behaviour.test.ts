import { afterAll, beforeAll, expect, test } from 'vitest';
import { toCaseRequest, type Answer, type Case } from '../contracts/case.ts';
import { cases } from '../contracts/cases.ts';
import { decisions } from '../contracts/decisions.ts';
import { judgeResponse } from '../contracts/judge.ts';
import { stringifyExactJson } from '../src/json/exact-json.ts';
import type { PolicyChanges } from '../src/mock/policy.ts';
import { policies } from './policies.ts';
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
