import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createBaseSteps } from './base-steps.ts';
import { defaultSeed, type SeedEntry } from './seed.ts';
import type { Change, Entry, Exchange, Steps, World } from './steps.ts';

/** How a provider departs from the base: not at all where everything is left out. */
export interface Mutation {
  readonly change?: Change;
  readonly seed?: readonly SeedEntry[];
  /** The keys that are accepted; the first is the one that is told. */
  readonly apiKeys?: readonly [string, ...string[]];
}

export interface Provider {
  /** The base address, which ends in `/v1`. */
  readonly url: string;
  /** A key that the provider accepts. */
  readonly apiKey: string;
  /** What the provider really holds, whatever it says over HTTP. */
  readonly inventory: ReadonlyMap<bigint, Entry>;
  /** Puts the inventory back to its seed. */
  readonly reset: () => void;
  close(): Promise<void>;
}

/** Starts a provider of the API on a free loopback port. */
export async function startProvider(mutation: Mutation = {}): Promise<Provider> {
  const { apiKeys = ['Gallery-Key-7', 'another-key'] } = mutation;
  const world = createWorld(mutation.seed ?? defaultSeed, apiKeys);
  const base = createBaseSteps(world, () => steps);
  const steps: Steps = { ...base, ...mutation.change?.(base, world) };

  let number = 0;
  const server = createServer((request, response) => {
    number += 1;
    void serve(steps, number, request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/v1`,
    apiKey: apiKeys[0],
    inventory: world.inventory,
    reset: world.reset,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function createWorld(seed: readonly SeedEntry[], apiKeys: readonly string[]): World {
  const inventory = new Map<bigint, Entry>();
  const reset = (): void => {
    inventory.clear();
    for (const [petId, quantity, status] of seed) {
      inventory.set(petId, { petId, quantity, status });
    }
  };
  reset();
  return { inventory, apiKeys, reset };
}

async function serve(
  steps: Steps,
  number: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const exchange = await readExchange(steps, number, request);
    steps.send(await steps.answer(exchange), exchange, response);
  } catch (error) {
    // A mistake in a mutant, or a client that went away while it sent its body.
    response.destroy(error instanceof Error ? error : undefined);
  }
}

async function readExchange(
  steps: Steps,
  number: number,
  request: IncomingMessage,
): Promise<Exchange> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = '', url = '', headers } = request;
  const [path = '', ...query] = url.split('?');
  return {
    number,
    ...steps.route(method, path),
    method,
    path,
    query: new URLSearchParams(query.join('?')),
    headers,
    connection: request.socket,
    body: Buffer.concat(chunks),
    firstPiece: chunks[0] ?? Buffer.of(),
  };
}
