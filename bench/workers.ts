/**
 * Measures what it costs that workers tell the process above them of every exchange:
 * `npm run -s build && npx tsx bench/workers.ts [--rounds 7]`.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { assertLinux, pinLoad } from './cores.ts';
import { load } from './load.ts';
import { listRequest, updateRequest } from './requests.ts';
import { startStockcheck } from './server-process.ts';
import { median } from './statistics.ts';

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '7' } } });

const seconds = 0.6;
const connections = 16;
const petIds = [1n, 2n, 3n];

/** The CPU time of a process and of those below it, in seconds. */
function cpuOf(pid: number): readonly [own: number, below: number] {
  const own = readdirSync(`/proc/${pid}/task`)
    .map((task) =>
      Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
    )
    .reduce((sum, time) => sum + time, 0);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  const below = children.filter(Boolean).map((child) => cpuOf(Number(child)));
  return [own / 1e9, below.reduce((sum, [mine, theirs]) => sum + mine + theirs, 0)];
}

assertLinux();
pinLoad();
const folder = mkdtempSync(join(tmpdir(), 'stockcheck-workers-'));
const store = (name: string): string[] => [
  '--log',
  'silent',
  '--store',
  `sqlite:${join(folder, name)}`,
];
const alone = await startStockcheck(...store('alone.db'));
const below = await startStockcheck(...store('workers.db'), '--workers', '1');
const loads = {
  list: [listRequest],
  PATCH: petIds.map((petId, index) => updateRequest(petId, index)),
};
for (const [name, cycle] of Object.entries(loads)) {
  const cycles = Array.from({ length: connections }, () => cycle);
  const figures: { alone: number; worker: number; primary: number }[] = [];
  for (let round = -1; round < Number(options.rounds); round += 1) {
    const one = await load(alone, cycles, seconds);
    const before = cpuOf(below.pid);
    const other = await load(below, cycles, seconds);
    const after = cpuOf(below.pid);
    if (round < 0) continue;
    const each = (index: 0 | 1): number => ((after[index] - before[index]) / other.requests) * 1e6;
    figures.push({ alone: 1e6 / one.perCpuSecond, worker: each(1), primary: each(0) });
  }
  const middle = (of: keyof (typeof figures)[number]): string =>
    median(figures.map((figure) => figure[of])).toFixed(1);
  console.log(
    `${name}: µs of CPU for a request: one process ${middle('alone')}; a worker ${middle('worker')}, and above it ${middle('primary')}`,
  );
}
await alone.stop();
await below.stop();
rmSync(folder, { recursive: true });
