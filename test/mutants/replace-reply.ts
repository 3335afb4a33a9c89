import type { Change, Exchange, Reply } from './steps.ts';

type Replace = (reply: Reply, exchange: Exchange) => Reply;

/**
 * Sends another reply in place of the one that is right.
 *
 * @param statuses the replies that are meant, by their status
 */
export const replaceReply =
  (statuses: readonly number[], replace: Replace): Change =>
  (base) => ({
    answer: async (exchange) => {
      const reply = await base.answer(exchange);
      return statuses.includes(reply.status) ? replace(reply, exchange) : reply;
    },
  });

export const errorStatuses: readonly number[] = [400, 401, 404];

export const jsonHeaders: Reply['headers'] = { 'Content-Type': 'application/json' };

/** A sound error body. */
export function toErrorReply(status: number, bodyStatus: number = status): Reply {
  return {
    status,
    headers: jsonHeaders,
    body: JSON.stringify({
      code: 'refused',
      message: 'the request is refused',
      status: bodyStatus,
    }),
  };
}
