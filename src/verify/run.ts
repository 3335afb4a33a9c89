import type { Pets } from './pets.ts';
import type { ProviderStates } from './provider-state.ts';
import type { ResultBook } from './result-book.ts';
import type { Session } from './session.ts';

/** What the cases and checks of one run share. */
export interface Run {
  readonly session: Session;
  readonly pets: Pets;
  readonly book: ResultBook;
  /** Left out: there is no state-change URL. */
  readonly states: ProviderStates | undefined;
  readonly seed: number;
  /** How many random sequences. */
  readonly runs: number;
  /** Pets that were named to be written to; empty: all that are listed may be. */
  readonly namedPets: readonly bigint[];
  /** Whether pets were named that may be written to, or that are unknown: no others are tried then. */
  readonly hasNamedPets: boolean;
}

/** Says why a request could not be sent, as an entry of the report. */
export function leaveOrAbandon(
  run: Run,
  subject: Parameters<ResultBook['add']>[0],
  unsent: { readonly reason: string; readonly wished: boolean },
): void {
  if (unsent.wished) run.book.leaveOut(subject.id, unsent.reason);
  else run.book.add(subject, [{ verdict: 'inconclusive', message: unsent.reason }]);
}
