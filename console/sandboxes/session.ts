import { signal, type ReadonlySignal } from '@preact/signals';
import type { AdminEvent, SandboxView } from '../../src/admin/admin-api.ts';
import { ApiError, toSentence, type Api } from '../api.ts';
import { readEventStream, type Connection } from '../event-stream.ts';
import { createJournalBook, type JournalBook } from '../journal/journal-book.ts';
import { createStockBook, type StockBook } from '../stock/stock-book.ts';
import { parseWire } from '../wire.ts';

export type Loading =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready' }
  /** There is no such sandbox, or no longer. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly reason: string };

/** How long to wait before the seed is compared again, in milliseconds. */
const settlePause = 250;

/** How long after its time a sandbox is looked for, in milliseconds. */
const expiryGrace = 250;

/** What a timer can wait, in milliseconds. */
const longestTimeout = 2_147_483_647;

/** Tells of all sandboxes: the server does not know what was missed. */
const everySandbox = '*';

/** One sandbox as the page sees it, kept up to date by its events. */
export interface Session {
  readonly id: string;
  readonly loading: ReadonlySignal<Loading>;
  readonly connection: ReadonlySignal<Connection>;
  readonly view: ReadonlySignal<SandboxView | undefined>;
  readonly stock: StockBook;
  readonly journal: JournalBook;
  /** Rises with every exchange that a fault may have been asked about. */
  readonly faultNews: ReadonlySignal<number>;
  /**
   * Shows the settings that an answer tells of, unless an event told of newer ones meanwhile.
   *
   * @throws what `read` throws
   */
  showView(read: () => Promise<SandboxView>): Promise<void>;
  /** Reads everything again. */
  load(): Promise<void>;
  close(): void;
}

/**
 * Opens a sandbox: its events first, then what they change, so that nothing is missed between.
 *
 * @param onView is told of the sandbox's settings whenever they are known anew
 */
export function openSession(
  api: Api,
  id: string,
  onView: (view: SandboxView | undefined) => void,
): Session {
  const loading = signal<Loading>({ kind: 'loading' });
  const connection = signal<Connection>('connecting');
  const view = signal<SandboxView | undefined>(undefined);
  const faultNews = signal(0);
  const stock = createStockBook();
  const journal = createJournalBook();
  let isClosed = false;
  let expiry: ReturnType<typeof setTimeout> | undefined;
  /** Events that came while the sandbox was being read. */
  let held: AdminEvent[] | undefined = [];

  /** How many times the settings were told. */
  let told = 0;
  const setView = (next: SandboxView): void => {
    told += 1;
    view.value = next;
    onView(next);
    awaitExpiry(next);
  };
  /** No event tells that a sandbox has expired: it is looked for then. */
  const awaitExpiry = ({ expiresAt }: SandboxView): void => {
    clearTimeout(expiry);
    if (expiresAt === undefined || isClosed) return;
    const left = Date.parse(expiresAt) - Date.now();
    // The clock of the server may be behind.
    const delay = Math.min(Math.max(left, 0) + expiryGrace, longestTimeout);
    expiry = setTimeout(() => void showView(() => api.getSandbox(id)).catch(endWhereGone), delay);
  };
  const showView = async (read: () => Promise<SandboxView>): Promise<void> => {
    const before = told;
    const next = await read();
    if (!isClosed && before === told) setView(next);
  };
  const end = (reason: Loading): void => {
    loading.value = reason;
    if (reason.kind === 'gone') {
      close();
      onView(undefined);
    }
  };

  const endWhereGone = (error: unknown): void => {
    // What else can go wrong, the stream tells.
    if (error instanceof ApiError && error.status === 404) end({ kind: 'gone' });
  };

  const apply = (event: AdminEvent): void => {
    switch (event.type) {
      case 'change':
        stock.change(event.item, event.before);
        break;
      case 'exchange':
        journal.add([event.exchange]);
        faultNews.value += 1;
        break;
      case 'fault':
        faultNews.value += 1;
        break;
      case 'sandbox':
        setView(event.view);
        break;
      case 'replaced':
        // What changed before it is undone, or is read now.
        held = [];
        void load();
        break;
      case 'deleted':
        end({ kind: 'gone' });
        break;
      case 'created':
        break;
    }
  };

  let round = 0;
  const load = async (): Promise<void> => {
    round += 1;
    const mine = round;
    held ??= [];
    try {
      const [items, diff, page] = await Promise.all([
        api.listItems(id),
        api.diff(id),
        api.readJournal(id),
        showView(() => api.getSandbox(id)),
      ]);
      // A later reading knows better.
      if (isClosed || mine !== round) return;
      const missed: readonly AdminEvent[] = held ?? [];
      held = undefined;
      stock.fill(
        items,
        diff,
        missed.filter((event) => event.type === 'change'),
      );
      journal.replace(page);
      for (const event of missed) if (event.type === 'exchange') apply(event);
      loading.value = { kind: 'ready' };
    } catch (error) {
      if (isClosed || mine !== round) return;
      held = undefined;
      end(
        error instanceof ApiError && error.status === 404
          ? { kind: 'gone' }
          : { kind: 'failed', reason: toSentence(error) },
      );
      return;
    }
    await settle(mine);
  };
  /** Compares again what changed while it was read, until it is known how it differs. */
  const settle = async (mine: number): Promise<void> => {
    const isOver = (): boolean => isClosed || mine !== round || stock.unsettled().length === 0;
    while (!isOver()) {
      const asked = stock.unsettled();
      try {
        // Each asks about what the one before left open.
        const diff = await api.diff(id);
        if (isOver()) return;
        stock.settle(diff, asked);
      } catch {
        // The stream says what is wrong; it is asked again meanwhile.
      }
      if (!isOver()) await new Promise((resolve) => setTimeout(resolve, settlePause));
    }
  };

  const stop = readEventStream({
    open: (lastEventId, abort) => api.openEvents(id, lastEventId, abort),
    // A stream that was resumed has told what was missed, or that all must be read anew.
    onOpen: (isResumed) => {
      if (!isResumed || loading.value.kind !== 'ready') void load();
    },
    onConnection: (next) => {
      connection.value = next;
    },
    onEvent: (data) => {
      const event = parseWire(data) as AdminEvent;
      if (isClosed || (event.sandbox !== id && event.sandbox !== everySandbox)) return;
      if (held !== undefined && (event.type === 'change' || event.type === 'exchange')) {
        held.push(event);
      } else apply(event);
    },
    onFailure: (error) => {
      if (!(error instanceof ApiError)) return 'retry';
      if (error.status === 404) end({ kind: 'gone' });
      else end({ kind: 'failed', reason: toSentence(error) });
      return error.status === 404 ? 'stop' : 'retry';
    },
  });
  const close = (): void => {
    isClosed = true;
    clearTimeout(expiry);
    stop();
  };
  return { id, loading, connection, view, stock, journal, faultNews, showView, load, close };
}
