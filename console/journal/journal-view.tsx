import { useMemo, useRef, useState } from 'preact/hooks';
import type { JournalEntry } from '../../src/admin/admin-api.ts';
import { useApp } from '../app-context.ts';
import { formatInteger, longestCount } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Question } from '../parts/dialog.tsx';
import { Select } from '../parts/field.tsx';
import { SearchInput } from '../parts/search-input.tsx';
import { StateMessage } from '../parts/state-message.tsx';
import { toHash } from '../route.ts';
import type { Session } from '../sandboxes/session.ts';
import { ExchangeDetail } from './exchange-detail.tsx';
import { filterJournal, noJournalFilter, type JournalFilter } from './filter-journal.ts';
import { JournalList } from './journal-list.tsx';
import { joinExchanges, useAskedExchanges } from './use-asked-exchanges.ts';

/** The exchanges of a sandbox, the newest first, and one of them in full. */
export function JournalView(props: {
  readonly session: Session;
  readonly detail: string | undefined;
}) {
  const { session, detail } = props;
  const [filter, setFilter] = useState<JournalFilter>(noJournalFilter);
  /** What the list stopped at. */
  const [paused, setPaused] = useState<readonly JournalEntry[]>();
  const version = session.journal.version.value;
  const asked = useAskedExchanges(session, filter);
  const all = joinExchanges(asked.exchanges, paused ?? session.journal.entries());
  const found = useMemo(() => filterJournal(all, filter), [version, asked, paused, filter]);
  const shown =
    detail === undefined
      ? undefined
      : [...session.journal.entries(), ...all].find(({ sequence }) => String(sequence) === detail);
  const missed = countAfter(session.journal.entries(), paused?.at(-1)?.sequence);
  return (
    <section class="view journal" aria-label="Journal">
      <JournalToolbar
        session={session}
        filter={filter}
        onFilter={setFilter}
        isPaused={paused !== undefined}
        missed={paused === undefined ? 0 : missed}
        onPause={() => setPaused(paused === undefined ? [...session.journal.entries()] : undefined)}
        onCleared={() => setPaused(undefined)}
      />
      {(session.journal.isPartial.value || asked.isPartial === true) && (
        <p class="hint journal-part" role="status">
          Part of the journal is missing: a server over the same Redis did not answer.{' '}
          <Button kind="quiet" onClick={() => void session.load()}>
            Read again
          </Button>
        </p>
      )}
      <div class={detail === undefined ? 'panes' : 'panes has-detail'}>
        {found.length === 0 ? (
          <div class="journal-list is-empty">
            <EmptyJournal isFiltered={all.length > 0} />
          </div>
        ) : (
          <JournalList id={session.id} entries={found} selected={detail} />
        )}
        {detail !== undefined && (
          <div class="detail">
            {shown === undefined ? (
              <StateMessage icon="list" title={`${toTitle(detail)} is not in the journal`}>
                <p>The journal keeps the newest exchanges only.</p>
                <a
                  class="button"
                  href={toHash({ page: 'sandbox', id: session.id, view: 'journal' })}
                >
                  All exchanges
                </a>
              </StateMessage>
            ) : (
              <ExchangeDetail key={shown.sequence} entry={shown} id={session.id} />
            )}
          </div>
        )}
      </div>
    </section>
  );
}

function toTitle(sequence: string): string {
  return Number(sequence) > longestCount ? 'This exchange' : `Exchange ${sequence}`;
}

function countAfter(entries: readonly JournalEntry[], sequence = 0): number {
  return entries.filter((entry) => entry.sequence > sequence).length;
}

function EmptyJournal({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <StateMessage icon="search" title="No exchange matches">
      <p>Others are in the journal: change the filters to see them.</p>
    </StateMessage>
  ) : (
    <StateMessage icon="list" title="Nothing was asked yet">
      <p>Requests appear here as they are answered.</p>
      <pre class="code is-small">
        {`curl -H "Authorization: Bearer $API_KEY" \\\n  ${location.origin}/v1/inventory`}
      </pre>
    </StateMessage>
  );
}

/** What can be asked for before the page has seen it. */
const usualStatuses: readonly number[] = [200, 400, 401, 404];

function JournalToolbar(props: {
  readonly session: Session;
  readonly filter: JournalFilter;
  readonly onFilter: (filter: JournalFilter) => void;
  readonly isPaused: boolean;
  readonly missed: number;
  readonly onPause: () => void;
  readonly onCleared: () => void;
}) {
  const { api, notices } = useApp();
  const [isAsking, setAsking] = useState(false);
  const { session, filter, onFilter, isPaused, missed, onPause, onCleared } = props;
  const statuses = useRef(new Set(usualStatuses)).current;
  for (const { response } of session.journal.entries()) statuses.add(response.status);
  const clear = async (): Promise<void> => {
    await notices.attempt(
      async () => {
        await api.clearJournal(session.id);
        onCleared();
        // Exchanges may have come since, in any order with the answer.
        await session.load();
      },
      'The journal is empty.',
      'The journal is not emptied',
    );
  };
  return (
    <div class="toolbar">
      <Select
        label="Operation"
        value={filter.operation}
        options={[
          ['', 'Any operation'],
          ['listInventory', 'listInventory'],
          ['updateInventory', 'updateInventory'],
          ['none', 'No operation'],
        ]}
        onChange={(operation) => onFilter({ ...filter, operation })}
      />
      <Select
        label="Response status"
        value={filter.status}
        options={[
          ['', 'Any status'],
          ...[...statuses]
            .toSorted((one, other) => one - other)
            .map((status) => [`${status}`, status === 0 ? 'No answer' : `${status}`] as const),
        ]}
        onChange={(status) => onFilter({ ...filter, status })}
      />
      <Select
        label="Verdict"
        value={filter.verdict}
        options={[
          ['', 'Any verdict'],
          ['pass', 'Keeps the contract'],
          ['fail', 'Breaks the contract'],
          ['inconclusive', 'Judged in part'],
          ['fault', 'Hit by a fault'],
        ]}
        onChange={(verdict) => onFilter({ ...filter, verdict })}
      />
      <SearchInput
        isShort
        label="Find exchanges by pet id"
        placeholder="Pet id"
        value={filter.petId}
        onInput={(petId) => onFilter({ ...filter, petId })}
      />
      <div class="buttons to-end">
        <Button icon={isPaused ? 'play' : 'pause'} pressed={isPaused} onClick={onPause}>
          {isPaused ? 'Resume' : 'Pause'}
          {missed > 0 && <span class="count"> {formatInteger(missed)} new</span>}
        </Button>
        <Button icon="trash" isCompact onClick={() => setAsking(true)}>
          Clear
        </Button>
      </div>
      {isAsking && (
        <Question
          title="Clear the journal?"
          text="The record of all exchanges of this sandbox is gone. The stock stays."
          action="Clear journal"
          onAnswer={(isYes) => {
            setAsking(false);
            if (isYes) void clear();
          }}
        />
      )}
    </div>
  );
}
