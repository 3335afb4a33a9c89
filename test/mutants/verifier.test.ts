import { expect, test } from 'vitest';
import { cases } from '../../contracts/cases.ts';
import { clauses } from '../../contracts/clauses.ts';
import type { Report } from '../../src/verify/report.ts';
import { verify } from '../../src/verify/verify.ts';
import { variations, violations } from './gallery.ts';
import { startProvider, type Mutation } from './provider.ts';

/** Another seed plays other random sequences: `GALLERY_SEED=7 vitest run test/mutants`. */
const seed = Number(process.env['GALLERY_SEED'] ?? 1);

async function verifyMutant(mutation: Mutation): Promise<Report> {
  const provider = await startProvider(mutation);
  try {
    // A provider that never answers costs one time-out for each request that is tried.
    return await verify({ baseUrl: provider.url, apiKey: provider.apiKey, seed, timeoutMs: 1500 });
  } finally {
    await provider.close();
  }
}

/** The clauses of the cases and checks that found something wrong with each violation. */
const found = new Map<string, ReadonlySet<string>>();

const clausesOf = new Map<string, readonly string[]>(cases.map((one) => [one.id, one.clauses]));

test.concurrent.for(violations)(
  'finds that $name breaks $breaks',
  async (violation, { expect: expectHere }) => {
    const report = await verifyMutant(violation);
    const verdicts = violation.leavesNothingToJudge === true ? [1, 3] : [1];
    expectHere(verdicts, violation.summary).toContain(report.exitCode);
    const failed = report.results.filter(({ verdict }) => verdict === 'fail');
    found.set(
      violation.name,
      new Set(
        failed.flatMap(({ id, findings }) => [
          ...(clausesOf.get(id) ?? []),
          ...findings.flatMap(({ clause }) => clause ?? []),
        ]),
      ),
    );
  },
);

test.concurrent.for(variations)(
  'finds nothing wrong with $name',
  async (variation, { expect: expectHere }) => {
    const { exitCode, results } = await verifyMutant(variation);
    const failures = results.filter(({ verdict }) => verdict === 'fail');
    expectHere(failures.map(({ id, findings }) => `${id}: ${findings[0]?.message}`)).toEqual([]);
    expectHere(exitCode, variation.summary).toBe(0);
  },
);

test('every clause is guarded: something that names it fails on a provider that breaks it', () => {
  const guarded = new Set(
    violations.filter(({ name, breaks }) => found.get(name)?.has(breaks)).map((it) => it.breaks),
  );
  expect(clauses.filter(({ id }) => !guarded.has(id)).map(({ id }) => id)).toEqual([]);
});
