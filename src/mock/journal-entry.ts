import type { OperationId } from '../../contracts/case.ts';
import type { ChangedItem } from './diff.ts';
import type { FaultHit } from './exchange.ts';

/** One request and what was answered. */
export interface JournalEntry {
  /**
   * Rises with every exchange of a sandbox: by one, from 1, or by more where several servers share it,
   * which has the time in it.
   */
  readonly sequence: number;
  /** ISO 8601, in UTC. */
  readonly at: string;
  /** In milliseconds, from the whole request to the answer, delays that were asked for included. */
  readonly duration: number;
  /** Left out: the request was addressed to no operation. */
  readonly operation?: OperationId;
  /** The pet that the path names, where it is an int64. Left out as well where it would tell a key. */
  readonly petId?: bigint;
  readonly request: {
    readonly method: string;
    readonly path: string;
    /** Those that matter to the contract; never a key. */
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body: BodyView;
  };
  readonly response: {
    /** 0 where nothing was answered. */
    readonly status: number;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body: BodyView;
  };
  readonly verdict: ExchangeVerdict;
  /** Why the request was refused. Left out where it was not. */
  readonly refusal?: string;
  /** What the request changed. Left out: nothing. */
  readonly change?: ChangedItem;
  /** What a fault did. Left out: there was none. */
  readonly fault?: FaultHit;
}

export interface BodyView {
  /** In bytes, whole. */
  readonly length: number;
  /** The first of them, as UTF-8; bytes that are none are replaced. */
  readonly text: string;
  readonly isCut: boolean;
}

/** What the contract says of an exchange. */
export interface ExchangeVerdict {
  readonly verdict: 'pass' | 'fail' | 'inconclusive';
  /**
   * The clauses that the exchange is about, broken ones first. Empty: the specification does not
   * cover it, and there is nothing to break.
   */
  readonly clauses: readonly string[];
  /** What is broken, or why that cannot be told, in sentences. */
  readonly findings: readonly string[];
}

/** What a journal is asked for: `?operation=updateInventory&petId=12&wait=5`. */
export interface JournalQuery {
  readonly operation?: OperationId;
  readonly petId?: bigint;
  readonly method?: string;
  /** Of the response. */
  readonly status?: number;
  readonly verdict?: ExchangeVerdict['verdict'];
  /** Only exchanges with a higher sequence. */
  readonly after?: number;
  /** The newest so many, or with `after` the oldest, from 1 to 1000. Left out: 100. */
  readonly limit?: number;
  /** Seconds to wait for a first match, from 0 to 60. Left out: 0. */
  readonly wait?: number;
}

/** The answer to it. In the order they happened. */
export interface JournalPage {
  readonly exchanges: readonly JournalEntry[];
  /** The sequence of the last exchange of the sandbox: what `after` takes to see what is new. */
  readonly last: number;
  /**
   * Of several servers with one journal, some could not be asked, or have not answered in time: what
   * they were asked is missing. Left out: nothing is.
   */
  readonly isPartial?: true;
}
