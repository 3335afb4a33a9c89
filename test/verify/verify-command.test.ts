import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { startServer } from '../../src/server/http-server.ts';
import { apiKey, createMockUnderTest } from '../mock-under-test.ts';
import { contentsOf, startProvider } from './provider.ts';

/** Runs a command line in this process. */
async function finish(
  argv: readonly string[],
  env: { readonly [name: string]: string } = {},
): Promise<{ code: number; output: string; errors: string }> {
  let output = '';
  let errors = '';
  const code = await run(['verify', ...argv], {
    stdout: { write: (text) => (output += text) },
    stderr: { write: (text) => (errors += text) },
    env,
    signal: new AbortController().signal,
  });
  return { code, output, errors };
}

async function createDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'stockcheck-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

test('verifies a provider and tells it on standard output', async () => {
  const { url } = await startProvider();
  const { code, output, errors } = await finish([url, '--api-key', apiKey, '--seed', '5']);
  expect(errors).toBe('');
  expect(output).toContain(`Verifying ${url}\n`);
  expect(output).toContain('--seed 5 repeats it\nThe provider conforms.\n');
  expect(code).toBe(0);
});

test('takes the key from the environment', async () => {
  const { url } = await startProvider();
  expect(await finish([url], { STOCKCHECK_API_KEY: apiKey })).toMatchObject({ code: 0 });
});

test('takes the token of the state-change URL as an option, or from the environment', async () => {
  const mock = createMockUnderTest();
  const server = await startServer({ mock, port: 0, adminToken: 'let-me-in' });
  onTestFinished(() => server.close());
  const stateUrl = new URL('/_stockcheck/states', server.url).href;
  const argv = [server.url, '--api-key', apiKey, '--state-url', stateUrl, '--runs', '1'];
  expect((await finish(argv)).code).toBe(3);
  expect((await finish([...argv, '--state-token', 'let-me-in'])).code).toBe(0);
  expect((await finish(argv, { STOCKCHECK_STATE_TOKEN: 'let-me-in' })).code).toBe(0);
});

test('tells a run in several ways at once', async () => {
  const directory = await createDirectory();
  const { url } = await startProvider();
  const names = ['json', 'junit', 'html', 'github'];
  const { code, output } = await finish(
    [
      url,
      '--reporter',
      'terminal',
      ...names.flatMap((name) => ['--reporter', `${name}=${join(directory, name)}`]),
    ],
    { STOCKCHECK_API_KEY: apiKey, GITHUB_STEP_SUMMARY: join(directory, 'summary.md') },
  );
  expect(code).toBe(0);
  expect(output).toContain('The provider conforms.');
  const read = (name: string): Promise<string> => readFile(join(directory, name), 'utf8');
  expect(await read('json')).toContain('"verdict": "pass"');
  expect(await read('junit')).toContain('<testsuites ');
  expect(await read('html')).toMatch(/^<!doctype html>/);
  expect(await read('summary.md')).toContain('## stockcheck verify');
});

test('exits with 3 where the key is refused', async () => {
  const { url } = await startProvider();
  const { code, output } = await finish([url, '--api-key', 'another']);
  expect(code).toBe(3);
  expect(output).toContain('Inconclusive: the provider refuses the API key');
});

test('judges and leaves out what the options say', async () => {
  const { url, received } = await startProvider();
  const options = ['--read-only', '--only', 'listInventory/*', '--skip', '*/401/b*'];
  const { code, output } = await finish([url, '--api-key', apiKey, ...options]);
  expect(code).toBe(0);
  expect(new Set(received.map(({ method }) => method))).toEqual(new Set(['GET']));
  expect(output).toMatch(/^2\d passed$/m);
  expect(output).toContain('The provider conforms in all that was judged.');
});

const base = 'http://127.0.0.1:9/v1';

