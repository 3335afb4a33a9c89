import { expect, test } from 'vitest';
import { clauses, type ClauseId } from '../../contracts/clauses.ts';
import type { Report } from '../../src/verify/report.ts';
import { verify } from '../../src/verify/verify.ts';
import { variations, violations } from '../mutants/gallery.ts';
import type { Mutation } from '../mutants/provider.ts';
import { withProvider } from '../mutants/with-provider.ts';

const seed = 20_261_120;

function verifyMutation(mutation: Mutation, timeoutMs: number): Promise<Report> {
  return withProvider(mutation, ({ url, apiKey }) =>
    verify({ baseUrl: url, apiKey, seed, timeoutMs }),
  );
}

const found = new Set<string>();
const guarded = new Set<ClauseId>();
const flagged: string[] = [];

for (const violation of violations) {
  // The time-out is short where a provider lets its clients wait.
  const timeoutMs = violation.needs === 'transport' ? 700 : 5000;
  test(`finds ${violation.name}: ${violation.summary}`, { timeout: 60_000 }, async () => {
    const { exitCode, results } = await verifyMutation(violation, timeoutMs);
    expect([1, violation.leavesNothingToJudge === true ? 3 : 1]).toContain(exitCode);
    found.add(violation.name);
    const broken = results.filter(({ verdict }) => verdict === 'fail');
    if (broken.some((result) => result.clauses.includes(violation.breaks))) {
      guarded.add(violation.breaks);
    }
  });
}

for (const variation of variations) {
  test(`passes ${variation.name}: ${variation.summary}`, { timeout: 60_000 }, async () => {
    const { exitCode, results } = await verifyMutation(variation, 5000);
    if (exitCode !== 0) flagged.push(variation.name);
    expect(results.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expect(exitCode).toBe(0);
  });
}

test('every clause is guarded by a case that fails a violation of it', () => {
  process.stdout.write(
    `violations found: ${found.size} of ${violations.length}; variations flagged: ${flagged.length} of ${variations.length}\n`,
  );
  expect(clauses.map(({ id }) => id).filter((id) => !guarded.has(id))).toEqual([]);
});
