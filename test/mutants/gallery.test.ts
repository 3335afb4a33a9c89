import { expect, test } from 'vitest';
import { clauses } from '../../contracts/clauses.ts';
import { decisions } from '../../contracts/decisions.ts';
import { variations, violations } from './gallery.ts';
import type { BrokenProvider, LegalProvider, Need } from './mutant.ts';
import { probe, type Failure } from './probe.ts';
import { startProvider, type Mutation, type Provider } from './provider.ts';
import { createRawClient, type RawClient } from './raw-client.ts';
import { askNeighbours, crowd, walk, type Finding } from './walk.ts';

async function withProvider<T>(
  mutation: Mutation,
  act: (provider: Provider, client: RawClient) => Promise<T>,
  timeout?: number,
): Promise<T> {
  const provider = await startProvider(mutation);
  const client = createRawClient(provider.url, timeout);
  try {
    return await act(provider, client);
  } finally {
    client.close();
    await provider.close();
  }
}

async function findFailure(
  mutation: Mutation,
  isMeant?: Parameters<typeof probe>[2],
  timeout?: number,
): Promise<Failure | undefined> {
  return withProvider(
    mutation,
    async (provider, client) => {
      for await (const failure of probe(provider, client, isMeant)) return failure;
      return undefined;
    },
    timeout,
  );
}

const whichNeed = (need: Need | undefined): readonly BrokenProvider[] =>
  violations.filter(({ needs }) => needs === need);

test('no two providers have the same name', () => {
  const names = [...violations, ...variations].map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('the gallery is large enough', () => {
  expect(violations.length).toBeGreaterThanOrEqual(110);
  expect(variations.length).toBeGreaterThanOrEqual(45);
});

test('every clause is broken by a violation that single requests show', () => {
  const broken = new Set(whichNeed(undefined).map(({ breaks }) => breaks));
  expect(clauses.filter(({ id }) => !broken.has(id)).map(({ id }) => id)).toEqual([]);
});

test('every decision that can be seen is answered by a variation', () => {
  const answered = new Set(variations.flatMap((variation) => variation.decisions ?? []));
  expect(decisions.filter(({ id }) => !answered.has(id)).map(({ id }) => id)).toEqual([]);
});

const base: LegalProvider = { name: 'the base provider', summary: 'is what the others vary' };

test.for([base, ...variations])(
  '$name keeps every case, walks and crowds',
  { timeout: 30_000 },
  async (variation) => {
    expect(await findFailure(variation)).toBeUndefined();
    for (const act of [walk, crowd, askNeighbours]) {
      expect(await withProvider(variation, act), act.name).toBeUndefined();
    }
  },
);

test.for(whichNeed(undefined))('$name fails a case of the clause it breaks', async (violation) => {
  const failure = await findFailure(violation, ({ clauses: named }) =>
    named.includes(violation.breaks),
  );
  expect(failure).toBeDefined();
});

test.for(whichNeed('transport'))('$name does not come to an end', async (violation) => {
  const failure = await findFailure(
    violation,
    ({ clauses: named }) => named.includes(violation.breaks),
    200,
  );
  expect(failure?.problems.join()).toMatch(/TimeoutError|AbortError|RangeError|aborted/);
});

const shownBy: Readonly<
  Record<Exclude<Need, 'transport'>, (provider: Provider, client: RawClient) => Promise<Finding>>
> = { sequence: walk, concurrency: crowd, 'unlisted-pet': askNeighbours };

test.for(
  violations.flatMap(({ needs, ...violation }) =>
    needs === undefined || needs === 'transport' ? [] : [{ ...violation, needs }],
  ),
)('$name keeps every case alone, and is shown by its $needs', async ({ needs, ...violation }) => {
  expect(await withProvider(violation, shownBy[needs])).toBeDefined();
});
