import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { whenReady, type MaybePromise } from '../inventory/store.ts';
import { basePath, type Mock } from '../mock/mock.ts';
import type { Sandboxes } from '../mock/sandboxes.ts';
import type { ConsoleFiles } from './admin/console-files.ts';
import type { Guard } from './admin/guard.ts';
import type { RunVerification, ServeAlone } from './admin/verification.ts';
import { toExchange, type Exchange } from './exchange.ts';
import { deliver, type DeliveryHooks } from './deliver.ts';
import { toHomePage } from './home-page.ts';
import { LateAnswers } from './late-answers.ts';
import { listen } from './listen.ts';
import { isLoopback } from './foreign-request.ts';
import { NodeRequest } from './node-request.ts';
import { readBody } from './read-body.ts';
import { createAdminPaths, createStatePaths, noOwnPaths, type OwnPaths } from './own-paths.ts';
import { refuseUnreadable } from './refuse-unreadable.ts';
import { send } from './send.ts';

interface CommonServerOptions {
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
  /**
   * What requests below `/_stockcheck/` must carry, as `Authorization: Bearer <token>`: visible
   * ASCII characters. Left out: nothing on loopback, and on other addresses a token that is made.
   */
  readonly adminToken?: string;
  /** Whether there is anything below `/_stockcheck/`. Left out: true. */
  readonly admin?: boolean;
}

/** A server of one inventory: below `/_stockcheck/` it has provider states only. */
export interface MockServerOptions extends CommonServerOptions {
  readonly mock: Mock;
  readonly sandboxes?: never;
}

/** A server of sandboxes, with the admin API and the console. */
export interface SandboxServerOptions extends CommonServerOptions {
  readonly sandboxes: Sandboxes;
  readonly mock?: never;
  /** Where the console was built to. Left out: a page says how to get it. */
  readonly consoleFiles?: ConsoleFiles;
  /**
   * The path of a socket that another process serves the admin API on: requests to it are passed on.
   * Left out: this server answers them.
   */
  readonly adminSocket?: string;
  /** Runs the verifications that are asked for below `/_stockcheck/`. Left out: 501. */
  readonly verify?: RunVerification;
  /** Is told of every error that is a bug in the admin API; the request is answered with 500. */
  readonly onBug?: (error: unknown) => void;
}

export type ServerOptions = MockServerOptions | SandboxServerOptions;

export interface RunningServer {
  /** The base address of the service: `http://127.0.0.1:4010/v1`. */
  readonly url: string;
  readonly port: number;
  /** What requests below `/_stockcheck/` must carry. Left out: nothing. */
  readonly adminToken?: string;
  /**
   * Serves another mock from the next request on.
   *
   * @throws {TypeError} for a server of sandboxes
   */
  use(mock: Mock): void;
  /**
   * Stops: takes no new connections and lets the requests under way end.
   *
   * @param patience how long to wait for them, in milliseconds, before they are cut off
   */
  close(patience?: number): Promise<void>;
}

/**
 * How long a connection without a request is kept, in milliseconds. Balancers keep theirs for a
 * minute: a request that one sends on a connection that is just being closed would be lost.
 */
const keepAliveTimeout = 75_000;

/**
 * Serves a mock over HTTP/1.1.
 *
 * @throws `ListenError` where the address cannot be used
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const host = options.host ?? '127.0.0.1';
  const requestTimeout = options.requestTimeout ?? 30_000;
  let mock: Mock = options.sandboxes ?? options.mock;
  const token = await findToken(host, options);
  const server = createServer({
    headersTimeout: Math.min(options.headersTimeout ?? 10_000, requestTimeout),
    requestTimeout,
    keepAliveTimeout,
    // Node looks only every 30 seconds unless told otherwise.
    connectionsCheckingInterval: 500,
    // The engine answers without it, in the form that it gives to every refusal.
    requireHostHeader: false,
  });
  const port = (): number => {
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : options.port;
  };
  const url = (): string => toUrl(host, port());
  const own = await createOwnPaths(options, { onLoopback: isLoopback(host), token });
  /** Connections whose request is answered before its end. */
  const cutShort = new WeakSet<Socket>();
  // Connections that have not asked for anything yet: a browser opens some in advance. Node does
  // not count them as idle.
  const silent = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  const late = new LateAnswers(() => !server.listening);
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    silent.delete(incoming.socket);
    const isGet = incoming.method === 'GET' || incoming.method === 'HEAD';
    if (isGet && incoming.url === '/') {
      const hasConsole = options.sandboxes !== undefined && options.admin !== false;
      const reached = toReachedUrl(incoming, url());
      sendHomePage(outgoing, toHomePage(mock.apiKeys, reached, hasConsole));
    } else if (!own.serve(incoming, outgoing)) {
      receive(incoming, outgoing, mock, cutShort, late, options.onExchange);
    }
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
    late.behind(socket, () => {
      const exchange = refuseUnreadable(error, socket, mock.policy);
      if (exchange !== undefined) options.onExchange?.(exchange);
    });
  });

  await listen(server, host, options.port);
  return {
    url: url(),
    port: port(),
    ...(token === undefined ? {} : { adminToken: token }),
    use(next) {
      own.use(next);
      mock = next;
    },
    close(patience = 5000) {
      own.close();
      return close(server, [...silent, ...late.hung], patience);
    },
  };
}

