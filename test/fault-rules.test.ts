import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import schema from '../fixtures/fixture.schema.json' with { type: 'json' };
import type { FaultView } from '../src/admin/admin-api.ts';
import { parseExactJson } from '../src/json/exact-json.ts';
import { formatJsonPath } from '../src/json/json-path.ts';
import { createFaultPlan, type PlannedFault } from '../src/mock/faults/fault-plan.ts';
import {
  parseFaultRule,
  toFaultRule,
  type FaultRule,
  type FaultRuleInput,
} from '../src/mock/faults/fault-rule.ts';
import { faultKinds } from '../src/mock/faults/kinds.ts';
import { parseFixture } from '../src/mock/fixture.ts';

const isFixture = new Ajv({ strict: false }).compile(schema);

function isRuleBySchema(text: string): boolean {
  return isFixture({ inventory: [], scenarios: { it: [JSON.parse(text)] } });
}

function parse(text: string): FaultRule | readonly string[] {
  const json = parseExactJson(text);
  if (!json.ok) throw new Error(json.problem);
  const parsed = parseFaultRule(json.value);
  return parsed.ok
    ? parsed.rule
    : parsed.problems.map(({ path, message }) => `${formatJsonPath(path)}: ${message}`);
}

const right: readonly (readonly [text: string, rule: FaultRule])[] = [
  ['{"fault":{"kind":"reset"}}', { fault: { kind: 'reset' } }],
  ['{"fault":{"kind":"reset","after":false}}', { fault: { kind: 'reset' } }],
  ['{"fault":{"kind":"hang","after":true}}', { fault: { kind: 'hang', after: true } }],
  ['{"fault":{"kind":"empty-reply"}}', { fault: { kind: 'empty-reply' } }],
  ['{"fault":{"kind":"truncate"}}', { fault: { kind: 'truncate' } }],
  ['{"fault":{"kind":"truncate","bytes":0}}', { fault: { kind: 'truncate', bytes: 0 } }],
  [
    '{"fault":{"kind":"slow-drip","bytesPerSecond":1e2}}',
    { fault: { kind: 'slow-drip', bytesPerSecond: 100 } },
  ],
  ['{"fault":{"kind":"malformed-json"}}', { fault: { kind: 'malformed-json' } }],
  ['{"fault":{"kind":"wrong-content-type"}}', { fault: { kind: 'wrong-content-type' } }],
  [
    '{"fault":{"kind":"wrong-content-type","contentType":"text/plain; charset=utf-8"}}',
    { fault: { kind: 'wrong-content-type', contentType: 'text/plain; charset=utf-8' } },
  ],
  ['{"fault":{"kind":"error","status":401}}', { fault: { kind: 'error', status: 401 } }],
  [
    '{"petId":9007199254740993,"fault":{"kind":"error","status":404,"message":"gone"}}',
    { petId: 9_007_199_254_740_993n, fault: { kind: 'error', status: 404, message: 'gone' } },
  ],
  [
    '{"operation":"updateInventory","nth":2,"fault":{"kind":"error","status":400}}',
    { operation: 'updateInventory', nth: 2, fault: { kind: 'error', status: 400 } },
  ],
  [
    '{"every":3,"probability":0.5,"times":2,"fault":{"kind":"unavailable","status":429}}',
    { every: 3, probability: 0.5, times: 2, fault: { kind: 'unavailable', status: 429 } },
  ],
  [
    '{"probability":1,"fault":{"kind":"unavailable","status":503,"retryAfter":0}}',
    { probability: 1, fault: { kind: 'unavailable', status: 503, retryAfter: 0 } },
  ],
  ['{"fault":{"kind":"delay","milliseconds":5}}', { fault: { kind: 'delay', milliseconds: 5 } }],
  ['{"fault":{"kind":"delay","uniform":[5,5]}}', { fault: { kind: 'delay', uniform: [5, 5] } }],
  [
    '{"fault":{"kind":"delay","logNormal":{"median":300,"sigma":0.5},"maximum":900}}',
    { fault: { kind: 'delay', logNormal: { median: 300, sigma: 0.5 }, maximum: 900 } },
  ],
];

test.for(right)('reads the rule %s', ([text, rule]) => {
  expect(parse(text)).toEqual(rule);
  expect(isRuleBySchema(text), JSON.stringify(isFixture.errors)).toBe(true);
});

test('reads a rule of every kind', () => {
  expect(new Set(right.map(([, { fault }]) => fault.kind))).toEqual(
    new Set(faultKinds.map(({ kind }) => kind)),
  );
});

const kinds = faultKinds.map(({ kind }) => `"${kind}"`).join(', ');

