import type { Figure, Target } from './figure.ts';
import type { InventoryFiles } from './inventory-files.ts';
import { load, type LoadResult, type RequestCycle } from './load.ts';
import { listRequest, updateRequest } from './requests.ts';
import {
  startBareServer,
  startPlainMock,
  startStockcheck,
  type ServerProcess,
} from './server-process.ts';
import { median } from './statistics.ts';

/** Load on one operation, or on both in turn. */
export interface ThroughputCase {
  readonly name: string;
  readonly pets: number;
  readonly log: 'silent' | 'requests';
  /** What Stockcheck is measured against: a bare server, or its own engine by itself. */
  readonly bare: 'constant' | 'stringify' | 'plain mock';
  readonly target?: Target;
  toCycle(petIds: readonly bigint[], connection: number): RequestCycle;
}

export interface Effort {
  readonly rounds: number;
  /** Length of the load on one server in one round. */
  readonly seconds: number;
  readonly connections: number;
}

const updatesOfOneConnection = 500;

const toList = (): RequestCycle => [listRequest];

/** Updates all over the inventory, each connection in an order of its own. */
function toUpdates(petIds: readonly bigint[], connection: number): RequestCycle {
  return Array.from({ length: updatesOfOneConnection }, (_, index) => {
    const position = (connection * 7919 + index * 104_729) % petIds.length;
    return updateRequest(petIds[position] ?? 0n, (index * 37) % 1000);
  });
}

function toUpdatesAndLists(petIds: readonly bigint[], connection: number): RequestCycle {
  return toUpdates(petIds, connection).flatMap((update) => [update, listRequest]);
}

const list = { log: 'silent', bare: 'constant', toCycle: toList } as const;
const update = { log: 'silent', bare: 'constant', toCycle: toUpdates } as const;

const overhead = { bare: 'plain mock', target: { atLeast: 0.9 } } as const;

export const throughputCases: readonly ThroughputCase[] = [
  { ...list, name: 'list-3', pets: 3 },
  { ...list, name: 'list-100', pets: 100, target: { atLeast: 0.9 } },
  { ...list, name: 'list-100-logged', pets: 100, log: 'requests' },
  { ...list, name: 'list-10000', pets: 10_000, target: { atLeast: 0.9 } },
  { ...update, name: 'update-10000', pets: 10_000, target: { atLeast: 0.85 } },
  { ...update, name: 'update-10000-logged', pets: 10_000, log: 'requests' },
  {
    name: 'alternating-10000',
    pets: 10_000,
    log: 'silent',
    bare: 'stringify',
    target: { atLeast: 10 },
    toCycle: toUpdatesAndLists,
  },
  // What sandboxes, journal and faults cost.
  { ...list, ...overhead, name: 'list-100-overhead', pets: 100 },
  { ...list, ...overhead, name: 'list-10000-overhead', pets: 10_000 },
  { ...update, ...overhead, name: 'update-10000-overhead', pets: 10_000 },
];

/** Loads Stockcheck and a bare server by turns, so that what disturbs the machine meets both. */
export async function measureThroughput(
  testCase: ThroughputCase,
  files: InventoryFiles,
  effort: Effort,
): Promise<readonly Figure[]> {
  const cycles = Array.from({ length: effort.connections }, (_, connection) =>
    testCase.toCycle(files.petIds, connection),
  );
  const stockcheck = await startStockcheck('--log', testCase.log, '--fixture', files.fixture);
  const bare =
    testCase.bare === 'plain mock'
      ? await startPlainMock(files.list)
      : await startBareServer(testCase.bare, files.list);
  try {
    await load(stockcheck, cycles, 1);
    await load(bare, cycles, 1);
    const rounds: Round[] = [];
    for (let round = 0; round < effort.rounds; round += 1) {
      rounds.push({
        stockcheck: await load(stockcheck, cycles, effort.seconds),
        bare: await load(bare, cycles, effort.seconds),
      });
    }
    return toFigures(testCase, rounds, stockcheck, bare);
  } finally {
    await stockcheck.stop();
    await bare.stop();
  }
}

interface Round {
  readonly stockcheck: LoadResult;
  readonly bare: LoadResult;
}

function toFigures(
  { name, target }: ThroughputCase,
  rounds: readonly Round[],
  stockcheck: ServerProcess,
  bare: ServerProcess,
): readonly Figure[] {
  const compare = (
    measure: string,
    unit: string,
    read: (result: LoadResult) => number,
  ): Figure => ({
    case: name,
    measure,
    unit,
    stockcheck: median(rounds.map((round) => read(round.stockcheck))),
    bare: median(rounds.map((round) => read(round.bare))),
    ratio: median(rounds.map((round) => read(round.stockcheck) / read(round.bare))),
  });
  return [
    {
      ...compare('requests per second of server CPU', '/s', ({ perCpuSecond }) => perCpuSecond),
      ...(target === undefined ? {} : { target }),
    },
    compare('requests per second', '/s', ({ perSecond }) => perSecond),
    compare('time of 99 % of the requests', 'ms', ({ p99 }) => p99),
    {
      case: name,
      measure: 'resident memory after the load',
      unit: 'MiB',
      stockcheck: stockcheck.residentMemory() / 2 ** 20,
      bare: bare.residentMemory() / 2 ** 20,
      target: { atMost: 100 },
    },
  ];
}
