import type { OperationId } from '../../../contracts/case.ts';
import type { Outcome } from '../../inventory/outcome.ts';
import type { Damage, MockResponse } from '../exchange.ts';
import type { JsonFields } from './json-fields.ts';

/** A kind of fault: how it is written, and what it does. */
export interface FaultKind<Action extends { readonly kind: string }> {
  readonly kind: Action['kind'];
  /** The fields beside `kind`. */
  readonly fields: readonly string[];
  /**
   * Reads the fields.
   *
   * @param operations those that the rule may hit
   */
  read(fields: JsonFields, operations: readonly OperationId[]): Action;
  /** What it does to a request. */
  hit(action: Action, hit: Hit): Effect;
}

/** One request that a rule hits. */
export interface Hit {
  readonly operation: OperationId;
  /** A number from 0 up to, but not including, 1: the next one of the rule. */
  readonly random: () => number;
}

/** What a fault does to one exchange. */
export interface Effect {
  /** In milliseconds. What does nothing but delay leaves room for another fault. */
  readonly delay?: number;
  /** What comes instead of the operation's outcome. Left out: the operation runs. */
  readonly outcome?: Outcome;
  spoil?(response: MockResponse): MockResponse;
  /** What goes wrong on the way of that response. */
  damage?(response: MockResponse): Damage;
}

/** The longest delay of one rule, in milliseconds. */
export const longestDelay = 600_000;
