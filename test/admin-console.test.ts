import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { serveSandboxes, type ServedSandboxes } from './admin-server.ts';

const page = '<!doctype html><title>Console</title>';

/** Serves a folder as the console, beside a file that nobody may get. */
async function serveConsole(): Promise<ServedSandboxes> {
  const directory = await mkdtemp(join(tmpdir(), 'stockcheck-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const consoleFiles = join(directory, 'console');
  await mkdir(join(consoleFiles, 'assets', 'folder'), { recursive: true });
  await writeFile(join(directory, 'secret.js'), 'secret');
  await writeFile(join(consoleFiles, 'secret.js'), 'secret');
  await writeFile(join(consoleFiles, 'index.html'), page);
  await writeFile(join(consoleFiles, 'assets', 'index-DkZ8s2_a.js'), 'export {};');
  await writeFile(join(consoleFiles, 'assets', 'index-B1a2C3d4.css'), 'body {}');
  await writeFile(join(consoleFiles, 'assets', 'icon.svg'), '<svg/>');
  await writeFile(join(consoleFiles, 'assets', '.hidden'), 'secret');
  return serveSandboxes({}, { consoleFiles });
}

test('serves the page with a policy that lets nothing else in', async () => {
  const { send } = await serveConsole();
  const answer = await send('GET', '/');
  expect(answer).toMatchObject({
    status: 200,
    text: page,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
  });
  const headers = { 'If-None-Match': String(answer.headers.etag) };
  expect(await send('GET', '/', { headers })).toMatchObject({ status: 304, text: '' });
  const other = { 'If-None-Match': '"other"' };
  expect((await send('GET', '/', { headers: other })).status).toBe(200);
});

test('leads to the page from the path without a slash', async () => {
  const { send } = await serveConsole();
  const answer = await send('GET', '');
  expect(answer).toMatchObject({ status: 308, headers: { location: '/_stockcheck/' } });
});

test.for([
  ['index-DkZ8s2_a.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
  ['index-B1a2C3d4.css', 'text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
  ['icon.svg', 'image/svg+xml', 'no-cache'],
] as const)('serves %s as %s, %s', async ([name, type, caching]) => {
  const { send } = await serveConsole();
  expect(await send('GET', `/assets/${name}`)).toMatchObject({
    status: 200,
    headers: {
      'content-type': type,
      'cache-control': caching,
      'x-content-type-options': 'nosniff',
    },
  });
});

test.for([
  '/assets/../secret.js',
  '/assets/%2e%2e/secret.js',
  '/assets/..%2fsecret.js',
  '/assets/%2e%2e%2f%2e%2e%2fsecret.js',
  '/assets/..%5csecret.js',
  '/assets/%252e%252e%252fsecret.js',
  '/assets/.hidden',
  '/assets/%2ehidden',
  '/assets/folder',
  '/assets/',
  '/assets/index.js%00',
  '/assets/%ff',
  '/secret.js',
  '/index.html',
])('has nothing at %s', async (path) => {
  const { send } = await serveConsole();
  const answer = await send('GET', path);
  expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(answer.text).not.toContain('"secret"');
});

test.for([{}, { consoleFiles: '/nowhere/console' }])(
  'says how to get the console where it is not there, %j',
  async (options) => {
    const { send } = await serveSandboxes({}, options);
    const answer = await send('GET', '/');
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.text).toContain('npm run build');
    expect(answer.status).toBe(404);
  },
);
