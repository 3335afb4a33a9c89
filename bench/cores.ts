import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const cores = { load: '0', server: '1' } as const;

/** Whether load and server can be kept apart: without it, the figures are less steady. */
export const canPin: boolean =
  availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;

/** A command that runs on the core of its part. */
export function pinned(
  part: keyof typeof cores,
  command: readonly [string, ...string[]],
): readonly [string, ...string[]] {
  return canPin ? ['taskset', '--cpu-list', cores[part], ...command] : command;
}

/** Keeps this process, which makes the load, off the core of the servers. */
export function pinLoad(): void {
  if (canPin) {
    spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores.load, String(process.pid)]);
  }
}

/** Processor time is read from where Linux keeps it. */
export function assertLinux(): void {
  if (!existsSync('/proc/self/schedstat')) {
    throw new Error(
      'the benchmark reads processor time from /proc/<pid>/task/*/schedstat, which this system does not have; run it on Linux',
    );
  }
}
