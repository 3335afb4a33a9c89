import { request, type IncomingMessage } from 'node:http';
import type { RunningServer } from '../src/server/http-server.ts';

/** A server-sent event. */
export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
}

/** A client that hears events until it is closed. */
export interface EventClient {
  /** The next event; `undefined` when the stream has ended. */
  next(): Promise<ReceivedEvent | undefined>;
  /** Resolves with all that come until the stream ends. */
  rest(): Promise<readonly ReceivedEvent[]>;
  /** The comments that were received so far, without the colon. */
  readonly comments: readonly string[];
  /** The id that a client would resume with. */
  readonly lastEventId: string;
  readonly response: IncomingMessage;
  close(): void;
}

/** Connects, and waits until the server has said that it listens. */
export async function openEvents(
  { port }: Pick<RunningServer, 'port'>,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventClient> {
  const outgoing = request({
    host: '127.0.0.1',
    port,
    path: `/_stockcheck${path}`,
    headers: { Accept: 'text/event-stream', ...headers },
    agent: false,
  });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).once('error', reject).end();
  });
  // A stream that is cut off ends; its client looks at what came before.
  response.on('error', () => undefined);
  const comments: string[] = [];
  let lastEventId = '';
  const { promise: begun, resolve: hasBegun } = Promise.withResolvers<void>();
  async function* read(): AsyncGenerator<ReceivedEvent, void> {
    const fields = new Map<string, string>();
    for await (const line of readLines(response)) {
      if (line.startsWith(':')) comments.push(line.slice(1).trim());
      const [, name = '', value = ''] = /^([a-z]+): (.*)$/.exec(line) ?? [];
      if (line !== '') {
        fields.set(name, value);
        continue;
      }
      lastEventId = fields.get('id') ?? lastEventId;
      hasBegun();
      const data = fields.get('data');
      const type = fields.get('event') ?? 'message';
      fields.clear();
      if (data !== undefined) yield { id: lastEventId, type, data };
    }
    hasBegun();
  }
  const events = read();
  let first: Promise<IteratorResult<ReceivedEvent, void>> | undefined = events.next();
  await begun;
  const next = async (): Promise<ReceivedEvent | undefined> => {
    const result = await (first ?? events.next());
    first = undefined;
    return result.done === true ? undefined : result.value;
  };
  return {
    next,
    async rest() {
      const received: ReceivedEvent[] = [];
      for (let event = await next(); event !== undefined; event = await next()) {
        received.push(event);
      }
      return received;
    },
    comments,
    get lastEventId() {
      return lastEventId;
    },
    response,
    close: () => outgoing.destroy(),
  };
}

/** The lines until the stream ends, or is cut off. */
async function* readLines(response: IncomingMessage): AsyncGenerator<string, void> {
  let rest = '';
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
  }
}

/** Connects, does something, and gives the first so many events. */
export async function firstEvents(
  server: RunningServer,
  path: string,
  count: number,
  act: () => Promise<unknown>,
): Promise<readonly ReceivedEvent[]> {
  const client = await openEvents(server, path);
  await act();
  const events: ReceivedEvent[] = [];
  while (events.length < count) {
    const event = await client.next();
    if (event === undefined) break;
    events.push(event);
  }
  client.close();
  return events;
}
