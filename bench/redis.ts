/**
 * Measures the sandboxes in Redis against the bare client that calls the same script with the same
 * arguments, by turns: `npx tsx bench/redis.ts [--rounds 9] [--calls 20000]`.
 */
import { parseArgs } from 'node:util';
import { createClient } from 'redis';
import { generateInventory } from '../src/mock/generate-inventory.ts';
import { openRedisSandboxes } from '../src/stores/redis.ts';
import { RedisKeys } from '../src/stores/redis/keys.ts';
import { updateScript } from '../src/stores/redis/scripts.ts';
import { startRedis } from '../test/redis-processes.ts';
import { median } from './statistics.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    calls: { type: 'string', default: '20000' },
  },
});

const pets = 100;
const rounds = Number(options.rounds);
const calls = Number(options.calls);

interface Run {
  /** Calls per second, and microseconds of this process's CPU for each. */
  readonly perSecond: number;
  readonly cpu: number;
}

/** Keeps so many calls under way until all are done. */
async function measure(inFlight: number, call: (step: number) => unknown): Promise<Run> {
  let next = 0;
  const start = performance.now();
  const before = process.cpuUsage();
  const worker = async (): Promise<void> => {
    while (next < calls) {
      next += 1;
      await call(next);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  const { user, system } = process.cpuUsage(before);
  return {
    perSecond: calls / ((performance.now() - start) / 1000),
    cpu: (user + system) / calls,
  };
}

async function main(): Promise<void> {
  const server = await startRedis();
  const storage = await openRedisSandboxes({ url: server.url });
  const bare = createClient({ url: server.url, commandOptions: { timeout: 0 } });
  await bare.connect();
  try {
    const seed = [...generateInventory(pets, 7)];
    const sandbox = await storage.create({ id: 'bench', settings: '{}', seed });
    if (sandbox === 'taken') throw new Error('the Redis was not empty');
    const { store } = sandbox;
    const keys = new RedisKeys('stockcheck');
    const [base = '', version = ''] = await bare.hmGet(keys.ofSandbox('bench')[0] ?? '', [
      'base',
      'version',
    ]);
    const head = ['6', ...keys.ofSandbox('bench')];
    const petOf = (step: number): bigint => seed[(step * 37) % pets]?.petId ?? 0n;
    const args = [keys.channel('bench'), String(base), String(version)];
    const patchBare = (step: number): unknown => {
      const change = [String(petOf(step)), String(step % 1000), '', '1 available'];
      return bare.sendCommand(['EVALSHA', updateScript.sha1, ...head, ...args, ...change]);
    };
    const patch = (step: number): unknown =>
      store.update(petOf(step), { quantity: BigInt(step % 1000) });
    await patch(0);
    await store.list();
    const cases = [
      { name: 'PATCH', inFlight: 64, ours: patch, theirs: patchBare },
      { name: 'PATCH', inFlight: 1, ours: patch, theirs: patchBare },
      {
        // The client would have to turn the rows into the list as well.
        name: 'list of 100 against HGETALL',
        inFlight: 64,
        ours: () => store.list(),
        theirs: () => bare.sendCommand(['HGETALL', keys.ofSandbox('bench')[1] ?? '']),
      },
      {
        name: 'PATCH and list of 100 by turns',
        inFlight: 64,
        ours: (step: number) => (step % 2 === 0 ? patch(step) : store.list()),
        theirs: (step: number) =>
          step % 2 === 0
            ? patchBare(step)
            : bare.sendCommand(['HGETALL', keys.ofSandbox('bench')[1] ?? '']),
      },
    ];
    const results = cases.map(() => ({ ours: [] as Run[], theirs: [] as Run[] }));
    for (let round = -1; round < rounds; round += 1) {
      for (const [index, { inFlight, ours, theirs }] of cases.entries()) {
        const result = results[index];
        const own = await measure(inFlight, ours);
        const other = await measure(inFlight, theirs);
        // The first round is for the compiler.
        if (round < 0) continue;
        result?.ours.push(own);
        result?.theirs.push(other);
      }
    }
    for (const [index, { name, inFlight }] of cases.entries()) {
      const { ours = [], theirs = [] } = results[index] ?? {};
      const ratio = median(
        ours.map(({ perSecond }, round) => perSecond / (theirs[round]?.perSecond ?? Number.NaN)),
      );
      console.log(
        `${name}, ${inFlight} in flight: ours ${toText(ours)}; bare client ${toText(theirs)}; ratio ${ratio.toFixed(2)}`,
      );
    }
  } finally {
    bare.destroy();
    storage.close();
    await server.stop();
  }
}

function toText(runs: readonly Run[]): string {
  const perSecond = Math.round(median(runs.map((run) => run.perSecond)));
  return `${perSecond.toLocaleString('en')}/s, ${median(runs.map(({ cpu }) => cpu)).toFixed(1)} µs of CPU`;
}

await main();
