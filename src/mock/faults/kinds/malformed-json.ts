import type { MockResponse } from '../../exchange.ts';
import type { FaultKind } from '../fault-kind.ts';

/** The body lacks its last bracket; all else is right, Content-Length included. The operation runs. */
export type MalformedJsonFault = { readonly kind: 'malformed-json' };

export const malformedJsonFault: FaultKind<MalformedJsonFault> = {
  kind: 'malformed-json',
  fields: [],
  read: () => ({ kind: 'malformed-json' }),
  hit: () => ({
    spoil: (response) => ({ ...response, body: withoutLastByte(response.body) }),
  }),
};

function withoutLastByte(body: MockResponse['body']): MockResponse['body'] {
  if (typeof body === 'string') return body.slice(0, -1);
  const end = body.findLastIndex((segment) => segment.length > 0);
  return body.slice(0, end + 1).map((segment, index) =>
    // Segments are shared: another view, not another content.
    index === end ? segment.subarray(0, -1) : segment,
  );
}
