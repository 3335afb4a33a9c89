import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OperationId } from '../contracts/case.ts';
import { SettingsChangedError, type CounterStep } from '../src/inventory/sandbox-storage.ts';
import { StoreUnavailableError } from '../src/inventory/store.ts';
import { Plan, type PlannedFault, type PlanState } from '../src/mock/faults/fault-plan.ts';
import { toFaultRule, type FaultRule } from '../src/mock/faults/fault-rule.ts';
import { SharedFaults, type SharedCounters } from '../src/mock/faults/shared-faults.ts';
import type { Interference } from '../src/mock/mock.ts';

const noHeaders = { method: 'GET', path: '/', header: () => undefined, body: new Uint8Array() };

const response = { status: 200, headers: ['Content-Type', 'application/json'], body: '[1,2,3]' };

/** Counters as a storage has them, in memory, and how often they were asked. */
class Counters implements SharedCounters {
  readonly sandbox = 'default';
  readonly values = new Map<string, number>();
  asked = 0;

  async advance(steps: readonly CounterStep[]): Promise<readonly number[] | undefined> {
    this.asked += 1;
    await Promise.resolve();
    return steps.map(([name, by]) => {
      const value = (this.values.get(name) ?? 0) + by;
      this.values.set(name, value);
      return value;
    });
  }

  async read(): Promise<ReadonlyMap<string, number>> {
    return this.values;
  }
}

interface Asked {
  readonly operation: OperationId;
  readonly segment?: string;
}

const describe = (interference: Interference | undefined): string =>
  [
    interference?.fault?.id ?? '-',
    interference?.fault?.kind,
    interference?.spoil?.(response).delivery?.delay,
  ].join(' ');

/** Asks what happens to a request, which is answered then. */
async function ask(
  faults: Pick<Plan, 'fault'> | SharedFaults,
  { operation, segment }: Asked,
): Promise<string> {
  const interference = await faults.fault(operation, noHeaders, segment);
  if (interference !== undefined && 'noteAnswer' in faults) faults.noteAnswer(interference);
  return describe(interference);
}

const count = fc.integer({ min: 1, max: 6 });

const rule: fc.Arbitrary<FaultRule> = fc
  .record(
    {
      requests: fc.constantFrom(
        {},
        { operation: 'listInventory' as const },
        { operation: 'updateInventory' as const },
        { petId: 1 },
      ),
      number: fc.oneof(fc.constant({}), fc.record({ nth: count }), fc.record({ every: count })),
      chance: fc.record({ probability: fc.constantFrom(0.2, 0.5) }, { requiredKeys: [] }),
      limit: fc.record({ times: fc.integer({ min: 1, max: 3 }) }, { requiredKeys: [] }),
      fault: fc.constantFrom(
        { kind: 'reset' as const },
        { kind: 'unavailable' as const, status: 503 as const },
        { kind: 'delay' as const, milliseconds: 7 },
        { kind: 'delay' as const, uniform: [1, 99] as const },
        { kind: 'delay' as const, logNormal: { median: 100, sigma: 1 } },
      ),
    },
    { requiredKeys: ['requests', 'number', 'chance', 'limit', 'fault'] },
  )
  .map(({ requests, number, chance, limit, fault }) =>
    toFaultRule({ ...requests, ...number, ...chance, ...limit, fault }),
  );

const state: fc.Arbitrary<PlanState> = fc
  .record({
    rules: fc.array(rule, { maxLength: 4 }),
    played: fc.array(rule, { maxLength: 3 }),
    seed: fc.integer({ min: -5, max: 5 }),
  })
  .map((made) => ({ ...made, scenario: 'a storm' }));

const asked: fc.Arbitrary<Asked & { readonly by: number }> = fc.record({
  by: fc.nat({ max: 2 }),
  operation: fc.constantFrom('listInventory', 'updateInventory'),
  segment: fc.constantFrom('1', '2'),
});

test('several processes that count together do what one does alone', async () => {
  await fc.assert(
    fc.asyncProperty(state, fc.array(asked, { maxLength: 60 }), async (made, requests) => {
      const alone = Plan.from(made, 'http');
      const counters = new Counters();
      const processes = [0, 1, 2].map(() => new SharedFaults(Plan.from(made, 'http'), counters));
      const [expected, got]: [string[], string[]] = [[], []];
      for (const { by, ...request } of requests) {
        expected.push(await ask(alone, request));
        const shared = processes[by];
        if (shared !== undefined) got.push(await ask(shared, request));
      }
      expect(got).toEqual(expected);
      // What each has still to count comes first.
      for (const shared of processes) await shared.views();
      for (const shared of processes) {
        expect(await shared.views()).toEqual(alone.views());
      }
    }),
    { numRuns: 400 },
  );
});

const shares = (rules: readonly FaultRule[], counters: SharedCounters): SharedFaults =>
  new SharedFaults(Plan.from({ rules, played: [], seed: 1 }, 'http'), counters);

const list: Asked = { operation: 'listInventory' };

test('hits as often as it may, however many ask side by side', async () => {
  const rules: readonly FaultRule[] = [
    { nth: 7, fault: { kind: 'empty-reply' } },
    { every: 2, times: 3, fault: { kind: 'reset' } },
    { times: 5, fault: { kind: 'hang' } },
    { every: 10, times: 4, fault: { kind: 'delay', milliseconds: 1 } },
  ];
  const counters = new Counters();
  const processes = [shares(rules, counters), shares(rules, counters), shares(rules, counters)];
  const answers = await Promise.all(
    Array.from({ length: 90 }, (_, index) => processes[index % 3]).map(
      async (shared) => shared && ask(shared, list),
    ),
  );
  const hits = (kind: string): number =>
    answers.filter((answer) => answer?.includes(kind) === true).length;
  expect([hits('empty-reply'), hits('reset'), hits('hang')]).toEqual([1, 3, 5]);
  const views = await processes[0]?.views();
  expect(views?.map(({ seen, hits: hit }: PlannedFault) => [seen, hit])).toEqual([
    [90, 1],
    [90, 3],
    [90, 5],
    [90, 4],
  ]);
});

