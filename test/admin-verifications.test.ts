import { request } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { runVerification } from '../src/cli/run-verification.ts';
import { createSandboxes } from '../src/mock/sandboxes.ts';
import { verificationRoutes } from '../src/server/admin/verification-routes.ts';
import type { VerificationOptions } from '../src/server/admin/verification.ts';
import type { Exchange } from '../src/server/exchange.ts';
import { serveSandboxes, type Answer } from './admin-server.ts';

interface Line {
  readonly type: string;
  readonly subjects?: number;
  readonly result?: { readonly verdict: string };
  readonly report?: {
    readonly exitCode: number;
    readonly baseUrl: string;
    readonly advice: readonly { readonly message: string }[];
  };
  readonly error?: { readonly message: string };
}

const toLines = ({ text }: Answer): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

test('verifies this mock on a sandbox of its own, which is gone then', async () => {
  const logged: Exchange[] = [];
  const { send, sandboxes } = await serveSandboxes(
    {},
    { verify: runVerification, onExchange: (exchange) => logged.push(exchange) },
  );
  const answer = await send('POST', '/verifications');
  expect(answer).toMatchObject({
    status: 200,
    headers: { 'content-type': 'application/x-ndjson' },
  });
  const lines = toLines(answer);
  expect(lines[0]).toMatchObject({ type: 'start' });
  expect(lines.at(-1)).toMatchObject({ report: { exitCode: 0 } });
  expect(new Set(lines.map(({ type }) => type))).toEqual(new Set(['start', 'result', 'end']));
  expect(answer.text).not.toMatch(/sb-[a-z0-9]{32}/);
  expect(await sandboxes.list()).toHaveLength(1);
  // Requests without a key are nobody else's either.
  expect(sandboxes.default.journal.find().exchanges).toEqual([]);
  expect(logged).toEqual([]);
});

test('judges what comes without a key by the policy of the sandbox that is verified', async () => {
  const { send, sandboxes } = await serveSandboxes({}, { verify: runVerification });
  const { sandbox } = await sandboxes.create({ policy: { challenge: 'none' } });
  const lines = toLines(await send('POST', '/verifications', { body: { sandbox: sandbox.id } }));
  const advice = lines.at(-1)?.report?.advice.map(({ message }) => message);
  expect(advice).toContainEqual(expect.stringContaining('without the header WWW-Authenticate'));
});

test('verifies a copy of a sandbox, with its faults and its policy', async () => {
  const { send, sandboxes } = await serveSandboxes({}, { verify: runVerification });
  const { sandbox } = await sandboxes.create({ policy: { challenge: 'none' } });
  const body = { sandbox: sandbox.id };
  expect(toLines(await send('POST', '/verifications', { body })).at(-1)).toMatchObject({
    report: { exitCode: 0 },
  });
  await sandbox.addFault({
    operation: 'updateInventory',
    fault: { kind: 'error', status: 404 },
  });
  expect(toLines(await send('POST', '/verifications', { body })).at(-1)).toMatchObject({
    report: { exitCode: 1 },
  });
  expect(await sandbox.faults()).toMatchObject([{ seen: 0 }]);
  expect(await sandbox.diff()).toEqual({ changed: [], added: [], removed: [] });
});

test('verifies a sandbox of more pets than a fixture that is sent may have', async () => {
  const limits = { pets: 3 };
  const { send, sandboxes } = await serveSandboxes({ limits }, { verify: runVerification });
  expect(await sandboxes.default.count()).toBeGreaterThan(3);
  const { scenarios } = sandboxes.default;
  const lines = toLines(await send('POST', '/verifications'));
  expect(lines.at(-1)).toMatchObject({ report: { exitCode: 0 } });
  const { sandbox } = await sandboxes.copy('default', { name: 'again', timeToLive: 60 });
  expect(await sandbox.items()).toEqual(await sandboxes.default.items());
  expect(sandbox).toMatchObject({ name: 'again', scenarios, policy: sandboxes.default.policy });
});

test('does not list the sandbox of a run among those of people', async () => {
  const { send, sandboxes } = await serveSandboxes();
  const { sandbox } = await sandboxes.copy('default', { name: 'verification', timeToLive: 60 });
  const { sandbox: after } = await sandboxes.create({ name: 'verification' });
  expect((await send('GET', '/sandboxes')).body).toMatchObject({
    sandboxes: [{ id: 'default' }, { id: after.id }],
    count: 2,
  });
  await sandbox.configure({ seed: 7 });
  expect((await send('GET', '/sandboxes')).body).toMatchObject({ count: 2 });
  expect((await send('GET', `/sandboxes/${sandbox.id}`)).status).toBe(200);
});

test('verifies a provider elsewhere', async () => {
  const provider = await serveSandboxes();
  const { send } = await serveSandboxes({}, { verify: runVerification });
  const body = { baseUrl: provider.server.url, apiKey: 'demo-key', readOnly: true };
  const answer = await send('POST', '/verifications', { body });
  expect(toLines(answer).at(-1)).toMatchObject({
    report: { exitCode: 0, baseUrl: provider.server.url },
  });
  const writes = provider.sandboxes.default.journal.find({ operation: 'updateInventory' });
  expect(provider.sandboxes.default.journal.last).toBeGreaterThan(0);
  expect(writes.exchanges.filter(({ request: { method } }) => method === 'PATCH')).toEqual([]);
  expect(answer.text).not.toContain('demo-key');
});

