import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { AdminItem } from '../../src/admin/admin-api.ts';
import { toSentence } from '../api.ts';
import { useApp } from '../app-context.ts';
import { useVirtual } from '../parts/use-virtual.ts';
import type { Session } from '../sandboxes/session.ts';
import type { PetStatus } from '../wire.ts';
import type { StockSort } from './filter-stock.ts';
import { columns, StockRow, type Column, type Editing } from './stock-row.tsx';

const rowHeight = 34;

export interface StockGridProps {
  readonly session: Session;
  readonly items: readonly AdminItem[];
  readonly name: string;
  readonly sort: StockSort;
  readonly onSort: (sort: StockSort) => void;
}

/**
 * The table, as a grid (ARIA Authoring Practices): one cell takes the focus, arrow keys move it.
 * Only rows in sight are there; `aria-rowindex` and `aria-rowcount` say where they belong.
 */
export function StockGrid({ session, items, name, sort, onSort }: StockGridProps) {
  const { api, notices } = useApp();
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<{ petId: bigint; column: Column }>();
  const [editing, setEditing] = useState<Editing>();
  /** The focus has to follow once the row is there. */
  const shallFocus = useRef(false);
  const found = active === undefined ? 0 : items.findIndex(({ petId }) => petId === active.petId);
  const place = Math.max(found, 0);
  const column = active?.column ?? 'petId';
  const { rows, height, scrollTo } = useVirtual({
    scroller,
    count: items.length,
    rowHeight,
    kept: place,
  });

  useLayoutEffect(() => {
    if (!shallFocus.current || editing !== undefined) return;
    const cell = scroller.current?.querySelector<HTMLElement>('[role=gridcell][tabindex="0"]');
    if (cell === null || cell === undefined) return;
    cell.focus({ preventScroll: true });
    shallFocus.current = false;
  });
  // Filters and orders begin at the top.
  useEffect(() => scroller.current?.scrollTo({ top: 0 }), [sort]);

  const moveTo = (row: number, next: Column): void => {
    const item = items[Math.min(Math.max(row, 0), items.length - 1)];
    if (item === undefined) return;
    shallFocus.current = true;
    setActive({ petId: item.petId, column: next });
    scrollTo(items.indexOf(item));
  };
  const edit = (item: AdminItem, field: 'quantity' | 'status', text?: string): void => {
    setActive({ petId: item.petId, column: field });
    setEditing({
      petId: item.petId,
      field,
      ...(text === undefined ? {} : { text }),
    });
  };
  const stopEditing = (isFocusKept: boolean): void => {
    shallFocus.current = isFocusKept;
    setEditing(undefined);
  };
  /** @returns why it is not saved, or `undefined` */
  const save = async (
    item: AdminItem,
    changes: { readonly quantity?: bigint; readonly status?: PetStatus },
  ): Promise<string | undefined> => {
    const shown = session.stock.get(item.petId) ?? item;
    try {
      const saved = await api.changeItem(session.id, item.petId, changes);
      // An event may have told of it already, and of what somebody else did since.
      if (session.stock.get(item.petId) === shown) session.stock.change(saved, shown);
      notices.say(`Pet ${item.petId} is saved.`);
      return undefined;
    } catch (error) {
      return `Not saved: ${toSentence(error)}.`;
    }
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const item = items[place];
    if (editing !== undefined || item === undefined || event.altKey) return;
    if (!(event.target instanceof HTMLElement) || event.target.role !== 'gridcell') return;
    const isControl = event.ctrlKey || event.metaKey;
    const at = columns.indexOf(column);
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1);
    const target: Readonly<Record<string, readonly [row: number, column: number]>> = {
      ArrowDown: [place + 1, at],
      ArrowUp: [place - 1, at],
      ArrowRight: [place, at + 1],
      ArrowLeft: [place, at - 1],
      PageDown: [place + page, at],
      PageUp: [place - page, at],
      Home: [isControl ? 0 : place, 0],
      End: [isControl ? items.length - 1 : place, columns.length - 1],
    };
    const to = target[event.key];
    if (to !== undefined) {
      event.preventDefault();
      moveTo(to[0], columns[Math.min(Math.max(to[1], 0), columns.length - 1)] ?? 'petId');
    } else if (event.key === 'Enter' || event.key === 'F2') {
      event.preventDefault();
      edit(item, column === 'status' ? 'status' : 'quantity');
    } else if (column === 'quantity' && !isControl && /^[-\d]$/.test(event.key)) {
      event.preventDefault();
      edit(item, 'quantity', event.key);
    }
  };

  return (
    <div
      class="grid"
      role="grid"
      aria-label={`Stock of ${name}`}
      aria-rowcount={items.length + 1}
      aria-colcount={columns.length}
      onKeyDown={onKeyDown}
    >
      <div class="grid-head" role="rowgroup">
        <div class="grid-row" role="row" aria-rowindex={1}>
          <SortHeader by="petId" text="Pet id" sort={sort} onSort={onSort} />
          <SortHeader by="quantity" text="Quantity" sort={sort} onSort={onSort} />
          <SortHeader by="status" text="Status" sort={sort} onSort={onSort} />
          <div role="columnheader" aria-colindex={4} class="col-seed">
            In the seed
          </div>
        </div>
      </div>
      <div class="grid-body" ref={scroller} role="rowgroup">
        <div class="grid-space" role="presentation" style={{ height: `${height}px` }}>
          {rows.map(({ index, start }) => {
            const item = items[index];
            return (
              item && (
                <StockRow
                  key={item.petId.toString()}
                  item={item}
                  index={index}
                  start={start}
                  difference={session.stock.differenceOf(item.petId)}
                  flash={session.stock.flashOf(item.petId)}
                  active={index === place ? column : undefined}
                  editing={editing?.petId === item.petId ? editing : undefined}
                  onActive={(next) => setActive({ petId: item.petId, column: next })}
                  onEdit={(field) => edit(item, field)}
                  onSave={(changes) => save(item, changes)}
                  onDone={stopEditing}
                />
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}

function SortHeader(props: {
  readonly by: 'petId' | 'quantity' | 'status';
  readonly text: string;
  readonly sort: StockSort;
  readonly onSort: (sort: StockSort) => void;
}) {
  const { by, text, sort, onSort } = props;
  const isSorted = sort.by === by;
  const isDescending = sort.by !== 'list' && sort.descending;
  const next = (): StockSort => {
    if (!isSorted) return { by, descending: false };
    return isDescending ? { by: 'list' } : { by, descending: true };
  };
  const order = isDescending ? 'descending' : 'ascending';
  return (
    <div
      role="columnheader"
      class={`col-${by.toLowerCase()}`}
      aria-colindex={columns.indexOf(by) + 1}
      aria-sort={isSorted ? order : 'none'}
    >
      <button type="button" onClick={() => onSort(next())}>
        {text}
        <span class="sort-arrow" aria-hidden="true">
          {isSorted && (isDescending ? '↓' : '↑')}
        </span>
      </button>
    </div>
  );
}
