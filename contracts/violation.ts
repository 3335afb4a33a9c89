import type { ClauseId } from './clauses.ts';

/** One way in which what came back departs from a clause. */
export interface Violation {
  readonly clause: ClauseId;
  /** Where: `status`, `header content-type`, or a JSON path into the body such as `$[3].petId`. */
  readonly at: string;
  readonly expected: string;
  readonly received: string;
}

/**
 * Tells of a violation in a sentence: "it answered 500; expected 200", "at $.petId is null; expected
 * an integer".
 *
 * @param hint stands behind an unexpected status
 */
export function describeViolation(
  { at, expected, received }: Pick<Violation, 'at' | 'expected' | 'received'>,
  hint = '',
): string {
  if (at === 'status') return `it answered ${received}; expected ${expected}${hint}`;
  const where = at === '$' ? 'the body is' : at.startsWith('$') ? `at ${at} is` : `the ${at} is`;
  return `${where} ${received}; expected ${expected}`;
}
