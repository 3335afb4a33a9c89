import type { Outcome } from '../../inventory/outcome.ts';
import type { Damage, MockResponse } from '../exchange.ts';
import type { Effect, FaultKind } from './fault-kind.ts';

/** A fault that leaves the client without an answer. */
export type Cut<Kind extends 'reset' | 'hang' | 'empty-reply'> = {
  readonly kind: Kind;
  /** The operation runs first, and the client does not learn of it. Left out: it does not run. */
  readonly after?: true;
};

/**
 * Makes the kind of a fault that leaves the client without an answer.
 *
 * @param message what happened, for the log
 */
export function defineCut<Kind extends 'reset' | 'hang' | 'empty-reply'>(
  kind: Kind,
  message: string,
): FaultKind<Cut<Kind>> {
  return {
    kind,
    fields: ['after'],
    read: (fields) => ({ kind, ...(fields.isTrue('after') ? { after: true as const } : {}) }),
    hit: ({ after }) => toEffect({ kind }, message, after === true),
  };
}

function toEffect(damage: Damage, message: string, runsFirst: boolean): Effect {
  // Never sent: it only keeps the operation from running.
  const outcome: Outcome = { kind: 'unavailable', status: 503, message };
  const noAnswer: MockResponse = { status: 0, headers: [], body: '', refusal: message };
  return { damage: () => damage, spoil: () => noAnswer, ...(runsFirst ? {} : { outcome }) };
}
