import type { FaultHit, MockRequest, MockResponse } from '../mock/exchange.ts';
import type { Mock } from '../mock/mock.ts';
import { repeatsKey, toSentKeys } from '../mock/repeats-key.ts';

/** One request and what was answered, as the log shows it. No key is in it. */
export interface Exchange {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** 0 where a fault kept the answer back, or the client did not wait for it. */
  readonly status: number;
  /** From the last byte of the request to the answer, in milliseconds. */
  readonly duration: number;
  /** Why the request was refused; left out where it was not. */
  readonly refusal?: string;
  /** The fault that hit it; left out where none did. */
  readonly fault?: FaultHit;
}

/**
 * Describes an exchange for the log. Where a request repeats a key in its path, body, Content-Type
 * or Prefer, neither the path nor the reason is told: both may quote it, whole or in part.
 */
export function toExchange(
  request: MockRequest,
  { status, refusal, fault }: MockResponse,
  duration: number,
  mock: Mock,
): Exchange {
  const { method, path } = request;
  const hidden = mayTellKey(request, mock);
  return {
    method,
    path: hidden ? '(hidden)' : path,
    status,
    duration,
    ...(refusal === undefined
      ? {}
      : { refusal: hidden ? 'not shown: the request repeats an API key' : refusal }),
    ...(fault === undefined ? {} : { fault }),
  };
}

function mayTellKey(request: MockRequest, { apiKeys }: Mock): boolean {
  // The sent one as well: a mock with sandboxes has keys that are not in the list.
  const keys = [
    ...(apiKeys === 'any' ? [] : apiKeys),
    ...toSentKeys(request.header('authorization')),
  ];
  const { path, body } = request;
  const contentType = request.header('content-type');
  return repeatsKey({ path, body, contentType, prefer: request.header('prefer') }, keys);
}
