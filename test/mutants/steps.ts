import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { ExactJson } from '../../src/json/exact-json.ts';

/** One stock entry as the provider keeps it. */
export interface Entry {
  readonly petId: bigint;
  quantity: bigint;
  status: string;
}

/** What a provider knows: handed to every change, so that two providers share nothing. */
export interface World {
  readonly inventory: Map<bigint, Entry>;
  readonly apiKeys: readonly string[];
  /** Puts the inventory back to its seed. */
  readonly reset: () => void;
}

export type Operation = 'listInventory' | 'updateInventory' | 'unknown';

/** One request, read to its end. */
export interface Exchange {
  /** 1 for the first request of the provider's life. */
  readonly number: number;
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The path segment, percent-decoded; empty where the operation has none. */
  readonly petId: string;
  readonly headers: IncomingHttpHeaders;
  /** The same object for all requests of one connection. */
  readonly connection: object;
  readonly body: Buffer;
  /** What arrived of it first. */
  readonly firstPiece: Buffer;
}

/** A request that is not granted. */
export class Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;

  constructor(status: number, code: string, message: string) {
    this.status = status;
    this.code = code;
    this.message = message;
  }
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export type Route = Pick<Exchange, 'operation' | 'petId'>;

/** The steps of a provider, each of which a mutant may take differently. */
export interface Steps {
  readonly route: (method: string, path: string) => Route;
  /** The whole way from a request to its reply. */
  readonly answer: (exchange: Exchange) => Promise<Reply>;
  readonly authorize: (exchange: Exchange) => Refusal | undefined;
  /** The key that the request carries, if it carries one in the right place. */
  readonly readToken: (exchange: Exchange) => string | undefined;
  readonly isKnown: (token: string) => boolean;
  readonly update: (exchange: Exchange) => Promise<Reply>;
  readonly checkMediaType: (exchange: Exchange) => Refusal | undefined;
  /** Media type, bytes, text, value, quantity: the steps below, one after another. */
  readonly readQuantity: (exchange: Exchange) => bigint | Refusal;
  readonly decode: (bytes: Buffer) => string | Refusal;
  readonly parse: (text: string) => { readonly value: ExactJson } | Refusal;
  /** The value of quantity inside the body. */
  readonly pickQuantity: (value: ExactJson) => { readonly value: ExactJson } | Refusal;
  readonly toQuantity: (value: ExactJson) => bigint | Refusal;
  /** What a path segment means; `undefined` where it is no int64. */
  readonly toPetId: (segment: string) => bigint | undefined;
  readonly findPet: (exchange: Exchange) => Entry | Refusal;
  /** Writes the quantity, and returns the entry as it is to be echoed. */
  readonly apply: (entry: Entry, quantity: bigint, exchange: Exchange) => Entry | Promise<Entry>;
  readonly list: (exchange: Exchange) => readonly Entry[];
  /** An entry as a JSON value, in the list and alone. */
  readonly toItem: (entry: Entry, exchange: Exchange) => unknown;
  readonly toItemBody: (entry: Entry, exchange: Exchange) => unknown;
  readonly toListBody: (entries: readonly Entry[], exchange: Exchange) => unknown;
  readonly toErrorBody: (refusal: Refusal, exchange: Exchange) => unknown;
  readonly stringify: (body: unknown, exchange: Exchange) => string;
  readonly reply: (status: number, body: unknown, exchange: Exchange) => Reply;
  readonly refuse: (refusal: Refusal, exchange: Exchange) => Reply;
  readonly send: (reply: Reply, exchange: Exchange, response: ServerResponse) => void;
}

/** The steps that a mutant takes differently. It may call the steps that it replaces. */
export type Change = (base: Steps, world: World) => Partial<Steps>;

/** One change after another; a later one sees the steps that the earlier ones made. */
export function combine(...changes: readonly Change[]): Change {
  return (base, world) => {
    let steps = base;
    for (const change of changes) steps = Object.assign({}, steps, change(steps, world));
    return steps;
  };
}
