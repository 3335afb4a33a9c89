import type { OperationId } from '../../contracts/case.ts';
import type { Outcome } from '../inventory/outcome.ts';
import { describeValue, refuseUnknownOptions } from './check-options.ts';
import type { Fault, Interference } from './mock.ts';

/** The statuses that the spec documents for each operation (sections 4.1 and 4.2). */
export interface DocumentedStatus {
  readonly listInventory: 200 | 401;
  readonly updateInventory: 200 | 400 | 401 | 404;
}

/** An answer that somebody asked for. */
export interface Override<Operation extends OperationId> {
  /** 200 lets the operation run as it would. Every other status refuses, and changes nothing. */
  readonly status: DocumentedStatus[Operation];
  /** For how many requests, from 1 up; `Infinity` until the mock is reset. Left out: 1. */
  readonly times?: number;
  /** The message of the Error body. Left out: one that says who asked for it. */
  readonly message?: string;
}

/**
 * Overrides of one mock. The ones for a number of requests come first, in the order they were
 * given; then the lasting one that was given last. A request without a valid key is refused before
 * it gets here, and takes no turn.
 */
export interface Overrides {
  readonly next: <Operation extends OperationId>(
    operation: Operation,
    override: Override<Operation>,
  ) => void;
  /** Forgets them all. */
  clear(): void;
  readonly fault: Fault;
}

/** As data. */
export const documentedStatuses: { readonly [Id in OperationId]: readonly DocumentedStatus[Id][] } =
  {
    listInventory: [200, 401],
    updateInventory: [200, 400, 401, 404],
  };

interface Turns {
  readonly outcome: Outcome | undefined;
  left: number;
}

/** Creates the overrides of one mock. */
export function createOverrides(): Overrides {
  const queues = new Map<OperationId, Turns[]>();
  const lasting = new Map<OperationId, Turns>();
  return {
    next(operation, override) {
      checkOverride(operation, override);
      const { status, times = 1, message } = override;
      const turns: Turns = { outcome: toOutcome(operation, status, message), left: times };
      if (times === Infinity) lasting.set(operation, turns);
      else queues.set(operation, [...(queues.get(operation) ?? []), turns]);
    },
    clear() {
      queues.clear();
      lasting.clear();
    },
    fault(operation) {
      const queue = queues.get(operation);
      const turns = queue?.[0];
      if (turns === undefined) return toInterference(lasting.get(operation));
      turns.left -= 1;
      if (turns.left === 0) queue?.shift();
      return toInterference(turns);
    },
  };
}

function toInterference(turns: Turns | undefined): Interference | undefined {
  return turns?.outcome === undefined ? undefined : { outcome: turns.outcome };
}

/** Types do not reach every caller: what is not understood would be ignored without a word. */
function checkOverride(operation: OperationId, override: Override<OperationId>): void {
  if (!Object.hasOwn(documentedStatuses, operation)) {
    throw new RangeError(
      `there is no operation ${describeValue(operation)}; there are ${Object.keys(documentedStatuses).join(' and ')}`,
    );
  }
  refuseUnknownOptions(
    override,
    ['status', 'times', 'message'],
    `what ${operation} answers next`,
    '{ status: 401 }',
  );
  const { status, times = 1, message } = override;
  if (!documentedStatuses[operation].some((known) => known === status)) {
    throw new RangeError(
      `status must be one of ${documentedStatuses[operation].join(', ')}, the documented ones of ${operation}; got ${describeValue(status)}. For another status or a network error, use server.use(http.get(…)) of MSW`,
    );
  }
  if (times !== Infinity && !(Number.isSafeInteger(times) && times > 0)) {
    throw new RangeError(
      `times must be an integer from 1 up, or Infinity; got ${describeValue(times)}`,
    );
  }
  if (message !== undefined && typeof message !== 'string') {
    throw new TypeError(`message must be a string; got ${describeValue(message)}`);
  }
}

/** @returns `undefined` for 200: the operation runs */
export function toOutcome(
  operation: OperationId,
  status: DocumentedStatus[OperationId],
  message = `the mock was told to answer this ${operation} with ${status}`,
): Outcome | undefined {
  switch (status) {
    case 200:
      return undefined;
    case 400:
      return { kind: 'invalid', message };
    case 401:
      return { kind: 'unauthorized', message };
    case 404:
      return { kind: 'notFound', message };
  }
}
