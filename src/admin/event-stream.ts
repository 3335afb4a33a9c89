import type { AdminEvent } from './admin-api.ts';
import { AdminError } from './admin-error.ts';
import type { AdminCall, AdminHttp } from './admin-http.ts';
import { readAdminJson } from './admin-json.ts';
import { EventParser } from './event-parser.ts';

/**
 * What happens, as it happens. Ends when its signal is aborted, and where the only sandbox that it
 * tells of is deleted. A connection that breaks is made again, and goes on where it broke off.
 */
export interface EventStream extends AsyncIterable<AdminEvent> {
  /**
   * Connects, if it is not connected yet: whatever happens after that is told. Without it, the first
   * step of the iteration connects.
   *
   * @throws {AdminError} where the server refuses, or cannot be reached
   */
  open(): Promise<void>;
}

/** The server says something every 15 seconds: silence of this length is a dead connection. */
const silenceMs = 45_000;
const firstPauseMs = 250;
const longestPauseMs = 10_000;

/**
 * @param path of the events, below `/_stockcheck/`
 * @param sandbox the only sandbox that they tell of, if it is one
 */
export function openEvents(
  http: AdminHttp,
  path: readonly string[],
  signal?: AbortSignal,
  sandbox?: string,
): EventStream {
  return new ReconnectingEvents(http, path, signal, sandbox);
}

type Body = ReadableStreamDefaultReader<Uint8Array>;

class ReconnectingEvents implements EventStream {
  readonly #http: AdminHttp;
  readonly #path: readonly string[];
  readonly #signal: AbortSignal | undefined;
  readonly #sandbox: string | undefined;
  #lastId = '';
  #pauseMs = firstPauseMs;
  #first: Promise<Body> | undefined;

  constructor(
    http: AdminHttp,
    path: readonly string[],
    signal: AbortSignal | undefined,
    sandbox: string | undefined,
  ) {
    this.#http = http;
    this.#path = path;
    this.#signal = signal;
    this.#sandbox = sandbox;
  }

  async open(): Promise<void> {
    this.#first ??= this.#connect();
    await this.#first;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AdminEvent, void> {
    try {
      await this.open();
      for (let body = await this.#first; body !== undefined; body = await this.#reconnect()) {
        for await (const event of this.#read(body)) {
          yield event;
          if (event.type === 'deleted' && event.sandbox === this.#sandbox) return;
        }
      }
    } catch (error) {
      if (this.#signal?.aborted !== true) throw error;
    } finally {
      this.#first = undefined;
    }
  }

  async #connect(): Promise<Body> {
    const body = await this.#http.stream(this.#call());
    return body.getReader();
  }

  #call(): AdminCall {
    return {
      method: 'GET',
      path: this.#path,
      signal: this.#signal,
      headers: {
        Accept: 'text/event-stream',
        ...(this.#lastId === '' ? {} : { 'Last-Event-ID': this.#lastId }),
      },
    };
  }

  /** Tries until the server answers. What the server refuses, it will refuse again: that is thrown. */
  async #reconnect(): Promise<Body> {
    for (;;) {
      await pause(this.#pauseMs, this.#signal);
      this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
      try {
        return await this.#connect();
      } catch (error) {
        if (!(error instanceof AdminError) || !mayPass(error)) throw error;
      }
    }
  }

  /** The events of one connection, until it ends or breaks. */
  async *#read(body: Body): AsyncGenerator<AdminEvent, void> {
    const parser = new EventParser();
    const decoder = new TextDecoder();
    try {
      for (;;) {
        const bytes = await readNext(body, this.#signal);
        if (bytes === undefined) return;
        const texts = parser.push(decoder.decode(bytes, { stream: true }));
        if (parser.lastId !== '') this.#lastId = parser.lastId;
        this.#pauseMs = parser.retry ?? firstPauseMs;
        for (const text of texts) yield this.#toEvent(text);
      }
    } finally {
      body.cancel().catch(() => undefined);
    }
  }

  #toEvent(data: string): AdminEvent {
    const read = readAdminJson(data);
    if (read.ok) return read.value as AdminEvent;
    const url = this.#http.urlOf(this.#call());
    throw new AdminError(`GET ${url} sent an event that is not JSON: ${read.problem}`, {
      method: 'GET',
      url,
      code: 'unexpected_answer',
    });
  }
}

function mayPass({ status, code }: AdminError): boolean {
  return code === 'unreachable' || code === 'timeout' || (status !== undefined && status >= 500);
}

/** `undefined`: the connection has ended, has broken, or is dead. */
async function readNext(body: Body, signal?: AbortSignal): Promise<Uint8Array | undefined> {
  const timer = setTimeout(() => void body.cancel().catch(() => undefined), silenceMs);
  try {
    const { value } = await body.read();
    return value;
  } catch {
    signal?.throwIfAborted();
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    // A signal may outlive any number of pauses.
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
  });
}
