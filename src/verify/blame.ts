import type { ClauseId } from '../../contracts/clauses.ts';
import type { Change, Evidence, Finding } from './report.ts';

export interface Blame {
  /** The pets that the requests named. */
  readonly named: readonly (bigint | undefined)[];
  /** The clause that a change of these pets breaks. */
  readonly clause: ClauseId;
  /** What was done, as the beginning of a sentence: "the request was refused". */
  readonly deed: string;
  readonly evidence?: Evidence;
  /** The requests that matter, as lines for a shell. */
  readonly toSteps?: (changes: readonly Change[]) => readonly string[];
}

/** Turns changes that nothing explains into findings, one for each clause that they break. */
export function blameChanges(changes: readonly Change[], blame: Blame): readonly Finding[] {
  const byClause = Map.groupBy(changes, (change) => clauseOf(change, blame));
  return [...byClause].map(([clause, group]): Finding => ({
    verdict: 'fail',
    clause,
    message: `${blame.deed}, but ${describeChanges(group)}`,
    at: 'inventory',
    changes: group,
    ...(blame.evidence === undefined ? {} : { evidence: blame.evidence }),
    ...(blame.toSteps === undefined ? {} : { steps: blame.toSteps(group) }),
  }));
}

function clauseOf(change: Change, { named, clause }: Blame): ClauseId {
  if (change.received === undefined) return '1/lists-every-pet';
  if (named.includes(change.petId) || change.expected === undefined) return clause;
  return '1/updates-one-pet';
}

function describeChanges(changes: readonly Change[]): string {
  const [first] = changes;
  if (first === undefined) return 'nothing changed';
  const others = changes.length - 1;
  return describeChange(first) + (others > 0 ? `; and ${others} other pets differ` : '');
}

/** "the list shows pet 5 with quantity 3 (pending); expected quantity 12 (pending)". */
export function describeChange({ petId, expected, received }: Change): string {
  if (received === undefined) return `the list has no pet ${petId} any more`;
  const now = `the list shows pet ${petId} with ${describeEntry(received)}`;
  return expected === undefined
    ? `${now}, which was not listed before`
    : `${now}; expected ${describeEntry(expected)}`;
}

function describeEntry({ quantity, status }: NonNullable<Change['expected']>): string {
  const digits = quantity.toString();
  const cut = digits.length <= 60 ? digits : `${digits.slice(0, 57)}…`;
  return `quantity ${cut}${status === '' ? '' : ` (${status})`}`;
}
