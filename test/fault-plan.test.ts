import { expect, test } from 'vitest';
import type { OperationId } from '../contracts/case.ts';
import { createFaultPlan, type FaultPlan } from '../src/mock/faults/fault-plan.ts';
import type { FaultRuleInput } from '../src/mock/faults/fault-rule.ts';
import { toWholeFixture } from '../src/mock/faults/whole-fixture.ts';

const noHeaders = { method: 'GET', path: '/', header: () => undefined, body: new Uint8Array() };

const response = { status: 200, headers: ['Content-Type', 'application/json'], body: '[1,2,3]' };

/** Which fault hits each of so many requests: its kind, `delay` with its time, or nothing. */
function play(
  plan: FaultPlan,
  requests: number,
  operation: OperationId = 'listInventory',
  segment?: string,
): string[] {
  return Array.from({ length: requests }, () => {
    const interference = plan.fault(operation, noHeaders, segment);
    const delivery = interference?.spoil?.(response).delivery;
    return [interference?.fault?.kind ?? '-', delivery?.delay ?? 0].join(' ');
  });
}

const hits = (plan: FaultPlan): number[] => plan.views().map((view) => view.hits);
const seen = (plan: FaultPlan): number[] => plan.views().map((view) => view.seen);

const reset = { kind: 'reset' } as const;
const unavailable = { kind: 'unavailable', status: 503 } as const;

test('hits the operation, the pet and the number that a rule names', () => {
  const plan = createFaultPlan({
    rules: [
      { operation: 'listInventory', nth: 2, fault: reset },
      { petId: 9007199254740993n, fault: unavailable },
    ],
  });
  expect(play(plan, 3)).toEqual(['- 0', 'reset 0', '- 0']);
  expect(play(plan, 1, 'updateInventory', '9007199254740992')).toEqual(['- 0']);
  expect(play(plan, 1, 'updateInventory', 'abc')).toEqual(['- 0']);
  expect(play(plan, 1, 'updateInventory', '9007199254740993')).toEqual(['unavailable 0']);
  expect(seen(plan)).toEqual([3, 1]);
  expect(hits(plan)).toEqual([1, 1]);
});

const isReset = (hit: string): boolean => hit.startsWith('reset');

test('hits every third request, twice at most', () => {
  const plan = createFaultPlan({ rules: [{ every: 3, times: 2, fault: reset }] });
  expect(play(plan, 9).map(isReset)).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 0].map(Boolean));
});

test('adds delays up, and lets the first of the other faults win', () => {
  const plan = createFaultPlan({
    rules: [
      { fault: { kind: 'delay', milliseconds: 100 } },
      { every: 2, fault: reset },
      { fault: { kind: 'delay', milliseconds: 20 } },
      { times: 1, fault: unavailable },
    ],
  });
  expect(play(plan, 4)).toEqual(['unavailable 120', 'reset 120', 'delay 120', 'reset 120']);
  // A rule that another one came before has not hit, and is not used up.
  expect(hits(plan)).toEqual([4, 2, 4, 1]);
  const late = createFaultPlan({
    rules: [
      { nth: 1, fault: reset },
      { times: 1, fault: unavailable },
    ],
  });
  expect(play(late, 3)).toEqual(['reset 0', 'unavailable 0', '- 0']);
});

const scenario = toWholeFixture('default').scenarios?.['bad network'] ?? [];

const run = (seed: number): string[] => play(createFaultPlan({ rules: scenario, seed }), 200);

test('the same rules, seed and requests give the same run', () => {
  expect(run(7)).toEqual(run(7));
  expect(run(7)).not.toEqual(run(8));
  expect(new Set(run(7).map((hit) => hit.split(' ')[0]))).toEqual(
    new Set(['delay', 'reset', 'truncate', 'hang']),
  );
});

test('begins anew with the same seed or another', () => {
  const plan = createFaultPlan({ rules: scenario, seed: 7 });
  const first = play(plan, 100);
  plan.restart();
  expect(seen(plan)).toEqual([0, 0, 0, 0, 0]);
  expect(play(plan, 100)).toEqual(first);
  plan.restart(8);
  expect(plan.seed).toBe(8);
  expect(play(plan, 100)).not.toEqual(first);
});

test('a rule keeps its random numbers whatever other rules do', () => {
  const rules: readonly FaultRuleInput[] = [{ probability: 0.3, fault: reset }];
  const alone = play(createFaultPlan({ rules }), 200);
  const plan = createFaultPlan({ rules });
  plan.play('noise', [{ probability: 0.5, fault: { kind: 'delay', milliseconds: 1 } }]);
  plan.add({ probability: 0.5, fault: { kind: 'delay', uniform: [1, 9] } });
  const among = play(plan, 200);
  expect(among.map(isReset)).toEqual(alone.map(isReset));
});

test('hits as often as the probability says, for seeds and places that are alike', () => {
  const first = Array.from({ length: 2000 }, (_, seed) => {
    const rules = [
      { probability: 0.25, fault: { kind: 'delay', milliseconds: 1 } },
      { probability: 0.25, fault: { kind: 'delay', milliseconds: 2 } },
    ] as const;
    const plan = createFaultPlan({ rules, seed });
    play(plan, 1);
    return hits(plan).join('');
  });
  const share = (which: string): number => first.filter((hit) => hit === which).length / 2000;
  expect(share('11')).toBeCloseTo(1 / 16, 1);
  expect(share('10')).toBeCloseTo(3 / 16, 1);
  expect(share('01')).toBeCloseTo(3 / 16, 1);
  expect(share('00')).toBeCloseTo(9 / 16, 1);
  const never = createFaultPlan({ rules: [{ probability: 0, fault: reset }] });
  play(never, 100);
  expect(hits(never)).toEqual([0]);
});

