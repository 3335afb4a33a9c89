import type { ClauseId } from './clauses.ts';

/** One way in which what came back departs from a clause. */
export interface Violation {
  readonly clause: ClauseId;
  /** Where: `status`, `header content-type`, or a JSON path into the body such as `$[3].petId`. */
  readonly at: string;
  readonly expected: string;
  readonly received: string;
}
