import { useMemo, useState } from 'preact/hooks';
import { useApp } from '../app-context.ts';
import { formatCount, formatInteger } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Question } from '../parts/dialog.tsx';
import { SearchInput } from '../parts/search-input.tsx';
import { Segments } from '../parts/segments.tsx';
import { StateMessage } from '../parts/state-message.tsx';
import { StatusGlyph } from '../parts/status-badge.tsx';
import type { Session } from '../sandboxes/session.ts';
import { petStatuses, type PetStatus } from '../wire.ts';
import { filterStock, isUnfiltered, noFilter, type StockFilter } from './filter-stock.ts';
import { StockGrid } from './stock-grid.tsx';
import type { Totals } from './stock-book.ts';

/** The stock of a sandbox: totals, filters, and the table. */
export function StockView({ session }: { readonly session: Session }) {
  const { stock } = session;
  const [filter, setFilter] = useState<StockFilter>(noFilter);
  const version = stock.version.value;
  const items = useMemo(() => filterStock(stock, filter), [version, filter]);
  const totals = stock.totals();
  const name = session.view.value?.name ?? session.id;
  return (
    <section class="view stock" aria-label="Stock">
      <Toolbar session={session} filter={filter} onFilter={setFilter} totals={totals} />
      <StatusBar totals={totals} />
      {items.length > 0 ? (
        <StockGrid
          session={session}
          items={items}
          name={name}
          sort={filter.sort}
          onSort={(sort) => setFilter({ ...filter, sort })}
        />
      ) : (
        <NoItems
          totals={totals}
          removed={stock.removed().length}
          filter={filter}
          onClear={() => setFilter(noFilter)}
        />
      )}
      <footer class="stock-foot">
        <span role="status">
          {items.length === totals.pets
            ? formatCount(totals.pets, 'pet')
            : `${formatInteger(items.length)} of ${formatCount(totals.pets, 'pet')}`}
        </span>
        <span class="stock-sum" title={formatInteger(totals.quantity)}>
          {formatInteger(totals.quantity)} in stock
        </span>
        {stock.removed().length > 0 && (
          <span>{formatCount(stock.removed().length, 'pet')} of the seed removed</span>
        )}
        <span class="keys">
          <kbd>↑↓</kbd> move <kbd>Enter</kbd> edit <kbd>Esc</kbd> cancel
        </span>
      </footer>
    </section>
  );
}

function Toolbar(props: {
  readonly session: Session;
  readonly filter: StockFilter;
  readonly totals: Totals;
  readonly onFilter: (filter: StockFilter) => void;
}) {
  const { api, notices } = useApp();
  const [isAsking, setAsking] = useState(false);
  const { filter, onFilter, totals, session } = props;
  const reset = (): Promise<boolean> =>
    notices.attempt(
      () => api.reset(session.id),
      'The stock is back to its seed.',
      'The stock is not reset',
    );
  return (
    <div class="toolbar">
      <SearchInput
        label="Find pets by id"
        placeholder="Pet id"
        inputMode="numeric"
        value={filter.petId}
        onInput={(petId) => onFilter({ ...filter, petId })}
      />
      <Segments<PetStatus | 'all'>
        label="Status"
        name="status"
        value={filter.status}
        onChange={(status) => onFilter({ ...filter, status })}
        options={[
          { value: 'all', content: <Total text="All" count={totals.pets} /> },
          ...petStatuses.map((status) => ({
            value: status,
            content: (
              <>
                <StatusGlyph status={status} />
                <Total text={toTitle(status)} count={totals.byStatus[status]} />
              </>
            ),
          })),
        ]}
      />
      <Button
        pressed={filter.changedOnly}
        onClick={() => onFilter({ ...filter, changedOnly: !filter.changedOnly })}
      >
        <span class="changed-mark" />
        Changed only <span class="count">{formatInteger(totals.changed)}</span>
      </Button>
      <div class="to-end">
        <Button
          icon="undo"
          isCompact
          disabled={totals.changed === 0}
          onClick={() => setAsking(true)}
        >
          Reset
        </Button>
      </div>
      {isAsking && (
        <Question
          title="Reset the stock to its seed?"
          text={`${formatCount(totals.changed, 'change')} will be undone. To keep ${totals.changed === 1 ? 'it' : 'them'}, take a snapshot first.`}
          action="Reset stock"
          onAnswer={(isYes) => {
            setAsking(false);
            if (isYes) void reset();
          }}
        />
      )}
    </div>
  );
}

function Total({ text, count }: { readonly text: string; readonly count: number }) {
  return (
    <>
      {text} <span class="count">{formatInteger(count)}</span>
    </>
  );
}

/** How the statuses share the stock. The numbers stand in the filter above. */
function StatusBar({ totals }: { readonly totals: Totals }) {
  return (
    <div class="status-bar" aria-hidden="true">
      {petStatuses.map((status) => (
        <span
          key={status}
          class={`status-${status}`}
          style={{ flexGrow: String(totals.byStatus[status]) }}
        />
      ))}
    </div>
  );
}

function NoItems(props: {
  readonly totals: Totals;
  /** How many pets of the seed are not there. */
  readonly removed: number;
  readonly filter: StockFilter;
  readonly onClear: () => void;
}) {
  if (props.totals.pets === 0 && isUnfiltered(props.filter)) {
    return (
      <StateMessage icon="box" title="No pets here">
        <p>
          {props.removed === 0
            ? 'The fixture of this sandbox is empty.'
            : 'All pets of the fixture were removed: a reset brings them back.'}
        </p>
      </StateMessage>
    );
  }
  return (
    <StateMessage icon="search" title="No pet matches">
      <p>
        {props.filter.changedOnly
          ? 'Nothing that the other filters let through differs from the seed.'
          : 'No pet has this id and status.'}
      </p>
      <Button onClick={props.onClear}>Clear filters</Button>
    </StateMessage>
  );
}

function toTitle(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
