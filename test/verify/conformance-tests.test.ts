import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { registerConformanceTests } from '../../src/verify/register-conformance-tests.ts';
import { apiKey, createMockUnderTest } from '../mock-under-test.ts';
import { answer, sendJson, startProvider } from './provider.ts';

let server: Server;

beforeAll(async () => {
  const mock = createMockUnderTest();
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers, rawHeaders } = request;
      const body = Buffer.concat(chunks);
      void answer(mock, { number: 0, method, path, headers, rawHeaders, body }, response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

// What a team writes in the suite of its own provider: every line of this is a test here.
registerConformanceTests({
  test,
  baseUrl: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
  apiKey,
  // It needs a state-change URL.
  selects: (id) => id !== 'check/empty-inventory',
});

test('registers tests of node:test, which tell what is broken', async () => {
  const provider = await startProvider({
    intercept: ({ body }, response) =>
      body.toString() === '{"quantity":true}' &&
      sendJson(response, 200, '{"petId":5,"quantity":1,"status":"available"}'),
  });
  const directory = await mkdtemp(join(tmpdir(), 'stockcheck-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, 'provider.test.mts');
  const entry = new URL('../../src/verify/index.ts', import.meta.url).href;
  await writeFile(
    file,
    `import { test } from 'node:test';
import { registerConformanceTests } from '${entry}';
registerConformanceTests({ test, baseUrl: '${provider.url}', apiKey: '${apiKey}' });
`,
  );
  const output = await new Promise<string>((resolve) => {
    const loader = import.meta.resolve('tsx');
    execFile(
      process.execPath,
      ['--import', loader, '--test', '--test-reporter', 'tap', file],
      // Within another runner's process node:test would speak its own protocol.
      { env: { PATH: process.env['PATH'] } },
      (_error, stdout) => resolve(stdout),
    );
  });
  expect(output).toMatch(/^not ok \d+ - updateInventory\/400\/quantity-true:/m);
  expect(output).toContain('it answered 200; expected 400');
  expect(output).toMatch(/^# fail 1$/m);
  expect(output).toMatch(/^# skipped 1$/m);
  expect(output).toMatch(/^# pass \d{3}$/m);
}, 30_000);
