import { once } from 'node:events';
import { createServer, Server, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';
import { onTestFinished } from 'vitest';
import type { InventoryItem } from '../../src/inventory/item.ts';
import { createMock, type Mock } from '../../src/mock/mock.ts';
import type { PolicyChanges } from '../../src/mock/policy.ts';
import { MemoryStore } from '../../src/stores/memory.ts';
import { apiKey, defaultItems } from '../mock-under-test.ts';

/** A request as a provider received it. */
export interface Received {
  /** 1 for the first one. */
  readonly number: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

export interface ProviderOptions {
  readonly policy?: PolicyChanges;
  readonly items?: readonly InventoryItem[];
  /** Answers in the mock's place where it returns true. */
  readonly intercept?: (
    received: Received,
    response: ServerResponse,
    mock: Mock,
  ) => boolean | Promise<boolean>;
}

export interface Provider {
  readonly url: string;
  readonly mock: Mock;
  readonly received: readonly Received[];
  readonly server: Server;
}

/** Serves the engine over HTTP until the test is over, with a say for the test before it. */
export async function startProvider(options: ProviderOptions = {}): Promise<Provider> {
  const mock = createMock({
    store: new MemoryStore(options.items ?? defaultItems()),
    apiKeys: [apiKey],
    ...(options.policy === undefined ? {} : { policy: options.policy }),
  });
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const one = await read(request, received.length + 1);
      received.push(one);
      if ((await options.intercept?.(one, response, mock)) === true) return;
      await answer(mock, one, response);
    })();
  });
  return { url: await listen(server), mock, received, server };
}

async function read(request: IncomingMessage, number: number): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = '', url = '', headers, rawHeaders } = request;
  return { number, method, path: url, headers, rawHeaders, body: Buffer.concat(chunks) };
}

/** Answers as the mock does. */
export async function answer(
  mock: Mock,
  { method, path, headers, body }: Received,
  response: ServerResponse,
): Promise<void> {
  const reply = await mock.handle({
    method,
    path: path.split('?', 1)[0] ?? path,
    header: (name) => headers[name]?.toString(),
    body,
  });
  const bytes =
    typeof reply.body === 'string' ? Buffer.from(reply.body) : Buffer.concat(reply.body);
  response.writeHead(reply.status, [...reply.headers, 'Content-Length', String(bytes.length)]);
  response.end(bytes);
}

/** Listens on a free loopback port until the test is over; returns the base address. */
export async function listen(server: NetServer): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    if (server instanceof Server) server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** What a mock holds, as text to compare. */
export async function contentsOf(mock: Mock): Promise<string> {
  return [...(await mock.items())]
    .map(({ petId, quantity, status }) => `${petId}: ${quantity} ${status}`)
    .join('\n');
}

/** Whether an update of a pet that the base provider would carry out. */
export function isGrantedUpdate({ method, headers }: Received): boolean {
  return method === 'PATCH' && headers.authorization === `Bearer ${apiKey}`;
}

export function sendJson(response: ServerResponse, status: number, text: string): true {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(text);
  return true;
}
