import { isSendableKey } from '../inventory/authorization.ts';
import { cutText } from '../json/cut-text.ts';
import { AdminError, type AdminErrorFacts } from './admin-error.ts';
import { readAdminJson, writeAdminJson } from './admin-json.ts';

export interface AdminClientOptions {
  /**
   * Where the server is: its origin, such as `http://127.0.0.1:4010`, or its `/v1` or
   * `/_stockcheck/` address.
   */
  readonly url: string | URL;
  /** What a server on an address other than loopback printed at its start. */
  readonly token?: string;
  /** Left out: the platform's own. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** How long an answer may take, in milliseconds. Left out: 10,000. */
  readonly timeoutMs?: number;
}

export interface RequestOptions {
  /** Stops the request; the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** One request to the admin API. */
export interface AdminCall extends RequestOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/_stockcheck/`, segment by segment. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Comes on top of the client's own, in milliseconds. */
  readonly moreTime?: number;
}

/** Sends requests to the admin API of one server. Every failure is an {@link AdminError}. */
export interface AdminHttp {
  /** Of the service: it ends in `/v1`. */
  readonly baseUrl: string;
  /** Sends a request whose answer has no body that matters. */
  send(call: AdminCall): Promise<void>;
  text(call: AdminCall): Promise<string>;
  /** The type is what the admin API promises; only what cannot be JSON at all is refused. */
  json<Value extends object>(call: AdminCall): Promise<Value>;
  /** Resolves when the answer begins. From then on only the signal of the call stops it. */
  stream(call: AdminCall): Promise<ReadableStream<Uint8Array>>;
  /** The whole address of a call, for messages. */
  urlOf(call: AdminCall): string;
}

const defaultTimeoutMs = 10_000;

/**
 * @throws {TypeError} for what is no address of a server
 * @throws {RangeError} for a token that cannot be sent
 */
export function createAdminHttp(options: AdminClientOptions): AdminHttp {
  const { token, timeoutMs = defaultTimeoutMs } = options;
  const root = toRoot(options.url);
  if (token !== undefined && !isSendableKey(token)) {
    throw new RangeError('the token must be one or more visible ASCII characters without spaces');
  }
  const context: Context = {
    root,
    token,
    timeoutMs,
    fetch: options.fetch ?? ((request) => fetch(request)),
  };
  return {
    baseUrl: new URL('v1', root).href,
    send: (call) => exchange(call, context, drain),
    text: (call) => exchange(call, context, (response) => response.text()),
    json: <Value extends object>(call: AdminCall) =>
      exchange(call, context, async (response) => {
        const { status } = response;
        return readObject(call, context, status, await response.text()) as Value;
      }),
    stream: (call) =>
      exchange(call, context, (response) =>
        Promise.resolve(response.body ?? new Blob([]).stream()),
      ),
    urlOf: (call) => toUrl(call, context).href,
  };
}

interface Context {
  /** Ends in a slash. */
  readonly root: URL;
  readonly token: string | undefined;
  readonly timeoutMs: number;
  readonly fetch: (request: Request) => Promise<Response>;
}

/** The address that `/v1` and `/_stockcheck/` are below. */
function toRoot(address: string | URL): URL {
  const root = URL.canParse(address) ? new URL(address) : undefined;
  if (root === undefined || !/^https?:$/.test(root.protocol)) {
    // What stands before an @ may be a password, also where the address cannot be read.
    const shown = String(address).replace(/^([^/]*\/\/)?.*@/s, '$1…@');
    throw new TypeError(
      `url must be the address of a Stockcheck server, such as http://127.0.0.1:4010; got ${JSON.stringify(cutText(shown))}`,
    );
  }
  if (root.username !== '' || root.password !== '') {
    throw new TypeError('url must hold no user name and no password; give the token as an option');
  }
  root.pathname = `${root.pathname.replace(/\/(?:v1|_stockcheck)?\/?$/, '')}/`;
  root.search = '';
  root.hash = '';
  return root;
}

function toUrl({ path, query = {} }: AdminCall, { root }: Context): URL {
  const url = new URL(`_stockcheck/${path.map(toSegment).join('/')}`, root);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

function toSegment(name: string): string {
  // A URL cannot hold these: they would be resolved away.
  if (name === '' || name === '.' || name === '..') {
    throw new RangeError(`${JSON.stringify(name)} cannot be a name: no address can hold it`);
  }
  return encodeURIComponent(name);
}

async function exchange<Value>(
  call: AdminCall,
  context: Context,
  read: (response: Response) => Promise<Value>,
): Promise<Value> {
  const { signal } = call;
  signal?.throwIfAborted();
  const stop = new AbortController();
  const request = toRequest(
    call,
    context,
    signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]),
  );
  const timeoutMs = context.timeoutMs + (call.moreTime ?? 0);
  const timer = setTimeout(() => stop.abort(), timeoutMs);
  let hasBegun = false;
  try {
    const response = await context.fetch(request);
    hasBegun = true;
    if (!response.ok) throw await toRefusal(call, context, response);
    return await read(response);
  } catch (cause) {
    if (cause instanceof AdminError) throw cause;
    signal?.throwIfAborted();
    if (stop.signal.aborted) throw toTimeout(call, context, timeoutMs);
    throw hasBegun ? toBroken(call, context, cause) : toUnreachable(call, context, cause);
  } finally {
    clearTimeout(timer);
  }
}

