/**
 * What sandboxes in memory cost: the room that 10,000 of them take over a fixture of 10,000 pets, by
 * themselves and with all that the engine keeps of them, journals included; the time to create and to
 * find one, and their stores against `MemoryStore` in the same run.
 *
 * `npx tsx bench/sandboxes.ts` prints tables, and JSON with `--json`.
 */
import { execFileSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { InventoryItem } from '../src/inventory/item.ts';
import type { MockRequest } from '../src/mock/exchange.ts';
import { generateInventory } from '../src/mock/generate-inventory.ts';
import type { Mock } from '../src/mock/mock.ts';
import { createSandboxes } from '../src/mock/sandboxes.ts';
import type { MemorySandbox } from '../src/stores/memory-sandbox.ts';
import { MemorySandboxes } from '../src/stores/memory-sandboxes.ts';
import { MemoryStore } from '../src/stores/memory.ts';
import { median } from './statistics.ts';

const sandboxes = 10_000;
const petsOfFixture = 10_000;
const seedOfFixture = 7;

type SyncStore = Pick<MemoryStore, 'list' | 'update'>;

const toKey = (number: number): string => `sb-${String(number).padStart(32, 'k')}`;

function create(
  storage: MemorySandboxes,
  seed: Iterable<InventoryItem>,
  apiKey: string,
): MemorySandbox {
  const sandbox = storage.create({ apiKey, settings: '{"name":"bench"}', seed });
  if (sandbox === 'taken') throw new Error('the key is taken');
  return sandbox;
}

/** Nanoseconds of one of many calls. */
function time(calls: number, call: (count: number) => unknown): number {
  const start = performance.now();
  for (let count = 0; count < calls; count += 1) call(count);
  return ((performance.now() - start) * 1e6) / calls;
}

/** Medians of several rounds, in which each takes its turn first. */
function byTurns(
  measure: (index: 0 | 1, round: number) => number,
  rounds: number,
): { readonly first: number; readonly second: number; readonly ratio: number } {
  const figures: (readonly [number, number])[] = [];
  for (let round = -Math.ceil(rounds / 4); round < rounds; round += 1) {
    const pair: [number, number] = [0, 0];
    for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      pair[index] = measure(index, Math.abs(round));
    }
    if (round >= 0) figures.push(pair);
  }
  return {
    first: median(figures.map(([first]) => first)),
    second: median(figures.map(([, second]) => second)),
    ratio: median(figures.map(([first, second]) => first / second)),
  };
}

interface Row {
  readonly case: string;
  readonly figure: string;
  readonly target?: string;
}

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

/** Creates the sandboxes, and writes to and reads each once. */
async function measureMemory(storage: MemorySandboxes): Promise<readonly Row[]> {
  const seed = [...generateInventory(petsOfFixture, seedOfFixture)];
  const petIds = seed.map(({ petId }) => petId);
  const first = create(storage, seed, toKey(0));
  first.store.list();
  const before = await settledMemory();
  const created = time(sandboxes - 1, (count) => create(storage, seed, toKey(count + 1)));
  const pristine = await settledMemory();
  let number = 0;
  for (const { store } of storage.list()) {
    store.update(petIds[(number * 7919) % petIds.length] ?? 0n, { quantity: BigInt(number) });
    store.list();
    number += 1;
  }
  const atOnce = process.memoryUsage.rss();
  const written = await settledMemory();
  const each = (bytes: number): string => `${Math.round((bytes - before) / sandboxes)} bytes`;
  return [
    { case: 'create one over a known seed', figure: `${(created / 1000).toFixed(1)} µs` },
    { case: 'resident, one sandbox', figure: megabytes(before) },
    { case: `resident, ${sandboxes} sandboxes as created`, figure: megabytes(pristine) },
    { case: '  each', figure: each(pristine) },
    {
      case: `resident, ${sandboxes} sandboxes, updated and listed once, at once`,
      figure: megabytes(atOnce),
      target: '< 300 MB',
    },
    { case: '  the same when settled', figure: megabytes(written), target: '< 300 MB' },
    { case: '  each', figure: each(written) },
  ];
}

/**
 * The same by way of requests. In a process of its own: what the other measurements leave behind
 * would be counted.
 */
function measureEngineElsewhere(): readonly Row[] {
  const { execPath, execArgv } = process;
  const args = [...execArgv, fileURLToPath(import.meta.url), '--engine'];
  return JSON.parse(execFileSync(execPath, args, { encoding: 'utf8' })) as readonly Row[];
}

