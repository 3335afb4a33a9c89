import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { SandboxStorage, StoredSandbox } from '../../src/inventory/sandbox-storage.ts';
import { StoreUnavailableError } from '../../src/inventory/store.ts';
import { openRedisSandboxes } from '../../src/stores/redis.ts';
import { startRedisCluster, untilTrue } from '../redis-processes.ts';

const sandboxCount = 24;

/** The cluster takes two seconds to give a master up, and one or two more to choose another. */
const mostOutage = 20_000;

/** Writes ever higher quantities to one pet, and knows what must be there. */
class Writer {
  readonly #sandbox: StoredSandbox;
  #sent = 0n;
  #acknowledged = 0n;
  #lastSuccess = performance.now();
  /** The longest time without an acknowledged write, in milliseconds. */
  longestOutage = 0;
  successes = 0;
  readonly refusals: Error[] = [];
  readonly lost: string[] = [];
  #isOver = false;

  constructor(sandbox: StoredSandbox) {
    this.#sandbox = sandbox;
  }

  async run(): Promise<void> {
    while (!this.#isOver) {
      this.#sent += 1n;
      try {
        const updated = await this.#sandbox.store.update(1n, { quantity: this.#sent });
        this.#expectKept(updated?.previous.quantity ?? -1n);
        this.#acknowledged = this.#sent;
        this.successes += 1;
        const now = performance.now();
        this.longestOutage = Math.max(this.longestOutage, now - this.#lastSuccess);
        this.#lastSuccess = now;
      } catch (error) {
        if (error instanceof Error) this.refusals.push(error);
        await sleep(10);
      }
    }
  }

  stop(): void {
    this.#isOver = true;
  }

  async check(): Promise<void> {
    // The writer may be busy meanwhile.
    const acknowledged = this.#acknowledged;
    const item = await this.#sandbox.store.get(1n);
    this.#expectKept(item?.quantity ?? -1n, acknowledged);
  }

  /** What is there is the last acknowledged write, or a later one whose outcome is unknown. */
  #expectKept(quantity: bigint, acknowledged = this.#acknowledged): void {
    if (quantity >= acknowledged && quantity <= this.#sent) return;
    this.lost.push(`${acknowledged} was acknowledged, ${quantity} is there`);
  }
}

/** Writers to sandboxes on all masters of a cluster. */
class Load {
  readonly writers: readonly Writer[];
  readonly #running: Promise<unknown>;

  private constructor(sandboxes: readonly StoredSandbox[]) {
    this.writers = sandboxes.map((sandbox) => new Writer(sandbox));
    this.#running = Promise.all(this.writers.map((writer) => writer.run()));
  }

  static async start(storage: SandboxStorage): Promise<Load> {
    const created = await Promise.all(
      Array.from({ length: sandboxCount }, async () =>
        storage.create({
          settings: '',
          seed: [{ petId: 1n, quantity: 0n, status: 'available' }],
        }),
      ),
    );
    return new Load(created.filter((sandbox) => sandbox !== 'taken'));
  }

  get refusals(): readonly Error[] {
    return this.writers.flatMap((writer) => writer.refusals);
  }

  async untilRefused(): Promise<void> {
    await untilTrue(() => this.refusals.length > 0);
  }

  /** Until what every writer has written can be read. */
  async untilAllRead(): Promise<void> {
    await untilTrue(
      () =>
        Promise.all(this.writers.map((writer) => writer.check())).then(
          () => true,
          () => false,
        ),
      mostOutage,
    );
  }

  /** Until every writer has had so many more writes acknowledged. */
  async untilWritten(more: number): Promise<void> {
    const goals = this.writers.map(({ successes }) => successes + more);
    await untilTrue(
      () => this.writers.every(({ successes }, index) => successes >= (goals[index] ?? 0)),
      mostOutage * 2,
    );
  }

  async stop(): Promise<void> {
    for (const writer of this.writers) writer.stop();
    await this.#running;
    await Promise.all(this.writers.map((writer) => writer.check()));
  }
}

function expectNothingLost({ writers, refusals }: Load): void {
  expect(writers.flatMap(({ lost }) => lost)).toEqual([]);
  expect(refusals.filter((error) => !(error instanceof StoreUnavailableError))).toEqual([]);
}

test.for([
  { what: 'killed', signal: 'SIGKILL' as const },
  { what: 'stopped, and back after the fail-over', signal: 'SIGSTOP' as const },
])(
  'a master with two replicas is $what under load: no acknowledged write is lost with ?wait=1',
  { timeout: 180_000 },
  async ({ what, signal }) => {
    const cluster = await startRedisCluster({ spare: true });
    onTestFinished(() => cluster.stop());
    const storage = await openRedisSandboxes({ url: `${cluster.url}?wait=1&timeout=1500` });
    onTestFinished(() => storage.close());
    const load = await Load.start(storage);
    await load.untilWritten(100);
    const [master] = cluster.nodes;
    if (signal === 'SIGKILL') await master?.kill();
    else master?.signal(signal);
    await load.untilRefused();
    await load.untilWritten(100);
    if (signal === 'SIGSTOP') {
      // It believes for a moment that it is still the master, and has what was sent to it before.
      master?.signal('SIGCONT');
      await load.untilWritten(100);
    }
    await load.stop();
    expectNothingLost(load);
    const outage = Math.max(...load.writers.map(({ longestOutage }) => longestOutage));
    // For whoever runs it: how long the service was away.
    process.stdout.write(`${what}: ${Math.round(outage)} ms, ${load.refusals.length} refusals\n`);
    expect(outage).toBeLessThan(mostOutage);
    expect(await storage.ready()).toEqual({ ready: true });
  },
);

test(
  'a master with one replica is killed: reads are back after the fail-over, writes with ?wait=1 when it is back as a replica',
  { timeout: 180_000 },
  async () => {
    const cluster = await startRedisCluster();
    onTestFinished(() => cluster.stop());
    const storage = await openRedisSandboxes({ url: `${cluster.url}?wait=1&timeout=1500` });
    onTestFinished(() => storage.close());
    const load = await Load.start(storage);
    await load.untilWritten(20);
    const [master] = cluster.nodes;
    await master?.kill();
    await load.untilRefused();
    await untilTrue(async () => (await storage.ready()).ready, mostOutage);
    await load.untilAllRead();
    const unacknowledged = (): boolean =>
      load.refusals.some(({ message }) => message.includes('0 of 1 replicas have acknowledged'));
    await untilTrue(unacknowledged);
    await master?.start();
    await load.untilWritten(20);
    await load.stop();
    expectNothingLost(load);
  },
);
