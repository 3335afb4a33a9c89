import type { FaultKind } from '../fault-kind.ts';

/** The body comes bit by bit. The operation runs. */
export type SlowDripFault = {
  readonly kind: 'slow-drip';
  /** From 1 to 1,000,000,000. */
  readonly bytesPerSecond: number;
};

export const slowDripFault: FaultKind<SlowDripFault> = {
  kind: 'slow-drip',
  fields: ['bytesPerSecond'],
  read: (fields) => ({
    kind: 'slow-drip',
    bytesPerSecond: fields.requiredInteger('bytesPerSecond', [1, 1_000_000_000]),
  }),
  hit: (damage) => ({ damage: () => damage }),
};