async function measureEngine(): Promise<readonly Row[]> {
  const inventory = [...generateInventory(petsOfFixture, seedOfFixture)];
  const petIds = inventory.map(({ petId }) => petId);
  const mock = await createSandboxes({ loadedFixture: { inventory }, apiKeys: ['bench'] });
  const before = await settledMemory();
  const keys: string[] = [];
  while (keys.length < sandboxes) keys.push((await mock.create()).apiKey);
  const created = await settledMemory();
  for (const [number, key] of keys.entries()) {
    const petId = petIds[(number * 7919) % petIds.length];
    await expectOk(mock, toRequest(key, 'PATCH', `/${petId}`, `{"quantity":${number}}`));
    await expectOk(mock, toRequest(key, 'GET', ''));
  }
  const atOnce = process.memoryUsage.rss();
  const used = await settledMemory();
  const named = `resident, ${sandboxes} sandboxes of the engine`;
  const each = (bytes: number): string => `${Math.round((bytes - before) / sandboxes)} bytes`;
  return [
    { case: `${named} as created`, figure: megabytes(created), target: '< 300 MB' },
    { case: '  each', figure: each(created) },
    {
      case: `${named}, a PATCH and a list each, at once`,
      figure: megabytes(atOnce),
      target: '< 300 MB',
    },
    { case: '  the same when settled', figure: megabytes(used), target: '< 300 MB' },
    { case: '  each', figure: each(used) },
  ];
}

function toRequest(key: string, method: string, path: string, body?: string): MockRequest {
  const headers: Readonly<Record<string, string>> = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
  };
  return {
    method,
    path: `/v1/inventory${path}`,
    header: (name) => headers[name],
    body: new TextEncoder().encode(body),
  };
}

async function expectOk(mock: Mock, request: MockRequest): Promise<void> {
  const { status } = await mock.handle(request);
  if (status !== 200) throw new Error(`${request.method} was answered with ${status}`);
}

/** Resident memory in bytes, when what is not needed any more was given back. */
async function settledMemory(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    collectGarbage();
    await wait(100);
  }
  return process.memoryUsage.rss();
}

/** `--expose-gc`, without a flag on the command line. */
function exposeGarbageCollection(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

function measureFind(storage: MemorySandboxes): readonly Row[] {
  // Cut from a header, as the server does, and not the very text that is kept.
  const known = Array.from({ length: sandboxes }, (_, number) =>
    `Bearer ${toKey((number * 7919) % sandboxes)}`.slice('Bearer '.length),
  );
  const unknown = known.map((key) => `${key.slice(0, -1)}x`);
  const rounds = byTurns((index) => {
    const keys = index === 0 ? known : unknown;
    return time(200_000, (count) => storage.find(keys[count % keys.length] ?? ''));
  }, 20);
  return [
    { case: 'find by a key', figure: `${rounds.first.toFixed(0)} ns`, target: '< 300 ns' },
    { case: 'find by a key that nobody has', figure: `${rounds.second.toFixed(0)} ns` },
  ];
}

interface Comparison {
  readonly name: string;
  readonly pets: number;
  /** How many pets are written to, evenly spread. */
  readonly written: number;
}

const comparisons: readonly Comparison[] = [
  { name: 'a pet among 100', pets: 100, written: 1 },
  { name: 'all of 100 pets', pets: 100, written: 100 },
  { name: 'a pet among 10,000', pets: 10_000, written: 1 },
  { name: '10 of 10,000 pets', pets: 10_000, written: 10 },
  { name: '30 of 10,000 pets', pets: 10_000, written: 30 },
  { name: 'all of 10,000 pets', pets: 10_000, written: 10_000 },
];

function compare({ name, pets, written }: Comparison): readonly Row[] {
  const seed = [...generateInventory(pets, seedOfFixture)];
  const petIds = seed
    .filter((_, position) => position % Math.floor(pets / written) === 0)
    .slice(0, written)
    .map(({ petId }) => petId);
  const stores: readonly [SyncStore, SyncStore] = [
    create(new MemorySandboxes(), seed, toKey(0)).store,
    new MemoryStore(seed),
  ];
  const update = (store: SyncStore, count: number): unknown =>
    store.update(petIds[(count * 7919) % petIds.length] ?? 0n, { quantity: BigInt(count % 300) });
  const works = [
    { work: 'update', calls: 10_000, call: update },
    {
      work: 'update and list',
      calls: 500,
      call: (store: SyncStore, count: number) => [update(store, count), store.list()],
    },
    { work: 'list', calls: 20_000, call: (store: SyncStore) => store.list() },
  ];
  return works.map(({ work, calls, call }) => {
    const figures = byTurns((index, round) => {
      const store = stores[index];
      store.list();
      return time(calls, (count) => call(store, count + round * 31));
    }, 60);
    return {
      case: `${work}, ${name}`,
      figure: `${figures.ratio.toFixed(2)} of MemoryStore (${figures.first.toFixed(0)} / ${figures.second.toFixed(0)} ns)`,
      target: '≤ 1.10',
    };
  });
}

const collectGarbage = exposeGarbageCollection();
const storage = new MemorySandboxes();
const isEngine = process.argv.includes('--engine');
const rows: readonly Row[] = isEngine
  ? await measureEngine()
  : [
      ...(await measureMemory(storage)),
      ...measureEngineElsewhere(),
      ...measureFind(storage),
      ...comparisons.flatMap(compare),
    ];
if (isEngine || process.argv.includes('--json')) console.log(JSON.stringify(rows));
else console.table(rows);
