import { StoreUnavailableError } from '../../inventory/store.ts';
import { ReplyError, retryAfterSeconds, TimeoutError, toError } from './connection.ts';

/** What Redis says while it cannot serve, and the sentence that we make of it. Nothing was done. */
const refusals: Readonly<Record<string, string>> = {
  LOADING: 'it is still loading its data',
  BUSY: 'it is busy with a script',
  TRYAGAIN: 'the sandbox is just being moved to another node',
  CLUSTERDOWN: 'the cluster is down, or is choosing another master',
  MASTERDOWN: 'the replica has lost its master',
  READONLY: 'it is a replica now',
  NOREPLICAS: 'it has fewer replicas than it is to have for writing',
  MISCONF: 'it cannot write to its disk',
  OOM: 'it is out of memory',
  NOAUTH: 'it asks for a password',
  WRONGPASS: 'it does not know the user or the password',
  NOPERM: 'the user may not do this',
};

/**
 * What an operation throws for an error of the client: `StoreUnavailableError` for all that passes,
 * the error itself for a bug.
 */
export function toStoreError(error: unknown, name: string): Error {
  const cause = toError(error);
  if (cause instanceof StoreUnavailableError) return cause;
  const [code = ''] = cause.message.split(' ', 1);
  const refusal = refusals[code];
  if (refusal !== undefined) {
    return unavailable(
      `${name} refuses: ${refusal} (${cause.message}); nothing was changed`,
      cause,
    );
  }
  if (cause instanceof ReplyError) return cause;
  return unavailable(
    cause instanceof TimeoutError
      ? `${cause.message}; whether a write was made is unknown`
      : `the connection to ${name} was lost: ${explain(cause)}; whether a write was made is unknown`,
    cause,
  );
}

/** Why nothing was sent. */
export function toUnreachable(failure: Error, name: string): StoreUnavailableError {
  return unavailable(
    `${name} cannot be reached: ${explain(failure)}; nothing was changed`,
    failure,
  );
}

/** The reason of a failed connection. The client's errors may have no message. */
export function explain(error: Error): string {
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return error.message || toError(first ?? 'no reason is known').message;
}

function unavailable(message: string, cause: Error): StoreUnavailableError {
  return new StoreUnavailableError(message, retryAfterSeconds, { cause });
}
