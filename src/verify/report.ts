import type { OperationId } from '../../contracts/case.ts';
import type { ClauseId } from '../../contracts/clauses.ts';
import type { DecisionId } from '../../contracts/decisions.ts';

/**
 * - `pass`: the contract is kept
 * - `fail`: it is broken
 * - `inconclusive`: it could not be judged, which is never a pass
 * - `advice`: it is kept in a way that is legal, but worth knowing
 */
export type Verdict = 'pass' | 'fail' | 'inconclusive' | 'advice';

/** One pet's entry as the provider listed it. */
export interface Entry {
  readonly petId: bigint;
  readonly quantity: bigint;
  readonly status: string;
}

/** How the inventory differs from what it must be. */
export interface Change {
  readonly petId: bigint;
  /** Left out: the pet must not be there. */
  readonly expected?: Omit<Entry, 'petId'>;
  /** Left out: the pet is not there. */
  readonly received?: Omit<Entry, 'petId'>;
}

/** What was sent and what came back, without the key, cut and made printable. */
export interface Evidence {
  /** A line for a POSIX shell that sends the same bytes; the key is `$API_KEY`. */
  readonly curl: string;
  /** The status line, or what happened instead of one. */
  readonly received: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** One thing that was found. */
export interface Finding {
  readonly verdict: Exclude<Verdict, 'pass'>;
  /** The clause that is broken. Left out where none is. */
  readonly clause?: ClauseId;
  /** What was found, in a sentence. */
  readonly message: string;
  /** Where: `status`, `header content-type`, `inventory`, or a JSON path into the body. */
  readonly at?: string;
  readonly expected?: string;
  readonly received?: string;
  readonly evidence?: Evidence;
  readonly changes?: readonly Change[];
  /** The requests that lead to it, as lines for a shell. */
  readonly steps?: readonly string[];
}

/** What became of one case or check. */
export interface Result {
  readonly id: string;
  readonly title: string;
  readonly operation: OperationId;
  /** The status that is expected in the first place. */
  readonly status: number;
  readonly clauses: readonly ClauseId[];
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
}

/** A case or check that was not meant to be judged in this run. */
export interface LeftOut {
  readonly id: string;
  readonly reason: string;
}

/** How the provider answers a question that the spec leaves open. */
export interface ObservedChoice {
  readonly decision: DecisionId;
  readonly question: string;
  /** More than one where it answers now this way, now that. */
  readonly choices: readonly string[];
}

/** Something legal that is worth knowing, and the cases that showed it. */
export interface Advice {
  readonly message: string;
  readonly cases: readonly string[];
}

/** What became of a clause: the worst verdict among the cases that name it. */
export interface ClauseResult {
  readonly id: ClauseId;
  readonly sentence: string;
  /** Left out: no case that names it was judged. */
  readonly verdict?: Verdict;
  readonly cases: number;
  readonly failed: number;
}

/** What the run did to the provider's inventory. */
export interface Footprint {
  /** Updates that a provider may apply, those that restore included. */
  readonly writes: number;
  readonly restored: number;
  /** Entries that are not as they were, and why. */
  readonly notRestored: readonly (Change & { readonly reason: string })[];
}

export interface Report {
  readonly baseUrl: string;
  readonly startedAt: string;
  readonly durationMs: number;
  /** Makes the same sequences and ids again. */
  readonly seed: number;
  readonly requests: number;
  readonly verdict: Verdict;
  /** Whether advice counts as failure. */
  readonly strict: boolean;
  /** Whether only a part was to be judged: a selection, a read-only run, a limit to writes. */
  readonly isPartial: boolean;
  /** 0 conforms, 1 violations, 3 inconclusive. */
  readonly exitCode: 0 | 1 | 3;
  /** Why the whole run could not be judged, or what made all of it fail. */
  readonly reason?: string;
  readonly results: readonly Result[];
  readonly leftOut: readonly LeftOut[];
  readonly advice: readonly Advice[];
  readonly choices: readonly ObservedChoice[];
  readonly clauses: readonly ClauseResult[];
  readonly footprint: Footprint;
}

const gravity: readonly Verdict[] = ['pass', 'advice', 'inconclusive', 'fail'];

/** The worst of some verdicts; failures beat what could not be judged. */
export function worstOf(verdicts: Iterable<Verdict>): Verdict {
  let worst = 0;
  for (const verdict of verdicts) worst = Math.max(worst, gravity.indexOf(verdict));
  return gravity[worst] ?? 'pass';
}

/** The exit code that says a verdict (design, "Names that users type"). */
export function toExitCode(verdict: Verdict, strict: boolean): 0 | 1 | 3 {
  switch (verdict) {
    case 'pass':
      return 0;
    case 'advice':
      return strict ? 1 : 0;
    case 'inconclusive':
      return 3;
    case 'fail':
      return 1;
  }
}
