import http from 'node:http';
import https from 'node:https';
import type { CaseRequest } from '../../contracts/case.ts';
import type { ReceivedResponse } from '../../contracts/judge.ts';

export interface HttpClientOptions {
  readonly baseUrl: URL;
  /** For one whole exchange, in milliseconds. */
  readonly timeoutMs: number;
  /** The most bytes that a response body may have. */
  readonly maximumBodyBytes: number;
  /** The most requests under way at once. */
  readonly concurrency: number;
}

/** The path of a base address, without a slash at its end. */
export function basePathOf(baseUrl: URL): string {
  return baseUrl.pathname.replace(/\/$/, '');
}

/** A response that arrived whole. */
export interface Response extends ReceivedResponse {
  readonly kind: 'response';
  readonly statusText: string;
  /** As they came: names in the provider's own spelling, in their order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/**
 * - `unreachable`: no connection, so nobody was asked
 * - `unanswered`: connected, but nothing came back in time
 * - the others: something came back, or the connection was broken off
 */
export type TroubleKind =
  'unreachable' | 'unanswered' | 'unfinished' | 'reset' | 'truncated' | 'too-large' | 'malformed';

/** Why there is no whole response. */
export interface Trouble {
  readonly kind: 'trouble';
  readonly trouble: TroubleKind;
  /** What happened, to be read after "the provider did not answer properly: ". */
  readonly sentence: string;
}

export type Reply = Response | Trouble;

type Attempt = { readonly reply: Reply; readonly droppedIdleConnection: boolean };

/**
 * Sends requests byte by byte as they are given and takes whatever comes back: it follows no
 * redirect, decodes nothing, obeys no proxy setting, and never rejects.
 */
export class HttpClient {
  readonly #options: HttpClientOptions;
  readonly #transport: typeof http | typeof https;
  #agent: http.Agent;
  #retired: http.Agent | undefined;
  #keepsConnections = true;
  #connections: number;
  /** Sockets that have carried a request already. */
  readonly #used = new WeakSet<object>();

  constructor(options: HttpClientOptions) {
    this.#options = options;
    this.#connections = options.concurrency;
    this.#transport = options.baseUrl.protocol === 'https:' ? https : http;
    this.#agent = this.#createAgent();
  }

  /** How many requests may be under way at once. */
  get connections(): number {
    return this.#connections;
  }

  /** For one whole exchange, in milliseconds. */
  get timeoutMs(): number {
    return this.#options.timeoutMs;
  }

  /** The time-out begins at once: the caller keeps to {@link HttpClient.connections}. */
  async send(request: CaseRequest): Promise<Reply> {
    const attempt = await this.#attempt(request);
    if (!attempt.droppedIdleConnection) return attempt.reply;
    // A server may close a connection that it keeps for us at any time (RFC 9112, section 9.3.1), so
    // this proves nothing. From now on every request has a connection of its own: if one is dropped
    // then, it is the provider's doing.
    if (this.#keepsConnections) {
      this.#keepsConnections = false;
      this.#closeIdleConnections();
      this.#retired = this.#agent;
      this.#agent = this.#createAgent();
    }
    return (await this.#attempt(request)).reply;
  }

  /** Some providers serve one connection, or a few, until it is closed: the others would wait. */
  limitConnections(count: number): void {
    this.#connections = count;
    if (this.#keepsConnections) this.#agent.maxSockets = count;
    this.#closeIdleConnections();
  }

  close(): void {
    this.#agent.destroy();
    this.#retired?.destroy();
  }

  #createAgent(): http.Agent {
    // With a limit, an agent hands a socket that is done to a request that waits, although it keeps
    // none, and a server that was asked to close it does so: no request must ever wait here.
    if (!this.#keepsConnections) return new this.#transport.Agent({ keepAlive: false });
    return new this.#transport.Agent({
      keepAlive: true,
      maxSockets: this.#connections,
      maxFreeSockets: this.#connections,
    });
  }

