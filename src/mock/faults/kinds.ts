import type { FaultKind } from './fault-kind.ts';
import { delayFault, type DelayFault } from './kinds/delay.ts';
import { emptyReplyFault, type EmptyReplyFault } from './kinds/empty-reply.ts';
import { errorFault, type ErrorFault } from './kinds/error.ts';
import { hangFault, type HangFault } from './kinds/hang.ts';
import { malformedJsonFault, type MalformedJsonFault } from './kinds/malformed-json.ts';
import { resetFault, type ResetFault } from './kinds/reset.ts';
import { slowDripFault, type SlowDripFault } from './kinds/slow-drip.ts';
import { truncateFault, type TruncateFault } from './kinds/truncate.ts';
import { unavailableFault, type UnavailableFault } from './kinds/unavailable.ts';
import { wrongContentTypeFault, type WrongContentTypeFault } from './kinds/wrong-content-type.ts';

/** What a fault does, by its kind. */
export type FaultAction =
  | ErrorFault
  | UnavailableFault
  | DelayFault
  | ResetFault
  | HangFault
  | EmptyReplyFault
  | TruncateFault
  | SlowDripFault
  | MalformedJsonFault
  | WrongContentTypeFault;

/** Every kind. A new one is one file, its type above, and one line here. */
export const faultKinds: readonly FaultKind<FaultAction>[] = [
  errorFault,
  unavailableFault,
  delayFault,
  resetFault,
  hangFault,
  emptyReplyFault,
  truncateFault,
  slowDripFault,
  malformedJsonFault,
  wrongContentTypeFault,
];

/** The kind of an action. */
export function kindOf({ kind }: FaultAction): FaultKind<FaultAction> {
  const found = faultKinds.find((candidate) => candidate.kind === kind);
  if (found === undefined) throw new Error(`there is no kind of fault "${kind}"`);
  return found;
}
