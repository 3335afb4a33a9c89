import { setTimeout as wait } from 'node:timers/promises';
import { measureListAfterUpdate } from './after-update.ts';
import type { Figure } from './figure.ts';
import type { InventoryFiles } from './inventory-files.ts';
import { startStockcheck } from './server-process.ts';
import { list } from './start-up.ts';

/** How long a server is left alone before its memory is read, in milliseconds. */
const settleTime = 10_000;

/** Loads a million items, and lists them after updates. */
export async function measureMillion(
  empty: InventoryFiles,
  million: InventoryFiles,
  pairs: number,
): Promise<readonly Figure[]> {
  const idle = await startStockcheck('--log', 'silent', '--fixture', empty.fixture);
  await list(idle);
  const startedAt = performance.now();
  const loaded = await startStockcheck('--log', 'silent', '--fixture', million.fixture);
  try {
    await list(loaded);
    const seconds = (performance.now() - startedAt) / 1000;
    const atOnce = loaded.residentMemory();
    await wait(settleTime);
    const settled = loaded.residentMemory() - idle.residentMemory();
    const items = million.petIds.length;
    return [
      {
        case: 'load-1000000',
        measure: 'start to first 200',
        unit: 's',
        stockcheck: seconds,
        target: { atMost: 5 },
      },
      {
        case: 'memory-1000000',
        measure: 'resident memory for each item, over the empty server',
        unit: 'bytes',
        stockcheck: settled / items,
        target: { atMost: 200 },
      },
      {
        case: 'memory-1000000',
        measure: 'the same before the settle time',
        unit: 'bytes',
        stockcheck: (atOnce - idle.residentMemory()) / items,
      },
      ...(await measureListAfterUpdate('list-after-update-1000000', loaded, million, pairs, {
        atMost: 1.5,
      })),
    ];
  } finally {
    await loaded.stop();
    await idle.stop();
  }
}
