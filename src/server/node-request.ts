import type { IncomingMessage } from 'node:http';
import type { MockRequest } from '../mock/exchange.ts';

const noBytes = new Uint8Array();

const authorization = 'authorization';
const contentType = 'content-type';
const prefer = 'prefer';

/** @param usual as most clients spell it: no need to make another text of it */
const is = (name: string, usual: string, lower: string): boolean =>
  name.length === lower.length &&
  (name === usual || name === lower || name.toLowerCase() === lower);

const join = (value: string | undefined, line: string): string =>
  value === undefined ? line : `${value}, ${line}`;

/** A request of `node:http` as the engine knows it. */
export class NodeRequest implements MockRequest {
  readonly method: string;
  /** As it was sent: a path with its query, or a whole address. */
  readonly target: string;
  readonly path: string;
  readonly body: Uint8Array;
  // Not `incoming.headers`: that object costs more than the few look-ups of a request, and it keeps
  // only the first of two Authorization lines.
  readonly #rawHeaders: readonly string[];
  #isRead = false;
  #authorization: string | undefined;
  #contentType: string | undefined;
  #prefer: string | undefined;

  constructor(incoming: IncomingMessage, body: Uint8Array = noBytes) {
    this.method = incoming.method ?? 'GET';
    this.target = incoming.url ?? '/';
    this.path = toPath(this.target);
    this.body = body;
    this.#rawHeaders = incoming.rawHeaders;
  }

  header(name: string): string | undefined {
    if (!this.#isRead) this.#read();
    switch (name) {
      case authorization:
        return this.#authorization;
      case contentType:
        return this.#contentType;
      case prefer:
        return this.#prefer;
      default:
        return this.#find(name);
    }
  }

  /** Finds what the engine asks for in nearly every request, several times, by going through once. */
  #read(): void {
    this.#isRead = true;
    const headers = this.#rawHeaders;
    for (let index = 0; index < headers.length; index += 2) {
      const name = headers[index] ?? '';
      const value = headers[index + 1] ?? '';
      if (is(name, 'Authorization', authorization)) {
        this.#authorization = join(this.#authorization, value);
      } else if (is(name, 'Content-Type', contentType)) {
        this.#contentType = join(this.#contentType, value);
      } else if (is(name, 'Prefer', prefer)) {
        this.#prefer = join(this.#prefer, value);
      }
    }
  }

  #find(name: string): string | undefined {
    let value: string | undefined;
    for (let index = 0; index < this.#rawHeaders.length; index += 2) {
      if (is(this.#rawHeaders[index] ?? '', name, name)) {
        value = join(value, this.#rawHeaders[index + 1] ?? '');
      }
    }
    return value;
  }
}

/** The path of a request target (RFC 9112, section 3.2), as it was sent, without the query. */
export function toPath(target: string): string {
  if (target.startsWith('/') && !target.includes('?')) return target;
  const origin = /^https?:\/\/[^/?]*/i.exec(target)?.[0] ?? '';
  const query = target.indexOf('?');
  return target.slice(origin.length, query === -1 ? undefined : query) || '/';
}
