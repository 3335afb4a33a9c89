import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);

let folder: string;

/** A project that has the package installed, as it would be published. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stockcheck-'));
  await run('npm', ['run', '-s', 'build']);
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder]);
  const installed = join(folder, 'node_modules', 'stockcheck');
  await run('mkdir', ['-p', installed]);
  await run('tar', ['-xzf', join(folder, stdout.trim()), '-C', installed, '--strip-components=1']);
  // What it depends on comes from here: the tests do not need a registry.
  await symlink(join(process.cwd(), 'node_modules'), join(installed, 'node_modules'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function evaluate(source: string): Promise<unknown> {
  const { stdout } = await run('node', ['--input-type=module', '-e', source], { cwd: folder });
  return JSON.parse(stdout);
}

test.for([
  ['stockcheck', 'createMock'],
  ['stockcheck/server', 'startServer'],
  ['stockcheck/msw', 'inventoryHandlers'],
  ['stockcheck/client', 'createInventoryClient'],
  ['stockcheck/verify', 'verify'],
  ['stockcheck/pact', 'verifyPact'],
] as const)('%s exports %s', async ([entry, name]) => {
  expect(
    await evaluate(
      `import * as all from '${entry}'; console.log(JSON.stringify(typeof all.${name}))`,
    ),
  ).toBe('function');
});

function read(path: string): Promise<unknown> {
  return evaluate(
    `import { readFileSync } from 'node:fs'; console.log(readFileSync(new URL(import.meta.resolve('${path}'))).toString())`,
  );
}

test('the documents and the pacts are there', async () => {
  expect(await read('stockcheck/openapi.json')).toMatchObject({ openapi: '3.1.1' });
  expect(await read('stockcheck/fixture.schema.json')).toMatchObject({
    title: 'Stockcheck fixture',
  });
  expect(await read('stockcheck/pacts/stockcheck-pet-store-inventory.json')).toMatchObject({
    provider: { name: expect.any(String) },
  });
});

test('the binary runs, and is small enough to be fetched at a whim', async () => {
  const binary = join(folder, 'node_modules/stockcheck/dist/src/cli/main.js');
  const { stdout } = await run('node', [binary, '--version'], { cwd: folder });
  const manifest = JSON.parse(
    await readFile(join(folder, 'node_modules/stockcheck/package.json'), 'utf8'),
  ) as { version: string };
  expect(stdout.trim()).toBe(manifest.version);
  const { stdout: size } = await run('du', ['-sk', '--exclude=node_modules', '.'], {
    cwd: join(folder, 'node_modules/stockcheck'),
  });
  expect(Number.parseInt(size, 10)).toBeLessThan(4096);
});
