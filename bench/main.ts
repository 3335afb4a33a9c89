/**
 * Measures the built server against bare `node:http` servers. `--help` lists the options;
 * `docs/performance.md` says what the figures mean.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measureListAfterUpdate } from './after-update.ts';
import { assertLinux, canPin, pinLoad } from './cores.ts';
import type { Figure } from './figure.ts';
import { isReached } from './figure.ts';
import { InventoryFolder } from './inventory-files.ts';
import { measureMillion } from './million.ts';
import { toTable } from './report.ts';
import { startStockcheck } from './server-process.ts';
import { measureStartUp } from './start-up.ts';
import { measureThroughput, throughputCases, type Effort } from './throughput.ts';

interface Benchmark {
  readonly name: string;
  measure(folder: InventoryFolder, effort: Effort): Promise<readonly Figure[]>;
}

const benchmarks: readonly Benchmark[] = [
  {
    name: 'start-up',
    measure: async (folder, { rounds }) => measureStartUp(await folder.provide(3), rounds),
  },
  ...throughputCases.map((testCase) => ({
    name: testCase.name,
    measure: async (folder: InventoryFolder, effort: Effort) =>
      measureThroughput(testCase, await folder.provide(testCase.pets), effort),
  })),
  {
    name: 'list-after-update-10000',
    async measure(folder, { rounds }) {
      const files = await folder.provide(10_000);
      const server = await startStockcheck('--log', 'silent', '--fixture', files.fixture);
      try {
        return await measureListAfterUpdate(this.name, server, files, rounds * 40);
      } finally {
        await server.stop();
      }
    },
  },
  {
    name: 'million',
    measure: async (folder, { rounds }) =>
      measureMillion(await folder.provide(0), await folder.provide(1_000_000), rounds * 2),
  },
];

const names = benchmarks.map(({ name }) => name).join(', ');

const usage = `npm run bench -- [options]
  --case <name>        one of ${names} (repeatable; left out: all)
  --rounds <number>    how often Stockcheck and the bare server take turns (15)
  --seconds <number>   how long the load on one server lasts in one round (0.6)
  --connections <n>    how many connections keep the server busy (16)
  --json <file>        write the figures as JSON too
`;

const { values: options } = parseArgs({
  options: {
    case: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '0.6' },
    connections: { type: 'string', default: '16' },
    json: { type: 'string' },
    help: { type: 'boolean' },
  },
});

async function main(): Promise<void> {
  const unknown = options.case?.find((name) => !benchmarks.some((it) => it.name === name));
  if (unknown !== undefined) throw new Error(`there is no case "${unknown}"; there are ${names}`);
  assertLinux();
  if (!existsSync(new URL('../dist/src/cli/main.js', import.meta.url))) {
    throw new Error('there is no dist/src/cli/main.js; make it with npm run build');
  }
  if (!canPin) console.error('there is no taskset or no second core: load and server share cores');
  pinLoad();
  const effort: Effort = {
    rounds: Number(options.rounds),
    seconds: Number(options.seconds),
    connections: Number(options.connections),
  };
  const figures = await measureAll(effort);
  console.log(toTable(figures));
  if (options.json !== undefined) {
    const report = { node: process.version, ...effort, pinned: canPin, figures };
    writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
  }
  const missed = figures.filter((figure) => isReached(figure) === false).length;
  if (missed > 0) console.error(`${missed} of the targets missed`);
}

async function measureAll(effort: Effort): Promise<readonly Figure[]> {
  const folder = new InventoryFolder();
  const figures: Figure[] = [];
  try {
    for (const benchmark of benchmarks) {
      if (options.case === undefined || options.case.includes(benchmark.name)) {
        console.error(`measuring ${benchmark.name} …`);
        figures.push(...(await benchmark.measure(folder, effort)));
      }
    }
  } finally {
    folder.remove();
  }
  return figures;
}

if (options.help === true) console.log(usage);
else await main();