test.for([
  ['file:///etc/passwd', 'expected an address such as http://127.0.0.1:4010/v1'],
  ['nowhere', 'expected an address such as'],
  ['http://user:s3cret@127.0.0.1/v1', 'expected an address without credentials'],
  ['http://user@127.0.0.1/v1', 'expected an address without credentials'],
  ['http://user:s3cret@127.0.0.1:99999/v1', 'expected an address without credentials'],
  ['ftp://user:s3cret@127.0.0.1/v1', 'expected an address without credentials'],
  ['http://127.0.0.1/v1?key=s3cret', 'expected an address without credentials, "?"'],
  ['http://127.0.0.1/v1#s3cret', 'expected an address without credentials, "?"'],
])('sends nothing to %s', async ([baseUrl, message]) => {
  const { send } = await serveSandboxes({}, { verify: runVerification });
  const body = { baseUrl, apiKey: 'demo-key' };
  const answer = await send('POST', '/verifications', { body });
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  expect(answer.text).toContain(message?.replaceAll('"', '\\"'));
  expect(answer.text).not.toContain('s3cret');
});

test('runs no more than four where many are asked for in the same moment', async () => {
  const { promise: goOn, resolve: end } = Promise.withResolvers<void>();
  let runs = 0;
  const { server, send } = await serveSandboxes(
    {},
    {
      verify: () => {
        runs += 1;
        return goOn;
      },
    },
  );
  const socket = connect(server.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const ask =
    'POST /_stockcheck/verifications HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n';
  socket.write(ask.repeat(20));
  await expect.poll(() => runs).toBeGreaterThan(0);
  expect((await send('POST', '/verifications')).status).toBe(503);
  expect(runs).toBeLessThanOrEqual(4);
  end();
});

test('runs four at the same time, and tells others when to ask again', async () => {
  const { promise: goOn, resolve: end } = Promise.withResolvers<void>();
  const { send } = await serveSandboxes(
    {},
    { verify: ({ onStart }) => goOn.then(() => onStart(1)) },
  );
  const refused: Answer[] = [];
  const ask = async (): Promise<number> => {
    const answer = await send('POST', '/verifications');
    if (answer.status === 503) refused.push(answer);
    if (refused.length === 2) end();
    return answer.status;
  };
  const statuses = await Promise.all(Array.from({ length: 6 }, ask));
  expect(statuses.filter((status) => status === 200)).toHaveLength(4);
  expect(refused[0]).toMatchObject({
    headers: { 'retry-after': '2' },
    body: { message: '4 verifications are under way; wait until one has ended' },
  });
  expect((await send('POST', '/verifications')).status).toBe(200);
});

test('stops when the client goes away, and deletes its sandbox', async () => {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const verify = async (options: VerificationOptions): Promise<unknown> => {
    options.onStart(1);
    await new Promise<void>((resolve) => {
      options.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    stop();
    return {};
  };
  const { server, sandboxes } = await serveSandboxes({}, { verify });
  const deleted = new Promise<void>((resolve) => {
    sandboxes.subscribe(({ type }) => {
      if (type === 'deleted') resolve();
    });
  });
  const path = '/_stockcheck/verifications';
  const outgoing = request({ host: '127.0.0.1', port: server.port, method: 'POST', path });
  outgoing.on('response', (incoming) => {
    incoming.on('error', () => undefined);
    incoming.once('data', () => outgoing.destroy());
  });
  outgoing.on('error', () => undefined).end();
  await stopped;
  await deleted;
  expect(await sandboxes.list()).toHaveLength(1);
});

test('says on the last line why a run came to nothing', async () => {
  const why = new Error('the disk is full');
  const { send, sandboxes } = await serveSandboxes({}, { verify: () => Promise.reject(why) });
  const lines = toLines(await send('POST', '/verifications'));
  expect(lines).toEqual([
    {
      type: 'error',
      error: {
        code: 'verification_failed',
        message: 'the verification could not be run: the disk is full',
        status: 500,
      },
    },
  ]);
  expect(await sandboxes.list()).toHaveLength(1);
});

const serveNowhere = (): Promise<never> => Promise.reject(new Error('there is no free port'));

test('leaves no sandbox behind where its copy cannot be served', async () => {
  const sandboxes = await createSandboxes();
  const [route] = verificationRoutes(sandboxes, runVerification, serveNowhere);
  const { signal } = new AbortController();
  const answer = await route?.handle({
    params: {},
    query: new URLSearchParams(),
    header: () => undefined,
    body: undefined,
    signal,
  });
  if (answer?.kind !== 'stream') throw new Error('expected a stream');
  let text = '';
  await answer.run({
    write: (line) => (text += line),
    waiting: 0,
    end: () => undefined,
    destroy: () => undefined,
    signal,
  });
  expect(text).toContain('there is no free port');
  expect(await sandboxes.count()).toBe(1);
});

test('says what to do where there is no verifier, and no such sandbox', async () => {
  const without = await serveSandboxes();
  const answer = await without.send('POST', '/verifications');
  expect(answer).toMatchObject({ status: 501, body: { code: 'not_implemented' } });
  const { send } = await serveSandboxes({}, { verify: runVerification });
  const body = { sandbox: 'nobody' };
  expect((await send('POST', '/verifications', { body })).status).toBe(404);
});
