import type { LegalProvider } from './mutant.ts';
import { decisionVariations } from './variations/decisions.ts';
import { inventoryVariations } from './variations/inventories.ts';
import { representationVariations } from './variations/representation.ts';
import { transportVariations } from './variations/transport.ts';

/**
 * Every provider that keeps the spec, and is unlike the base.
 *
 * What is not here, because it is doubtful whether the spec allows it: integers written as `5.0` in
 * responses, a byte order mark, unknown query parameters refused, 429 and 503, an echo whose status
 * differs from the list's, compression that was not asked for.
 */
export const variations: readonly LegalProvider[] = [
  ...decisionVariations,
  ...representationVariations,
  ...transportVariations,
  ...inventoryVariations,
];
