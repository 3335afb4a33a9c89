import type { FaultKind } from '../fault-kind.ts';

/** The service says that it is overloaded. The operation does not run. */
export type UnavailableFault = {
  readonly kind: 'unavailable';
  readonly status: 429 | 503;
  /** In seconds, from 0 to 86,400. Left out: no `Retry-After`. */
  readonly retryAfter?: number;
};

export const unavailableFault: FaultKind<UnavailableFault> = {
  kind: 'unavailable',
  fields: ['status', 'retryAfter'],
  read(fields) {
    const status = fields.integerOf('status', [429, 503]);
    const retryAfter = fields.integer('retryAfter', [0, 86_400]);
    return { kind: 'unavailable', status, ...(retryAfter === undefined ? {} : { retryAfter }) };
  },
  hit: ({ kind, status, retryAfter }, { operation }) => ({
    outcome: {
      kind,
      status,
      message: `the mock was told to answer this ${operation} with ${status}`,
      ...(retryAfter === undefined ? {} : { retryAfter }),
    },
  }),
};
