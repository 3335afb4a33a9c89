import type { OperationId } from '../../../contracts/case.ts';
import type { FaultHit, MockResponse } from '../exchange.ts';
import type { Interference } from '../mock.ts';
import { toOutcome } from '../override.ts';
import type { Effect } from './fault-kind.ts';
import { createDelivery } from './over-fetch.ts';
import type { PlannedRule } from './planned-rule.ts';
import { withPreferencesApplied, type Preferences } from './preferences.ts';

/** What hits a request: all delays, and the first of the other effects. */
export interface Strike {
  delay: number;
  effect?: Effect;
  fault?: FaultHit;
}

/** Adds what a rule does; of effects other than delays, there is none yet. */
export function addEffect(
  strike: Strike,
  { id, rule, isDelay }: PlannedRule,
  effect: Effect,
): void {
  const { kind } = rule.fault;
  if (isDelay) {
    strike.delay += effect.delay ?? 0;
    strike.fault ??= { id, kind };
  } else {
    strike.effect = effect;
    strike.fault = { id, kind };
  }
}

/** What a request asks for by itself. */
export function toForcedStrike(
  operation: OperationId,
  code: NonNullable<Preferences['code']>,
): Strike | undefined {
  const outcome = toOutcome(
    operation,
    code,
    `the request asked to be answered with ${code} (Prefer: code=${code})`,
  );
  if (outcome === undefined) return undefined;
  return { delay: 0, effect: { outcome }, fault: { id: 'prefer', kind: 'error' } };
}

/** What a request gets that asks for what there is not. The service itself would not look at it. */
export function toRefusal(message: string): Interference {
  const fault: FaultHit = { id: 'prefer', kind: 'error' };
  return {
    fault,
    outcome: { kind: 'invalid', message },
    spoil: (response) => ({ ...response, fault }),
  };
}

export function toInterference(
  strike: Strike | undefined,
  preferences: Preferences,
): Interference | undefined {
  const { code, wait = 0 } = preferences;
  if (strike === undefined && code === undefined && preferences.wait === undefined) {
    return undefined;
  }
  const { effect, fault = wait > 0 ? { id: 'prefer', kind: 'delay' } : undefined } = strike ?? {};
  const delay = (strike?.delay ?? 0) + wait * 1000;
  return {
    ...(fault === undefined ? {} : { fault }),
    ...(effect?.outcome === undefined ? {} : { outcome: effect.outcome }),
    spoil(response) {
      const told = withPreferencesApplied(response, preferences);
      const spoilt = withDelivery(effect?.spoil?.(told) ?? told, delay, effect);
      return fault === undefined ? spoilt : { ...spoilt, fault };
    },
  };
}

function withDelivery(
  response: MockResponse,
  delay: number,
  effect: Effect | undefined,
): MockResponse {
  const damage = effect?.damage?.(response);
  return delay === 0 && damage === undefined
    ? response
    : { ...response, delivery: createDelivery(delay, damage) };
}