const wrongUsage: readonly (readonly [argv: readonly string[], message: string])[] = [
  [[], "missing required argument 'base-url'"],
  [['not-an-address'], 'Expected an address such as http://127.0.0.1:4010/v1.'],
  [['ftp://127.0.0.1/v1'], 'Expected an address such as'],
  [['http://127.0.0.1/v1?x=1'], 'Expected an address without "?" and "#".'],
  [['http://user:secret@127.0.0.1/v1'], 'must not hold credentials'],
  [[base], 'there is no API key'],
  [[base, '--api-key', 'two words'], 'must be one or more visible ASCII characters'],
  [[base, '--max-writes', '-1'], 'Expected an integer from 0'],
  [[base, '--pet', 'abc'], 'Expected an int64 such as 12.'],
  [[base, '--unknown-pet', '9223372036854775808'], 'Expected an int64 such as 12.'],
  [[base, '--timeout', '0'], 'Expected an integer from 1'],
  [[base, '--deadline', 'soon'], 'Expected an integer from 1'],
  [[base, '--seed', '1.5'], 'Expected an integer from'],
  [[base, '--runs', 'many'], 'Expected an integer from 0'],
  [[base, '--state-url', '/states'], 'Expected an address such as'],
  [[base, '--api-key', 'k', '--state-token', 't'], '--state-token needs --state-url'],
  [
    [base, '--api-key', 'k', '--state-url', base, '--state-token', 'two words'],
    '--state-token must be one or more visible ASCII characters',
  ],
  [[base, '--reporter', 'pdf'], 'Expected one of terminal, json, junit, github, html'],
  [[base, '--reporter', 'json='], 'Expected the name of a file behind "=".'],
  [[base, '--api-key', 'k', '--only', 'a*', '--skip', '*'], '--only a* matches no case or check'],
  [[base, '--api-key', 'k', '--only', '*/200/*', '--skip', '*'], 'no case or check is left'],
  [[base, '--api-key', 'k', '--only', 'nope', '--only', 'listInventory/200/*'], '--only nope'],
  [[base, '--api-key', 'k', '--skip', 'nope'], '--skip nope matches no case or check'],
  [
    [base, '--api-key', 'k', '--reporter', 'json=x', '--reporter', 'html=./x'],
    'two reporters cannot both write to',
  ],
  [
    [base, '--api-key', 'k', '--reporter', 'json', '--reporter', 'junit'],
    'cannot both write to standard output',
  ],
  [[base, '--api-key', 'k', '--reporter', 'json=/no/such/folder/x'], 'cannot be written'],
  [[base, '--strickt'], '(Did you mean --strict?)'],
];

for (const [argv, message] of wrongUsage) {
  test(`refuses verify ${argv.join(' ')}`, async () => {
    const { code, output, errors } = await finish(argv);
    expect(errors).toContain(message);
    expect(output).toBe('');
    expect(code).toBe(2);
    expect(errors).not.toContain('two words');
    expect(errors).not.toContain('secret');
  });
}

for (const signal of ['SIGINT', 'SIGHUP'] as const) {
  test(`restores what it changed when ${signal} stops it`, async () => {
    const stop: { child?: ReturnType<typeof spawn> } = {};
    const provider = await startProvider({
      intercept: ({ number }) => {
        if (number === 180) stop.child?.kill(signal);
        return false;
      },
    });
    const before = await contentsOf(provider.mock);
    const main = new URL('../../src/cli/main.ts', import.meta.url).pathname;
    const child = spawn(
      process.execPath,
      ['--import', import.meta.resolve('tsx'), main, 'verify', provider.url],
      { env: { ...process.env, STOCKCHECK_API_KEY: apiKey }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    stop.child = child;
    let output = '';
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect(output).toContain('the run was interrupted');
    expect(errors).toBe('interrupted, restoring … (again to stop at once)\n');
    expect(code).toBe(3);
    expect(await contentsOf(provider.mock)).toBe(before);
  }, 30_000);
}

async function exitCodeOf(url: string, stdout: string): Promise<number | null> {
  const command = `node --import tsx src/cli/main.ts verify ${url} ${stdout}`;
  const child = spawn('bash', ['-c', command], {
    env: { ...process.env, STOCKCHECK_API_KEY: apiKey },
    stdio: 'ignore',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

test('says that a provider is broken though nobody reads to the end', async () => {
  const { url } = await startProvider({
    intercept: ({ method }, response) => {
      if (method !== 'PATCH') return false;
      response.writeHead(418).end();
      return true;
    },
  });
  expect(await exitCodeOf(url, '> >(head -c 1)')).toBe(1);
});

test('exits with 2 where the report cannot be written', async () => {
  const { url } = await startProvider();
  expect(await exitCodeOf(url, '> /dev/full')).toBe(2);
  expect(await exitCodeOf(url, '--reporter json=/dev/full')).toBe(2);
});