  #closeIdleConnections(): void {
    for (const sockets of Object.values(this.#agent.freeSockets)) {
      for (const socket of sockets ?? []) socket.destroy();
    }
  }

  #attempt(request: CaseRequest): Promise<Attempt> {
    return new Promise((resolve) => {
      const outgoing = this.#open(request);
      let settled = false;
      let response: http.IncomingMessage | undefined;
      let received = 0;
      let bytesBefore: number | undefined;
      let isReused = false;

      const settle = (reply: Reply, droppedIdleConnection = false): void => {
        if (settled) return;
        settled = true;
        clearTimeout(timer);
        // A connection with something unread on it cannot be used again.
        if (reply.kind === 'trouble') outgoing.destroy();
        resolve({ reply, droppedIdleConnection });
      };
      const fail = (trouble: TroubleKind, sentence: string): void =>
        settle({ kind: 'trouble', trouble, sentence });

      const { timeoutMs } = this.#options;
      const timer = setTimeout(() => {
        const heard = (outgoing.socket?.bytesRead ?? 0) - (bytesBefore ?? 0);
        if (response === undefined && bytesBefore !== undefined && heard > 0) {
          fail(
            'unfinished',
            `the headers of the response had not ended after ${timeoutMs} ms; ${heard} bytes had come`,
          );
        } else if (response === undefined) {
          fail('unanswered', `nothing came back within ${timeoutMs} ms`);
        } else {
          fail(
            'unfinished',
            `the response had not ended after ${timeoutMs} ms; ${received} bytes of its body had come`,
          );
        }
      }, timeoutMs);

      outgoing.on('socket', (socket) => {
        // Node's own `reusedSocket` leaves out what is handed to a request that waited.
        isReused = this.#used.has(socket);
        this.#used.add(socket);
        // What TLS itself exchanges cannot be told apart.
        if (this.#options.baseUrl.protocol === 'http:') bytesBefore = socket.bytesRead;
      });
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        const trouble = toTrouble(error, response !== undefined, this.#options.baseUrl);
        const dropped = trouble.trouble === 'reset' && response === undefined;
        settle(trouble, dropped && isReused);
      });
      outgoing.on('close', () => {
        if (response === undefined) fail('reset', 'the connection was closed without a response');
        else fail('truncated', describeTruncation(response, received));
      });
      outgoing.on('upgrade', (incoming, socket) => {
        socket.destroy();
        fail('malformed', `it switched protocols (status ${incoming.statusCode ?? 101}) unasked`);
      });
      outgoing.on('response', (incoming) => {
        response = incoming;
        const chunks: Buffer[] = [];
        const limit = this.#limitOf(request, incoming);
        incoming.on('data', (chunk: Buffer) => {
          received += chunk.length;
          chunks.push(chunk);
          if (received > limit) {
            fail('too-large', `the body of the response has more than ${limit} bytes`);
          }
        });
        incoming.on('end', () => settle(toResponse(incoming, chunks)));
        incoming.on('error', () => fail('truncated', describeTruncation(incoming, received)));
        incoming.on('close', () => fail('truncated', describeTruncation(incoming, received)));
      });
      sendBody(outgoing, request);
    });
  }

  /** Only a list has a reason to be long. */
  #limitOf(request: CaseRequest, incoming: http.IncomingMessage): number {
    const { maximumBodyBytes } = this.#options;
    return request.method === 'GET' && incoming.statusCode === 200
      ? maximumBodyBytes
      : Math.min(maximumBodyBytes, shortBodyBytes);
  }

  #open(request: CaseRequest): http.ClientRequest {
    const { baseUrl } = this.#options;
    const fields = [
      ['Host', baseUrl.host] as const,
      ['User-Agent', 'stockcheck-verify'] as const,
      ['Accept', '*/*'] as const,
      ['Accept-Encoding', 'identity'] as const,
      ...request.headers,
      ...(request.body === undefined
        ? []
        : [['Content-Length', String(request.body.length)] as const]),
      ['Connection', this.#keepsConnections ? 'keep-alive' : 'close'] as const,
    ];
    const options = {
      agent: this.#agent,
      // An IPv6 address stands in brackets in a URL only.
      hostname: baseUrl.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: baseUrl.port === '' ? undefined : baseUrl.port,
      method: request.method,
      path: basePathOf(baseUrl) + request.path,
      setHost: false,
    };
    if (request.method === 'GET' || request.body !== undefined) {
      // An array of names and values goes out as it is, in this order and spelling.
      return this.#transport.request({ ...options, headers: fields.flat() });
    }
    // A PATCH without a body: given an array, Node would announce a chunked one.
    const outgoing = this.#transport.request(options);
    for (const [name, value] of fields) outgoing.setHeader(name, value);
    outgoing.removeHeader('Content-Length');
    outgoing.removeHeader('Transfer-Encoding');
    return outgoing;
  }
}

