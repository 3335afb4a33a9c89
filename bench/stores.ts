/**
 * Measures the storages against the one in memory, by turns, through the built binary as a user runs
 * it, and without a server: `npm run -s build && npx tsx bench/stores.ts --help`.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { SandboxStorage } from '../src/inventory/sandbox-storage.ts';
import type { Store } from '../src/inventory/store.ts';
import { toFixtureJson } from '../src/mock/fixture.ts';
import { generateInventory } from '../src/mock/generate-inventory.ts';
import { assertLinux, pinLoad } from './cores.ts';
import { load, type RequestCycle } from './load.ts';
import { listRequest, updateRequest } from './requests.ts';
import { startStockcheck, type ServerProcess } from './server-process.ts';
import { median } from './statistics.ts';
import { startRedis } from '../test/redis-processes.ts';
import { measuredStorages, redisPort, type MeasuredStorage } from './store-list.ts';

const usage = `npx tsx bench/stores.ts [options]
  --store <name>     one of ${measuredStorages.map(({ name }) => name).join(', ')} (repeatable; left out: all)
  --rounds <number>  how often the storages take turns (9)
  --seconds <number> how long the load on one server lasts in one round (0.6)
`;

const { values: options } = parseArgs({
  options: {
    store: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '0.6' },
    help: { type: 'boolean' },
  },
});

const pets = 100;
const connections = 16;
const petIds = [...generateInventory(pets, 7)].map(({ petId }) => petId);

const toUpdates = (connection: number): RequestCycle =>
  Array.from({ length: 500 }, (_, index) =>
    updateRequest(petIds[(connection * 7919 + index * 104_729) % pets] ?? 0n, (index * 37) % 1000),
  );

/** Requests over HTTP, one cycle for each connection. */
const loads: readonly {
  readonly name: string;
  readonly toCycle: (connection: number) => RequestCycle;
}[] = [
  { name: 'GET list of 100', toCycle: () => [listRequest] },
  { name: 'PATCH', toCycle: toUpdates },
  {
    name: 'PATCH and GET by turns',
    toCycle: (connection) => toUpdates(connection).flatMap((update) => [update, listRequest]),
  },
];

/** Calls of a store without a server. */
const calls: readonly {
  readonly name: string;
  readonly run: (store: Store, step: number) => unknown;
}[] = [
  { name: 'list of 100', run: (store) => store.list() },
  {
    name: 'update',
    run: (store, step) =>
      store.update(petIds[(step * 37) % pets] ?? 0n, { quantity: BigInt(step % 1000) }),
  },
];

const callsOfOneRound = 20_000;

/** Calls that wait for their results at one time: as many as there are connections, or one. */
const callsAtOnce = [1, connections];

/** Each storage's figure in each round, by what was measured. */
type Rounds = Map<string, Map<string, number[]>>;

function note(rounds: Rounds, measure: string, storage: string, figure: number): void {
  const figures = rounds.get(measure) ?? new Map<string, number[]>();
  rounds.set(measure, figures.set(storage, [...(figures.get(storage) ?? []), figure]));
}

async function measureCalls(storages: readonly MeasuredStorage[], folder: string): Promise<Rounds> {
  const rounds: Rounds = new Map();
  const opened: { name: string; storage: SandboxStorage; store: Store }[] = [];
  for (const { name, open } of storages) {
    const storage = await open(folder);
    const seed = [...generateInventory(pets, 7)];
    const sandbox = await storage.create({ id: 'calls', settings: '{}', seed });
    if (sandbox === 'taken') throw new Error(`${name} was not empty`);
    opened.push({ name, storage, store: sandbox.store });
  }
  for (let round = -1; round < Number(options.rounds); round += 1) {
    for (const call of calls) {
      for (const atOnce of callsAtOnce) {
        for (const { name, store } of opened) {
          const perSecond = await repeatCall(atOnce, (step) => call.run(store, step));
          // The first round is for the compiler.
          if (round >= 0) note(rounds, `${call.name}, calls, ${atOnce} at once`, name, perSecond);
        }
      }
    }
  }
  for (const { storage } of opened) await storage.close?.();
  return rounds;
}

/** @returns calls per second */
async function repeatCall(atOnce: number, call: (step: number) => unknown): Promise<number> {
  const start = performance.now();
  for (let step = 0; step < callsOfOneRound; step += atOnce) {
    const results: unknown[] = [];
    for (let index = 0; index < atOnce; index += 1) results.push(call(step + index));
    if (results.some((result) => result instanceof Promise)) await Promise.all(results);
  }
  return callsOfOneRound / ((performance.now() - start) / 1000);
}

