import type { Case } from './case.ts';
import { contentTypeCases } from './cases/content-type.ts';
import { invalidBodyCases } from './cases/invalid-body.ts';
import { listCases } from './cases/list.ts';
import { notFoundCases } from './cases/not-found.ts';
import { unauthorizedCases } from './cases/unauthorized.ts';
import { updateCases } from './cases/update.ts';

/** The case table: all that the contract says, one entry each. */
export const cases: readonly Case[] = [
  ...listCases,
  ...updateCases,
  ...contentTypeCases,
  ...invalidBodyCases,
  ...unauthorizedCases,
  ...notFoundCases,
];
