import type { BrokenProvider } from './mutant.ts';
import { authenticationViolations } from './violations/authentication.ts';
import { concurrencyViolations } from './violations/concurrency.ts';
import { errorBodyViolations } from './violations/error-bodies.ts';
import { invalidBodyViolations } from './violations/invalid-body.ts';
import { notFoundViolations } from './violations/not-found.ts';
import { refusedBodyViolations } from './violations/refused-body.ts';
import { sequenceViolations } from './violations/sequences.ts';
import { stateViolations } from './violations/state.ts';
import { successBodyViolations } from './violations/success-bodies.ts';
import { transportViolations } from './violations/transport.ts';
import { unauthorizedViolations } from './violations/unauthorized.ts';

/** Every provider that breaks the spec, each in one way. */
export const violations: readonly BrokenProvider[] = [
  ...authenticationViolations,
  ...unauthorizedViolations,
  ...invalidBodyViolations,
  ...refusedBodyViolations,
  ...notFoundViolations,
  ...errorBodyViolations,
  ...successBodyViolations,
  ...stateViolations,
  ...sequenceViolations,
  ...concurrencyViolations,
  ...transportViolations,
];

export { variations } from './variations.ts';
