import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A program that a test needs beside Node. */
export interface Requirement {
  readonly command: string;
  /** Arguments with which the program does nothing but end well. */
  readonly check: readonly string[];
  /** The Debian package that has it. */
  readonly debianPackage: string;
}

export const java: Requirement = {
  command: 'java',
  check: ['--version'],
  debianPackage: 'openjdk-17-jdk-headless',
};

export const python: Requirement = {
  command: 'python3',
  check: ['--version'],
  debianPackage: 'python3',
};

/**
 * Sees to it that a program is there, and installs it where that is possible.
 *
 * @throws {Error} naming the command that installs it
 */
export async function expectInstalled({
  command,
  check,
  debianPackage,
}: Requirement): Promise<void> {
  if (await succeeds(command, check)) return;
  const install = ['install', '--yes', '--no-install-recommends', debianPackage];
  if (process.getuid?.() === 0 && (await succeeds('apt-get', ['--version']))) {
    await succeeds('apt-get', ['update']);
    await succeeds('apt-get', install);
    if (await succeeds(command, check)) return;
  }
  throw new Error(
    `the test needs "${command}", which is not installed; run: sudo apt-get ${install.join(' ')}`,
  );
}

async function succeeds(command: string, args: readonly string[]): Promise<boolean> {
  try {
    await run(command, args, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
    return true;
  } catch {
    return false;
  }
}