function toRequest(call: AdminCall, context: Context, signal: AbortSignal): Request {
  const headers = new Headers(call.headers);
  if (context.token !== undefined) headers.set('Authorization', `Bearer ${context.token}`);
  const body = call.body === undefined ? undefined : writeAdminJson(call.body);
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  return new Request(toUrl(call, context), {
    method: call.method,
    headers,
    // A token must not follow to where a redirect leads.
    redirect: 'error',
    signal,
    ...(body === undefined ? {} : { body }),
  });
}

/** A body that is not read keeps its connection. */
async function drain(response: Response): Promise<void> {
  await response.arrayBuffer();
}

function readObject(call: AdminCall, context: Context, status: number, text: string): object {
  const read = readAdminJson(text);
  if (read.ok && typeof read.value === 'object' && read.value !== null) return read.value;
  const why = read.ok ? 'not an object' : `not JSON (${read.problem})`;
  throw toError(
    call,
    context,
    { code: 'unexpected_answer', status },
    `was answered with ${status} and a body that is ${why}; is this the address of a Stockcheck server?`,
  );
}

async function toRefusal(
  call: AdminCall,
  context: Context,
  response: Response,
): Promise<AdminError> {
  const { status } = response;
  const read = readAdminJson(await response.text());
  const error = read.ok ? (read.value as { code?: unknown; message?: unknown } | null) : null;
  if (typeof error?.code !== 'string' || typeof error.message !== 'string') {
    return toError(
      call,
      context,
      { code: 'unexpected_answer', status },
      `was answered with ${status}, and not in the way of Stockcheck; is this the address of a Stockcheck server?`,
    );
  }
  const advice = status === 401 ? `; ${tokenAdvice(context)}` : '';
  const why = `was refused with ${status}: ${error.message}${advice}`;
  return toError(call, context, { code: error.code, status }, hideSecrets(why, call, context));
}

function tokenAdvice({ token }: Context): string {
  return token === undefined
    ? 'give createAdminClient the token that the server printed at its start'
    : 'the token that was given is not the one that the server printed at its start';
}

/** What a server repeats of a request may be a token or a key. */
function hideSecrets(text: string, { body }: AdminCall, { token }: Context): string {
  const { apiKey } = (body ?? {}) as { readonly apiKey?: unknown };
  return [token, apiKey].reduce<string>(
    (hidden, secret) =>
      typeof secret === 'string' && secret !== '' ? hidden.replaceAll(secret, '…') : hidden,
    text,
  );
}

function toTimeout(call: AdminCall, context: Context, timeoutMs: number): AdminError {
  const why = `got no whole answer within ${timeoutMs} ms; is the server busy, or stopped in a debugger?`;
  return toError(call, context, { code: 'timeout' }, why);
}

function toBroken(call: AdminCall, context: Context, cause: unknown): AdminError {
  const why = `got an answer that broke off: ${describeCause(cause)}; did the server stop?`;
  return toError(call, context, { code: 'unreachable', cause }, why);
}

function toUnreachable(call: AdminCall, context: Context, cause: unknown): AdminError {
  const { hostname, port } = context.root;
  const isHere = /^(?:localhost|127\..*|\[::1\])$/.test(hostname);
  const flag = port === '4010' ? '' : ` --port ${port === '' ? '80' : port}`;
  const advice = isHere
    ? `start it with: npx stockcheck${flag}`
    : 'check the address, and that the server runs';
  const why = `got no answer: ${describeCause(cause)}; ${advice}`;
  return toError(call, context, { code: 'unreachable', cause }, why);
}

/** `fetch failed` says nothing; what lies below it does. */
function describeCause(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const below = cause.cause instanceof Error ? cause.cause : undefined;
  const detail = below?.message || (below as { code?: string } | undefined)?.code;
  return detail === undefined ? cause.message : `${cause.message} (${detail})`;
}

function toError(
  call: AdminCall,
  context: Context,
  facts: Omit<AdminErrorFacts, 'method' | 'url'>,
  why: string,
): AdminError {
  const url = toUrl(call, context).href;
  return new AdminError(`${call.method} ${url} ${why}`, { ...facts, method: call.method, url });
}
