import type { ComponentChildren } from 'preact';
import type { AdminItem } from '../../src/admin/admin-api.ts';
import { formatDifference, formatInteger } from '../format.ts';
import { StatusBadge } from '../parts/status-badge.tsx';
import type { EndEditing, SaveItem } from './editing.ts';
import { QuantityEditor } from './quantity-editor.tsx';
import { StatusEditor } from './status-editor.tsx';
import type { Difference } from './stock-book.ts';

export const columns = ['petId', 'quantity', 'status', 'seed'] as const;

export type Column = (typeof columns)[number];

export interface Editing {
  readonly petId: bigint;
  readonly field: 'quantity' | 'status';
  /** What was typed to begin with. */
  readonly text?: string;
}

export interface StockRowProps {
  readonly item: AdminItem;
  readonly index: number;
  /** Pixels from the top. */
  readonly start: number;
  readonly difference: Difference | undefined;
  readonly flash: number | undefined;
  /** The column of the cell that takes the focus, in the row that has it. */
  readonly active: Column | undefined;
  readonly editing: Editing | undefined;
  readonly onActive: (column: Column) => void;
  readonly onEdit: (field: 'quantity' | 'status') => void;
  readonly onSave: SaveItem;
  readonly onDone: EndEditing;
}

/** How long a change is worth a flash, in milliseconds: not when the row comes into sight later. */
const flashTime = 1500;

/** One pet. */
export function StockRow(props: StockRowProps) {
  const { item, index, difference, editing, flash, onEdit, onSave, onDone } = props;
  const isFresh = flash !== undefined && performance.now() - flash < flashTime;
  const classes = [
    'grid-row',
    difference === undefined ? '' : 'is-changed',
    editing === undefined ? '' : 'is-editing',
    // Two names of one animation: a second change starts it again.
    isFresh ? `flash-${Math.floor(flash) % 2}` : '',
  ];
  const cell = (column: Column, content: ComponentChildren, onClick?: () => void) => (
    <div
      role="gridcell"
      class={`col-${column.toLowerCase()}`}
      aria-colindex={columns.indexOf(column) + 1}
      tabIndex={props.active === column && editing === undefined ? 0 : -1}
      onFocus={() => {
        if (props.active !== column) props.onActive(column);
      }}
      onClick={onClick}
    >
      {content}
    </div>
  );
  return (
    <div
      role="row"
      class={classes.filter((name) => name !== '').join(' ')}
      aria-rowindex={index + 2}
      style={{ transform: `translateY(${props.start}px)` }}
    >
      {cell(
        'petId',
        <>
          {difference !== undefined && <span class="hidden">changed </span>}
          {item.petId.toString()}
        </>,
      )}
      {cell(
        'quantity',
        editing?.field === 'quantity' ? (
          <QuantityEditor item={item} text={editing.text} onSave={onSave} onDone={onDone} />
        ) : (
          <Quantity value={item.quantity} />
        ),
        editing === undefined ? () => onEdit('quantity') : undefined,
      )}
      {cell(
        'status',
        editing?.field === 'status' ? (
          <StatusEditor item={item} onSave={onSave} onDone={onDone} />
        ) : (
          <span class="editable">
            <StatusBadge status={item.status} />
          </span>
        ),
        editing === undefined ? () => onEdit('status') : undefined,
      )}
      {cell('seed', <SeedNote item={item} difference={difference} />)}
    </div>
  );
}

/** From how many characters on a quantity needs a smaller type where the page is narrow: int64. */
const wideQuantity = 17;

/** And from how many it does everywhere. */
const longQuantity = 27;

function Quantity({ value }: { readonly value: bigint }) {
  const text = formatInteger(value);
  const isWide = text.length >= wideQuantity;
  const size = text.length >= longQuantity ? 'is-long' : isWide ? 'is-wide' : '';
  return (
    <span class={`editable ${size}`} title={isWide ? text : undefined}>
      {text}
    </span>
  );
}

function SeedNote(props: {
  readonly item: AdminItem;
  readonly difference: Difference | undefined;
}) {
  const { item, difference } = props;
  if (difference === undefined) return <span class="same">–</span>;
  if (difference.kind === 'added') return <span class="tag">not in the seed</span>;
  const { quantity, status } = difference.before;
  return (
    <>
      {quantity !== item.quantity && (
        <span
          class="seed-quantity"
          title={`${formatInteger(quantity)} ${formatDifference(item.quantity - quantity)}`}
        >
          {formatInteger(quantity)}{' '}
          <span class="delta">{formatDifference(item.quantity - quantity)}</span>
        </span>
      )}
      {status !== item.status && <StatusBadge status={status} />}
    </>
  );
}
