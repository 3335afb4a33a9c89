import type { MockRequest, MockResponse } from '../mock/exchange.ts';
import type { Mock } from '../mock/mock.ts';
import { percentDecode } from '../mock/route.ts';

/** One request and what was answered, as the log shows it. No key is in it. */
export interface Exchange {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  /** From the last byte of the request to the answer, in milliseconds. */
  readonly duration: number;
  /** Why the request was refused; left out where it was not. */
  readonly refusal?: string;
}

/**
 * Describes an exchange for the log. Where a request repeats a key in its path or body, neither the
 * path nor the reason is told: both may quote it, whole or in part.
 */
export function toExchange(
  request: MockRequest,
  { status, refusal }: MockResponse,
  duration: number,
  mock: Mock,
): Exchange {
  const { method, path } = request;
  const hidden = repeatsKey(request, mock);
  return {
    method,
    path: hidden ? '(hidden)' : path,
    status,
    duration,
    ...(refusal === undefined
      ? {}
      : { refusal: hidden ? 'not shown: the request repeats an API key' : refusal }),
  };
}

/** In a mock that takes every key, a shorter token is no secret, and would hide every line. */
const shortestHidden = 4;

function repeatsKey(request: MockRequest, { apiKeys }: Mock): boolean {
  const keys = apiKeys === 'any' ? toSentKeys(request) : apiKeys;
  const paths = [request.path, percentDecode(request.path)];
  const body = Buffer.from(request.body.buffer, request.body.byteOffset, request.body.byteLength);
  return keys.some((key) => paths.some((path) => path.includes(key)) || body.includes(key));
}

function toSentKeys(request: MockRequest): readonly string[] {
  const token = request.header('authorization')?.split(' ').at(-1) ?? '';
  return token.length < shortestHidden ? [] : [token];
}
