import type { Figure, Target } from './figure.ts';
import { HttpConnection } from './http-connection.ts';
import type { InventoryFiles } from './inventory-files.ts';
import { listRequest, updateRequest } from './requests.ts';
import { startBareServer, type ServerProcess } from './server-process.ts';
import { median } from './statistics.ts';

interface Sample {
  readonly milliseconds: number;
  readonly cpuMilliseconds: number;
}

/**
 * Lists right after an update, one request at a time, against a bare server that writes the same
 * bytes from one buffer.
 */
export async function measureListAfterUpdate(
  name: string,
  stockcheck: ServerProcess,
  files: InventoryFiles,
  pairs: number,
  target?: Target,
): Promise<readonly Figure[]> {
  const bare = await startBareServer('constant', files.list);
  const [toStockcheck, toBare] = await Promise.all([
    HttpConnection.open(stockcheck.port),
    HttpConnection.open(bare.port),
  ]);
  const ours: Sample[] = [];
  const theirs: Sample[] = [];
  try {
    for (let index = 0; index < warmUp + pairs; index += 1) {
      const petId = files.petIds[(index * 104_729) % files.petIds.length] ?? 0n;
      await exchange(toStockcheck, updateRequest(petId, index % 1000));
      ours.push(await time(toStockcheck, stockcheck));
      theirs.push(await time(toBare, bare));
    }
  } finally {
    toStockcheck.close();
    toBare.close();
    await bare.stop();
  }
  return toFigures(name, ours.slice(warmUp), theirs.slice(warmUp), target);
}

/** Pairs that are sent and not counted. */
const warmUp = 10;

function exchange(connection: HttpConnection, request: Uint8Array): Promise<number> {
  return new Promise((resolve) => connection.send(request, resolve));
}

async function time(connection: HttpConnection, server: ServerProcess): Promise<Sample> {
  const cpu = server.cpuTime();
  const start = performance.now();
  await exchange(connection, listRequest);
  return {
    milliseconds: performance.now() - start,
    cpuMilliseconds: (server.cpuTime() - cpu) * 1000,
  };
}

function toFigures(
  name: string,
  ours: readonly Sample[],
  theirs: readonly Sample[],
  target: Target | undefined,
): readonly Figure[] {
  const compare = (measure: string, read: (sample: Sample | undefined) => number): Figure => ({
    case: name,
    measure,
    unit: 'ms',
    stockcheck: median(ours.map(read)),
    bare: median(theirs.map(read)),
    ratio: median(ours.map((sample, index) => read(sample) / read(theirs[index]))),
    ...(target === undefined ? {} : { target }),
  });
  return [
    compare('time to the last byte', (sample) => sample?.milliseconds ?? Number.NaN),
    compare('server CPU', (sample) => sample?.cpuMilliseconds ?? Number.NaN),
  ];
}
