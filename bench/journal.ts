/**
 * Measures what the journal costs: nanoseconds for each exchange, and the memory that it holds after
 * a million of them. `node bench/journal.ts [rounds]`; it listens on no port and needs no build. Not with tsx, which
 * gives every function its name when it is made, and so measures itself.
 */
import type { IncomingMessage } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createJournal, type OwnJournal } from '../src/mock/journal.ts';
import { defaultPolicy } from '../src/mock/policy.ts';
import { handleRequest, type Answered, type Engine } from '../src/mock/mock.ts';
import { NodeRequest } from '../src/server/node-request.ts';
import { MemoryStore } from '../src/stores/memory.ts';
import { median, quantile } from './statistics.ts';

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

const rounds = Number(process.argv[2] ?? 100);
const apiKeys = ['sb-0123456789abcdef0123456789abcdef'];

interface Load {
  readonly name: string;
  readonly store: MemoryStore;
  /** The request number so many, with strings and bytes of its own, as they come from a socket. */
  readonly toRequest: (number: number) => NodeRequest;
}

const fresh = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

function toRequest(method: string, path: string, body?: string): NodeRequest {
  const headers = [
    'Host',
    '127.0.0.1:4010',
    'Connection',
    'keep-alive',
    'Authorization',
    `Bearer ${apiKeys[0]}`,
    ...(body === undefined
      ? []
      : ['Content-Type', 'application/json', 'Content-Length', `${body.length}`]),
    'Accept',
    '*/*',
    'Accept-Encoding',
    'gzip, deflate',
    'User-Agent',
    'bench',
  ];
  const incoming = { method, url: fresh(path), rawHeaders: headers.map(fresh) };
  const bytes = body === undefined ? undefined : new Uint8Array(new TextEncoder().encode(body));
  return new NodeRequest(incoming as unknown as IncomingMessage, bytes);
}

function createStore(pets: number): MemoryStore {
  return new MemoryStore(
    Array.from({ length: pets }, (_, index) => ({
      petId: BigInt(index + 1),
      quantity: BigInt(index % 100),
      status: 'available' as const,
    })),
  );
}

const list = (): NodeRequest => toRequest('GET', '/v1/inventory');
const patch = (number: number): NodeRequest =>
  toRequest('PATCH', `/v1/inventory/${(number % 100) + 1}`, `{"quantity":${number % 1000}}`);
const alternate = (number: number): NodeRequest => (number % 2 === 0 ? list() : patch(number));

const loads: readonly Load[] = [
  { name: 'PATCH', store: createStore(100), toRequest: patch },
  { name: 'list-100', store: createStore(100), toRequest: list },
  { name: 'list-10000', store: createStore(10_000), toRequest: list },
  { name: 'list-100 and PATCH in turn', store: createStore(100), toRequest: alternate },
  { name: 'list-10000 and PATCH in turn', store: createStore(10_000), toRequest: alternate },
];

const engineOver = (store: MemoryStore, onAnswer?: Engine['onAnswer']): Engine => ({
  store,
  apiKeys,
  policy: defaultPolicy,
  onAnswer,
});

const batch = 2_000;

function rethrow(error: unknown): never {
  throw error;
}

/** Nanoseconds for each call of `record`, on exchanges that the engine had. */
function timeRecord({ store, toRequest: make }: Load, journal: OwnJournal): number {
  const exchanges: Answered[] = [];
  const engine = engineOver(store, (answered) => exchanges.push(answered));
  for (let number = 0; number < batch; number += 1)
    void handleRequest(make(number), engine, rethrow);
  const start = performance.now();
  for (const answered of exchanges) {
    journal.record(answered, { startedAt: 1_790_000_000_000, duration: 1, apiKeys });
  }
  return ((performance.now() - start) * 1e6) / batch;
}

/** Nanoseconds for each answer of the engine, with what it is told of. */
function timeAnswers({ store, toRequest: make }: Load, onAnswer?: Engine['onAnswer']): number {
  const requests = Array.from({ length: batch }, (_, number) => make(number));
  const engine = engineOver(store, onAnswer);
  const start = performance.now();
  for (const request of requests) void handleRequest(request, engine, rethrow);
  return ((performance.now() - start) * 1e6) / batch;
}

function report(name: string, value: number, unit: string): void {
  console.log(`${name.padEnd(66)} ${value.toFixed(0).padStart(10)} ${unit}`);
}

function reportTimes(name: string, times: readonly number[]): void {
  report(`${name}, median of ${times.length} rounds`, median(times), 'ns');
  // On a machine that has other things to do, this one says more.
  report(`${name}, quickest tenth`, quantile(times, 0.1), 'ns');
}

function measureTime(load: Load): void {
  const journal = createJournal();
  const alone: number[] = [];
  const without: number[] = [];
  const withJournal: number[] = [];
  const record = (answered: Answered): void => {
    journal.record(answered, { startedAt: 1_790_000_000_000, duration: 1, apiKeys });
  };
  // The first ones find code that is not compiled yet.
  for (let round = -10; round < rounds; round += 1) {
    const times = [
      timeRecord(load, journal),
      timeAnswers(load),
      timeAnswers(load, record),
    ] as const;
    if (round < 0) continue;
    alone.push(times[0]);
    without.push(times[1]);
    withJournal.push(times[2]);
  }
  reportTimes(`${load.name}: record`, alone);
  reportTimes(`${load.name}: engine`, without);
  reportTimes(`${load.name}: engine with journal`, withJournal);
}

function usedMemory(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** What is given back when the journal is cleared. */
function measureHeld(journal: OwnJournal): number {
  const before = usedMemory();
  journal.clear();
  return before - usedMemory();
}

function measureMemory(load: Load, exchanges: number): void {
  const journal = createJournal();
  const engine = engineOver(load.store, (answered) => {
    journal.record(answered, { startedAt: 1_790_000_000_000, duration: 1, apiKeys });
  });
  for (let number = 0; number < exchanges; number += 1) {
    void handleRequest(load.toRequest(number), engine, rethrow);
  }
  const { size, bytes } = journal;
  const held = measureHeld(journal);
  const name = `${load.name}, after ${exchanges.toLocaleString('en')} exchanges`;
  report(`${name}: kept`, size, 'exchanges');
  report(`${name}: by its own account`, bytes, 'bytes');
  report(`${name}: held`, held, 'bytes');
}

function measureIdle(): void {
  const before = usedMemory();
  const journals = Array.from({ length: 10_000 }, () => createJournal());
  report('10,000 idle journals: each', (usedMemory() - before) / journals.length, 'bytes');
}

for (const load of loads) measureTime(load);
measureIdle();
for (const load of loads) {
  for (const count of [10_000, 1_000_000]) measureMemory(load, count);
}
