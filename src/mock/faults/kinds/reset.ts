import { defineCut, type Cut } from '../cut.ts';
import type { FaultKind } from '../fault-kind.ts';

/** The connection is reset: the client sees ECONNRESET, a page sees a failed fetch. */
export type ResetFault = Cut<'reset'>;

export const resetFault: FaultKind<ResetFault> = defineCut(
  'reset',
  'the mock was told to reset the connection',
);
