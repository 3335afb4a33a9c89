import { execFile } from 'node:child_process';
import { access, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

// This file is in `dist/src/cli` when it is installed, and in `src/cli` of the repository when it
// runs as it is.
const isSource = import.meta.url.endsWith('.ts');

const inProject = (path: string): string =>
  fileURLToPath(new URL(`${isSource ? '../..' : '../../..'}/${path}`, import.meta.url));

const folder = inProject('dist/console');

/** What the console is made of. */
const sources = ['console', 'src/json', 'src/admin/admin-api.ts', 'package-lock.json'];

let building: Promise<string | undefined> | undefined;

/**
 * Finds the built console. In the repository it is built first where it is missing, or older than
 * its sources.
 *
 * @returns `undefined` where it is missing and there is nothing to build it with
 * @throws what the build said, where it failed
 */
export function findConsoleFiles(): Promise<string | undefined> {
  if (!isSource) return Promise.resolve(folder);
  building ??= buildWhereNeeded().finally(() => {
    // The next page that is loaded looks again.
    building = undefined;
  });
  return building;
}

async function buildWhereNeeded(): Promise<string | undefined> {
  const built = await changedAt(join(folder, 'index.html'));
  const changes = await Promise.all(sources.map((source) => newestIn(inProject(source))));
  if (built >= Math.max(...changes)) return folder;
  // A development dependency: it may be left out.
  const vite = inProject('node_modules/vite/bin/vite.js');
  if (!(await exists(vite))) return built === 0 ? undefined : folder;
  // Built aside, then put in place: another process may do the same at this moment.
  const aside = inProject(`dist/.console-${process.pid}`);
  const config = inProject('console/vite.config.ts');
  const where = ['--config', config, '--outDir', aside, '--emptyOutDir'];
  const command = [vite, 'build', ...where, '--logLevel', 'error'];
  await promisify(execFile)(process.execPath, command);
  await rm(folder, { recursive: true, force: true });
  try {
    await rename(aside, folder);
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    if (!(await exists(folder))) throw error;
  }
  return folder;
}

/** When the newest file in a folder was changed, in milliseconds since the epoch. */
async function newestIn(path: string): Promise<number> {
  if (!(await stat(path)).isDirectory()) return changedAt(path);
  const entries = await readdir(path, { recursive: true });
  return Math.max(...(await Promise.all(entries.map((entry) => changedAt(join(path, entry))))));
}

/** 0 where there is no such file. */
async function changedAt(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return 0;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
