import type { MaybePromise } from '../../inventory/store.ts';

/** What a stream is written to. Writing to one whose client is gone does nothing. */
export interface AdminStream {
  write(text: string): void;
  /** How many bytes wait for a client that reads too slowly. */
  readonly waiting: number;
  end(): void;
  /** Ends it without waiting for what was written. */
  destroy(): void;
  /** Aborted when the client went away, or the server stops. */
  readonly signal: AbortSignal;
}

/** An answer of the admin API, before it is HTTP. */
export type AdminAnswer =
  | {
      readonly kind: 'json';
      readonly status: number;
      /** Written as JSON; `bigint` keeps its digits. */
      readonly value: unknown;
      readonly headers?: AdminHeaders;
    }
  | { readonly kind: 'done' }
  | {
      readonly kind: 'text';
      readonly status: number;
      /** Text in UTF-8, or segments to be sent one after another. */
      readonly body: string | readonly Uint8Array[];
      readonly headers: AdminHeaders;
    }
  | {
      readonly kind: 'stream';
      readonly headers: AdminHeaders;
      /** Is called when the headers are sent; the stream stays open until it is ended. */
      run(stream: AdminStream): MaybePromise<void>;
    };

export type AdminHeaders = Readonly<Record<string, string>>;

/** 204. */
export const done: AdminAnswer = { kind: 'done' };

export function json(value: unknown, status = 200, headers: AdminHeaders = {}): AdminAnswer {
  return { kind: 'json', status, value, headers };
}

/** A request that is not answered as it wishes. The message says what, why and what to do. */
export class AdminRefusal extends Error {
  override readonly name = 'AdminRefusal';
  readonly status: number;
  /** Of the error body, for machines. */
  readonly code: string;
  readonly headers: AdminHeaders;

  constructor(status: number, code: string, message: string, headers: AdminHeaders = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}
