import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { expect, onTestFinished, test } from 'vitest';

const connections = 8;
const petsOfConnection = 5;
const pets = connections * petsOfConnection;
const kills = 20;
const mostUpdates = 600;

/** What is known of one pet. */
interface Known {
  quantity: number;
  /** What was sent and not answered: it may be there, or not. */
  sent?: number | undefined;
}

interface Item {
  readonly petId: number;
  readonly quantity: number;
  readonly status: string;
}

interface ServerProcess {
  readonly url: string;
  /** Ends it as `kill -9` does. */
  kill(): Promise<void>;
}

async function startServer(file: string): Promise<ServerProcess> {
  const script = fileURLToPath(new URL('sqlite-server.ts', import.meta.url));
  const args = ['--import', 'tsx', script, file, String(pets)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const { value: url } = await lines.next();
  return {
    url: String(url),
    async kill() {
      child.kill('SIGKILL');
      expect((await exited)[1]).toBe('SIGKILL');
    },
  };
}

/** Sends a request, and waits for its answer. Rejects where the server went away. */
async function send(
  agent: Agent,
  url: string,
  method: 'GET' | 'PATCH',
  body?: unknown,
): Promise<unknown> {
  const headers = { Authorization: 'Bearer demo-key', 'Content-Type': 'application/json' };
  const outgoing = request(url, { agent, method, headers });
  outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  const [incoming] = (await once(outgoing, 'response')) as [
    NodeJS.ReadableStream & { statusCode: number },
  ];
  const answer = await json(incoming);
  expect(incoming.statusCode, JSON.stringify(answer)).toBe(200);
  return answer;
}

/** Updates the pets of one connection in turn, until the server goes away. */
async function update(
  agent: Agent,
  url: string,
  known: Known[],
  connection: number,
  firstQuantity: number,
  onAcknowledged: () => void,
): Promise<void> {
  for (let count = 0; ; count += 1) {
    const petId = connection * petsOfConnection + (count % petsOfConnection);
    const pet = known[petId];
    if (pet === undefined) throw new Error(`there is no pet ${petId}`);
    // Every other update says sold, the ones between say available with a number of their own.
    pet.sent = pet.quantity === 0 ? firstQuantity + count : 0;
    try {
      await send(agent, `${url}/inventory/${petId}`, 'PATCH', { quantity: pet.sent });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      return;
    }
    pet.quantity = pet.sent;
    pet.sent = undefined;
    onAcknowledged();
  }
}

/** Everything that was acknowledged is there, nothing is half there. */
function check(items: readonly Item[], known: Known[]): void {
  expect(items.map(({ petId }) => petId)).toEqual(known.keys().toArray());
  for (const { petId, quantity, status } of items) {
    const { quantity: acknowledged, sent } = known[petId] ?? { quantity: -1 };
    expect([acknowledged, sent], `pet ${petId}`).toContain(quantity);
    expect(status, `pet ${petId} with ${quantity}`).toBe(quantity === 0 ? 'sold' : 'available');
    known[petId] = { quantity };
  }
}

test('loses no acknowledged update in 20 times kill -9, and keeps none by half', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stockcheck-crash-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'stock.db');
  const random = xoroshiro128plus(6);
  const known: Known[] = Array.from({ length: pets }, () => ({ quantity: 0 }));
  let acknowledged = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const server = await startServer(file);
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    check((await send(agent, `${server.url}/inventory`, 'GET')) as Item[], known);
    const end = acknowledged + uniformInt(random, 1, mostUpdates);
    let killed: Promise<void> | undefined;
    const onAcknowledged = (): void => {
      acknowledged += 1;
      if (acknowledged >= end) killed ??= server.kill();
    };
    await Promise.all(
      Array.from({ length: connections }, (_, connection) =>
        update(agent, server.url, known, connection, 1 + kill * 1_000_000, onAcknowledged),
      ),
    );
    await killed;
    agent.destroy();
  }
  const server = await startServer(file);
  const agent = new Agent();
  check((await send(agent, `${server.url}/inventory`, 'GET')) as Item[], known);
  await server.kill();
  expect(acknowledged).toBeGreaterThan(kills);
});
