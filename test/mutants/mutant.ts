import type { ClauseId } from '../../contracts/clauses.ts';
import type { DecisionId } from '../../contracts/decisions.ts';
import type { Mutation } from './provider.ts';

/**
 * What it takes to see a violation, where one request and a look at the list do not show it.
 *
 * - `sequence`: several requests in a row, or updates of several pets
 * - `concurrency`: requests at the same time
 * - `transport`: a client with a time-out and a size limit
 * - `unlisted-pet`: an update of a pet that the list keeps back
 * - `time`: a look at the list a moment later
 */
export type Need = 'sequence' | 'concurrency' | 'transport' | 'unlisted-pet' | 'time';

/** A provider that breaks the spec in one way. */
export interface BrokenProvider extends Mutation {
  readonly name: string;
  readonly breaks: ClauseId;
  /** A sentence without its subject: "accepts every key". */
  readonly summary: string;
  readonly needs?: Need;
  /** Nothing can be judged on it: to call it inconclusive is as right as to call it broken. */
  readonly leavesNothingToJudge?: true;
}

/** A provider that keeps the spec, and is unlike the base. */
export interface LegalProvider extends Mutation {
  readonly name: string;
  readonly summary: string;
  /** The decisions that it answers in its own way. */
  readonly decisions?: readonly DecisionId[];
}