test.for([
  ['5', '$: expected a rule such as {"fault": {"kind": "reset"}}; got the number 5'],
  ['{}', '$.fault: expected an object such as {"kind": "reset"}; got nothing'],
  ['{"fault":"reset"}', '$.fault: expected an object such as {"kind": "reset"}; got the string'],
  ['{"fault":{}}', `$.fault.kind: expected one of ${kinds}; got nothing`],
  ['{"fault":{"kind":"fire"}}', `$.fault.kind: expected one of ${kinds}; got the string "fire"`],
  [
    '{"fault":{"kind":"reset"},"pet":1}',
    '$.pet: there is no such field; a rule has operation, petId, nth, every, probability, times and fault',
  ],
  [
    '{"fault":{"kind":"malformed-json","after":true}}',
    '$.fault.after: there is no such field; the fault malformed-json has kind alone',
  ],
  [
    '{"fault":{"kind":"reset","before":true}}',
    '$.fault.before: there is no such field; the fault reset has kind and after',
  ],
  [
    '{"fault":{"kind":"reset","after":"yes"}}',
    '$.fault.after: expected true or false; got the string "yes"',
  ],
  [
    '{"operation":"getPet","fault":{"kind":"reset"}}',
    '$.operation: expected one of "listInventory", "updateInventory"; got the string "getPet"',
  ],
  ['{"petId":"1","fault":{"kind":"reset"}}', '$.petId: expected an int64; got the string "1"'],
  [
    '{"operation":"listInventory","petId":1,"fault":{"kind":"reset"}}',
    '$.petId: listInventory has no petId; leave one of the two out',
  ],
  [
    '{"nth":0,"fault":{"kind":"reset"}}',
    '$.nth: expected an integer from 1 to 1000000000; got the number 0',
  ],
  [
    '{"every":1.5,"fault":{"kind":"reset"}}',
    '$.every: expected an integer from 1 to 1000000000; got the number 1.5',
  ],
  ['{"nth":1,"every":2,"fault":{"kind":"reset"}}', '$.every: expected nth or every, not both'],
  [
    '{"probability":1.01,"fault":{"kind":"reset"}}',
    '$.probability: expected a number from 0 to 1; got the number 1.01',
  ],
  [
    '{"probability":"often","fault":{"kind":"reset"}}',
    '$.probability: expected a number from 0 to 1; got the string "often"',
  ],
  [
    '{"times":null,"fault":{"kind":"reset"}}',
    '$.times: expected an integer from 1 to 1000000000; got null',
  ],
  [
    '{"fault":{"kind":"error","status":500}}',
    '$.fault.status: expected one of 400, 401, 404; got the number 500',
  ],
  ['{"fault":{"kind":"error"}}', '$.fault.status: expected one of 400, 401, 404; got nothing'],
  [
    '{"operation":"listInventory","fault":{"kind":"error","status":404}}',
    '$.fault.status: the specification documents no 404 for listInventory; expected one of 401',
  ],
  [
    '{"fault":{"kind":"error","status":400}}',
    '$.fault.status: the specification documents no 400 for listInventory; add "operation": "updateInventory" to the rule',
  ],
  [
    '{"fault":{"kind":"error","status":401,"message":7}}',
    '$.fault.message: expected a text of up to 500 characters; got the number 7',
  ],
  [
    '{"fault":{"kind":"unavailable","status":500}}',
    '$.fault.status: expected one of 429, 503; got the number 500',
  ],
  [
    '{"fault":{"kind":"unavailable","status":503,"retryAfter":0.5}}',
    '$.fault.retryAfter: expected an integer from 0 to 86400; got the number 0.5',
  ],
  [
    '{"fault":{"kind":"delay"}}',
    '$.fault: expected one of milliseconds, uniform, logNormal; got none',
  ],
  [
    '{"fault":{"kind":"delay","milliseconds":1,"uniform":[1,2]}}',
    '$.fault: expected one of milliseconds, uniform, logNormal; got milliseconds and uniform',
  ],
  [
    '{"fault":{"kind":"delay","milliseconds":600001}}',
    '$.fault.milliseconds: expected an integer from 0 to 600000; got the number 600001',
  ],
  [
    '{"fault":{"kind":"delay","milliseconds":1,"maximum":2}}',
    '$.fault.maximum: maximum belongs to logNormal; leave it out beside milliseconds',
  ],
  [
    '{"fault":{"kind":"delay","uniform":[1]}}',
    '$.fault.uniform: expected two integers from 0 to 600000, the smaller one first, such as [100, 500]; got an array',
  ],
  [
    '{"fault":{"kind":"delay","logNormal":5}}',
    '$.fault.logNormal: expected an object such as {"median": 300, "sigma": 0.5}; got the number 5',
  ],
  [
    '{"fault":{"kind":"delay","logNormal":{"median":0,"sigma":1}}}',
    '$.fault.logNormal.median: expected an integer from 1 to 600000; got the number 0',
  ],
  [
    '{"fault":{"kind":"delay","logNormal":{"median":1}}}',
    '$.fault.logNormal.sigma: expected a number from 0 to 5; got nothing',
  ],
  [
    '{"fault":{"kind":"delay","logNormal":{"median":1,"sigma":1,"mean":2}}}',
    '$.fault.logNormal.mean: there is no such field; logNormal has median and sigma',
  ],
  [
    '{"fault":{"kind":"truncate","bytes":-1}}',
    '$.fault.bytes: expected an integer from 0 to 2147483647; got the number -1',
  ],
  [
    '{"fault":{"kind":"slow-drip"}}',
    '$.fault.bytesPerSecond: expected an integer from 1 to 1000000000; got nothing',
  ],
  [
    '{"fault":{"kind":"wrong-content-type","contentType":"a\\r\\nb"}}',
    '$.fault.contentType: expected a media type such as "text/plain"; got the string "a\\r\\nb"',
  ],
] as const)('refuses the rule %s', ([text, message]) => {
  const problems = parse(text) as readonly string[];
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(message);
  expect(isRuleBySchema(text)).toBe(false);
});

