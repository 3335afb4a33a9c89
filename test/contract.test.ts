import { expect, test } from 'vitest';
import { cases } from '../contracts/cases.ts';
import { clauses } from '../contracts/clauses.ts';

test('every clause has a case', () => {
  const named = new Set(cases.flatMap((subject) => subject.clauses));
  const forgotten = clauses.filter(({ id }) => !named.has(id)).map(({ id }) => id);
  expect(forgotten).toEqual([]);
});

test('every case names its clauses, each once and each known', () => {
  const known = new Set<string>(clauses.map(({ id }) => id));
  for (const { id, clauses: named } of cases) {
    expect(named.length, id).toBeGreaterThan(0);
    expect(new Set(named).size, id).toBe(named.length);
    expect(
      named.filter((clause) => !known.has(clause)),
      id,
    ).toEqual([]);
  }
});

test('no two cases have the same id', () => {
  const ids = cases.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('the id of a case begins with its operation and its default answer', () => {
  for (const { id, operation, answers } of cases) {
    expect(id).toMatch(new RegExp(`^${operation}/${answers[0].status}/[a-z0-9-]+$`));
  }
});
