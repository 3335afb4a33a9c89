import type { Figure, Target } from './figure.ts';
import { HttpConnection } from './http-connection.ts';
import type { InventoryFiles } from './inventory-files.ts';
import { listRequest, updateRequest } from './requests.ts';
import { startBareServer, type ServerProcess } from './server-process.ts';
import { median } from './statistics.ts';

/** Pairs of an update and a list that are sent and not counted. */
const warmUp = 10;

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
  const ours = await Client.open(stockcheck);
  const theirs = await Client.open(bare);
  try {
    for (let index = 0; index < warmUp + pairs; index += 1) {
      if (index === warmUp) for (const client of [ours, theirs]) client.startCounting();
      const petId = files.petIds[(index * 104_729) % files.petIds.length] ?? 0n;
      const update = updateRequest(petId, index % 1000);
      await ours.updateAndList(update);
      await theirs.updateAndList(update);
    }
    return toFigures(name, ours, theirs, target);
  } finally {
    ours.close();
    theirs.close();
    await bare.stop();
  }
}

/** Sends one request after another, and times the lists. */
class Client {
  readonly #server: ServerProcess;
  readonly #connection: HttpConnection;
  #milliseconds: number[] = [];
  #cpuAtStart = 0;

  static async open(server: ServerProcess): Promise<Client> {
    return new Client(server, await HttpConnection.open(server.port));
  }

  private constructor(server: ServerProcess, connection: HttpConnection) {
    this.#server = server;
    this.#connection = connection;
  }

  startCounting(): void {
    this.#milliseconds = [];
    this.#cpuAtStart = this.#server.cpuTime();
  }

  async updateAndList(update: Uint8Array): Promise<void> {
    await this.#exchange(update);
    const start = performance.now();
    await this.#exchange(listRequest);
    this.#milliseconds.push(performance.now() - start);
  }

  /** Of each list, in order. */
  get milliseconds(): readonly number[] {
    return this.#milliseconds;
  }

  /** Of an update and a list together: the scheduler's figure is too coarse for one request. */
  get meanCpuMilliseconds(): number {
    return ((this.#server.cpuTime() - this.#cpuAtStart) * 1000) / this.#milliseconds.length;
  }

  close(): void {
    this.#connection.close();
  }

  #exchange(request: Uint8Array): Promise<unknown> {
    return new Promise((resolve) => {
      this.#connection.send(request, resolve);
    });
  }
}

function toFigures(
  name: string,
  ours: Client,
  theirs: Client,
  target: Target | undefined,
): readonly Figure[] {
  const goal = target === undefined ? {} : { target };
  const cpu = { stockcheck: ours.meanCpuMilliseconds, bare: theirs.meanCpuMilliseconds };
  return [
    {
      case: name,
      measure: 'list, time to the last byte',
      unit: 'ms',
      stockcheck: median(ours.milliseconds),
      bare: median(theirs.milliseconds),
      ratio: median(
        ours.milliseconds.map((time, index) => time / (theirs.milliseconds[index] ?? Number.NaN)),
      ),
      ...goal,
    },
    {
      case: name,
      measure: 'server CPU of an update and a list',
      unit: 'ms',
      ...cpu,
      ratio: cpu.stockcheck / cpu.bare,
      ...goal,
    },
  ];
}
