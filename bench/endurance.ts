/**
 * Loads the built server for a long time and says what its memory does, with the journal on, which
 * keeps the last exchanges only: `npm run -s build && npx tsx bench/endurance.ts [seconds]`. Left
 * out: 600.
 */
import { pinLoad } from './cores.ts';
import { InventoryFolder } from './inventory-files.ts';
import { load } from './load.ts';
import { startStockcheck } from './server-process.ts';
import { throughputCases } from './throughput.ts';

/** In seconds. */
const step = 30;
const connections = 16;

const seconds = Number(process.argv[2] ?? 600);

const testCase = throughputCases.find(({ name }) => name === 'update-10000');
if (testCase === undefined) throw new Error('there is no load of updates');

pinLoad();
const folder = new InventoryFolder();
const files = await folder.provide(testCase.pets);
const cycles = Array.from({ length: connections }, (_, connection) =>
  testCase.toCycle(files.petIds, connection),
);
const server = await startStockcheck('--log', 'silent', '--fixture', files.fixture);
try {
  let exchanges = 0;
  for (let passed = 0; passed < seconds; passed += step) {
    const { requests, perSecond } = await load(server, cycles, Math.min(step, seconds - passed));
    exchanges += requests;
    const resident = (server.residentMemory() / 2 ** 20).toFixed(0);
    console.log(`${exchanges} PATCHes, ${perSecond.toFixed(0)}/s: ${resident} MiB resident`);
  }
  const at = `http://127.0.0.1:${server.port}/_stockcheck/sandboxes/default/journal?limit=1000`;
  const journal = (await (await fetch(at)).json()) as { readonly exchanges: readonly unknown[] };
  console.log(`the journal has the last ${journal.exchanges.length}`);
} finally {
  await server.stop();
  folder.remove();
}
