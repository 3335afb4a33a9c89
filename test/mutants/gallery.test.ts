import { expect, test } from 'vitest';
import { clauses } from '../../contracts/clauses.ts';
import { variations, violations } from './gallery.ts';
import type { BrokenProvider, Need } from './mutant.ts';
import type { Provider } from './provider.ts';
import type { RawClient } from './raw-client.ts';
import { askNeighbours, crowd, lookAgain, walk, type Finding } from './walk.ts';
import { findFailure, withProvider } from './with-provider.ts';

const whichNeed = (need: Need | undefined): readonly BrokenProvider[] =>
  violations.filter(({ needs }) => needs === need);

test('no two providers have the same name', () => {
  const names = [...violations, ...variations].map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('the gallery is large enough', () => {
  expect(violations.length).toBeGreaterThanOrEqual(450);
  expect(variations.length).toBeGreaterThanOrEqual(75);
});

test('every clause is broken by a violation that single requests show', () => {
  const broken = new Set(whichNeed(undefined).map(({ breaks }) => breaks));
  expect(clauses.filter(({ id }) => !broken.has(id)).map(({ id }) => id)).toEqual([]);
});

test.for(whichNeed(undefined))('$name fails a case of the clause it breaks', async (violation) => {
  expect(await findFailure(violation)).toBeDefined();
});

test.for(whichNeed('transport'))('$name does not come to an end', async (violation) => {
  const failure = await findFailure(violation, 200);
  expect(failure?.problems.join()).toMatch(/TimeoutError|AbortError|RangeError|aborted/);
});

const shownBy: Readonly<
  Record<Exclude<Need, 'transport'>, (provider: Provider, client: RawClient) => Promise<Finding>>
> = { sequence: walk, concurrency: crowd, 'unlisted-pet': askNeighbours, time: lookAgain };

test.for(
  violations.flatMap(({ needs, ...violation }) =>
    needs === undefined || needs === 'transport' ? [] : [{ ...violation, needs }],
  ),
)('$name is shown by its $needs', async ({ needs, ...violation }) => {
  expect(await withProvider(violation, shownBy[needs])).toBeDefined();
});
