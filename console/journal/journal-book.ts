import { signal, type ReadonlySignal } from '@preact/signals';
import type { JournalEntry, JournalPage } from '../../src/admin/admin-api.ts';
import { oncePerFrame } from '../frames.ts';

/** How many exchanges the page keeps. */
const most = 1000;

/** The exchanges of one sandbox that the page knows, the newest last. */
export interface JournalBook {
  readonly version: ReadonlySignal<number>;
  /** Rises when all of them were read anew. */
  readonly round: ReadonlySignal<number>;
  /** Whether a server that has some of them did not answer when they were read. */
  readonly isPartial: ReadonlySignal<boolean>;
  entries(): readonly JournalEntry[];
  add(entries: readonly JournalEntry[]): void;
  replace(page: JournalPage): void;
}

export function createJournalBook(): JournalBook {
  const version = signal(0);
  const round = signal(0);
  const isPartial = signal(false);
  let known: JournalEntry[] = [];
  const publish = oncePerFrame(() => {
    version.value += 1;
  });
  const add = (entries: readonly JournalEntry[]): void => {
    for (const entry of entries) insert(known, entry);
    if (known.length > most * 1.2) known = known.slice(-most);
    publish();
  };
  return {
    version,
    round,
    isPartial,
    entries: () => known,
    add,
    replace(page) {
      known = [...page.exchanges];
      isPartial.value = page.isPartial === true;
      round.value += 1;
      publish();
    },
  };
}

/** Where it belongs, unless it is there: what another server has answered may come a little late. */
function insert(known: JournalEntry[], entry: JournalEntry): void {
  let at = known.length;
  while (at > 0 && (known[at - 1]?.sequence ?? 0) > entry.sequence) at -= 1;
  if (known[at - 1]?.sequence !== entry.sequence) known.splice(at, 0, entry);
}
