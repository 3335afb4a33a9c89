import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { whenReady } from '../inventory/store.ts';
import { basePath, type Mock } from '../mock/mock.ts';
import { toExchange, type Exchange } from './exchange.ts';
import { deliver } from './deliver.ts';
import { toHomePage } from './home-page.ts';
import { listen } from './listen.ts';
import { isLoopback } from './foreign-request.ts';
import { NodeRequest } from './node-request.ts';
import { readBody } from './read-body.ts';
import { createProviderStates } from './provider-states.ts';
import { providerStatesPath, serveProviderStates } from './serve-provider-states.ts';
import { refuseUnreadable } from './refuse-unreadable.ts';
import { send } from './send.ts';

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
  const requestTimeout = options.requestTimeout ?? 30_000;
  let { mock } = options;
  let states = createProviderStates(mock);
  const server = createServer({
    headersTimeout: Math.min(options.headersTimeout ?? 10_000, requestTimeout),
    requestTimeout,
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
  /** Connections whose request is answered before its end. */
  const cutShort = new WeakSet<Socket>();
  // Connections that have not asked for anything yet: a browser opens some in advance. Node does
  // not count them as idle.
  const silent = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  // Connections that never get their answer, because a fault wants it so.
  const hung = new Set<Socket>();
  const hang = (socket: Socket): void => {
    if (!server.listening) socket.destroy();
    // Nothing is sent that would show that the client is no more there.
    socket.setKeepAlive(true, 60_000);
    hung.add(socket);
    socket.once('close', () => hung.delete(socket));
  };
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    silent.delete(incoming.socket);
    const isGet = incoming.method === 'GET' || incoming.method === 'HEAD';
    if (isGet && incoming.url === '/') {
      sendHomePage(outgoing, toHomePage(mock.apiKeys, toReachedUrl(incoming, url())));
    } else if (incoming.url === providerStatesPath) {
      // Rejected where the client went away: there is nobody to answer.
      serveProviderStates(incoming, outgoing, states, isLoopback(host)).catch(() => undefined);
    } else receive(incoming, outgoing, mock, cutShort, hang, options.onExchange);
  };
  server.on('request', onRequest);
  // An expectation that nobody knows may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', onRequest);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // The rest of a body that was too large, and is answered already.
    if (cutShort.has(socket)) {
      socket.destroy();
      return;
    }
    const exchange = refuseUnreadable(error, socket, mock.policy);
    if (exchange !== undefined) options.onExchange?.(exchange);
  });

  await listen(server, host, options.port);
  return {
    url: url(),
    port: port(),
    use(next) {
      mock = next;
      states = createProviderStates(next);
    },
    close: (patience = 5000) => close(server, [...silent, ...hung], patience),
  };
}

function close(server: Server, useless: readonly Socket[], patience: number): Promise<void> {
  return new Promise((resolve) => {
    // A connection becomes idle when its last answer is sent, and would be kept alive for seconds.
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    const deadline = setTimeout(() => server.closeAllConnections(), patience);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(deadline);
      resolve();
    });
    for (const socket of useless) socket.destroy();
  });
}

/** Reads the body, if there can be one, as far as the mock's limit, and answers. */
function receive(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  mock: Mock,
  cutShort: WeakSet<Socket>,
  hang: (socket: Socket) => void,
  onExchange: ServerOptions['onExchange'],
): void {
  if (incoming.method === 'GET' || incoming.method === 'HEAD') {
    respond(new NodeRequest(incoming), outgoing, mock, hang, onExchange);
    return;
  }
  const limit = mock.policy['body-limit'];
  readBody(incoming, limit, (body, isWhole) => {
    if (!isWhole) {
      cutShort.add(incoming.socket);
      incoming.once('end', () => cutShort.delete(incoming.socket));
    }
    respond(new NodeRequest(incoming, body), outgoing, mock, hang, onExchange);
  });
}

function respond(
  request: NodeRequest,
  outgoing: ServerResponse,
  mock: Mock,
  hang: (socket: Socket) => void,
  onExchange: ServerOptions['onExchange'],
): void {
  // A clock is read for the log only.
  const start = onExchange === undefined ? 0 : performance.now();
  void whenReady(mock.handle(request), (response) => {
    const tell = (): void =>
      onExchange?.(toExchange(request, response, performance.now() - start, mock));
    if (response.delivery !== undefined) {
      deliver(outgoing, response, response.delivery, { hang, tell });
      return;
    }
    send(outgoing, response);
    tell();
  });
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
