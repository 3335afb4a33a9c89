/** Facts of a request that came to nothing. */
export interface AdminErrorFacts {
  readonly method: string;
  readonly url: string;
  readonly code: string;
  readonly status?: number | undefined;
  readonly cause?: unknown;
}

/**
 * Something asked of the admin API was not done. The message says what, why and what to do; it never
 * holds a token or a key.
 */
export class AdminError extends Error {
  override readonly name = 'AdminError';
  /** Of the answer. `undefined`: there was none. */
  readonly status: number | undefined;
  /**
   * As the server calls it, such as `not_found`; or `unreachable`, `timeout`, `unexpected_answer`,
   * and `request_not_seen` of `waitForRequest`.
   */
  readonly code: string;
  readonly method: string;
  readonly url: string;

  constructor(message: string, facts: AdminErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.status = facts.status;
    this.code = facts.code;
    this.method = facts.method;
    this.url = facts.url;
  }
}
