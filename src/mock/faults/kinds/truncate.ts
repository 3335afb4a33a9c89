import { bodyLength } from '../body-length.ts';
import type { FaultKind } from '../fault-kind.ts';

/** The connection closes in the middle of the body. The operation runs. */
export type TruncateFault = {
  readonly kind: 'truncate';
  /** How many bytes of the body come; at least one is missing. Left out: half of them. */
  readonly bytes?: number;
};

export const truncateFault: FaultKind<TruncateFault> = {
  kind: 'truncate',
  fields: ['bytes'],
  read(fields) {
    const bytes = fields.integer('bytes', [0, 2 ** 31 - 1]);
    return { kind: 'truncate', ...(bytes === undefined ? {} : { bytes }) };
  },
  hit: ({ kind, bytes }) => ({
    damage: ({ body }) => {
      const length = bodyLength(body);
      return { kind, bytes: Math.min(bytes ?? Math.floor(length / 2), Math.max(length - 1, 0)) };
    },
  }),
};
