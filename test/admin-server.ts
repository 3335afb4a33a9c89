import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { onTestFinished } from 'vitest';
import { createSandboxes, type Sandboxes, type SandboxesOptions } from '../src/mock/sandboxes.ts';
import {
  startServer,
  type RunningServer,
  type SandboxServerOptions,
} from '../src/server/http-server.ts';

/** A server of sandboxes, for one test. A bug in it fails the test. */
export interface ServedSandboxes {
  readonly sandboxes: Sandboxes;
  readonly server: RunningServer;
  /** Sends a request below `/_stockcheck`. */
  readonly send: (method: string, path: string, options?: SendOptions) => Promise<Answer>;
}

export interface SendOptions {
  /** Text as it is, everything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON, if it is that. */
  readonly body: unknown;
}

/** Serves sandboxes until the test is over. */
export async function serveSandboxes(
  options: SandboxesOptions = {},
  serverOptions: Partial<SandboxServerOptions> = {},
): Promise<ServedSandboxes> {
  const bugs: unknown[] = [];
  const onBug = (error: unknown): void => void bugs.push(error);
  const sandboxes = await createSandboxes({ onBug, ...options });
  const server = await startServer({ sandboxes, port: 0, onBug, ...serverOptions });
  onTestFinished(async () => {
    await server.close(0);
    await sandboxes.close();
    if (bugs.length > 0) throw bugs[0];
  });
  return {
    sandboxes,
    server,
    send: (method, path, sent) => send(server.port, method, `/_stockcheck${path}`, sent),
  };
}

/** Sends a request with headers that `fetch` would not let us set, and the path as it is. */
export function send(
  port: number,
  method: string,
  path: string,
  { body, headers = {} }: SendOptions = {},
): Promise<Answer> {
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const type = text === undefined ? {} : { 'Content-Type': 'application/json' };
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      // A connection for each: Node would send a request on one that the server is closing.
      { host: '127.0.0.1', port, path, method, headers: { ...type, ...headers }, agent: false },
      (incoming) => {
        let received = '';
        incoming.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const { statusCode: status = 0, headers: names } = incoming;
          resolve({ status, headers: names, text: received, body: toJson(received) });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(text);
  });
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Sends requests to the service itself, with a key. */
export function patchPet(
  server: RunningServer,
  apiKey: string,
  petId: bigint | number,
  quantity: bigint | number,
): Promise<Answer> {
  return send(server.port, 'PATCH', `/v1/inventory/${petId}`, {
    body: `{"quantity":${quantity}}`,
    headers: { Authorization: `Bearer ${apiKey}` },
  });
}