/** What is ours, if anything is. */
async function createOwnPaths(options: ServerOptions, guard: Guard): Promise<OwnPaths> {
  if (options.admin === false) return noOwnPaths;
  if (options.sandboxes === undefined) return createStatePaths(options.mock, guard);
  const { sandboxes, consoleFiles, verify, adminSocket, onBug = () => undefined } = options;
  if (adminSocket !== undefined) {
    const { createForwardedPaths } = await import('./forwarded-paths.ts');
    return createForwardedPaths({ socket: adminSocket, ready: () => sandboxes.ready() });
  }
  return createAdminPaths({ sandboxes, guard, consoleFiles, verify, serveAlone, onBug });
}

/** Serves a mock on a port of its own, without what is ours. */
export const serveAlone: ServeAlone = (mock) => startServer({ mock, port: 0, admin: false });

/** The token that was given; one that is made where others than this machine can send requests. */
async function findToken(host: string, options: ServerOptions): Promise<string | undefined> {
  const { adminToken } = options;
  // Where requests are passed on, they are judged there.
  const isPassedOn = options.sandboxes !== undefined && options.adminSocket !== undefined;
  if (options.admin === false || isPassedOn) return undefined;
  if (adminToken !== undefined || isLoopback(host)) return adminToken;
  const { makeAdminToken } = await import('./admin/admin-token.ts');
  return makeAdminToken();
}

function toUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}${basePath}`;
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
  late: LateAnswers,
  onExchange: ServerOptions['onExchange'],
): void {
  if (incoming.method === 'GET' || incoming.method === 'HEAD') {
    respond(new NodeRequest(incoming), outgoing, mock, late, onExchange);
    return;
  }
  const limit = mock.policy['body-limit'];
  readBody(
    incoming,
    limit,
    (body, isWhole) => {
      if (!isWhole) {
        cutShort.add(incoming.socket);
        incoming.once('end', () => cutShort.delete(incoming.socket));
      }
      respond(new NodeRequest(incoming, body), outgoing, mock, late, onExchange);
    },
    // A sandbox may take more. Asked for larger bodies only: it costs a look-up of the key.
    'bodyLimit' in mock ? () => findBodyLimit(mock as Sandboxes, incoming) : undefined,
  );
}

/** Where the key cannot be looked up, the answer to the request itself will say so. */
const noLimit = (): number => 0;

function findBodyLimit(sandboxes: Sandboxes, incoming: IncomingMessage): MaybePromise<number> {
  try {
    const limit = sandboxes.bodyLimit(new NodeRequest(incoming));
    return limit instanceof Promise ? limit.catch(noLimit) : limit;
  } catch {
    return noLimit();
  }
}

function respond(
  request: NodeRequest,
  outgoing: ServerResponse,
  mock: Mock,
  late: LateAnswers,
  onExchange: ServerOptions['onExchange'],
): void {
  // A clock is read for the log only.
  const start = onExchange === undefined ? 0 : performance.now();
  void whenReady(mock.handle(request), (response) => {
    if (response.delivery === undefined) {
      send(outgoing, response);
      onExchange?.(toExchange(request, response, performance.now() - start, mock));
      return;
    }
    const exchange = onExchange === undefined ? undefined : toExchange(request, response, 0, mock);
    deliver(outgoing, response, response.delivery, {
      late,
      ...toTellers(exchange, start, onExchange),
    });
  });
}

/** A function of its own: what is late must not hold the body of its request. */
function toTellers(
  exchange: Exchange | undefined,
  start: number,
  onExchange: ServerOptions['onExchange'],
): Pick<DeliveryHooks, 'tell' | 'tellUnsent'> {
  const tellOf = (changes: Partial<Exchange>): void => {
    if (exchange === undefined) return;
    onExchange?.({ ...exchange, ...changes, duration: performance.now() - start });
  };
  return { tell: () => tellOf({}), tellUnsent: () => tellOf(unsent) };
}

const unsent = { status: 0, refusal: 'the connection ended before the answer was due' } as const;

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
