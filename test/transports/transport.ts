import type { CaseRequest } from '../../contracts/case.ts';
import type { ReceivedResponse } from '../../contracts/judge.ts';
import type { Mock } from '../../src/mock/mock.ts';

/** A way to a mock. The behaviour suite runs over every one of them. */
export interface Transport {
  readonly name: string;
  open(mock: Mock): Promise<Connection>;
  /** Starts what all connections share. */
  setUp?(): Promise<void>;
  /** Ends it. */
  tearDown?(): Promise<void>;
}

export interface Connection {
  /** Sends a request byte by byte; its path is relative to the base address. */
  send(request: CaseRequest): Promise<ReceivedResponse>;
  close(): Promise<void>;
}
