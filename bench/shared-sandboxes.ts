/**
 * Measures what sandboxes in Redis take, in Redis and in a server that uses them all:
 * `node --expose-gc --import tsx bench/shared-sandboxes.ts [--sandboxes 10000]`.
 */
import { parseArgs } from 'node:util';
import { generateInventory } from '../src/mock/generate-inventory.ts';
import { createSandboxes } from '../src/mock/sandboxes.ts';
import { openRedisSandboxes } from '../src/stores/redis.ts';
import { redisCommand, startRedis } from '../test/redis-processes.ts';

const { values: options } = parseArgs({
  options: { sandboxes: { type: 'string', default: '10000' } },
});

const count = Number(options.sandboxes);
const changes = 10;

const redis = await startRedis();
const storage = await openRedisSandboxes({ url: redis.url });
const inventory = [...generateInventory(100, 7)];
const mock = await createSandboxes({ storage, loadedFixture: { inventory } });

async function usedByRedis(): Promise<number> {
  const text = await redisCommand(redis.port, 'INFO', 'memory');
  return Number(/^used_memory:(\d+)/m.exec(text)?.[1]);
}

function usedHere(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Bytes since before, for each sandbox. */
const each = (before: number, after: number): string => ((after - before) / count).toFixed(0);

const empty = [await usedByRedis(), usedHere()] as const;
const created = await Promise.all(Array.from({ length: count }, () => mock.create({})));
const made = [await usedByRedis(), usedHere()] as const;
for (const { sandbox } of created) {
  for (let index = 0; index < changes; index += 1) {
    await sandbox.update(inventory[index * 7]?.petId ?? 0n, { quantity: 5n });
  }
}
const changed = [await usedByRedis(), usedHere()] as const;
for (const { sandbox } of created) await sandbox.list();
const listed = [await usedByRedis(), usedHere()] as const;

console.log(`${count} sandboxes of 100 pets, bytes for each of them:`);
console.log(
  `in Redis, new: ${each(empty[0], made[0])}; ${changes} pets changed: ${each(made[0], changed[0])} more`,
);
console.log(
  `in a server, new: ${each(empty[1], made[1])}; changed: ${each(made[1], changed[1])} more; listed: ${each(changed[1], listed[1])} more`,
);

await mock.close();
await redis.stop();
