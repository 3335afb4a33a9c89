import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** A request of ours to a provider. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: URL;
  /** Names and values in turn, without Host and Content-Length. */
  readonly headers: readonly string[];
  readonly body?: Uint8Array;
}

export type ExchangeResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Names and values in turn. */
      readonly headers: readonly string[];
      readonly body: Buffer;
    }
  /** Why no answer came, or none that could be read. */
  | { readonly kind: 'unanswered'; readonly problem: string };

/** More than any inventory that somebody verifies with a pact. */
const maximumBytes = 16 * 1_048_576;

/**
 * Sends one request, byte by byte. No redirect is followed, no proxy of the environment used.
 *
 * @param timeout how long the whole exchange may take, in milliseconds
 */
export function exchange(request: OutgoingRequest, timeout: number): Promise<ExchangeResult> {
  const { method, url, headers, body } = request;
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(timeout);
    const fail = (error: Error): void => {
      const problem = signal.aborted ? `no answer within ${timeout} ms` : error.message;
      resolve({ kind: 'unanswered', problem });
    };
    const outgoing = send(
      url,
      {
        method,
        signal,
        agent: false,
        headers: [
          'Host',
          url.host,
          ...headers,
          ...(body === undefined ? [] : ['Content-Length', `${body.length}`]),
        ],
      },
      (incoming) => {
        incoming.on('error', fail);
        readAll(incoming, resolve, fail);
      },
    );
    outgoing.on('error', fail);
    // Else Node frames a body of no chunks where there is none.
    outgoing.useChunkedEncodingByDefault = false;
    outgoing.end(body);
  });
}

function readAll(
  incoming: IncomingMessage,
  resolve: (result: ExchangeResult) => void,
  fail: (error: Error) => void,
): void {
  const chunks: Buffer[] = [];
  let length = 0;
  incoming.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length <= maximumBytes) return;
    fail(new Error(`the body of the answer has more than ${maximumBytes} bytes`));
    incoming.destroy();
  });
  incoming.on('end', () => {
    resolve({
      kind: 'answered',
      status: incoming.statusCode ?? 0,
      headers: incoming.rawHeaders,
      body: Buffer.concat(chunks),
    });
  });
}
