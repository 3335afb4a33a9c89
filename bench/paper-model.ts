/**
 * Works out how many sandboxes and requests a deployment carries, from what single things cost when
 * they are measured: `npx tsx bench/paper-model.ts [costs.json]` prints the table of
 * docs/operations.md. It is a model: nothing of it was run at that size.
 */
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

/** What was measured, by `bench/stores.ts` and `bench/shared-sandboxes.ts`. */
export interface Costs {
  /** Microseconds of CPU that a server spends on a request; a list has 100 pets. */
  readonly serverMicroseconds: {
    readonly memory: Mix;
    readonly sqlite: Mix;
    readonly redis: Mix;
  };
  /** Microseconds of CPU that Redis spends on a request. */
  readonly redisMicroseconds: Mix;
  /** Microseconds for which one SQLite update keeps others from writing. */
  readonly sqliteLockMicroseconds: number;
  /** Requests for each second of CPU where servers share a Redis, against one that has it alone. */
  readonly sharing: number;
  /** Resident memory of a server after a load, in MiB. */
  readonly serverMebibytes: number;
  /** Memory of a server for each sandbox that it has served, journals aside, in bytes. */
  readonly serverBytesOfSandbox: number;
  /** Memory of Redis for each sandbox, and for each pet in it that was changed, in bytes. */
  readonly redisBytesOfSandbox: number;
  readonly redisBytesOfPet: number;
}

/** What a request costs, by its kind. */
interface Mix {
  readonly patch: number;
  readonly list: number;
}

/** What is assumed. */
const assumed = {
  /** Of all requests. */
  patches: 0.3,
  /** How busy a core is to be: what is above serves peaks, and a server that is lost. */
  utilisation: 0.6,
  /** In each sandbox. */
  changedPets: 10,
  /** What a Redis may fill of its memory with sandboxes, in MiB. */
  redisMebibytes: 512,
  /** What all journals of a server may take, in MiB: its limit. */
  journalMebibytes: 256,
} as const;

/** One line of the table. */
interface Deployment {
  readonly name: string;
  readonly store: keyof Costs['serverMicroseconds'];
  /** Processes that serve, with a core each. */
  readonly servers: number;
  readonly sandboxes: number;
}

const deployments: readonly Deployment[] = [
  { name: 'one process, memory', store: 'memory', servers: 1, sandboxes: 10_000 },
  { name: 'one process, SQLite', store: 'sqlite', servers: 1, sandboxes: 10_000 },
  { name: 'SQLite, `--workers 4`', store: 'sqlite', servers: 4, sandboxes: 10_000 },
  { name: 'Redis, 2 servers', store: 'redis', servers: 2, sandboxes: 10_000 },
  { name: 'Redis, 10 servers', store: 'redis', servers: 10, sandboxes: 100_000 },
  { name: 'Redis, 30 servers', store: 'redis', servers: 30, sandboxes: 300_000 },
  { name: 'Redis, 100 servers', store: 'redis', servers: 100, sandboxes: 1_000_000 },
];

/** The table, in Markdown. */
export function toTable(costs: Costs): string {
  const rows = deployments.map((deployment) => toRow(deployment, costs));
  const head = [
    'what runs',
    'sandboxes',
    'requests per second',
    'memory of a server',
    'Redis masters',
    'memory of a master',
  ];
  const all = [head, head.map((_, index) => (index === 0 ? '---' : '---:')), ...rows];
  return all.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function toRow({ name, store, servers, sandboxes }: Deployment, costs: Costs): string[] {
  const { utilisation } = assumed;
  const sharing = store === 'redis' && servers > 1 ? costs.sharing : 1;
  const perCore = (1e6 / average(costs.serverMicroseconds[store])) * utilisation * sharing;
  const requests = Math.min(
    servers * perCore,
    store === 'sqlite' ? mostOverSqlite(costs) : Infinity,
  );
  const memory =
    costs.serverMebibytes +
    assumed.journalMebibytes +
    (Math.min(sandboxes, knownSandboxes) * costs.serverBytesOfSandbox) / 2 ** 20;
  return [
    name,
    toText(sandboxes),
    toText(toTwoDigits(requests)),
    `${toText(toTwoDigits(memory))} MiB`,
    ...(store === 'redis' ? toRedis(requests, sandboxes, costs) : ['–', '–']),
  ];
}

/** As many as a server remembers (`src/stores/redis/known-sandboxes.ts`). */
const knownSandboxes = 20_000;

/** All updates take turns. */
function mostOverSqlite({ sqliteLockMicroseconds }: Costs): number {
  return (1e6 / sqliteLockMicroseconds / assumed.patches) * assumed.utilisation;
}

/** So many masters that none lacks time or room. Each has one core for commands, and a replica. */
function toRedis(requests: number, sandboxes: number, costs: Costs): string[] {
  const busy = (requests * average(costs.redisMicroseconds)) / 1e6 / assumed.utilisation;
  const bytes = costs.redisBytesOfSandbox + assumed.changedPets * costs.redisBytesOfPet;
  const mebibytes = (sandboxes * bytes) / 2 ** 20;
  const needed = Math.ceil(Math.max(busy, mebibytes / assumed.redisMebibytes));
  // A cluster has three at least.
  const masters = needed > 1 ? Math.max(3, needed) : 1;
  return [String(masters), `${toText(toTwoDigits(mebibytes / masters))} MiB`];
}

function average({ patch, list }: Mix): number {
  return assumed.patches * patch + (1 - assumed.patches) * list;
}

const toTwoDigits = (value: number): number => Number(value.toPrecision(2));

const toText = (value: number): string => value.toLocaleString('en');

async function main(file: string): Promise<void> {
  console.log(toTable(JSON.parse(await readFile(file, 'utf8')) as Costs));
}

const script = process.argv[1];
if (script !== undefined && import.meta.url === pathToFileURL(script).href) {
  await main(process.argv[2] ?? 'bench/costs.json');
}
