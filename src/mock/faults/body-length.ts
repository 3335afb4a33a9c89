import type { MockResponse } from '../exchange.ts';

/** How many bytes a body has. */
export function bodyLength(body: MockResponse['body']): number {
  return typeof body === 'string'
    ? new TextEncoder().encode(body).length
    : body.reduce((sum, segment) => sum + segment.length, 0);
}
