import type { CaseRequest } from '../../contracts/case.ts';
import type { ReceivedResponse } from '../../contracts/judge.ts';

/** Sends a request with a function that fetches. */
export async function sendWithFetch(
  fetch: (request: Request) => Promise<Response>,
  baseUrl: string,
  { method, path, headers, body }: CaseRequest,
): Promise<ReceivedResponse> {
  const response = await fetch(
    new Request(baseUrl + path, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    }),
  );
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    body: new Uint8Array(await response.arrayBuffer()),
  };
}
