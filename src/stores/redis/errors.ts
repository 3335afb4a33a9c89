import { StoreUnavailableError } from '../../inventory/store.ts';
import { ReplyError, retryAfterSeconds, TimeoutError, toError } from './connection.ts';
import { explainLoss, findRefusal, quoteAnswer } from './trouble.ts';

/** How long to wait, in seconds, where somebody has to do something first. */
const lastingSeconds = 5;

/**
 * What an operation throws for an error of the client: `StoreUnavailableError` for all that passes,
 * the error itself for a bug.
 */
export function toStoreError(error: unknown, name: string): Error {
  const cause = toError(error);
  if (cause instanceof StoreUnavailableError) return cause;
  if (cause instanceof ReplyError) return toRefused(cause);
  return unavailable(
    cause instanceof TimeoutError
      ? `${cause.message}; whether a write was made is unknown`
      : `the connection to ${name} was lost: ${explainLoss(cause)}; whether a write was made is unknown`,
    cause,
  );
}

function toRefused(reply: ReplyError): Error {
  const refusal = findRefusal(reply.message);
  if (refusal === undefined) return reply;
  const { what, remedy, isUnknown, isLasting } = refusal;
  const outcome =
    isUnknown === true ? 'whether a write was made is unknown' : 'nothing was changed';
  const message = `${reply.server} refuses: it ${what}${quoteAnswer(reply.message)}; ${outcome}`;
  return unavailable(
    remedy === undefined ? message : `${message}. ${remedy}`,
    reply,
    isLasting === true ? lastingSeconds : retryAfterSeconds,
  );
}

/** Why nothing was sent. */
export function toUnreachable(failure: Error, name: string): StoreUnavailableError {
  return unavailable(
    `${name} cannot be reached: ${explainLoss(failure)}; nothing was changed`,
    failure,
  );
}

function unavailable(
  message: string,
  cause: Error,
  seconds: number = retryAfterSeconds,
): StoreUnavailableError {
  return new StoreUnavailableError(message, seconds, { cause });
}
