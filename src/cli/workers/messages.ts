import type { ApiKeys } from '../../inventory/authorization.ts';
import type { KeptExchange } from '../../mock/kept-exchange.ts';
import type { SandboxLimits } from '../../mock/sandbox.ts';
import type { StoreChoice } from '../open-storage.ts';
import type { LogLevel } from '../request-log.ts';

/** What a worker is told to do. It is not on its command line: the store may name a password. */
export interface WorkerTask {
  readonly host: string;
  readonly port: number;
  readonly log: LogLevel;
  readonly admin: boolean;
  /** Where the primary process serves the admin API. */
  readonly adminSocket: string | undefined;
  readonly store: StoreChoice;
  /** What opens the default sandbox. */
  readonly apiKeys: ApiKeys;
  readonly limits: Partial<SandboxLimits>;
}

/** From the primary process to a worker. */
export type ToWorker =
  | { readonly type: 'start'; readonly task: WorkerTask }
  /** What waits to be sent is to be sent now. */
  | { readonly type: 'flush'; readonly id: number }
  | { readonly type: 'stop' };

/** What a worker has to tell, gathered for a moment. */
export interface Report {
  /** By sandbox. */
  readonly exchanges: ReadonlyMap<string, readonly KeptExchange[]>;
  /** Whole lines for standard output and standard error. */
  readonly output: string;
  readonly errors: string;
  /** How many exchanges and how many lines were dropped, because the primary could not keep up. */
  readonly dropped: number;
}

/** From a worker to the primary process. */
export type ToPrimary =
  | { readonly type: 'here' }
  | { readonly type: 'serving'; readonly url: string }
  /** It could not begin, and ends. */
  | { readonly type: 'failed'; readonly message: string; readonly code: number }
  | { readonly type: 'report'; readonly report: Report }
  | { readonly type: 'flushed'; readonly id: number };
