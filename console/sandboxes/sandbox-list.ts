import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { SandboxView } from '../../src/admin/admin-api.ts';
import { toSentence, type Api } from '../api.ts';

/** The sandboxes of the server, as far as they are loaded. */
export interface SandboxList {
  /** In the order of the list; behind them, those that are known by other answers. */
  readonly views: ReadonlySignal<readonly SandboxView[]>;
  readonly count: ReadonlySignal<number>;
  /** How many the server allows. */
  readonly limit: ReadonlySignal<number>;
  readonly isLoading: ReadonlySignal<boolean>;
  readonly failure: ReadonlySignal<string | undefined>;
  readonly hasMore: ReadonlySignal<boolean>;
  /** Reads again as many as are loaded, at least one page. */
  refresh(): Promise<void>;
  /** Asks how many there are, and reads them again where that changed: costs little. */
  glance(): Promise<void>;
  loadMore(): Promise<void>;
  /** Loads all of them: a search has to know them. */
  loadAll(): Promise<void>;
  /** Puts in what was told of a sandbox by another answer. */
  put(view: SandboxView): void;
  /** Puts in one that was made just now. */
  add(view: SandboxView): void;
  remove(id: string): void;
}

const pageSize = 100;
/** What the server sends at once, at most. */
const largestPage = 1000;

export function createSandboxList(api: Api): SandboxList {
  /** As the server lists them, from the first one on. */
  const listed = signal<readonly SandboxView[]>([]);
  /** Known, and not among those. */
  const others = signal<readonly SandboxView[]>([]);
  const views = computed(() => [...listed.value, ...others.value]);
  const count = signal(0);
  const limit = signal(0);
  const isLoading = signal(false);
  const isComplete = signal(false);
  const failure = signal<string | undefined>(undefined);
  const hasMore = computed(() => !isComplete.value && listed.value.length < count.value);
  /** Never to be used again: what is still being read may name them. */
  const removed = new Set<string>();
  let running: Promise<void> = Promise.resolve();

  /** One reading after the other: each begins where the one before ended. */
  const queue = (work: () => Promise<void>): Promise<void> => {
    const before = running;
    running = (async () => {
      await before;
      isLoading.value = true;
      try {
        await work();
        failure.value = undefined;
      } catch (error) {
        failure.value = toSentence(error);
      }
      isLoading.value = false;
    })();
    return running;
  };
  const readPage = async (
    size: number,
    known: readonly SandboxView[],
  ): Promise<readonly SandboxView[]> => {
    const page = await api.listSandboxes(size, known.at(-1)?.id);
    count.value = page.count;
    limit.value = page.limit;
    isComplete.value = page.sandboxes.length < size;
    return [...known, ...page.sandboxes];
  };
  const readUntil = async (
    start: readonly SandboxView[],
    least: number,
    size: number,
  ): Promise<void> => {
    const read = await readPage(size, start);
    // Pages are chained: each asks for what comes after the last of the one before.
    if (!isComplete.value && read.length < least) {
      await readUntil(read, least, size);
      return;
    }
    const ids = new Set(read.map(({ id }) => id));
    listed.value = read.filter(({ id }) => !removed.has(id));
    others.value = isComplete.value ? [] : others.value.filter(({ id }) => !ids.has(id));
  };
  const refresh = (): Promise<void> =>
    queue(() => {
      const loaded = listed.value.length;
      return readUntil([], loaded, loaded > pageSize ? largestPage : pageSize);
    });

  return {
    views,
    count,
    limit,
    isLoading,
    failure,
    hasMore,
    refresh,
    async glance() {
      if (isLoading.value || listed.value.length > largestPage) return;
      const known = count.value;
      let isNew = false;
      await queue(async () => {
        isNew = (await api.listSandboxes(1)).count !== known;
      });
      if (isNew) await refresh();
    },
    loadMore: () => queue(() => readUntil(listed.value, 0, pageSize)),
    loadAll: () =>
      queue(async () => {
        if (hasMore.value) await readUntil(listed.value, Number.POSITIVE_INFINITY, largestPage);
      }),
    put(view) {
      const isListed = listed.value.some(({ id }) => id === view.id);
      const part = isListed ? listed : others;
      const isKnown = part.value.some(({ id }) => id === view.id);
      part.value = isKnown
        ? part.value.map((known) => (known.id === view.id ? view : known))
        : [...part.value, view];
    },
    add(view) {
      others.value = [...others.value, view];
      count.value += 1;
    },
    remove(id) {
      removed.add(id);
      if (!views.value.some((view) => view.id === id)) return;
      listed.value = listed.value.filter((view) => view.id !== id);
      others.value = others.value.filter((view) => view.id !== id);
      count.value -= 1;
    },
  };
}
