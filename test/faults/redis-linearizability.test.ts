import { expect, onTestFinished, test } from 'vitest';
import type { InventoryItem } from '../../src/inventory/item.ts';
import type { Store } from '../../src/inventory/store.ts';
import { isJsonObject, parseExactJson } from '../../src/json/exact-json.ts';
import { openRedisSandboxes } from '../../src/stores/redis.ts';
import { isLinearizable, type RegisterOperation } from '../linearizability.ts';
import { startRedis, startRedisCluster } from '../redis-processes.ts';

const pets = 3;
const operationsOfClient = 150;
const clientsOfStorage = 4;

const seed: readonly InventoryItem[] = Array.from({ length: pets }, (_, index) => ({
  petId: BigInt(index),
  quantity: 0n,
  status: 'available',
}));

/** The quantities of all pets, as a list tells them. */
async function readList(store: Store): Promise<ReadonlyMap<bigint, bigint>> {
  const parsed = parseExactJson(Buffer.concat([...(await store.list())]).toString());
  const quantities = new Map<bigint, bigint>();
  for (const item of parsed.ok && Array.isArray(parsed.value) ? parsed.value : []) {
    if (isJsonObject(item)) {
      const { petId, quantity } = item;
      if (typeof petId === 'bigint' && typeof quantity === 'bigint')
        quantities.set(petId, quantity);
    }
  }
  return quantities;
}

/** What clients have seen of each pet. */
class History {
  readonly #operations = new Map<bigint, RegisterOperation[]>();

  note(petId: bigint, operation: RegisterOperation): void {
    const operations = this.#operations.get(petId) ?? [];
    operations.push(operation);
    this.#operations.set(petId, operations);
  }

  of(petId: bigint): readonly RegisterOperation[] {
    return this.#operations.get(petId) ?? [];
  }
}

/** Reads and writes by turns, in an order of its own. No two clients write the same quantity. */
async function runClient(store: Store, client: number, history: History): Promise<void> {
  for (let step = 0; step < operationsOfClient; step += 1) {
    const petId = BigInt((step * 7 + client) % pets);
    const start = performance.now();
    if ((step * 31 + client * 17) % 5 < 2) {
      const written = BigInt(client * 1_000_000 + step + 1);
      const updated = await store.update(petId, { quantity: written });
      const seen = updated?.previous.quantity ?? -1n;
      history.note(petId, { start, end: performance.now(), written, seen });
    } else if (step % 2 === 0) {
      const seen = (await store.get(petId))?.quantity ?? -1n;
      history.note(petId, { start, end: performance.now(), seen });
    } else {
      const quantities = await readList(store);
      const end = performance.now();
      for (const [pet, seen] of quantities) history.note(pet, { start, end, seen });
    }
  }
}

test.for([
  { kind: 'one Redis', start: startRedis },
  { kind: 'a Redis Cluster', start: startRedisCluster },
])('two servers on $kind read and write each pet as one register', async ({ start }) => {
  const server = await start();
  onTestFinished(() => server.stop());
  const open = async (): Promise<Awaited<ReturnType<typeof openRedisSandboxes>>> => {
    const storage = await openRedisSandboxes({ url: server.url });
    onTestFinished(() => storage.close());
    return storage;
  };
  const [one, two] = [await open(), await open()];
  const created = await one.create({ apiKey: 'key', settings: '', seed });
  const found = await two.find('key');
  if (created === 'taken' || found === undefined) throw new Error('there is no sandbox');
  const history = new History();
  await Promise.all(
    Array.from({ length: 2 * clientsOfStorage }, (_, client) =>
      runClient(client % 2 === 0 ? created.store : found.store, client, history),
    ),
  );
  for (const { petId } of seed) {
    const operations = history.of(petId);
    expect(operations.length).toBeGreaterThan(operationsOfClient);
    expect(isLinearizable(operations, 0n), `pet ${petId}`).toBe(true);
    // The same history, with one read that came too late to see what it saw.
    const last = operations.reduce((latest, { end }) => Math.max(latest, end), 0);
    const stale = { start: last + 1, end: last + 2, seen: 0n };
    expect(isLinearizable([...operations, stale], 0n)).toBe(false);
  }
});