test('waits for no counter where the rules do not count, or have hit for the last time', async () => {
  const counters = new Counters();
  const unconditional: FaultRule = { fault: { kind: 'delay', milliseconds: 1 } };
  const rules: readonly FaultRule[] = [
    unconditional,
    { fault: { kind: 'reset' } },
    { fault: { kind: 'hang' } },
  ];
  const shared = shares(rules, counters);
  for (let index = 0; index < 10; index += 1) {
    const interference = shared.fault('listInventory', noHeaders) as Interference;
    expect(describe(interference)).toBe('f2 reset 1');
    shared.noteAnswer(interference);
  }
  expect(await shared.views()).toMatchObject([
    { seen: 10, hits: 10 },
    { seen: 10, hits: 10 },
    { seen: 10, hits: 0 },
  ]);
  expect(counters.asked).toBeLessThan(5);

  const once = shares([{ times: 1, fault: { kind: 'reset' } }, unconditional], new Counters());
  expect(await ask(once, list)).toBe('f1 reset 1');
  expect(once.fault('listInventory', noHeaders)).not.toBeInstanceOf(Promise);
  const other = { operation: 'updateInventory' } as const;
  const elsewhere = shares([{ ...other, nth: 1, fault: { kind: 'reset' } }], new Counters());
  expect(elsewhere.fault('listInventory', noHeaders)).toBeUndefined();
  expect(await ask(elsewhere, other)).toBe('f1 reset 0');
  expect(elsewhere.fault('updateInventory', noHeaders)).toEqual({ counters: ['0.1'] });
});

test('leaves a request to others where its rules have changed, or the storage is away', async () => {
  const rules: readonly FaultRule[] = [{ nth: 1, fault: { kind: 'reset' } }];
  const counters = new Counters();
  const read = (): ReturnType<Counters['read']> => counters.read();
  const stale = shares(rules, { sandbox: 'a', read, advance: async () => undefined });
  await expect(ask(stale, list)).rejects.toThrow(SettingsChangedError);
  const away = shares(rules, {
    sandbox: 'a',
    read,
    advance: () => Promise.reject(new StoreUnavailableError('away', 1)),
  });
  await expect(ask(away, list)).rejects.toThrow('away');
});

test('takes its turn again where the settings change between number and hit', async () => {
  const plan = Plan.from(
    { rules: [{ times: 1, fault: { kind: 'reset' } }], played: [], seed: 1 },
    'http',
  );
  const counters = new Counters();
  let taken = 0;
  const shared = new SharedFaults(plan, {
    sandbox: 'a',
    read: () => counters.read(),
    advance(steps) {
      taken += 1;
      return taken === 2 ? Promise.resolve(undefined) : counters.advance(steps);
    },
  });
  expect(await ask(shared, list)).toBe('f1 reset 0');
  plan.replace([{ times: 1, fault: { kind: 'hang' } }]);
  taken = 0;
  const gone = ask(shared, list);
  plan.clear();
  // It was taken away, so it does not hit.
  expect(await gone).toBe('-  ');
});

test('counts later what could not be counted while the storage was away', async () => {
  const counters = new Counters();
  let isAway = true;
  const bugs: unknown[] = [];
  const shared = shares([{ fault: { kind: 'reset' } }], {
    sandbox: 'a',
    onBug: (error) => bugs.push(error),
    read: () => counters.read(),
    advance: (steps) =>
      isAway ? Promise.reject(new StoreUnavailableError('away', 1)) : counters.advance(steps),
  });
  await ask(shared, list);
  expect(await shared.views()).toMatchObject([{ seen: 0, hits: 0 }]);
  isAway = false;
  await ask(shared, list);
  expect(await shared.views()).toMatchObject([{ seen: 2, hits: 2 }]);
  expect(bugs).toEqual([]);
});

test('tells of a bug where it counts behind the back of a request', async () => {
  const bugs: unknown[] = [];
  const bug = new TypeError('a bug');
  const shared = shares([{ fault: { kind: 'reset' } }], {
    sandbox: 'a',
    read: () => Promise.resolve(new Map()),
    advance: () => Promise.reject(bug),
    onBug: (error) => bugs.push(error),
  });
  await ask(shared, list);
  await shared.counting;
  expect(bugs).toEqual([bug]);
});

test('counts every answer, at whatever moment it comes', async () => {
  for (let moments = 0; moments < 20; moments += 1) {
    const shared = shares([{ fault: { kind: 'reset' } }], new Counters());
    await ask(shared, list);
    for (let moment = 0; moment < moments; moment += 1) await Promise.resolve();
    await ask(shared, list);
    expect(await shared.views()).toMatchObject([{ seen: 2, hits: 2 }]);
  }
});

test('refuses a wrong preference on purpose, as one process does', () => {
  const faults = shares([], new Counters());
  const hasPreference = { ...noHeaders, header: () => 'code=404' };
  const interference = faults.fault('listInventory', hasPreference);
  expect(interference).toMatchObject({
    fault: { id: 'prefer', kind: 'error' },
    outcome: { kind: 'invalid' },
  });
});
