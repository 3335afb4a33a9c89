import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What a child process left behind. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A project of somebody who has the package installed, beside everything that is installed here. */
export interface ConsumerProject {
  readonly folder: string;
  write(path: string, text: string): Promise<void>;
  read(path: string): Promise<string>;
  /** Runs a script of an installed package on this Node. */
  run(script: string, ...args: readonly string[]): Promise<Ended>;
  remove(): Promise<void>;
}

/** Compiles the package as it would be published, without the folder `dist` that others use. */
export async function createConsumerProject(): Promise<ConsumerProject> {
  const folder = await mkdtemp(join(tmpdir(), 'stockcheck-consumer-'));
  const modules = join(folder, 'node_modules');
  const installed = join(modules, 'stockcheck');
  await mkdir(installed, { recursive: true });
  for (const name of await readdir('node_modules')) {
    await symlink(join(process.cwd(), 'node_modules', name), join(modules, name));
  }
  await cp('package.json', join(installed, 'package.json'));
  await run(process.execPath, [
    'node_modules/typescript/bin/tsc',
    '--project',
    'tsconfig.build.json',
    '--outDir',
    join(installed, 'dist'),
  ]);
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  await write('package.json', '{"name":"consumer","private":true,"type":"module"}');
  return {
    folder,
    write,
    read: (path) => readFile(join(folder, path), 'utf8'),
    run: (script, ...args) => runScript(folder, join(modules, script), args),
    remove: () => rm(folder, { recursive: true }),
  };
}

async function runScript(folder: string, script: string, args: readonly string[]): Promise<Ended> {
  const { HOME, PATH } = process.env;
  try {
    // Not the whole environment: it belongs to a run of Vitest.
    const env = { HOME, PATH };
    const ended = await run(process.execPath, [script, ...args], { cwd: folder, env });
    return { code: 0, ...ended };
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout: string; stderr: string };
    if (typeof code !== 'number') throw error;
    return { code, stdout, stderr };
  }
}

/** The code blocks of a page of documentation, in their order, each with the line before it. */
export async function readCodeBlocks(
  page: string,
): Promise<
  readonly { readonly intro: string; readonly language: string; readonly code: string }[]
> {
  const text = await readFile(join('docs', page), 'utf8');
  const blocks = text.matchAll(/(?:^|\n)([^\n]*)\n+```(\w+)\n(.*?)\n```/gs);
  return Array.from(blocks, ([, intro = '', language = '', code = '']) => ({
    intro,
    language,
    code,
  }));
}
