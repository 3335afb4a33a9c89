import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdminClient } from '../src/admin/index.ts';
import { createInventoryClient } from '../src/client/inventory-client.ts';
import { createSandboxes } from '../src/index.ts';
import { startServer, type RunningServer } from '../src/server/index.ts';
import { createConsumerProject, readCodeBlocks, type ConsumerProject } from './consumer-project.ts';
import { requireDebianPackages } from './requirements.ts';

const run = promisify(execFile);

let project: ConsumerProject;
let server: RunningServer;
let page: Server;
/** The code of docs/sandboxes.md, at the addresses of this test. */
let blocks: readonly { readonly intro: string; readonly language: string; readonly code: string }[];

beforeAll(async () => {
  server = await startServer({ sandboxes: await createSandboxes(), port: 0 });
  page = createServer((_request, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(toPage(server.url)),
  );
  page.listen(0, '127.0.0.1');
  await once(page, 'listening');
  project = await createConsumerProject();
  blocks = (await readCodeBlocks('sandboxes.md')).map((block) => ({
    ...block,
    code: block.code
      .replaceAll('127.0.0.1:4010', `127.0.0.1:${server.port}`)
      .replaceAll('127.0.0.1:5173', `127.0.0.1:${(page.address() as AddressInfo).port}`),
  }));
  for (const file of [
    'playwright.config.ts',
    'tests/test.ts',
    'tests/stock.spec.ts',
    'stock.test.ts',
    'start-stockcheck.ts',
  ]) {
    await project.write(file, blockOf(file));
  }
});

afterAll(async () => {
  await project.remove();
  page.close();
  await server.close();
});

function blockOf(file: string): string {
  const block = blocks.find(({ intro }) => intro.includes(`\`${file}\``));
  if (block === undefined) throw new Error(`docs/sandboxes.md has no code for ${file}`);
  return block.code;
}

/** A page with a key built in, as a front end in development has one. */
function toPage(baseUrl: string): string {
  return `<!doctype html><title>Stock</title><main></main><script type="module">
    const main = document.querySelector('main');
    const headers = { Authorization: 'Bearer demo-key', 'Content-Type': 'application/json' };
    const show = (role, text) => { main.innerHTML = '<p role="' + role + '">' + text + '</p>'; };
    const response = await fetch('${baseUrl}/inventory', { headers });
    if (!response.ok) show('alert', 'Try again later.');
    else {
      const items = await response.json();
      if (items.length === 0) show('status', 'No pets.');
      for (const { petId, quantity } of items) {
        const button = document.createElement('button');
        button.textContent = 'Sell pet ' + petId;
        button.onclick = () => fetch('${baseUrl}/inventory/' + petId, {
          method: 'PATCH', headers, body: JSON.stringify({ quantity: quantity - 1 }),
        });
        main.append(button);
      }
    }
  </script>`;
}

async function expectNothingLeft(): Promise<void> {
  const { sandboxes } = await createAdminClient({ url: server.url }).listSandboxes();
  expect(sandboxes.map(({ id }) => id)).toEqual(['default']);
}

test('what the page about sandboxes shows has the types that it needs', async () => {
  const others = blocks.filter(({ language, intro }) => language === 'ts' && !intro.includes('`'));
  await project.write('client.ts', others.map(({ code }) => code).join('\n'));
  const options = { module: 'nodenext', target: 'esnext', lib: ['esnext', 'dom', 'dom.iterable'] };
  await project.write(
    'tsconfig.json',
    JSON.stringify({
      compilerOptions: {
        ...options,
        strict: true,
        exactOptionalPropertyTypes: true,
        allowImportingTsExtensions: true,
        noEmit: true,
        types: ['node'],
      },
    }),
  );
  expect(await project.run('typescript/bin/tsc')).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('the code for the client on the page about sandboxes does what it says', async () => {
  const [client = '', wait = '', first = '', next = ''] = blocks
    .filter(({ language, intro }) => language === 'ts' && !intro.includes('`'))
    .map(({ code }) => code);
  await project.write('show.ts', client);
  const shown = await project.run('../show.ts');
  expect(shown).toMatchObject({ code: 0, stderr: '' });
  expect(shown.stdout).toContain(`${server.url} sb-`);
  expect(shown.stdout).toContain("after: { quantity: 0n, status: 'sold' }");
  const update = `await fetch(sandbox.baseUrl + '/inventory/1', {
    method: 'PATCH',
    headers: { Authorization: 'Bearer ' + sandbox.apiKey, 'Content-Type': 'application/json' },
    body: '{"quantity":7}',
  });`;
  await project.write(
    'wait.ts',
    `import { createAdminClient } from 'stockcheck/admin';
    const admin = createAdminClient({ url: '${server.url}' });
    await using sandbox = await admin.createSandbox();
    ${update}
    ${wait}
    ${first}
    ${next.replace('// Now the page sends another one.', update)}
    console.log(exchange.sequence, first.sequence, next.sequence);`,
  );
  expect(await project.run('../wait.ts')).toEqual({ code: 0, stdout: '1 1 2\n', stderr: '' });
  await expectNothingLeft();
});

test('the set-up for Vitest on the page about sandboxes starts a server and stops it', async () => {
  // Some other server may have the usual port.
  const code = blockOf('start-stockcheck.ts').replace('port: 4010', 'port: 0');
  await project.write('start-stockcheck.ts', code);
  await project.write(
    'start.ts',
    `import { setup } from './start-stockcheck.ts';
    const stop = await setup();
    await stop();`,
  );
  expect(await project.run('../start.ts')).toEqual({ code: 0, stdout: '', stderr: '' });
});

/** Runs lines of a shell as they stand on the page, in the folder of the project. */
async function runShell(
  code: string,
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  const env = { PATH: process.env['PATH'], ...variables };
  const args = ['-euo', 'pipefail', '-c', code];
  const { stdout } = await run('bash', args, { env, cwd: project.folder });
  // What curl prints of a refusal.
  expect(stdout).not.toContain('{"code":');
  return stdout;
}

test('the lines for curl on the page about sandboxes do what they say', async () => {
  const [team = '', create = '', use = '', withToken = ''] = blocks
    .filter(({ code }) => code.includes('curl'))
    .map(({ code }) => code);
  const testers = (await runShell(team, {})).trim().split('\n');
  expect(testers.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { name: 'ann', apiKey: 'ann-key' },
    { name: 'bob', apiKey: 'bob-key' },
  ]);
  const created = await runShell(create, {});
  const { id } = JSON.parse(created.slice(0, created.indexOf('}[')) + '}') as { id: string };
  expect(created).toContain('9007199254740993');
  const client = createInventoryClient({ baseUrl: server.url, apiKey: 'friday-key' });
  await client.update(1, 4);
  const used = await runShell(use, { id, admin: `http://127.0.0.1:${server.port}/_stockcheck` });
  expect(used).toContain('"every":2');
  expect(used).toContain('"name":"before"');
  expect(used).toContain('"added":[{"petId":1,"quantity":5,');
  expect(used).toContain('{"quantity":4}'.replaceAll('"', String.raw`\"`));
  expect(await client.list()).toMatchObject({ kind: 'unauthorized' });
  const admin = createAdminClient({ url: server.url });
  const { sandboxes } = await admin.listSandboxes();
  for (const { id: made, name } of sandboxes) {
    if (name === 'ann' || name === 'bob') await admin.sandbox(made).delete();
  }
  const copy = admin.sandbox(sandboxes.find(({ name }) => name === 'the same again')?.id ?? '');
  expect(await copy.items()).toMatchObject([{ petId: 1n }, { petId: 2n }]);
  await copy.delete();
  const guarded = await startServer({
    sandboxes: await createSandboxes(),
    port: 0,
    adminToken: 'sesame-123',
  });
  const address = withToken.replace('mocks.example:4010', `127.0.0.1:${guarded.port}`);
  const listed = await runShell(address, { ADMIN_TOKEN: 'sesame-123' });
  await guarded.close();
  expect(JSON.parse(listed)).toMatchObject({ count: 1 });
  await expectNothingLeft();
});

test('the lines for curl on the page about faults do what they say', async () => {
  const [rules = '', scenario = ''] = (await readCodeBlocks('faults.md'))
    .filter(({ language }) => language === 'sh')
    .map(({ code }) => code.replaceAll('127.0.0.1:4010', `127.0.0.1:${server.port}`));
  const sandbox = createAdminClient({ url: server.url }).sandbox('default');
  const clear = 'curl -sS -X DELETE $faults';
  expect(await runShell(rules.replace(clear, ''), {})).toContain('"seen":0,"hits":0');
  expect(await sandbox.faults()).toMatchObject([{ rule: { every: 3 } }]);
  await runShell(rules, {});
  expect(await sandbox.faults()).toEqual([]);
  const [on = '', off = ''] = scenario.split('# Back to normal.');
  expect(await runShell(on, {})).toContain('"scenario":"every second request fails"');
  const settings = on.slice(0, on.indexOf('curl'));
  const client = createInventoryClient({ baseUrl: sandbox.baseUrl, apiKey: 'demo-key' });
  const seen = [await client.list(), await client.list()];
  expect(seen).toMatchObject([{ kind: 'ok' }, { kind: 'unexpected' }]);
  expect(await runShell(`${settings}#${off}`, {})).not.toContain('"scenario":');
  expect(await sandbox.faults()).toEqual([]);
});

interface PlaywrightReport {
  readonly suites: readonly PlaywrightSuite[];
}

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs: readonly {
    readonly title: string;
    readonly ok: boolean;
    readonly tests: readonly {
      readonly results: readonly {
        readonly workerIndex: number;
        readonly errors: readonly { readonly message: string }[];
        readonly attachments: readonly { readonly name: string; readonly body?: string }[];
      }[];
    }[];
  }[];
}

interface PlaywrightResult {
  readonly title: string;
  readonly errors: readonly string[];
  readonly worker: number;
  readonly attachments: readonly { readonly name: string; readonly text: string }[];
}

function toResults({ suites = [], specs }: PlaywrightSuite): readonly PlaywrightResult[] {
  const own = specs.flatMap(({ title, tests }) =>
    tests.flatMap(({ results }) =>
      results.map(({ workerIndex, errors, attachments }) => ({
        title,
        errors: errors.map(({ message }) => message),
        worker: workerIndex,
        attachments: attachments.map(({ name, body = '' }) => ({
          name,
          text: Buffer.from(body, 'base64').toString(),
        })),
      })),
    ),
  );
  return [...own, ...suites.flatMap(toResults)];
}

/** Runs tests of the project in real workers and a real Chromium. */
async function runPlaywright(file: string): Promise<readonly PlaywrightResult[]> {
  await project.write(
    'run.config.ts',
    `import config from './playwright.config.ts';
    export default {
      ...config,
      workers: 3,
      use: {
        ...config.use,
        launchOptions: {
          executablePath: ${JSON.stringify(requireDebianPackages({ command: 'chromium', packages: ['chromium'] }))},
          args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
            '--disable-background-networking', '--disable-component-update', '--disable-sync'],
        },
      },
    };`,
  );
  const { stdout, stderr } = await project.run(
    '@playwright/test/cli.js',
    'test',
    '--config',
    'run.config.ts',
    '--reporter',
    'json',
    file,
  );
  expect(stderr).toBe('');
  const { suites } = JSON.parse(stdout) as PlaywrightReport;
  return suites.flatMap(toResults);
}

test('the tests for Playwright on the page about sandboxes pass', async () => {
  const results = await runPlaywright('tests/stock.spec.ts');
  expect(results.map(({ title, errors }) => ({ title, errors }))).toEqual([
    { title: 'sells the last one', errors: [] },
    { title: 'says so when the service is down', errors: [] },
    { title: 'says that there is nothing', errors: [] },
  ]);
  await expectNothingLeft();
});

test('tests of Playwright that run in several workers see only their own writes', async () => {
  await project.write(
    'tests/isolation.spec.ts',
    `import { expect, test } from './test.ts';
    for (let number = 1; number <= 12; number += 1) {
      test('number ' + number, async ({ page, inventory, stockcheck }) => {
        await inventory.set([{ petId: 1, quantity: 2 ** 40 + number, status: 'available' }]);
        await page.goto('/');
        await page.getByRole('button', { name: 'Sell pet 1' }).click();
        await inventory.waitForRequest({ operation: 'updateInventory', status: 200 });
        expect(await inventory.items()).toEqual([
          { petId: 1n, quantity: BigInt(2 ** 40 + number - 1), status: 'available' },
        ]);
        expect((await inventory.journal({ operation: 'updateInventory' })).exchanges).toHaveLength(1);
        const { name, createdAt, expiresAt } = await inventory.view();
        expect(name).toBe('isolation.spec.ts › number ' + number);
        expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(3_600_000);
        expect((await stockcheck.listSandboxes()).count).toBeGreaterThan(1);
      });
    }`,
  );
  const results = await runPlaywright('tests/isolation.spec.ts');
  expect(results.flatMap(({ errors }) => errors)).toEqual([]);
  expect(results).toHaveLength(12);
  expect(new Set(results.map(({ worker }) => worker)).size).toBeGreaterThan(1);
  await expectNothingLeft();
});

test('a test of Playwright that fails has the journal of its sandbox in the report', async () => {
  await project.write(
    'tests/failing.spec.ts',
    `import { expect, test } from './test.ts';
    test('fails', async ({ page }) => {
      await page.goto('/');
      await page.getByRole('button', { name: 'Sell pet 1', exact: true }).click();
      await expect(page.getByRole('alert')).toBeVisible({ timeout: 100 });
    });
    test('passes', async ({ page }) => {
      await page.goto('/');
    });`,
  );
  const [failed, passed] = await runPlaywright('tests/failing.spec.ts');
  expect(failed?.errors.join()).toContain('toBeVisible');
  const journal = failed?.attachments.find(({ name }) => name === 'stockcheck journal');
  expect(JSON.parse(journal?.text ?? '')).toMatchObject({
    exchanges: [{ request: { method: 'GET' } }, { operation: 'updateInventory', petId: 1 }],
  });
  expect(passed?.attachments).toEqual([]);
  await expectNothingLeft();
});

test('a page sends the key of its sandbox where it sends one, and none where it does not', async () => {
  await project.write(
    'tests/keys.spec.ts',
    `import { expect, test } from './test.ts';
    test('sends', async ({ page, inventory }) => {
      await page.goto('/');
      const statuses = await page.evaluate(async (url) => {
        const sent = ['Bearer wrong', 'bearer  wrong', 'Basic wrong', 'Bearer', 'Bearer a b', undefined];
        const answers = sent.map((value) =>
          fetch(url, { headers: value === undefined ? {} : { Authorization: value } }),
        );
        return (await Promise.all(answers)).map(({ status }) => status);
      }, inventory.baseUrl + '/inventory');
      expect(statuses).toEqual([200, 200, 401, 401, 401, 401]);
      // The page's own request is the third.
      expect((await inventory.journal()).exchanges).toHaveLength(3);
    });`,
  );
  const results = await runPlaywright('tests/keys.spec.ts');
  expect(results).toMatchObject([{ title: 'sends', errors: [] }]);
  await expectNothingLeft();
});

interface VitestReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

async function runVitest(file: string): Promise<{
  readonly stderr: string;
  readonly results: VitestReport['testResults'][number]['assertionResults'];
}> {
  const { stderr } = await project.run(
    'vitest/vitest.mjs',
    'run',
    file,
    '--reporter=default',
    '--reporter=json',
    '--outputFile=report.json',
  );
  const { testResults } = JSON.parse(await project.read('report.json')) as VitestReport;
  return { stderr, results: testResults.flatMap(({ assertionResults }) => assertionResults) };
}

test('the tests for Vitest on the page about sandboxes pass', async () => {
  const { results } = await runVitest('stock.test.ts');
  expect(results.map(({ title, failureMessages }) => ({ title, failureMessages }))).toEqual([
    { title: 'counts up to a hundred', failureMessages: [] },
    { title: 'is not told of it', failureMessages: [] },
    { title: 'finds nothing to sell', failureMessages: [] },
  ]);
  await expectNothingLeft();
});

test('tests of Vitest that run at the same time see only their own writes', async () => {
  await project.write(
    'isolation.test.ts',
    `import { createInventoryClient } from 'stockcheck/client';
    import { stockcheck } from 'stockcheck/vitest';
    import { afterAll, expect, test as base, vi } from 'vitest';
    vi.setConfig({ maxConcurrency: 50 });
    const test = base.extend(stockcheck({ url: '${server.url}' }));
    let running = 0;
    let mostAtOnce = 0;
    for (let number = 1; number <= 50; number += 1) {
      test.concurrent('number ' + number, async ({ inventory, expect }) => {
        running += 1;
        mostAtOnce = Math.max(mostAtOnce, running);
        const client = createInventoryClient(inventory);
        for (const step of [1, 2, 3]) {
          await client.update(1, number * 10 + step);
          const [item] = await inventory.items();
          expect(item.quantity).toBe(BigInt(number * 10 + step));
        }
        expect((await inventory.journal()).exchanges).toHaveLength(3);
        running -= 1;
      });
    }
    afterAll(() => expect(mostAtOnce).toBeGreaterThan(10));`,
  );
  const { results } = await runVitest('isolation.test.ts');
  expect(results.flatMap(({ failureMessages }) => failureMessages)).toEqual([]);
  expect(results).toHaveLength(50);
  await expectNothingLeft();
});

test('a test of Vitest that fails has the last requests to its sandbox printed', async () => {
  await project.write(
    'failing.test.ts',
    `import { createInventoryClient } from 'stockcheck/client';
    import { stockcheck } from 'stockcheck/vitest';
    import { test as base } from 'vitest';
    const test = base.extend(stockcheck({ url: '${server.url}' }));
    test('fails', async ({ inventory, expect }) => {
      const result = await createInventoryClient(inventory).update(1, 7);
      expect(result.kind).toBe('notFound');
    });
    test('passes', async ({ inventory }) => {
      await createInventoryClient(inventory).update(1, 8);
    });`,
  );
  const { results, stderr } = await runVitest('failing.test.ts');
  expect(results.map(({ status }) => status)).toEqual(['failed', 'passed']);
  expect(stderr).toContain(
    'the last requests to the sandbox of "fails":\n  1. PATCH /v1/inventory/1 {"quantity":7} → 200',
  );
  expect(stderr).not.toContain('"passes"');
  await expectNothingLeft();
});

test('a test whose server does not run is told how to start it', async () => {
  await project.write(
    'unreachable.test.ts',
    `import { stockcheck } from 'stockcheck/vitest';
    import { test as base } from 'vitest';
    const test = base.extend(stockcheck({ url: 'http://127.0.0.1:9' }));
    test('needs it', async ({ inventory }) => {});`,
  );
  const { results } = await runVitest('unreachable.test.ts');
  expect(results[0]?.failureMessages.join()).toContain('start it with: npx stockcheck --port 9');
});
