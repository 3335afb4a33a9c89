import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../io.ts';
import type { Report, ToPrimary, ToWorker, WorkerTask } from './messages.ts';

/** How long a worker that died is waited for before another takes its place, in milliseconds. */
const pause = { least: 100, most: 5000 };

/** So many that die one after another before any of them serves are enough. */
const mostFailures = 6;

/** How long workers may take for their requests under way when all stops, in milliseconds. */
const patience = 6000;

/** How long what a worker has not told yet is waited for, in milliseconds. */
const gatherPatience = 100;

export interface CrewListener {
  readonly onReport: (report: Report) => void;
  /** Is told of workers that die. */
  readonly onNotice: (text: string) => void;
}

/** The workers of a primary process. One that dies is replaced. */
export class Crew {
  /** Resolves with the reason where none of them can serve any more. */
  readonly givenUp: Promise<Error>;
  readonly #task: WorkerTask;
  readonly #listener: CrewListener;
  readonly #workers = new Map<number, Worker>();
  readonly #serving = new Set<number>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #flushes = new Map<number, () => void>();
  readonly #giveUp: (error: Error) => void;
  #failures = 0;
  #lastFailure: string | undefined;
  #flush = 0;
  /** Whether workers that end are replaced: from when all serve to when they are to end. */
  #isRunning = false;

  constructor(task: WorkerTask, listener: CrewListener) {
    this.#task = task;
    this.#listener = listener;
    const { promise, resolve } = Promise.withResolvers<Error>();
    this.givenUp = promise;
    this.#giveUp = resolve;
    // Workers take connections themselves. Where this process hands them out, one that it has sent to
    // a worker that dies then is nobody's: its client waits for ever (lib/internal/cluster of Node).
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    cluster.setupPrimary({
      exec: fileURLToPath(new URL(`worker.${extension}`, import.meta.url)),
      args: [],
      // Keeps bigint, Map and bytes.
      serialization: 'advanced',
    });
  }

  /**
   * Starts so many workers.
   *
   * @returns the address that they serve
   * @throws {UsageError} where one of them cannot begin
   */
  async start(count: number): Promise<string> {
    const urls = await Promise.all(Array.from({ length: count }, () => this.#begin()));
    this.#isRunning = true;
    return urls[0] ?? '';
  }

  /** Waits until everything is told that was exchanged before; not for ever. */
  async gather(): Promise<void> {
    await Promise.all([...this.#serving].map((id) => this.#gatherFrom(id)));
  }

  /** Lets the requests under way end, and then the workers. */
  async stop(): Promise<void> {
    this.#end();
    // Its end may be known before its last message: that has come when the channel is closed.
    const ends = [...this.#workers.values()].flatMap((worker) => [
      once(worker, 'exit'),
      worker.isConnected() ? once(worker, 'disconnect') : undefined,
    ]);
    for (const worker of this.#workers.values()) tell(worker, { type: 'stop' });
    const deadline = setTimeout(() => this.kill(), patience);
    await Promise.all(ends.filter((end) => end !== undefined));
    clearTimeout(deadline);
  }

  /** Ends all workers at once. */
  kill(): void {
    this.#end();
    for (const worker of this.#workers.values()) worker.process.kill('SIGKILL');
  }

  #end(): void {
    this.#isRunning = false;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  /** Starts a worker. @returns the address, when it serves */
  #begin(): Promise<string> {
    const worker = cluster.fork();
    this.#workers.set(worker.id, worker);
    return new Promise((resolve, reject) => {
      worker.on('message', (message: ToPrimary) => {
        if (message.type === 'serving') {
          this.#serving.add(worker.id);
          this.#failures = 0;
          resolve(message.url);
        } else if (message.type === 'failed') {
          this.#lastFailure = message.message;
          reject(new UsageError(message.message));
        } else this.#take(message, worker);
      });
      worker.once('error', reject);
      worker.once('exit', (code, signal) => {
        reject(new UsageError(`a worker ended at once (${toReason(code, signal)})`));
        this.#replace(worker, toReason(code, signal));
      });
    });
  }

  #take(message: ToPrimary, worker: Worker): void {
    if (message.type === 'here') tell(worker, { type: 'start', task: this.#task });
    if (message.type === 'report') this.#listener.onReport(message.report);
    if (message.type === 'flushed') this.#flushes.get(message.id)?.();
  }

  #replace(worker: Worker, reason: string): void {
    const hasServed = this.#serving.delete(worker.id);
    this.#workers.delete(worker.id);
    if (!this.#isRunning) return;
    this.#failures += hasServed ? 0 : 1;
    if (this.#failures >= mostFailures && this.#serving.size === 0) {
      const why = this.#lastFailure ?? reason;
      this.#giveUp(new UsageError(`no worker can be kept running; the last one said: ${why}`));
      return;
    }
    const wait = Math.min(pause.most, pause.least * 2 ** this.#failures);
    this.#listener.onNotice(
      `worker ${worker.process.pid} ended (${this.#lastFailure ?? reason}); another one starts in ${wait} ms`,
    );
    this.#lastFailure = undefined;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      // Where it fails, it is replaced in its turn.
      this.#begin().catch(() => undefined);
    }, wait);
    this.#timers.add(timer);
  }

  #gatherFrom(worker: number): Promise<void> {
    const id = (this.#flush += 1);
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#flushes.delete(id);
        resolve();
      };
      const timer = setTimeout(done, gatherPatience);
      this.#flushes.set(id, done);
      const known = this.#workers.get(worker);
      if (known === undefined) done();
      else tell(known, { type: 'flush', id });
    });
  }
}

function tell(worker: Worker, message: ToWorker): void {
  // One that is gone hears nothing: its end is told by itself.
  if (worker.isConnected()) worker.send(message, () => undefined);
}

function toReason(code: number, signal: string | null): string {
  return signal === null ? `exit code ${code}` : signal;
}
