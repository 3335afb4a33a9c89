import type { JournalEntry, JournalQuery } from '../../src/admin/admin-api.ts';

/** What of the journal is shown. Empty texts let everything through. */
export interface JournalFilter {
  /** `none`: exchanges that were addressed to no operation. */
  readonly operation: '' | 'none' | NonNullable<JournalQuery['operation']>;
  readonly status: string;
  /** `fault`: exchanges that a fault hit. */
  readonly verdict: '' | 'fault' | NonNullable<JournalQuery['verdict']>;
  readonly petId: string;
}

export const noJournalFilter: JournalFilter = { operation: '', status: '', verdict: '', petId: '' };

/** The exchanges to show, the newest first. */
export function filterJournal(
  entries: readonly JournalEntry[],
  { operation, status, verdict, petId }: JournalFilter,
): readonly JournalEntry[] {
  const wanted = toDigits(petId);
  return entries
    .filter(
      (entry) =>
        (operation === '' || (entry.operation ?? 'none') === operation) &&
        (status === '' || String(entry.response.status) === status) &&
        (verdict === '' ||
          (verdict === 'fault' ? entry.fault !== undefined : entry.verdict.verdict === verdict)) &&
        (wanted === '' || entry.petId?.toString() === wanted),
    )
    .toReversed();
}

/**
 * What the server is asked for, which may keep more than the page. It knows neither `none` nor
 * `fault`: what it answers is filtered again.
 *
 * @returns `undefined` where it would send what the page has already, or could not match
 */
export function toJournalQuery(filter: JournalFilter): JournalQuery | undefined {
  const { operation, status, verdict } = filter;
  const petId = toDigits(filter.petId);
  if (petId !== '' && !isPetId(petId)) return undefined;
  const query: JournalQuery = {
    ...(operation === '' || operation === 'none' ? {} : { operation }),
    ...(status === '' ? {} : { status: Number(status) }),
    ...(verdict === '' || verdict === 'fault' ? {} : { verdict }),
    ...(petId === '' ? {} : { petId: BigInt(petId) }),
  };
  return Object.keys(query).length === 0 ? undefined : query;
}

/** Ids are copied with commas between the digits, too. */
function toDigits(petId: string): string {
  return petId.replaceAll(/[\s,]/g, '');
}

function isPetId(text: string): boolean {
  return /^(?:0|-?[1-9]\d{0,18})$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}
