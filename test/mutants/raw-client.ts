import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import type { CaseRequest } from '../../contracts/case.ts';
import type { ReceivedResponse } from '../../contracts/judge.ts';
import { sendBody } from '../transports/send-body.ts';

/** What came back, or why nothing whole did. */
export type Received =
  ({ readonly ok: true } & ReceivedResponse) | { readonly ok: false; readonly problem: string };

/** Sends requests byte by byte, and follows no redirect. */
export interface RawClient {
  send(request: CaseRequest): Promise<Received>;
  close(): void;
}

const maximumBodySize = 1_000_000;
/**
 * @param timeout how long one response may take, in milliseconds
 */
export function createRawClient(baseUrl: string, timeout = 3_000): RawClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  return {
    send: (request) => send(baseUrl, agent, timeout, request),
    close: () => {
      agent.destroy();
    },
  };
}

async function send(
  baseUrl: string,
  agent: Agent,
  timeout: number,
  subject: CaseRequest,
): Promise<Received> {
  const { method, path, headers, body } = subject;
  const signal = AbortSignal.timeout(timeout);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = httpRequest(baseUrl + path, {
        method,
        agent,
        signal,
        headers: {
          ...Object.fromEntries(headers),
          ...(body === undefined ? {} : { 'Content-Length': body.length }),
        },
      });
      outgoing.once('response', resolve);
      outgoing.once('error', reject);
      sendBody(outgoing, subject);
    });
    const whole = await read(response);
    // A body that ends with its connection seems to be whole when the connection is aborted.
    signal.throwIfAborted();
    return { ok: true, ...whole };
  } catch (error) {
    return { ok: false, problem: String(error) };
  }
}

async function read(response: IncomingMessage): Promise<ReceivedResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > maximumBodySize) throw new RangeError(`the body has over ${maximumBodySize} bytes`);
  }
  return {
    status: response.statusCode ?? 0,
    header: (name) => response.headersDistinct[name]?.join(', '),
    body: Buffer.concat(chunks),
  };
}
