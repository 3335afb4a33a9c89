import { expect, test } from 'vitest';
import { parseJournalQuery } from '../src/mock/journal-query.ts';

const parse = (search: string): ReturnType<typeof parseJournalQuery> =>
  parseJournalQuery(new URLSearchParams(search));

test('reads every parameter', () => {
  expect(
    parse(
      'operation=updateInventory&petId=9007199254740993&method=PATCH&status=404&verdict=fail&after=7&limit=20&wait=2.5',
    ),
  ).toEqual({
    ok: true,
    query: {
      operation: 'updateInventory',
      petId: 9_007_199_254_740_993n,
      method: 'PATCH',
      status: 404,
      verdict: 'fail',
      after: 7,
      limit: 20,
      wait: 2.5,
    },
  });
  expect(parse('')).toEqual({ ok: true, query: {} });
  expect(parse('status=0&after=0&wait=0&petId=-1')).toEqual({
    ok: true,
    query: { status: 0, after: 0, wait: 0, petId: -1n },
  });
});

test.for([
  [
    'pet=1',
    'there is no parameter "pet"; the parameters are operation, petId, method, status, verdict, after, limit, wait',
  ],
  ['toString=1', 'there is no parameter "toString"'],
  ['petId=1&petId=2', 'petId must stand once; it stands twice'],
  ['operation=list', 'operation must be listInventory or updateInventory; got "list"'],
  ['petId=abc', 'petId must be an int64 in its shortest decimal form; got "abc"'],
  ['petId=9223372036854775808', 'petId must be an int64'],
  ['petId=', 'petId must be an int64'],
  ['method=', 'method must be a method in capitals, such as PATCH; got ""'],
  ['method=GET%20/', 'method must be a method in capitals, such as PATCH; got "GET /"'],
  ['method=patch', 'method must be a method in capitals, such as PATCH; got "patch"'],
  ['status=2xx', 'status must be a status from 100 to 599, or 0 where nothing was answered'],
  ['status=600', 'status must be a status from 100 to 599'],
  ['verdict=passed', 'verdict must be pass or fail or inconclusive; got "passed"'],
  ['after=-1', 'after must be the sequence of an exchange, an integer from 0 up; got "-1"'],
  ['after=1e3', 'after must be the sequence of an exchange'],
  ['after=9007199254740993', 'after must be the sequence of an exchange'],
  ['limit=0', 'limit must be an integer from 1 to 1000; got "0"'],
  ['limit=1001', 'limit must be an integer from 1 to 1000; got "1001"'],
  ['wait=61', 'wait must be a number of seconds from 0 to 60; got "61"'],
  ['wait=60.1', 'wait must be a number of seconds from 0 to 60'],
  ['wait=5s', 'wait must be a number of seconds from 0 to 60; got "5s"'],
  ['wait=-1', 'wait must be a number of seconds from 0 to 60'],
] as const)('refuses %s', ([search, beginning]) => {
  const parsed = parse(search);
  expect(parsed.ok ? 'accepted' : parsed.problem).toContain(beginning);
});
