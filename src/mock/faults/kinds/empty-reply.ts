import { defineCut, type Cut } from '../cut.ts';
import type { FaultKind } from '../fault-kind.ts';

/** The connection is closed in good order, without a byte: curl's "empty reply from server". */
export type EmptyReplyFault = Cut<'empty-reply'>;

export const emptyReplyFault: FaultKind<EmptyReplyFault> = defineCut(
  'empty-reply',
  'the mock was told to close the connection without an answer',
);
