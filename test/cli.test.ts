import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openApiDocument } from '../contracts/openapi.ts';
import { run } from '../src/cli/run.ts';
import { version } from '../src/cli/version.ts';
import { parseFixture } from '../src/mock/fixture.ts';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stockcheck-'));
});

afterAll(async () => {
  await rm(directory, { recursive: true });
});

interface CommandLine {
  readonly output: () => string;
  readonly errors: () => string;
  readonly code: Promise<number>;
  stop(): void;
}

/** Runs a command line in this process. */
function start(...argv: readonly string[]): CommandLine {
  return startWith({}, ...argv);
}

function startWith(env: Readonly<Record<string, string>>, ...argv: readonly string[]): CommandLine {
  let output = '';
  let errors = '';
  const controller = new AbortController();
  const code = run(argv, {
    stdout: { write: (text) => (output += text) },
    stderr: { write: (text) => (errors += text) },
    env,
    signal: controller.signal,
  });
  onTestFinished(() => controller.abort());
  return { output: () => output, errors: () => errors, code, stop: () => controller.abort() };
}

/** Runs a command line that is expected to end by itself. */
async function finish(
  ...argv: readonly string[]
): Promise<{ code: number; output: string; errors: string }> {
  const command = start(...argv);
  const code = await command.code;
  return { code, output: command.output(), errors: command.errors() };
}

/** Runs `serve` and waits for its address. */
function serve(...argv: readonly string[]): Promise<CommandLine & { url: string }> {
  return serveWith({}, ...argv);
}

async function serveWith(
  env: Readonly<Record<string, string>>,
  ...argv: readonly string[]
): Promise<CommandLine & { url: string }> {
  const command = startWith(env, '--port', '0', ...argv);
  await expect.poll(() => command.output() + command.errors()).toMatch(/\n/);
  const url = /^listening on (http:\S+)\n/.exec(command.output())?.[1];
  if (url === undefined) throw new Error(`no address: ${command.output()}${command.errors()}`);
  return { ...command, url };
}

function list(url: string, key = 'demo-key'): Promise<Response> {
  return fetch(`${url}/inventory`, { headers: { Authorization: `Bearer ${key}` } });
}

test('serves the default fixture where no command is named', async () => {
  const command = await serve();
  const response = await list(command.url);
  expect(response.status).toBe(200);
  expect(await response.json()).toHaveLength(12);
  command.stop();
  expect(await command.code).toBe(0);
});

test('prints one line, then a line for each request', async () => {
  const { url, output } = await serve();
  await list(url);
  await list(url, 'wrong-key');
  await expect.poll(output).toMatch(/401/);
  expect(output()).toMatch(
    /^listening on \S+\nconsole on \S+\nGET \/v1\/inventory 200 \d+\.\d ms\nGET \/v1\/inventory 401 \d+\.\d ms {2}the API key is not valid; expected "Authorization: Bearer <API_KEY>"\n$/,
  );
});

test('logs only refusals with --log errors, and nothing with --log silent', async () => {
  const errors = await serve('--log', 'errors');
  await list(errors.url);
  await list(errors.url, 'wrong-key');
  await expect.poll(errors.output).toMatch(/401/);
  expect(errors.output().trimEnd().split('\n')).toHaveLength(3);

  const silent = await serve('--log', 'silent');
  await list(silent.url, 'wrong-key');
  await list(silent.url);
  const consoleUrl = silent.url.replace('/v1', '/_stockcheck/');
  expect(silent.output()).toBe(`listening on ${silent.url}\nconsole on ${consoleUrl}\n`);
});

/** One fault for each request, in this order, in the default sandbox. */
async function breakInTurn(url: string, faults: readonly object[]): Promise<void> {
  const response = await fetch(url.replace('/v1', '/_stockcheck/sandboxes/default/faults'), {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(faults.map((fault, index) => ({ nth: index + 1, fault }))),
  });
  expect(response.status).toBe(204);
}

