import type { Figure } from './figure.ts';
import { HttpConnection } from './http-connection.ts';
import type { InventoryFiles } from './inventory-files.ts';
import { listRequest } from './requests.ts';
import { startBareServer, startStockcheck, type ServerProcess } from './server-process.ts';
import { median } from './statistics.ts';

/** Time from the start of the process to the last byte of the first 200, by turns. */
export async function measureStartUp(
  files: InventoryFiles,
  rounds: number,
): Promise<readonly Figure[]> {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await timeStart(() => startStockcheck('--log', 'silent')));
    theirs.push(await timeStart(() => startBareServer('constant', files.list)));
  }
  return [
    {
      case: 'start-up',
      measure: 'start to first 200',
      unit: 'ms',
      stockcheck: median(ours),
      bare: median(theirs),
      ratio: median(
        ours.map((milliseconds, index) => milliseconds / (theirs[index] ?? Number.NaN)),
      ),
      target: { atMost: 3 },
    },
  ];
}

async function timeStart(start: () => Promise<ServerProcess>): Promise<number> {
  const startedAt = performance.now();
  const server = await start();
  await list(server);
  const milliseconds = performance.now() - startedAt;
  await server.stop();
  return milliseconds;
}

/** Lists once. */
export async function list(server: ServerProcess): Promise<void> {
  const connection = await HttpConnection.open(server.port);
  await new Promise((resolve) => {
    connection.send(listRequest, resolve);
  });
  connection.close();
}
