import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** A program that a test runs, and the Debian packages that bring it. */
export interface DebianRequirement {
  readonly command: string;
  readonly packages: readonly string[];
}

/**
 * Makes sure that a program is there: installs its Debian packages when the tests run as root.
 *
 * @returns the path of the program
 * @throws {Error} naming the command that installs it, where that has to be left to a person
 */
export function requireDebianPackages({ command, packages }: DebianRequirement): string {
  const found = findCommand(command);
  if (found !== undefined) return found;
  // Several test files may ask at once: each waits for the other's lock.
  const wait = '-o DPkg::Lock::Timeout=300';
  const installing = `apt-get update && apt-get install ${wait} -y --no-install-recommends ${packages.join(' ')}`;
  if (process.getuid?.() === 0) {
    // One after another: `apt-get update` does not wait for the lock of another one.
    const lock = join(tmpdir(), 'stockcheck-packages.lock');
    const once = `command -v ${command} >/dev/null || { ${installing}; }`;
    execFileSync('flock', [lock, 'sh', '-c', once], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  const installed = findCommand(command);
  if (installed !== undefined) return installed;
  throw new Error(`the tests need ${command}, which is not installed; run: ${installing}`);
}

function findCommand(command: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, command))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
