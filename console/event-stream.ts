import { readLines } from './read-lines.ts';

/** How a stream of events is doing. */
export type Connection = 'connecting' | 'live' | 'reconnecting' | 'paused';

export interface EventStreamOptions {
  open(lastEventId: string, signal: AbortSignal): Promise<Response>;
  onEvent(data: string): void;
  /**
   * Called each time that the stream begins, before any event.
   *
   * @param isResumed whether the server was told what the last event was
   */
  onOpen(isResumed: boolean): void;
  onConnection(connection: Connection): void;
  /** Decides what a failure to open means: `stop` ends it. */
  onFailure(error: unknown): 'retry' | 'stop';
}

/** Milliseconds. The server sends a comment every 15 seconds. */
const patience = { firstDelay: 500, longestDelay: 15_000, silence: 40_000 };

/**
 * Reads server-sent events by `fetch`, which can send a token, where `EventSource` cannot. Connects
 * again with growing delays, and says where it was (`Last-Event-ID`). While the page is hidden it
 * holds no connection: a browser has six of them for a server, over all tabs.
 *
 * @returns ends it
 */
export function readEventStream(options: EventStreamOptions): () => void {
  const ended = new AbortController();
  let lastEventId = '';
  let attempt: AbortController | undefined;
  const onVisibility = (): void => attempt?.abort();
  document.addEventListener('visibilitychange', onVisibility);
  ended.signal.addEventListener('abort', () => {
    document.removeEventListener('visibilitychange', onVisibility);
    attempt?.abort();
  });

  const connectOnce = async (onOpened: (isResumed: boolean) => void): Promise<void> => {
    const current = new AbortController();
    attempt = current;
    let watchdog: ReturnType<typeof setTimeout> | undefined;
    const onChunk = (): void => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => current.abort(), patience.silence);
    };
    try {
      onChunk();
      const isResumed = lastEventId !== '';
      const response = await options.open(lastEventId, current.signal);
      onOpened(isResumed);
      const data: string[] = [];
      await readLines(
        response,
        (line) => {
          if (line.startsWith('id:')) lastEventId = toValue(line, 3);
          else if (line.startsWith('data:')) data.push(toValue(line, 5));
          else if (line === '' && data.length > 0) options.onEvent(data.splice(0).join('\n'));
        },
        onChunk,
      );
    } finally {
      clearTimeout(watchdog);
      // Where an event could not be read, the connection is still open.
      current.abort();
    }
  };

  const run = async (): Promise<void> => {
    let failures = 0;
    options.onConnection('connecting');
    while (!ended.signal.aborted) {
      if (document.hidden) {
        options.onConnection('paused');
        await untilVisible(ended.signal);
        continue;
      }
      try {
        await connectOnce((isResumed) => {
          failures = 0;
          options.onConnection('live');
          options.onOpen(isResumed);
        });
      } catch (error) {
        const isOurs = error instanceof DOMException && error.name === 'AbortError';
        if (!isOurs && options.onFailure(error) === 'stop') return;
      }
      if (ended.signal.aborted || document.hidden) continue;
      options.onConnection('reconnecting');
      const delay = Math.min(patience.firstDelay * 2 ** failures, patience.longestDelay);
      failures += 1;
      // Many pages that lost one server do not come back all at once.
      await wait(delay * (0.75 + Math.random() / 2), ended.signal);
    }
  };
  void run();
  return () => ended.abort();
}

function toValue(line: string, from: number): string {
  return line.slice(line[from] === ' ' ? from + 1 : from);
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function untilVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const onChange = (): void => {
      if (!signal.aborted && document.hidden) return;
      document.removeEventListener('visibilitychange', onChange);
      resolve();
    };
    document.addEventListener('visibilitychange', onChange);
    signal.addEventListener('abort', onChange);
  });
}