/** Long enough for a provider to see the first piece alone, in milliseconds. */
const pause = 25;

function sendBody(outgoing: http.ClientRequest, { body, inPieces }: CaseRequest): void {
  if (body === undefined || inPieces === undefined) {
    outgoing.end(body);
    return;
  }
  const half = body.length >> 1;
  outgoing.write(body.subarray(0, half));
  setTimeout(() => {
    if (!outgoing.destroyed) outgoing.end(body.subarray(half));
  }, pause);
}

/** More than any item or error needs. */
const shortBodyBytes = 2 ** 20;

function toResponse(incoming: http.IncomingMessage, chunks: readonly Buffer[]): Response {
  const { rawHeaders } = incoming;
  const headers = Array.from(
    { length: rawHeaders.length / 2 },
    (_, index) => [rawHeaders[2 * index] ?? '', rawHeaders[2 * index + 1] ?? ''] as const,
  );
  return {
    kind: 'response',
    status: incoming.statusCode ?? 0,
    statusText: incoming.statusMessage ?? '',
    headers,
    header: (wanted) => {
      const values = headers.filter(([name]) => name.toLowerCase() === wanted);
      return values.length === 0 ? undefined : values.map(([, value]) => value).join(', ');
    },
    body: Buffer.concat(chunks),
  };
}

function describeTruncation(incoming: http.IncomingMessage, received: number): string {
  const declared = incoming.headers['content-length'];
  return declared === undefined
    ? `the connection was closed after ${received} bytes, before the body had ended`
    : `the connection was closed after ${received} bytes of a body that was announced with ${declared}`;
}

const unreachableCodes: { readonly [code: string]: string } = {
  ECONNREFUSED: 'nothing accepts connections there',
  ENOTFOUND: 'the host name cannot be resolved',
  EAI_AGAIN: 'the host name cannot be resolved',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the network',
  ETIMEDOUT: 'the host did not accept the connection in time',
  EACCES: 'the connection is not permitted',
  EADDRNOTAVAIL: 'the address is not available',
};

const untrustedCodes: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

const untrusted =
  'its certificate is signed by itself or by an authority that Node.js does not know; give the certificate of the signer, a PEM file, in the environment variable NODE_EXTRA_CA_CERTS';

const resetCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

const toTroubleOf = (trouble: TroubleKind, sentence: string): Trouble => ({
  kind: 'trouble',
  trouble,
  sentence,
});

function toTrouble(error: NodeJS.ErrnoException, hasResponse: boolean, baseUrl: URL): Trouble {
  const code = error.code ?? '';
  if (code.startsWith('HPE_')) {
    return toTroubleOf(
      'malformed',
      `what came back is not HTTP/1.1: ${error.message.replace(/^Parse Error: /, '')}`,
    );
  }
  if (resetCodes.has(code)) {
    return hasResponse
      ? toTroubleOf('truncated', 'the connection was reset before the body had ended')
      : toTroubleOf('reset', 'the connection was reset without a response');
  }
  const reason = unreachableCodes[code] ?? (untrustedCodes.has(code) ? untrusted : error.message);
  return toTroubleOf('unreachable', `there is no connection to ${baseUrl.host}: ${reason}`);
}