test('says in the log which fault did it, also with --log errors', async () => {
  const { url, output } = await serve('--log', 'errors');
  await breakInTurn(url, [
    { kind: 'error', status: 401 },
    { kind: 'unavailable', status: 503 },
    { kind: 'delay', milliseconds: 1 },
    { kind: 'reset' },
    { kind: 'empty-reply' },
    { kind: 'truncate' },
    { kind: 'slow-drip', bytesPerSecond: 1_000_000 },
    { kind: 'malformed-json' },
    { kind: 'wrong-content-type' },
  ]);
  const ask = (headers: Readonly<Record<string, string>> = {}): Promise<string> =>
    fetch(`${url}/inventory`, { headers: { Authorization: 'Bearer demo-key', ...headers } }).then(
      (response) => response.text(),
      () => 'no answer',
    );
  for (let request = 1; request <= 9; request += 1) await ask().catch(() => 'cut off');
  await ask({ Prefer: 'code=401' });
  await ask();
  await ask({ Authorization: 'Bearer wrong' });
  await expect.poll(output).toMatch(/not valid/);
  const lines = output().trimEnd().split('\n').slice(2);
  expect(lines.map((line) => line.replace(/ \d+\.\d ms/, ''))).toEqual([
    'GET /v1/inventory 401  on purpose, by fault f1 (error): the mock was told to answer this listInventory with 401',
    'GET /v1/inventory 503  on purpose, by fault f2 (unavailable): the mock was told to answer this listInventory with 503',
    'GET /v1/inventory 200  on purpose, by fault f3 (delay)',
    'GET /v1/inventory 0  on purpose, by fault f4 (reset): the mock was told to reset the connection',
    'GET /v1/inventory 0  on purpose, by fault f5 (empty-reply): the mock was told to close the connection without an answer',
    'GET /v1/inventory 200  on purpose, by fault f6 (truncate)',
    'GET /v1/inventory 200  on purpose, by fault f7 (slow-drip)',
    'GET /v1/inventory 200  on purpose, by fault f8 (malformed-json)',
    'GET /v1/inventory 200  on purpose, by fault f9 (wrong-content-type)',
    'GET /v1/inventory 401  on purpose, by Prefer (error): the request asked to be answered with 401 (Prefer: code=401)',
    'GET /v1/inventory 401  the API key is not valid; expected "Authorization: Bearer <API_KEY>"',
  ]);
});

test('accepts the keys it is given instead of the default', async () => {
  const { url } = await serve('--api-key', 'first', '--api-key', 'second');
  const statuses = ['first', 'second', 'demo-key'].map(
    async (key) => (await list(url, key)).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 200, 401]);
});

test('accepts every key with --any-key', async () => {
  const { url } = await serve('--any-key');
  expect((await list(url, 'whatever')).status).toBe(200);
  expect((await list(url, '')).status).toBe(401);
});

test('takes keys and policy from the fixture, and the command line before both', async () => {
  const file = join(directory, 'with-keys.json');
  await writeFile(
    file,
    '{"inventory":[],"apiKeys":["of-fixture"],"policy":{"challenge":"none","error-codes":{"unauthorized":"E401"}}}',
  );
  const plain = await serve('--fixture', file);
  expect((await list(plain.url, 'of-fixture')).status).toBe(200);
  const refused = await list(plain.url);
  expect(refused.headers.has('WWW-Authenticate')).toBe(false);
  expect(await refused.json()).toMatchObject({ code: 'E401' });

  const overridden = await serve(
    '--fixture',
    file,
    '--api-key',
    'k',
    '--policy',
    'challenge=bearer',
  );
  expect((await list(overridden.url, 'k')).status).toBe(200);
  const challenged = await list(overridden.url, 'of-fixture');
  expect(challenged.headers.get('WWW-Authenticate')).toBe('Bearer');
  expect(await challenged.json()).toMatchObject({ code: 'E401' });
});

test('applies every form of --policy', async () => {
  const policies = [
    'quantity-range=0..100',
    'body-limit=64',
    'error-codes=invalid_request:E400,not_found:E404',
    'content-type=ignore',
  ];
  const { url } = await serve(...policies.flatMap((policy) => ['--policy', policy]));
  const patch = (body: string): Promise<Response> =>
    fetch(`${url}/inventory/1`, {
      method: 'PATCH',
      headers: { Authorization: 'Bearer demo-key' },
      body,
    });
  expect((await patch('{"quantity":100}')).status).toBe(200);
  expect(await (await patch('{"quantity":101}')).json()).toMatchObject({ code: 'E400' });
  expect((await patch('{"quantity":1}'.padEnd(65))).status).toBe(413);
});

