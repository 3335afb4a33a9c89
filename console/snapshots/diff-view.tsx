import { useRef, useState } from 'preact/hooks';
import type { AdminItem, InventoryDiff } from '../../src/admin/admin-api.ts';
import { toSentence } from '../api.ts';
import { useApp } from '../app-context.ts';
import { formatCount, formatDifference, formatInteger } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Skeleton, StateMessage } from '../parts/state-message.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { usePaced } from '../parts/use-paced.ts';
import { useVirtual } from '../parts/use-virtual.ts';
import type { Session } from '../sandboxes/session.ts';

type Levels = Omit<AdminItem, 'petId'>;

interface Line {
  readonly petId: bigint;
  readonly before?: Levels;
  readonly after?: Levels;
}

const rowHeight = 36;

/** How often the stock is compared while it changes, in milliseconds. */
const pace = 250;

/** How the stock differs from its seed, or from a snapshot. */
export function DiffView(props: {
  readonly session: Session;
  /** Left out: the seed. */
  readonly snapshot: string | undefined;
}) {
  const { api } = useApp();
  const { session, snapshot } = props;
  const [diff, setDiff] = useState<InventoryDiff>();
  const [problem, setProblem] = useState<string>();
  const [round, setRound] = useState(0);
  const version = session.stock.version.value;
  const wanted = useRef(snapshot);
  wanted.current = snapshot;
  // Also when the server is back: it cannot be read before.
  usePaced(`${version} ${snapshot} ${session.connection.value} ${round}`, pace, async () => {
    if (session.connection.peek() === 'reconnecting') return;
    try {
      const next = await api.diff(session.id, snapshot);
      // Another one may have been chosen meanwhile.
      if (wanted.current !== snapshot) return;
      setDiff(next);
      setProblem(undefined);
    } catch (error) {
      if (wanted.current === snapshot) setProblem(toSentence(error));
    }
  });
  const lines = diff === undefined ? [] : toLines(diff);
  const against = snapshot === undefined ? 'the seed' : `“${snapshot}”`;
  return (
    <section class="card diff" aria-labelledby="diff-title">
      <h2 id="diff-title">
        Against {against}{' '}
        {diff !== undefined && <span class="count">{formatCount(lines.length, 'difference')}</span>}
      </h2>
      {problem !== undefined && (
        <StateMessage icon="close" title="The comparison cannot be read" isError>
          <p>{problem}.</p>
          <Button onClick={() => setRound(round + 1)}>Try again</Button>
        </StateMessage>
      )}
      {diff === undefined && problem === undefined && <Skeleton lines={5} />}
      {diff !== undefined && lines.length === 0 && problem === undefined && (
        <StateMessage icon="check" title="No difference">
          <p>The stock is what {against} says.</p>
        </StateMessage>
      )}
      {lines.length > 0 && problem === undefined && <DiffLines lines={lines} />}
    </section>
  );
}

function toLines({ changed, added, removed }: InventoryDiff): readonly Line[] {
  return [
    ...changed,
    ...added.map((item) => ({ petId: item.petId, after: item })),
    ...removed.map((item) => ({ petId: item.petId, before: item })),
  ];
}

function DiffLines({ lines }: { readonly lines: readonly Line[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const { rows, height } = useVirtual({ scroller, count: lines.length, rowHeight });
  return (
    <div class="diff-lines" ref={scroller} tabIndex={0} role="region" aria-label="Differences">
      <ul style={{ height: `${height}px` }}>
        {rows.map(({ index, start }) => {
          const line = lines[index];
          return (
            line && (
              <li
                key={line.petId.toString()}
                aria-setsize={lines.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start}px)` }}
              >
                <span class="diff-pet">{line.petId.toString()}</span>
                <DiffText {...line} />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

function DiffText({ before, after }: Line) {
  if (before === undefined || after === undefined) {
    return <span class="tag">{after === undefined ? 'removed' : 'added'}</span>;
  }
  return (
    <span class="diff-text">
      {before.quantity !== after.quantity && (
        <span title={`${formatInteger(before.quantity)} → ${formatInteger(after.quantity)}`}>
          <s>{formatInteger(before.quantity)}</s> → <b>{formatInteger(after.quantity)}</b>{' '}
          <span class="delta">{formatDifference(after.quantity - before.quantity)}</span>
        </span>
      )}
      {before.status !== after.status && (
        <span>
          <StatusBadge status={before.status} /> → <StatusBadge status={after.status} />
        </span>
      )}
    </span>
  );
}
