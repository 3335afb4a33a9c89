import { expect, test } from 'vitest';
import { decisions } from '../../contracts/decisions.ts';
import type { LegalProvider } from './mutant.ts';
import { variations } from './variations.ts';
import { askNeighbours, crowd, walk } from './walk.ts';
import { findFailure, withProvider } from './with-provider.ts';

const base: LegalProvider = { name: 'the base provider', summary: 'is what the others vary' };

test('every decision is answered by a variation', () => {
  const answered = new Set(variations.flatMap((variation) => variation.decisions ?? []));
  expect(decisions.filter(({ id }) => !answered.has(id)).map(({ id }) => id)).toEqual([]);
});

test.for([base, ...variations])(
  '$name keeps every case',
  { timeout: 30_000 },
  async (variation) => {
    expect(await findFailure(variation)).toBeUndefined();
  },
);

test.for([base, ...variations])(
  '$name keeps its state over sequences and crowds',
  { timeout: 30_000 },
  async (variation) => {
    expect(await withProvider(variation, walk)).toBeUndefined();
    expect(await withProvider(variation, crowd)).toBeUndefined();
    expect(await withProvider(variation, askNeighbours)).toBeUndefined();
  },
);
