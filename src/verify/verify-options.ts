import type { LeftOut, Result } from './report.ts';

/** What a run is to do. */
export interface VerifyOptions {
  /** The address that ends in `/v1`. */
  readonly baseUrl: string | URL;
  /** A key that the provider accepts: visible ASCII characters. */
  readonly apiKey: string;
  /** Sends nothing but GET, so that nothing can be written. Left out: false. */
  readonly readOnly?: boolean;
  /** The most updates that a provider may apply, those that restore included. Left out: no limit. */
  readonly maximumWrites?: number;
  /** Pets that may be written to. Left out: all that are listed. */
  readonly pets?: readonly bigint[];
  /** Ids of pets that do not exist. Left out: ids that are not listed. */
  readonly unknownPets?: readonly bigint[];
  /** For one exchange, in milliseconds. Left out: 5000. */
  readonly timeoutMs?: number;
  /** For the whole run, in milliseconds; restoring comes on top. Left out: 120,000. */
  readonly deadlineMs?: number;
  /** The most bytes that the body of a list may have. Left out: 256 MiB. */
  readonly maximumBodyBytes?: number;
  /** How many requests may be under way at once. Left out: 8. */
  readonly concurrency?: number;
  /** An int32 that decides the random sequences and made-up ids. Left out: another each time. */
  readonly seed?: number;
  /** How many random sequences. Left out: 20. */
  readonly runs?: number;
  /** Judges these cases and checks only. Left out: all. */
  readonly selects?: (id: string) => boolean;
  /** Turns advice into failures. Left out: false. */
  readonly strict?: boolean;
  /** Where provider states are set (Pact's protocol). */
  readonly stateUrl?: string | URL;
  /** What opens the state-change URL, sent to it as a bearer token. Left out: nothing. */
  readonly stateToken?: string;
  /** Stops the run; what was changed is restored all the same. */
  readonly signal?: AbortSignal;
  /** Is told of every result as soon as it is there. */
  readonly onResult?: (result: Result) => void;
  readonly onLeftOut?: (leftOut: LeftOut) => void;
}
