import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pinned } from './cores.ts';

/** A server under measurement, in a process of its own. */
export interface ServerProcess {
  readonly pid: number;
  readonly port: number;
  /** Time that all its threads have spent on a processor since it started, in seconds. */
  cpuTime(): number;
  /** Resident memory, in bytes. */
  residentMemory(): number;
  stop(): Promise<void>;
}

const pathTo = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Starts the built binary. */
export function startStockcheck(...options: readonly string[]): Promise<ServerProcess> {
  return start([pathTo('../dist/src/cli/main.js'), 'serve', '--port', '0', ...options]);
}

/**
 * Starts a bare `node:http` server.
 *
 * @param mode `constant` sends the bytes of the file; `stringify` keeps objects and writes them anew
 */
export function startBareServer(
  mode: 'constant' | 'stringify',
  listFile: string,
): Promise<ServerProcess> {
  return start([pathTo('bare-server.mjs'), mode, listFile]);
}

/** Starts a script in TypeScript, beside this file. It prints the address as the binary does. */
export function startScript(file: string, ...args: readonly string[]): Promise<ServerProcess> {
  return start(['--import', 'tsx', pathTo(file), ...args]);
}

/** Starts the built mock without sandboxes, journal and faults. */
export function startPlainMock(listFile: string): Promise<ServerProcess> {
  return start([pathTo('plain-server.mjs'), listFile]);
}

async function start(args: readonly string[]): Promise<ServerProcess> {
  const [command, ...rest] = pinned('server', [process.execPath, ...args]);
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  const kill = (): boolean => child.kill('SIGKILL');
  // A benchmark that fails leaves no server behind.
  process.once('exit', kill);
  const { pid } = child;
  if (pid === undefined) throw new Error(`cannot start ${command}`);
  return {
    pid,
    port: await readPort(child),
    cpuTime: () => readCpuTime(pid),
    residentMemory: () => readResidentMemory(pid),
    async stop() {
      const exited = once(child, 'exit');
      process.off('exit', kill);
      kill();
      await exited;
    },
  };
}

/** Waits for the line with the address, and from then on reads and drops what is logged. */
function readPort(
  child: ChildProcess & { readonly stdout: NodeJS.ReadableStream },
): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with exit code ${code}`)));
    const lines = createInterface(child.stdout);
    lines.once('line', (line) => {
      lines.close();
      child.stdout.resume();
      resolve(Number(/:(\d+)\/v1$/.exec(line)?.[1]));
    });
  });
}

/** From the scheduler, which counts nanoseconds; `stat` counts hundredths of a second. */
function readCpuTime(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]),
  );
  return nanoseconds.reduce((sum, time) => sum + time, 0) / 1e9;
}

function readResidentMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