test('reads the fixture again when its file changes, and goes on when it is wrong', async () => {
  const file = join(directory, 'watched.json');
  await writeFile(file, '[{"petId":1,"quantity":1,"status":"sold"}]');
  const { url, output, errors } = await serve('--fixture', file, '--watch');
  await writeFile(file, '[{"petId":1,"quantity":22,"status":"sold"}]');
  await expect.poll(output).toContain(`read ${file} again; changes made since are gone\n`);
  expect(await (await list(url)).json()).toMatchObject([{ quantity: 22 }]);
  await writeFile(file, '[{"petId":1,"quantity":"many"}]');
  await expect.poll(errors).toContain('the mock goes on with the fixture it had');
  expect(errors()).toContain(`${file}:1:24: $[0].quantity: expected an integer`);
  expect(await (await list(url)).json()).toMatchObject([{ quantity: 22 }]);
});

test.for([
  [['serv'], "unknown command 'serv'\n(Did you mean serve?)"],
  [['--prot', '80'], "unknown option '--prot'\n(Did you mean --port?)"],
  [['openapi', '--outptu', 'x'], '(Did you mean --output?)'],
  [['--port', 'x'], 'Expected an integer from 0 to 65535.'],
  [['--port', '65536'], 'Expected an integer from 0 to 65535.'],
  [['--port'], "option '--port <port>' argument missing"],
  [['--fixture', '/'], 'the fixture "/" cannot be read: it is a folder; name a file'],
  [['--log', 'all'], 'Allowed choices are requests, errors, silent.'],
  [['--policy', 'content-type'], 'expected <decision>=<answer>, such as content-type=415'],
  [['--policy', 'colour=red'], 'colour: there is no such decision; the decisions are error-codes,'],
  [['--policy', 'content-type=200'], 'content-type: expected one of 400, 415, ignore'],
  [['--policy', 'quantity-range=few'], 'quantity-range: expected bounds, such as'],
  [['--policy', 'quantity-range=9..1'], 'the minimum 9 is above the maximum 1'],
  [['--policy', 'error-codes=E404'], 'error-codes: expected new names for codes'],
  [['--policy', 'body-limit=1MB'], 'body-limit: expected a number of bytes'],
  [['--fixture', 'nowhere.json'], 'there is no fixture "nowhere.json"'],
  [['--watch'], '--watch needs a fixture that is a file; "default" is built in'],
  [['--no-admin', '--admin-token', 't'], '--no-admin and --admin-token exclude each other'],
  [['--max-sandboxes', '-1'], 'Expected an integer from 0 to 1000000.'],
  [['--journal', 'all'], 'Expected an integer from 0 to 1000000.'],
  [['--port', '0', '--api-key', 'k'.repeat(257)], 'apiKey must have 1 to 256 visible ASCII'],
  [['--any-key', '--api-key', 'k'], '--any-key and --api-key exclude each other'],
  [['--host', '192.0.2.1', '--port', '0'], 'this machine has no such address'],
  [['serve', 'extra'], 'too many arguments'],
  [['fixture', '--pets', '-1'], 'Expected an integer from 0 to 10000000.'],
  [['fixture', '--pets', '1e3'], 'Expected an integer from 0 to 10000000.'],
  [['fixture', '--seed', 'x'], 'Expected an integer from -2147483648 to 2147483647.'],
  [['openapi', '--output', '/nowhere/openapi.json'], 'cannot write "/nowhere/openapi.json"'],
] as const)('refuses %j with exit code 2 and says why', async ([argv, message]) => {
  const { code, output, errors } = await finish(...argv);
  expect(code).toBe(2);
  expect(output).toBe('');
  expect(errors).toContain(message);
});

test('refuses a key that cannot be sent, without repeating it', async () => {
  const { code, errors } = await finish('--api-key', 'my secret');
  expect(code).toBe(2);
  expect(errors).toContain('--api-key must be one or more visible ASCII characters');
  expect(errors).not.toContain('secret');
});

test('does not repeat a key behind an option that is mistyped', async () => {
  const { code, errors } = await finish('--apikey=my-secret');
  expect(code).toBe(2);
  expect(errors).toContain("unknown option '--apikey'");
  expect(errors).not.toContain('secret');
});

