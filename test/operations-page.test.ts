import { readFile } from 'node:fs/promises';
import { format } from 'prettier';
import { expect, test } from 'vitest';
import { toTable, type Costs } from '../bench/paper-model.ts';

const readCosts = async (): Promise<Costs> =>
  JSON.parse(await readFile('bench/costs.json', 'utf8')) as Costs;

test('the table of sizes is what the model makes of the measured costs', async () => {
  const page = await readFile('docs/operations.md', 'utf8');
  const table = await format(toTable(await readCosts()), { parser: 'markdown' });
  expect(page).toContain(table.trim());
});

/** The cells of a line of the table. */
function rowOf(costs: Costs, name: string): readonly string[] {
  const line = toTable(costs)
    .split('\n')
    .find((row) => row.startsWith(`| ${name} |`));
  return (line ?? '').split('|').map((cell) => cell.trim());
}

test('the model multiplies servers, until Redis needs another master', async () => {
  const costs: Costs = {
    ...(await readCosts()),
    serverMicroseconds: {
      memory: { patch: 60, list: 60 },
      sqlite: { patch: 60, list: 60 },
      redis: { patch: 60, list: 60 },
    },
    redisMicroseconds: { patch: 6, list: 6 },
    sharing: 1,
    sqliteLockMicroseconds: 100,
    redisBytesOfSandbox: 2 ** 20 / 1000,
    redisBytesOfPet: 0,
  };
  // 1,000,000 / 60 at 60 % are 10,000 requests per second and core.
  expect(rowOf(costs, 'one process, memory')[3]).toBe('10,000');
  // 30 % of the requests take turns for 100 µs each.
  expect(rowOf(costs, 'SQLite, `--workers 4`')[3]).toBe('20,000');
  // 1,000,000 requests per second of 6 µs at 60 %.
  expect(rowOf(costs, 'Redis, 100 servers').slice(3, 4)).toEqual(['1,000,000']);
  expect(rowOf(costs, 'Redis, 100 servers')[5]).toBe('10');
  // 100,000 sandboxes of 1/1000 MiB take 100 MiB, and a cluster has three masters at least.
  expect(
    rowOf({ ...costs, redisMicroseconds: { patch: 9, list: 9 } }, 'Redis, 10 servers').slice(5, 7),
  ).toEqual(['3', '33 MiB']);
});
