import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { MockResponse } from '../mock/exchange.ts';
import { basePath, type Mock } from '../mock/mock.ts';
import { toExchange, type Exchange } from './exchange.ts';
import { toHomePage } from './home-page.ts';
import { listen } from './listen.ts';
import { NodeRequest } from './node-request.ts';
import { refuseUnreadable } from './refuse-unreadable.ts';

export interface ServerOptions {
  readonly mock: Mock;
  /** Left out: 127.0.0.1. */
  readonly host?: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Is told of every exchange. */
  readonly onExchange?: (exchange: Exchange) => void;
  /** How long the headers of a request may take, in milliseconds. Left out: 10,000. */
  readonly headersTimeout?: number;
  /** How long a whole request may take, in milliseconds. Left out: 30,000. */
  readonly requestTimeout?: number;
}

export interface RunningServer {
  /** The base address of the service: `http://127.0.0.1:4010/v1`. */
  readonly url: string;
  readonly port: number;
  /** Serves another mock from the next request on. */
  use(mock: Mock): void;
  /**
   * Stops: takes no new connections and lets the requests under way end.
   *
   * @param patience how long to wait for them, in milliseconds, before they are cut off
   */
  close(patience?: number): Promise<void>;
}

/**
 * Serves a mock over HTTP/1.1.
 *
 * @throws `ListenError` where the address cannot be used
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const host = options.host ?? '127.0.0.1';
  let { mock } = options;
  const server = createServer({
    headersTimeout: options.headersTimeout ?? 10_000,
    requestTimeout: options.requestTimeout ?? 30_000,
    // Node looks only every 30 seconds unless told otherwise.
    connectionsCheckingInterval: 500,
    // The engine answers without it, in the form that it gives to every refusal.
    requireHostHeader: false,
  });
  const port = (): number => {
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : options.port;
  };
  const url = (): string =>
    `http://${host.includes(':') ? `[${host}]` : host}:${port()}${basePath}`;
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const isGet = incoming.method === 'GET' || incoming.method === 'HEAD';
    if (isGet && incoming.url === '/') {
      sendHomePage(outgoing, toHomePage(mock.apiKeys, toReachedUrl(incoming, url())));
    } else receive(incoming, outgoing, mock, options.onExchange);
  };
  server.on('request', onRequest);
  // An expectation that nobody knows may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', onRequest);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const exchange = refuseUnreadable(error, socket, mock.policy);
    if (exchange !== undefined) options.onExchange?.(exchange);
  });

  await listen(server, host, options.port);
  return {
    url: url(),
    port: port(),
    use(next) {
      mock = next;
    },
    close: (patience = 5000) => close(server, patience),
  };
}

function close(server: Server, patience: number): Promise<void> {
  return new Promise((resolve) => {
    // A connection becomes idle when its last answer is sent, and would be kept alive for seconds.
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    const deadline = setTimeout(() => server.closeAllConnections(), patience);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(deadline);
      resolve();
    });
  });
}

/** Reads the body, if there can be one, as far as the mock's limit, and answers. */
function receive(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  mock: Mock,
  onExchange: ServerOptions['onExchange'],
): void {
  if (incoming.method === 'GET' || incoming.method === 'HEAD') {
    respond(new NodeRequest(incoming), outgoing, mock, onExchange);
    return;
  }
  const limit = mock.policy['body-limit'];
  let chunks: Uint8Array[] = [];
  let length = 0;
  const answer = (): void => {
    incoming.off('data', keep).off('end', answer);
    const [first] = chunks;
    const body = chunks.length === 1 ? first : Buffer.concat(chunks);
    chunks = [];
    respond(new NodeRequest(incoming, body), outgoing, mock, onExchange);
  };
  const keep = (chunk: Uint8Array): void => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > limit) {
      answer();
      // The rest is read and dropped: a client that is still sending can see the answer.
      incoming.resume();
    }
  };
  incoming.on('data', keep);
  incoming.on('end', answer);
  // The client went away, and with it who would read an answer.
  incoming.on('error', () => undefined);
}

function respond(
  request: NodeRequest,
  outgoing: ServerResponse,
  mock: Mock,
  onExchange: ServerOptions['onExchange'],
): void {
  const start = onExchange === undefined ? 0 : performance.now();
  const finish = (response: MockResponse): void => {
    send(outgoing, response);
    onExchange?.(toExchange(request, response, performance.now() - start, mock));
  };
  const response = mock.handle(request);
  if (response instanceof Promise) void response.then(finish);
  else finish(response);
}

function send(outgoing: ServerResponse, { status, headers, body }: MockResponse): void {
  if (status === 204) {
    outgoing.writeHead(status, headers as string[]);
    outgoing.end();
  } else if (typeof body === 'string') {
    outgoing.writeHead(status, withLength(headers, Buffer.byteLength(body)));
    outgoing.end(body);
  } else {
    const length = body.reduce((sum, segment) => sum + segment.length, 0);
    outgoing.writeHead(status, withLength(headers, length));
    outgoing.cork();
    for (const segment of body) outgoing.write(segment);
    outgoing.end();
    outgoing.uncork();
  }
}

function withLength(headers: readonly string[], length: number): string[] {
  return [...headers, 'Content-Length', String(length)];
}

/** The base address as the reader reached it, which may not be the one that is listened on. */
function toReachedUrl(incoming: IncomingMessage, url: string): string {
  const host = incoming.headers.host ?? '';
  return /^[\w.-]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/i.test(host) ? `http://${host}${basePath}` : url;
}

function sendHomePage(outgoing: ServerResponse, page: string): void {
  outgoing.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(page),
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    'X-Content-Type-Options': 'nosniff',
  });
  outgoing.end(page);
}
