import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { onTestFinished } from 'vitest';

/** `stockcheck serve` in a process of its own. */
export interface ServedProcess {
  readonly url: string;
  readonly pid: number;
  readonly output: () => string;
  readonly errors: () => string;
  /** Resolves with the exit code. */
  readonly exited: Promise<number | null>;
  /** Sends a signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<{ readonly code: number | null }>;
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** The command line from its sources. */
export const fromSources: readonly string[] = ['--import', 'tsx', 'src/cli/main.ts'];

function spawnServe(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  program: readonly string[],
  wrapper: readonly string[] = [],
) {
  const [command, ...rest] = [...wrapper, process.execPath, ...program, 'serve'];
  const child = spawn(command, rest.concat('--port', '0', argv), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const exited = once(child, 'close').then(([code]) => code as number | null);
  return { child, output: () => output, errors: () => errors, exited };
}

/**
 * Starts the server, and waits until it has said all that it says at the start.
 *
 * @param program the command line. Left out: that of the sources
 * @param wrapper a command that becomes the server's process. Left out: none
 */
export async function startServe(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  program: readonly string[] = fromSources,
  wrapper: readonly string[] = [],
): Promise<ServedProcess> {
  const { child, output, errors, exited } = spawnServe(argv, env, program, wrapper);
  await new Promise<void>((resolve, reject) => {
    const look = (): void => {
      if (/\nstore .*\n/.test(output())) resolve();
    };
    look();
    child.stdout.on('data', look);
    void exited.then(() => reject(new Error(`serve ended: ${output()}${errors()}`)));
  });
  return {
    url: /^listening on (\S+)\n/.exec(output())?.[1] ?? '',
    pid: child.pid ?? 0,
    output,
    errors,
    exited,
    async end(signal = 'SIGTERM') {
      child.kill(signal);
      return { code: await exited };
    },
  };
}

/** Runs a server that is expected to end by itself. */
export async function runServe(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  wrapper: readonly string[] = [],
): Promise<Ended> {
  const { output, errors, exited } = spawnServe(argv, env, fromSources, wrapper);
  const code = await exited;
  return { code, output: output(), errors: errors() };
}

/** The workers of a server, by their process ids. */
export async function workersOf(pid: number): Promise<readonly number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const ids = children.trim().split(' ').filter(Boolean).map(Number);
  // The loader of TypeScript has a process of its own.
  const lines = await Promise.all(
    ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')),
  );
  return ids.filter((_, index) => lines[index]?.includes('workers/worker') === true);
}

/** Which of some processes has the other end of a connection of this one. */
export async function ownerOf(localPort: number, pids: readonly number[]): Promise<number> {
  const table = await readFile('/proc/net/tcp', 'utf8');
  const remote = `:${localPort.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = table.split('\n').map((line) => line.trim().split(/\s+/));
  const inodes = new Set(
    rows
      .filter((fields) => fields[2]?.endsWith(remote) === true)
      .map((fields) => `socket:[${fields[9]}]`),
  );
  for (const pid of pids) {
    const folder = `/proc/${pid}/fd`;
    const links = await Promise.all(
      (await readdir(folder)).map((name) => readlink(`${folder}/${name}`).catch(() => '')),
    );
    if (links.some((link) => inodes.has(link))) return pid;
  }
  throw new Error(`none of ${pids.join(', ')} has the connection from ${localPort}`);
}
