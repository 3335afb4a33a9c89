import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServe, workersOf } from './served-process.ts';

const run = promisify(execFile);

let folder: string;

/** A project that has the package installed, as it would be published. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stockcheck-'));
  // It is built first, by itself.
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder]);
  const installed = join(folder, 'node_modules', 'stockcheck');
  await run('mkdir', ['-p', installed]);
  await run('tar', ['-xzf', join(folder, stdout.trim()), '-C', installed, '--strip-components=1']);
  // What it depends on comes from here: the tests do not need a registry.
  await symlink(join(process.cwd(), 'node_modules'), join(installed, 'node_modules'));
}, 120_000);

afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function evaluate(source: string): Promise<unknown> {
  const { stdout } = await run('node', ['--input-type=module', '-e', source], { cwd: folder });
  return JSON.parse(stdout);
}

const exported = [
  ['stockcheck', 'createMock'],
  ['stockcheck/server', 'startServer'],
  ['stockcheck/msw', 'inventoryHandlers'],
  ['stockcheck/client', 'createInventoryClient'],
  ['stockcheck/admin', 'createAdminClient'],
  ['stockcheck/playwright', 'stockcheck'],
  ['stockcheck/vitest', 'stockcheck'],
  ['stockcheck/verify', 'verify'],
  ['stockcheck/pact', 'verifyPact'],
] as const;

test.for(exported)('%s exports %s', async ([entry, name]) => {
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
  expect(await read('stockcheck/admin-openapi.json')).toMatchObject({
    openapi: '3.1.1',
    paths: { '/sandboxes': {} },
  });
  expect(await read('stockcheck/fixture.schema.json')).toMatchObject({
    title: 'Stockcheck fixture',
  });
  expect(await read('stockcheck/pacts/stockcheck-pet-store-inventory.json')).toMatchObject({
    provider: { name: expect.any(String) },
  });
});

test('the console is there, as built', async () => {
  const page = join(folder, 'node_modules/stockcheck/dist/console/index.html');
  expect(await readFile(page, 'utf8')).toContain('./assets/index-');
});

test('the binary runs, and is small enough to be fetched at a whim', async () => {
  const binary = join(folder, 'node_modules/stockcheck/dist/src/cli/main.js');
  const { stdout } = await run('node', [binary, '--version'], { cwd: folder });
  const manifest = JSON.parse(
    await readFile(join(folder, 'node_modules/stockcheck/package.json'), 'utf8'),
  ) as { version: string };
  expect(stdout.trim()).toBe(manifest.version);
  // Bytes, not blocks of a disk: those would count the files.
  const measure = ['-sk', '--apparent-size', '--exclude=node_modules', '.'];
  const { stdout: size } = await run('du', measure, {
    cwd: join(folder, 'node_modules/stockcheck'),
  });
  expect(Number.parseInt(size, 10)).toBeLessThan(3072);
});

test.for([
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
] as const)('its types are whole with module %s, moduleResolution %s', async (choice) => {
  const [module, moduleResolution] = choice;
  const lines = exported.map(([entry], index) => `export * as all${index} from '${entry}';\n`);
  await writeFile(join(folder, 'all.ts'), lines.join(''));
  const compilerOptions = {
    module,
    moduleResolution,
    target: 'es2024',
    lib: ['es2024', 'dom', 'esnext.disposable'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [join(process.cwd(), 'node_modules/@types')],
  };
  const project = join(folder, 'tsconfig.json');
  await writeFile(project, JSON.stringify({ compilerOptions, files: ['all.ts'] }));
  const { stdout } = await run('node', ['node_modules/typescript/bin/tsc', '--project', project]);
  expect(stdout).toBe('');
});

test('the binary serves from several processes over a file', async () => {
  const binary = join(folder, 'node_modules/stockcheck/dist/src/cli/main.js');
  const store = `sqlite:${join(folder, 'stock.db')}`;
  const server = await startServe(['--store', store, '--workers', '2'], {}, [binary]);
  expect(await workersOf(server.pid)).toHaveLength(2);
  const headers = { Authorization: 'Bearer demo-key' };
  expect((await fetch(`${server.url}/inventory`, { headers })).status).toBe(200);
  expect((await fetch(new URL('/_stockcheck/ready', server.url))).status).toBe(200);
  expect(await server.end()).toEqual({ code: 0 });
});
