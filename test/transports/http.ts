import { request as httpRequest } from 'node:http';
import type { CaseRequest } from '../../contracts/case.ts';
import type { ReceivedResponse } from '../../contracts/judge.ts';
import { startServer } from '../../src/server/http-server.ts';
import { sendBody } from './send-body.ts';
import type { Transport } from './transport.ts';

export const http: Transport = {
  name: 'HTTP',
  open: async (mock) => {
    const server = await startServer({ mock, port: 0 });
    return {
      send: (request) => sendOverHttp(server.url, request),
      close: () => server.close(),
    };
  },
};

/** Sends a request with exactly these headers, Host and Content-Length aside. */
export function sendOverHttp(baseUrl: string, request: CaseRequest): Promise<ReceivedResponse> {
  const { method, path, headers, body } = request;
  const { hostname, port, pathname } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      {
        hostname,
        port,
        method,
        path: pathname + path,
        headers: [
          'Host',
          `${hostname}:${port}`,
          ...headers.flat(),
          ...(body === undefined ? [] : ['Content-Length', String(body.length)]),
        ],
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          resolve({
            status: incoming.statusCode ?? 0,
            header: (name) => incoming.headersDistinct[name]?.join(', '),
            body: Buffer.concat(chunks),
          });
        });
      },
    );
    outgoing.on('error', reject);
    // Else Node frames a body of no chunks where there is none.
    outgoing.useChunkedEncodingByDefault = false;
    sendBody(outgoing, request);
  });
}
