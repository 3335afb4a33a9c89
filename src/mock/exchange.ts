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
  readonly status: number;
  /** Names and values in turn, without Content-Length. */
  readonly headers: readonly string[];
  /** Text to be sent in UTF-8, or segments to be sent one after another. */
  readonly body: string | readonly Uint8Array[];
  /** Why the request was refused; left out where it was not. */
  readonly refusal?: string;
}
