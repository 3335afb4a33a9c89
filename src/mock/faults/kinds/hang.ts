import { defineCut, type Cut } from '../cut.ts';
import type { FaultKind } from '../fault-kind.ts';

/** No answer ever comes: the client has to give up by itself. */
export type HangFault = Cut<'hang'>;

export const hangFault: FaultKind<HangFault> = defineCut(
  'hang',
  'the mock was told never to answer',
);
