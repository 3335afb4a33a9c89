import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { JournalEntry } from '../../src/admin/admin-api.ts';
import { formatClock, formatInteger } from '../format.ts';
import { Icon } from '../parts/icon.tsx';
import { useVirtual } from '../parts/use-virtual.ts';
import { toMark, verdictNames, VerdictMark } from '../parts/verdict-mark.tsx';
import { toHash } from '../route.ts';

const rowHeight = 52;

/** The exchanges as links to their details; arrow keys move between them. */
export function JournalList(props: {
  readonly id: string;
  readonly entries: readonly JournalEntry[];
  readonly selected: string | undefined;
}) {
  const { id, entries, selected } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const shallFocus = useRef(false);
  const [active, setActive] = useState<number>();
  const wanted = active ?? Number(selected ?? -1);
  const place = Math.max(
    entries.findIndex(({ sequence }) => sequence === wanted),
    0,
  );
  const { rows, height, scrollTo } = useVirtual({
    scroller,
    count: entries.length,
    rowHeight,
    kept: place,
  });
  const first = useRef<number>(undefined);
  useLayoutEffect(() => {
    // Who has scrolled down reads: new exchanges above must not push that away.
    const body = scroller.current;
    const added = entries.findIndex(({ sequence }) => sequence === first.current);
    if (body !== null && body.scrollTop > 0 && added > 0) body.scrollTop += added * rowHeight;
    first.current = entries[0]?.sequence;
  }, [entries]);
  useLayoutEffect(() => {
    if (!shallFocus.current) return;
    scroller.current?.querySelector<HTMLElement>('a[tabindex="0"]')?.focus({ preventScroll: true });
    shallFocus.current = false;
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = {
      ArrowDown: place + 1,
      ArrowUp: place - 1,
      Home: 0,
      End: entries.length - 1,
    }[event.key];
    const entry = to === undefined ? undefined : entries[to];
    if (to === undefined || entry === undefined) return;
    event.preventDefault();
    shallFocus.current = true;
    setActive(entry.sequence);
    scrollTo(to);
  };
  return (
    <div class="journal-list" ref={scroller} onKeyDown={onKeyDown}>
      <ul aria-label="Exchanges, the newest first" style={{ height: `${height}px` }}>
        {rows.map(({ index, start }) => {
          const entry = entries[index];
          return (
            entry && (
              <li
                key={entry.sequence}
                aria-setsize={entries.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start}px)` }}
              >
                <a
                  class="exchange"
                  href={toHash({
                    page: 'sandbox',
                    id,
                    view: 'journal',
                    detail: String(entry.sequence),
                  })}
                  tabIndex={index === place ? 0 : -1}
                  aria-current={String(entry.sequence) === selected ? 'true' : undefined}
                  onFocus={() => setActive(entry.sequence)}
                >
                  <Exchange entry={entry} />
                </a>
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

function Exchange({ entry }: { readonly entry: JournalEntry }) {
  const { request, response, verdict, fault } = entry;
  return (
    <>
      <StatusCode status={response.status} />
      <span class="exchange-line">
        <b>{request.method}</b> {request.path}
      </span>
      <span class="exchange-time">{formatClock(entry.at)}</span>
      <span class="exchange-mark">
        <VerdictMark verdict={toMark(verdict.verdict)} />
        <span class="hidden">{verdictNames[verdict.verdict]}</span>
      </span>
      <span class="exchange-note">
        {fault !== undefined && (
          <span class="fault-flag">
            <Icon name="bolt" />
            {fault.kind}
          </span>
        )}
        <span class="cut">{toNote(entry)}</span>
      </span>
      <span class="exchange-duration">{formatDuration(entry.duration)}</span>
    </>
  );
}

/** What happened, in a few words. */
function toNote({ refusal, change, verdict, operation, fault }: JournalEntry): string {
  const [finding] = verdict.findings;
  // What was broken on purpose is no news: who did it is.
  if (finding !== undefined && verdict.verdict === 'fail' && fault === undefined) return finding;
  if (refusal !== undefined) return refusal;
  if (change !== undefined) {
    const { before, after } = change;
    const status = before.status === after.status ? '' : `, ${before.status} → ${after.status}`;
    return `${formatInteger(before.quantity)} → ${formatInteger(after.quantity)}${status}`;
  }
  return finding ?? (operation === 'updateInventory' ? 'nothing changed' : '');
}

export function formatDuration(milliseconds: number): string {
  if (milliseconds < 0.05) return '< 0.1 ms';
  return `${milliseconds < 10 ? Number(milliseconds.toFixed(1)) : Math.round(milliseconds)} ms`;
}

/** A status code; its first digit decides the colour. 0: nothing was answered. */
export function StatusCode({ status }: { readonly status: number }) {
  return (
    <span class={`status-code is-${String(status).charAt(0)}xx`}>
      {status === 0 ? '–' : status}
    </span>
  );
}