test('writes each request on one line, whatever it sends', async () => {
  const { url, output } = await serve();
  const body = 'x\nGET /v1 200\u001b[31m\u009b';
  const headers = { Authorization: 'Bearer demo-key', 'Content-Type': 'application/json' };
  await fetch(`${url}/inventory/1`, { method: 'PATCH', headers, body });
  await expect.poll(output).toMatch(/400/);
  expect(output().trimEnd().split('\n')).toHaveLength(3);
  expect(output()).toContain('x\\u000aGET');
  // oxlint-disable-next-line no-control-regex
  expect(output()).not.toMatch(/[\u001b\u009b]/);
});

async function codeOf(answer: Promise<Response>): Promise<unknown> {
  return ((await (await answer).json()) as { code: unknown }).code;
}

test('keeps codes renamed by an earlier --policy and by the fixture', async () => {
  const file = join(directory, 'codes.json');
  await writeFile(file, '{"inventory":[],"policy":{"error-codes":{"unauthorized":"E401"}}}');
  const options = ['error-codes=not_found:E404', 'error-codes=invalid_request:E400'];
  const { url } = await serve('--fixture', file, ...options.flatMap((it) => ['--policy', it]));
  const headers = { Authorization: 'Bearer demo-key', 'Content-Type': 'application/json' };
  expect(await codeOf(list(url, 'wrong'))).toBe('E401');
  expect(await codeOf(fetch(`${url}/nowhere`, { headers }))).toBe('E404');
  const malformed = fetch(`${url}/inventory/1`, { method: 'PATCH', headers, body: '{' });
  expect(await codeOf(malformed)).toBe('E400');
});

test('explains itself with --help, and each command as well', async () => {
  const help = await finish('--help');
  expect(help.code).toBe(0);
  for (const command of ['serve', 'openapi', 'fixture']) {
    expect(help.output).toContain(command);
    const own = await finish(command, '--help');
    expect(own.code).toBe(0);
    expect(own.output).toContain(`Usage: stockcheck ${command}`);
  }
  expect(await finish('--version')).toEqual({ code: 0, output: `${version}\n`, errors: '' });
});

/** Asks for the sandboxes, with the admin token or without. */
function listSandboxes(url: string, token?: string): Promise<Response> {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return fetch(url.replace('/v1', '/_stockcheck/sandboxes'), { headers });
}

test('serves the console and the admin API, and says where', async () => {
  const { url, output } = await serve();
  const [, consoleUrl = ''] = /\nconsole on (\S+)\n/.exec(output()) ?? [];
  expect(consoleUrl).toBe(url.replace('/v1', '/_stockcheck/'));
  expect((await fetch(consoleUrl)).headers.get('Content-Type')).toMatch(/^text\/html/);
  expect((await listSandboxes(url)).status).toBe(200);
  expect(output()).not.toContain('admin token');
});

test('has nothing below /_stockcheck/ with --no-admin', async () => {
  const { url, output } = await serve('--no-admin');
  expect(output()).toBe(`listening on ${url}\n`);
  expect((await listSandboxes(url)).status).toBe(404);
});

test('makes an admin token where others can reach the server, and prints it once', async () => {
  const { url, output } = await serve('--host', '0.0.0.0');
  const [, token = ''] = /\nadmin token: (\S+)\n/.exec(output()) ?? [];
  expect(token).toMatch(/^[\w-]{43}$/);
  const reached = url.replace('0.0.0.0', '127.0.0.1');
  expect((await listSandboxes(reached)).status).toBe(401);
  expect((await listSandboxes(reached, token)).status).toBe(200);
  await list(reached, token);
  await expect.poll(output).toMatch(/ 401 /);
  expect(output().split(token)).toHaveLength(2);
  const other = await serve('--host', '0.0.0.0');
  expect(other.output()).not.toContain(token);
});

test('asks for the admin token that it is given, and never prints it', async () => {
  const given = await serve('--admin-token', 'let-me-in');
  const fromEnvironment = await serveWith({ STOCKCHECK_ADMIN_TOKEN: 'let-me-in' });
  const both = await serveWith({ STOCKCHECK_ADMIN_TOKEN: 'other' }, '--admin-token', 'let-me-in');
  for (const { url, output } of [given, fromEnvironment, both]) {
    expect((await listSandboxes(url)).status).toBe(401);
    expect((await listSandboxes(url, 'other')).status).toBe(401);
    expect((await listSandboxes(url, 'let-me-in')).status).toBe(200);
    expect(output()).not.toContain('let-me-in');
  }
});

