import type { Finding } from './report.ts';
import type { Subject } from './result-book.ts';
import type { Run } from './run.ts';

/** What a check comes to: what it found, or why it did not look. */
export type CheckOutcome =
  | { readonly kind: 'judged'; readonly findings: readonly Finding[] }
  | { readonly kind: 'unsent'; readonly reason: string; readonly wished: boolean };

/** Something that must hold over several requests. */
export interface Check extends Subject {
  run(run: Run): Promise<CheckOutcome>;
}