async function measureServers(
  storages: readonly MeasuredStorage[],
  folder: string,
): Promise<Rounds> {
  const rounds: Rounds = new Map();
  const servers: { name: string; server: ServerProcess }[] = [];
  try {
    for (const { name, toStore } of storages) {
      const store = toStore(mkdtempSync(join(folder, `${name}-`)));
      servers.push({ name, server: await startServer(folder, store) });
    }
    for (let round = -1; round < Number(options.rounds); round += 1) {
      for (const { name: measure, toCycle } of loads) {
        const cycles = Array.from({ length: connections }, (_, index) => toCycle(index));
        for (const { name, server } of servers) {
          const result = await load(server, cycles, Number(options.seconds));
          if (round < 0) continue;
          note(rounds, `${measure}, requests`, name, result.perSecond);
          note(rounds, `${measure}, requests per second of CPU`, name, result.perCpuSecond);
          note(rounds, `${measure}, 99 % within ms`, name, result.p99);
        }
      }
    }
  } finally {
    for (const { server } of servers) await server.stop();
  }
  return rounds;
}

/** Starts the binary with the inventory that is measured. */
function startServer(folder: string, store: string): Promise<ServerProcess> {
  const fixture = join(folder, 'pets.json');
  writeFileSync(fixture, [...toFixtureJson(generateInventory(pets, 7), {})].join(''));
  return startStockcheck('--log', 'silent', '--fixture', fixture, '--store', store);
}

/** Two servers over one Redis against one, each with as many connections. */
async function measureTwoServers(folder: string, redisPid: number): Promise<void> {
  const measured = measuredStorages.find(({ name }) => name === 'redis');
  if (measured === undefined) return;
  const store = measured.toStore(mkdtempSync(join(folder, 'shared-')));
  const servers = [await startServer(folder, store), await startServer(folder, store)];
  const [first] = servers;
  if (first === undefined) return;
  try {
    for (const { name, toCycle } of loads) {
      const cycles = Array.from({ length: connections }, (_, index) => toCycle(index));
      const figures: Shared[] = [];
      for (let round = -1; round < Number(options.rounds); round += 1) {
        const before = readCpu(redisPid);
        const one = await load(first, cycles, Number(options.seconds));
        const redisTime = readCpu(redisPid) - before;
        const both = await Promise.all(
          servers.map((server) => load(server, cycles, Number(options.seconds))),
        );
        if (round < 0) continue;
        const cpu = both.reduce((sum, half) => sum + half.requests / half.perCpuSecond, 0);
        const requests = both.reduce((sum, half) => sum + half.requests, 0);
        figures.push({
          one: one.perSecond,
          both: both.reduce((sum, half) => sum + half.perSecond, 0),
          ofCpu: requests / cpu / one.perCpuSecond,
          redis: (redisTime / one.requests) * 1e6,
        });
      }
      const middle = (pick: (figure: Shared) => number): number => median(figures.map(pick));
      console.log(
        `${name}, two servers on one Redis: ${toText(middle(({ both }) => both))} requests per second against ${toText(middle(({ one }) => one))} of one (${middle(({ one, both }) => both / one).toFixed(2)}), ` +
          `requests for each second of the servers' CPU ${middle(({ ofCpu }) => ofCpu).toFixed(2)} of one's; Redis takes ${middle(({ redis }) => redis).toFixed(1)} µs of CPU for a request`,
      );
    }
    for (const server of servers) {
      console.log(
        `resident memory of a server after it: ${toText(server.residentMemory() / 2 ** 20)} MiB`,
      );
    }
  } finally {
    for (const server of servers) await server.stop();
  }
}

/** Figures of one round. */
interface Shared {
  /** Requests per second. */
  readonly one: number;
  readonly both: number;
  /** Requests for each second of CPU, two servers against one. */
  readonly ofCpu: number;
  /** Microseconds of CPU that Redis spends on a request. */
  readonly redis: number;
}

/** The CPU time of a process since its start, in seconds. */
function readCpu(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e9;
}

function print(rounds: Rounds): void {
  for (const [measure, figures] of rounds) {
    const [reference = [], ...others] = figures.values();
    const names = [...figures.keys()];
    const cells = others.map((values, index) => {
      const ratio = median(values.map((value, round) => value / (reference[round] ?? Number.NaN)));
      return `${names[index + 1]} ${toText(median(values))} (${ratio.toFixed(2)})`;
    });
    console.log([`${measure}: ${names[0]} ${toText(median(reference))}`, ...cells].join(', '));
  }
}

function toText(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: value < 1000 ? 3 : 5 });
}

async function main(): Promise<void> {
  assertLinux();
  pinLoad();
  const storages = measuredStorages.filter(({ name }, index) =>
    options.store === undefined ? true : index === 0 || options.store.includes(name),
  );
  const folder = mkdtempSync(join(tmpdir(), 'stockcheck-stores-'));
  const redis = await startRedis();
  process.env[redisPort] = String(redis.port);
  try {
    print(await measureServers(storages, folder));
    await measureTwoServers(folder, redis.pid);
    print(await measureCalls(storages, folder));
  } finally {
    rmSync(folder, { recursive: true });
    await redis.stop();
  }
}

if (options.help === true) console.log(usage);
else await main();