test('refuses an admin token that cannot be sent, without repeating it', async () => {
  for (const env of [{}, { STOCKCHECK_ADMIN_TOKEN: 'my secret' }]) {
    const argv = 'STOCKCHECK_ADMIN_TOKEN' in env ? [] : ['--admin-token', 'my secret'];
    const command = startWith(env, '--port', '0', ...argv);
    expect(await command.code).toBe(2);
    expect(command.errors()).toContain('must be one or more visible ASCII characters');
    expect(command.errors()).not.toContain('secret');
  }
  expect((await finish('--admin-token', '')).code).toBe(2);
});

test('limits sandboxes and exchanges as it is told', async () => {
  const { url } = await serve('--max-sandboxes', '1', '--journal', '0');
  const sandboxes = url.replace('/v1', '/_stockcheck/sandboxes');
  const created = await fetch(sandboxes, { method: 'POST' });
  expect(created.status).toBe(201);
  expect((await fetch(sandboxes, { method: 'POST' })).status).toBe(507);
  await list(url);
  const journal = await fetch(`${sandboxes}/default/journal`);
  expect(await journal.json()).toEqual({ exchanges: [], last: 0 });
});

test('verifies the mock that it serves', async () => {
  const { url } = await serve();
  const response = await fetch(url.replace('/v1', '/_stockcheck/verifications'), {
    method: 'POST',
  });
  const lines = (await response.text()).trimEnd().split('\n');
  const told = lines.map(
    (line) => JSON.parse(line) as { type: string; report?: { leftOut: unknown[] } },
  );
  const judged = told.length - 2 + (told.at(-1)?.report?.leftOut.length ?? 0);
  expect(told[0]).toEqual({ type: 'start', subjects: judged });
  expect(told.at(-1)).toMatchObject({ type: 'end', report: { exitCode: 0, verdict: 'pass' } });
  expect(await (await listSandboxes(url)).json()).toMatchObject({ count: 1 });
});

test('prints the OpenAPI document, or writes it to a file', async () => {
  const { output } = await finish('openapi');
  expect(JSON.parse(output)).toEqual(openApiDocument);
  const file = join(directory, 'openapi.json');
  expect(await finish('openapi', '--output', file)).toEqual({ code: 0, output: '', errors: '' });
  expect(await readFile(file, 'utf8')).toBe(output);
});

test('prints a fixture of any size, the same for the same seed', async () => {
  const { output } = await finish('fixture', '--pets', '1000', '--seed', '7');
  expect(await finish('fixture', '--pets', '1000', '--seed', '7')).toMatchObject({ output });
  const parsed = parseFixture(output);
  expect(parsed.ok && parsed.fixture.inventory).toHaveLength(1000);
});

function spawnCli(...argv: readonly string[]): ChildProcess {
  const child = spawn('node', ['--import', 'tsx', 'src/cli/main.ts', ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test.for(['SIGINT', 'SIGTERM'] as const)('the process ends well on %s', async (signal) => {
  const child = spawnCli('--port', '0');
  const [text] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  expect(text.toString()).toMatch(/^listening on http:\/\/127\.0\.0\.1:\d+\/v1\n/);
  child.kill(signal);
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('the process exits with 2 where the port is taken', async () => {
  const { url } = await serve();
  const child = spawnCli('--port', new URL(url).port);
  const [text] = (await once(child.stderr ?? child, 'data')) as [Buffer];
  expect(text.toString()).toContain('another process uses the port');
  expect(await once(child, 'exit')).toEqual([2, null]);
});

test('the mock ends when npm, which started it, is ended', async () => {
  const npm = spawn('npm', ['start', '-s', '--', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void npm.kill('SIGKILL'));
  const [text] = (await once(npm.stdout, 'data')) as [Buffer];
  const [, url = ''] = /^listening on (\S+)\n/.exec(text.toString()) ?? [];
  npm.kill('SIGTERM');
  await once(npm, 'exit');
  await expect
    .poll(() =>
      list(url).then(
        () => 'still there',
        () => 'gone',
      ),
    )
    .toBe('gone');
});

test('the process ends well when its reader goes away', async () => {
  const child = spawnCli('fixture', '--pets', '200000');
  child.stdout?.destroy();
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(errors).toBe('');
});
