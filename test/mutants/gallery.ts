import type { BrokenProvider } from './mutant.ts';
import { authenticationViolations } from './violations/authentication.ts';
import { bodyShapeViolations } from './violations/body-shape.ts';
import { brokenTransportViolations } from './violations/broken-transport.ts';
import { coercionViolations } from './violations/coercion.ts';
import { concurrencyViolations } from './violations/concurrency.ts';
import { echoViolations } from './violations/echoes.ts';
import { endlessTransportViolations } from './violations/endless-transport.ts';
import { errorBodyViolations } from './violations/error-bodies.ts';
import { itemViolations } from './violations/items.ts';
import { jsonSyntaxViolations } from './violations/json-syntax.ts';
import { listViolations } from './violations/lists.ts';
import { notFoundViolations } from './violations/not-found.ts';
import { petIdViolations } from './violations/pet-ids.ts';
import { quantityViolations } from './violations/quantities.ts';
import { refusedBodyViolations } from './violations/refused-body.ts';
import { representationViolations } from './violations/representation.ts';
import { sequenceViolations } from './violations/sequences.ts';
import { timeViolations } from './violations/time.ts';
import { unauthorizedViolations } from './violations/unauthorized.ts';
import { writeViolations } from './violations/writes.ts';

export { variations } from './variations.ts';

/** Every provider that breaks the spec, each in one way. */
export const violations: readonly BrokenProvider[] = [
  ...authenticationViolations,
  ...unauthorizedViolations,
  ...coercionViolations,
  ...bodyShapeViolations,
  ...jsonSyntaxViolations,
  ...refusedBodyViolations,
  ...notFoundViolations,
  ...petIdViolations,
  ...errorBodyViolations,
  ...itemViolations,
  ...echoViolations,
  ...listViolations,
  ...representationViolations,
  ...quantityViolations,
  ...writeViolations,
  ...sequenceViolations,
  ...concurrencyViolations,
  ...timeViolations,
  ...brokenTransportViolations,
  ...endlessTransportViolations,
];