/** So many delays of one rule, in ascending order. */
function delaysOf(fault: FaultRuleInput['fault'], count: number): number[] {
  const plan = createFaultPlan({ rules: [{ fault }] });
  return play(plan, count)
    .map((hit) => Number(hit.split(' ')[1]))
    .toSorted((one, other) => one - other);
}

test('draws uniform delays from both ends and between', () => {
  const delays = delaysOf({ kind: 'delay', uniform: [3, 6] }, 200);
  expect(new Set(delays)).toEqual(new Set([3, 4, 5, 6]));
});

test('draws log-normal delays around their median, none above the maximum', () => {
  const sigma = 0.5;
  const delays = delaysOf(
    { kind: 'delay', logNormal: { median: 1000, sigma }, maximum: 3000 },
    4000,
  );
  const at = (share: number): number => delays[Math.floor(share * delays.length)] ?? 0;
  expect(at(0.5) / 1000).toBeCloseTo(1, 1);
  // One sigma below and above.
  expect(at(0.1587) / 1000).toBeCloseTo(Math.exp(-sigma), 1);
  expect(at(0.8413) / 1000).toBeCloseTo(Math.exp(sigma), 1);
  expect(delays.at(-1)).toBe(3000);
});

test('adds, removes, replaces and clears rules, beside those of a scenario', () => {
  const plan = createFaultPlan({ rules: [{ fault: reset }] });
  plan.play('busy', [{ fault: unavailable }]);
  const added = plan.add({ petId: 1, fault: { kind: 'hang' } });
  expect(plan.scenario).toBe('busy');
  expect(plan.views()).toEqual([
    { id: 'f2', scenario: 'busy', rule: { fault: unavailable }, seen: 0, hits: 0 },
    { id: 'f1', rule: { fault: reset }, seen: 0, hits: 0 },
    added,
  ]);
  expect(plan.remove('f1')).toBe(true);
  expect(plan.remove('f1')).toBe(false);
  plan.replace([{ fault: { kind: 'truncate' } }]);
  expect(plan.views().map(({ id, rule }) => [id, rule.fault.kind])).toEqual([
    ['f2', 'unavailable'],
    ['f4', 'truncate'],
  ]);
  plan.clear();
  expect(plan.views().map(({ id }) => id)).toEqual(['f2']);
  plan.play();
  expect(plan.scenario).toBeUndefined();
  expect(play(plan, 1)).toEqual(['- 0']);
});

test('leaves all as it is where one of several rules is wrong, or there are too many', () => {
  const plan = createFaultPlan({ rules: [{ fault: reset }] });
  const many = Array.from({ length: 50 }, () => ({ fault: reset }));
  expect(() => plan.replace([{ fault: unavailable }, { nth: 0, fault: reset }])).toThrow(
    'rules[1].nth: expected an integer from 1 to 1000000000; got the number 0',
  );
  expect(() => plan.replace([...many, { fault: reset }])).toThrow(
    new RangeError('a mock takes at most 50 rules; got 51'),
  );
  expect(plan.views().map(({ id }) => id)).toEqual(['f1']);
  plan.replace(many);
  expect(() => plan.add({ fault: reset })).toThrow('a mock takes at most 50 rules; got 51');
});

test.for([1.5, 2 ** 31, Number.NaN])('refuses the seed %s', (seed) => {
  expect(() => createFaultPlan({ seed })).toThrow(RangeError);
  expect(() => createFaultPlan().restart(seed)).toThrow(
    'seed must be an integer from -2147483648 to 2147483647; got',
  );
});

test('refuses an option that there is not', () => {
  expect(() => createFaultPlan({ rule: [] } as object)).toThrow(
    'the options of createFaultPlan: there is no option "rule"; there are rules, seed, transport',
  );
});

test('the scenarios of the default fixture can be played, over fetch as well', () => {
  const { scenarios = {} } = toWholeFixture('default');
  expect(Object.keys(scenarios)).toEqual([
    'black friday',
    'bad network',
    'every second request fails',
  ]);
  const plan = createFaultPlan({ transport: 'fetch' });
  for (const [name, rules] of Object.entries(scenarios)) {
    plan.play(name, rules);
    expect(plan.views()).toHaveLength(rules.length);
  }
});

test('takes the scenarios of a typed fixture, and names the one that is wrong', () => {
  const scenarios = { 'bad day': [{ petId: 12, fault: reset }] };
  expect(toWholeFixture({ inventory: [], scenarios })).toEqual({
    inventory: [],
    scenarios: { 'bad day': [{ petId: 12n, fault: reset }] },
  });
  expect(() =>
    toWholeFixture({ inventory: [], scenarios: { 'bad day': [{ nth: 0, fault: reset }] } }),
  ).toThrow('scenarios["bad day"][0].nth: expected an integer from 1');
  expect(() => toWholeFixture({ inventory: [], scenarios: { a: [] } })).toThrow(
    'scenarios["a"] must be a list of 1 to 50 rules',
  );
});
