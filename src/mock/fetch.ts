import { joinSegments } from '../inventory/segments.ts';
import type { MockRequest, MockResponse } from './exchange.ts';
import type { Mock } from './mock.ts';

const noBytes = new Uint8Array();

/** Answers WHATWG requests with a mock: the transport of tests, of MSW and of edge runtimes. */
export function toFetch(mock: Mock): (request: Request) => Promise<Response> {
  return async (request) =>
    toWhatwgResponse(request.method, await mock.handle(await fromWhatwgRequest(request)));
}

async function fromWhatwgRequest(request: Request): Promise<MockRequest> {
  return {
    method: request.method,
    path: new URL(request.url).pathname,
    header: (name) => request.headers.get(name) ?? undefined,
    body: request.body === null ? noBytes : new Uint8Array(await request.arrayBuffer()),
  };
}

function toWhatwgResponse(method: string, { status, headers, body }: MockResponse): Response {
  const fields = new Headers();
  for (let index = 0; index < headers.length; index += 2) {
    fields.append(headers[index] ?? '', headers[index + 1] ?? '');
  }
  if (status === 204) return new Response(null, { status, headers: fields });
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : joinSegments(body);
  fields.set('Content-Length', String(bytes.length));
  return new Response(method === 'HEAD' ? null : bytes, { status, headers: fields });
}