test('refuses a range that begins above its end, and a petId that a number rounds', () => {
  expect(parse('{"petId":9223372036854775808,"fault":{"kind":"reset"}}')).toEqual([
    '$.petId: expected an int64; got the number 9223372036854775808',
  ]);
  expect(parse('{"fault":{"kind":"delay","uniform":[2,1]}}')).toEqual([
    expect.stringContaining('the smaller one first'),
  ]);
});

test('reports all that is wrong with a rule', () => {
  expect(parse('{"petId":"a","nth":0,"fault":{"kind":"truncate","bytes":"b"}}')).toHaveLength(3);
});

test('takes a rule as people type it', () => {
  expect(toFaultRule({ petId: 12, probability: 0.25, times: 3, fault: { kind: 'reset' } })).toEqual(
    { petId: 12n, probability: 0.25, times: 3, fault: { kind: 'reset' } },
  );
});

test.for([
  [
    undefined,
    TypeError,
    "rule must be an object such as { fault: { kind: 'reset' } }; got undefined",
  ],
  [[], TypeError, "rule must be an object such as { fault: { kind: 'reset' } }; got an array"],
  [{ fault: { kind: 'fire' } }, RangeError, 'rule.fault.kind: expected one of "error"'],
  [
    { petId: 2 ** 53, fault: { kind: 'reset' } },
    RangeError,
    'rule.petId 9007199254740992 is beyond what a number holds exactly',
  ],
  [{ nth: NaN, fault: { kind: 'reset' } }, RangeError, 'rule.nth must be an integer; got NaN'],
] as const)('throws for the typed rule %j', ([input, kind, message]) => {
  const read = (): FaultRule => toFaultRule(input as unknown as FaultRuleInput);
  expect(read).toThrow(kind);
  expect(read).toThrow(message);
});

test('shows a rule as the admin API speaks of it', () => {
  const [shown] = createFaultPlan({ rules: [{ fault: { kind: 'reset' } }] }).views();
  const view: FaultView | undefined = shown satisfies PlannedFault | undefined;
  expect(view).toEqual({ id: 'f1', rule: { fault: { kind: 'reset' } }, seen: 0, hits: 0 });
});

test.for([
  ['[]', '$.scenarios: expected scenarios by name, such as {"bad network": '],
  ['{"a":{}}', '$.scenarios.a: expected an array of 1 to 50 rules; got an empty object'],
  ['{"a":[]}', '$.scenarios.a: expected an array of 1 to 50 rules; got an empty array'],
  [
    `{${Array.from({ length: 101 }, (_, index) => `"s${index}":5`).join(',')}}`,
    '$.scenarios: expected at most 100 scenarios; got 101',
  ],
  [
    `{"a":[${Array.from({ length: 51 }, () => '{"fault":{"kind":"reset"}}').join(',')}]}`,
    '$.scenarios.a: expected an array of 1 to 50 rules; got 51',
  ],
  ['{"":[{"fault":{"kind":"reset"}}]}', '$.scenarios[""]: expected a name of 1 to 64 characters'],
  ['{" a":[{"fault":{"kind":"reset"}}]}', '$.scenarios[" a"]: expected a name of 1 to 64 char'],
  ['{"a b":[{"fault":{}}]}', '$.scenarios["a b"][0].fault.kind: expected one of "error"'],
] as const)('refuses the scenarios %s of a fixture', ([scenarios, message]) => {
  const text = `{"inventory":[],"scenarios":${scenarios}}`;
  const parsed = parseFixture(text);
  if (parsed.ok || parsed.kind !== 'content') throw new Error('the fixture is accepted');
  const [problem] = parsed.problems;
  expect(`${formatJsonPath(problem?.path ?? [])}: ${problem?.message}`).toContain(message);
  expect(isFixture(JSON.parse(text))).toBe(false);
});
