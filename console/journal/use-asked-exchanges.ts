import { useEffect, useState } from 'preact/hooks';
import type { JournalEntry, JournalPage } from '../../src/admin/admin-api.ts';
import { useApp } from '../app-context.ts';
import type { Session } from '../sandboxes/session.ts';
import { toJournalQuery, type JournalFilter } from './filter-journal.ts';

/** How long a filter has to stand still before the server is asked, in milliseconds. */
const pause = 150;

/** What the server found. */
export type AskedExchanges = Pick<JournalPage, 'exchanges' | 'isPartial'>;

const none: AskedExchanges = { exchanges: [] };

/** The exchanges that the server finds for a filter: its journal may be longer than the page's. */
export function useAskedExchanges(session: Session, filter: JournalFilter): AskedExchanges {
  const { api, notices } = useApp();
  const [asked, setAsked] = useState(none);
  const round = session.journal.round.value;
  useEffect(() => {
    setAsked(none);
    const query = toJournalQuery(filter);
    if (query === undefined) return undefined;
    let isOver = false;
    const ask = async (): Promise<void> => {
      try {
        const page = await api.readJournal(session.id, query);
        if (!isOver) setAsked(page);
      } catch (error) {
        if (!isOver) notices.failed('The journal cannot be searched', error);
      }
    };
    const timer = setTimeout(() => void ask(), pause);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [session, filter, round]);
  return asked;
}

/** Puts in front of the exchanges that the page knows what the server found before them. */
export function joinExchanges(
  asked: readonly JournalEntry[],
  known: readonly JournalEntry[],
): readonly JournalEntry[] {
  const first = known[0]?.sequence ?? Number.POSITIVE_INFINITY;
  const older = asked.filter(({ sequence }) => sequence < first);
  return older.length === 0 ? known : [...older, ...known];
}
