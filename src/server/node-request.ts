import type { IncomingMessage } from 'node:http';
import type { MockRequest } from '../mock/exchange.ts';

const noBytes = new Uint8Array();

/** A request of `node:http` as the engine knows it. */
export class NodeRequest implements MockRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Uint8Array;
  readonly #rawHeaders: readonly string[];

  constructor(incoming: IncomingMessage, body: Uint8Array = noBytes) {
    this.method = incoming.method ?? 'GET';
    this.path = toPath(incoming.url ?? '/');
    this.body = body;
    // Not `incoming.headers`: that object costs more than the few look-ups of a request, and it
    // keeps only the first of two Authorization lines.
    this.#rawHeaders = incoming.rawHeaders;
  }

  header(name: string): string | undefined {
    let value: string | undefined;
    for (let index = 0; index < this.#rawHeaders.length; index += 2) {
      const candidate = this.#rawHeaders[index] ?? '';
      if (candidate.length === name.length && candidate.toLowerCase() === name) {
        const line = this.#rawHeaders[index + 1] ?? '';
        value = value === undefined ? line : `${value}, ${line}`;
      }
    }
    return value;
  }
}

/** The path of a request target (RFC 9112, section 3.2), as it was sent, without the query. */
function toPath(target: string): string {
  if (target.startsWith('/') && !target.includes('?')) return target;
  const origin = /^https?:\/\/[^/?]*/i.exec(target)?.[0] ?? '';
  const query = target.indexOf('?');
  return target.slice(origin.length, query === -1 ? undefined : query) || '/';
}
