import type { MockRequest, MockResponse } from '../mock/exchange.ts';
import type { Mock } from '../mock/mock.ts';

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

/** Describes an exchange for the log, with every key that it could repeat made unreadable. */
export function toExchange(
  request: MockRequest,
  { status, refusal }: MockResponse,
  duration: number,
  mock: Mock,
): Exchange {
  const secrets = toSecrets(request, status, mock);
  const redact = (text: string): string =>
    secrets.reduce((safe, secret) => safe.replaceAll(secret, '***'), text);
  return {
    method: request.method,
    path: redact(request.path),
    status,
    duration,
    ...(refusal === undefined ? {} : { refusal: redact(refusal) }),
  };
}

/** The keys that an exchange could repeat. */
function toSecrets(request: MockRequest, status: number, { apiKeys }: Mock): readonly string[] {
  // Where the mock has keys of its own, the key of a request that was answered is one of them.
  if (apiKeys !== 'any' && status === 200) return apiKeys;
  const sent = request.header('authorization')?.split(' ').at(-1) ?? '';
  const known = apiKeys === 'any' ? [] : apiKeys;
  return sent === '' ? known : [...known, sent];
}
