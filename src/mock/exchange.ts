/** A request as the engine knows it, whatever transport it came by. */
export interface MockRequest {
  readonly method: string;
  /** The path of the request target: percent-encoded, without the query. */
  readonly path: string;
  /** The value of a header, its name in lower case; several lines are joined by `, `. */
  header(name: string): string | undefined;
  /**
   * The bytes of the body; empty where there is none. A transport may stop reading one byte beyond
   * the mock's body limit.
   */
  readonly body: Uint8Array;
}

/** A response as the engine gives it. */
export interface MockResponse {
  /** 0 where nothing is answered, which `delivery` sees to. */
  readonly status: number;
  /** Names and values in turn, without Content-Length. */
  readonly headers: readonly string[];
  /** Text to be sent in UTF-8, or segments to be sent one after another. */
  readonly body: string | readonly Uint8Array[];
  /** Why the request was refused; left out where it was not. */
  readonly refusal?: string;
  /** The fault that hit the exchange. Left out: none did. */
  readonly fault?: FaultHit;
  /** How the transport is to spoil it. Left out: not at all. */
  readonly delivery?: Delivery;
}

/** Which fault hit an exchange, and what it did. */
export interface FaultHit {
  /** The rule's, or `prefer` where the request asked for it itself. */
  readonly id: string;
  readonly kind: string;
}

/** How a transport spoils a response, because somebody asked for it. */
export interface Delivery {
  /** How long to wait before the first byte, in milliseconds. */
  readonly delay: number;
  /** What goes wrong then. Left out: nothing. */
  readonly damage?: Damage;
  /**
   * Does it as far as a WHATWG `Response` can.
   *
   * @param respond makes the response that would have been
   * @param signal of the request
   */
  overFetch(respond: () => Response, signal: AbortSignal): Promise<Response>;
}

/** What goes wrong on the way to the client. */
export type Damage =
  /** The connection is reset (TCP RST). */
  | { readonly kind: 'reset' }
  /** Nothing ever comes. */
  | { readonly kind: 'hang' }
  /** The connection is closed without a byte. */
  | { readonly kind: 'empty-reply' }
  /** The connection is closed behind so many bytes of the body; Content-Length counts them all. */
  | { readonly kind: 'truncate'; readonly bytes: number }
  /** The body comes bit by bit. */
  | { readonly kind: 'slow-drip'; readonly bytesPerSecond: number };
