import type { OperationId } from '../../../../contracts/case.ts';
import { documentedStatuses, toOutcome } from '../../override.ts';
import type { FaultKind } from '../fault-kind.ts';

/** A documented error. The operation does not run. */
export type ErrorFault = {
  readonly kind: 'error';
  readonly status: 400 | 401 | 404;
  /** The message of the Error body. Left out: one that says that the mock was told so. */
  readonly message?: string;
};

export const errorFault: FaultKind<ErrorFault> = {
  kind: 'error',
  fields: ['status', 'message'],
  read(fields, operations) {
    const status = fields.integerOf('status', [400, 401, 404]);
    const silent = operations.find((operation) => !isDocumented(operation, status));
    if (status !== undefined && silent !== undefined) {
      fields.refuse(
        operations.length === 1
          ? `the specification documents no ${status} for ${silent}; expected one of ${errorsOf(silent).join(', ')}`
          : `the specification documents no ${status} for ${silent}; add "operation": "updateInventory" to the rule`,
        'status',
      );
    }
    const message = fields.text('message', 'a text of up to 500 characters', /^.{0,500}$/s);
    return { kind: 'error', status, ...(message === undefined ? {} : { message }) };
  },
  hit: ({ status, message }, { operation }) => {
    const outcome = toOutcome(operation, status, message);
    return outcome === undefined ? {} : { outcome };
  },
};

function isDocumented(operation: OperationId, status: number): boolean {
  return errorsOf(operation).includes(status);
}

function errorsOf(operation: OperationId): readonly number[] {
  return documentedStatuses[operation].filter((status) => status !== 200);
}
