import { expect, test } from 'vitest';
import { send as sendTo, serveSandboxes, type ServedSandboxes } from './admin-server.ts';

const body = { state: 'the inventory is empty' };
const rule = { fault: { kind: 'reset' } };

/** A request to each operation that reads or writes what is somebody's. */
const guarded = [
  ['GET', '/sandboxes'],
  ['POST', '/sandboxes', {}],
  ['GET', '/sandboxes/default'],
  ['PATCH', '/sandboxes/default', { name: 'x' }],
  ['DELETE', '/sandboxes/default'],
  ['GET', '/sandboxes/default/inventory'],
  ['PUT', '/sandboxes/default/inventory', []],
  ['PATCH', '/sandboxes/default/inventory/1', { quantity: 5 }],
  ['POST', '/sandboxes/default/reset'],
  ['GET', '/sandboxes/default/diff'],
  ['GET', '/sandboxes/default/export'],
  ['PUT', '/sandboxes/default/snapshots/a'],
  ['POST', '/sandboxes/default/snapshots/a/restore'],
  ['DELETE', '/sandboxes/default/snapshots/a'],
  ['GET', '/sandboxes/default/faults'],
  ['POST', '/sandboxes/default/faults', rule],
  ['PUT', '/sandboxes/default/faults', [rule]],
  ['DELETE', '/sandboxes/default/faults'],
  ['GET', '/sandboxes/default/journal'],
  ['DELETE', '/sandboxes/default/journal'],
  ['GET', '/sandboxes/default/events'],
  ['GET', '/events'],
  ['POST', '/states', body],
  ['POST', '/verifications', {}],
  ['GET', '/contract'],
  ['GET', '/fixtures'],
  ['GET', '/openapi.json'],
  ['GET', '/nothing'],
  ['OPTIONS', '/sandboxes'],
] as const;

const open = ['/', '/assets/none.js', '/live', '/ready'];

async function expectUntouched({ sandboxes }: ServedSandboxes): Promise<void> {
  expect(await sandboxes.list()).toHaveLength(1);
  expect(await sandboxes.default.diff()).toEqual({ changed: [], added: [], removed: [] });
  expect(await sandboxes.default.faults()).toEqual([]);
  expect(await sandboxes.default.snapshots()).toEqual([]);
}

test.for([
  ['another host name', { Host: 'inventory.example' }],
  ['a host name that begins like ours', { Host: '127.0.0.1.inventory.example' }],
  ['a page of another origin', { Origin: 'http://inventory.example' }],
  ['a page without an origin', { Origin: 'null' }],
  ['a page that is loaded by TLS', { Origin: 'https://127.0.0.1' }],
  ['a page of another site', { 'Sec-Fetch-Site': 'cross-site' }],
  ['a page on another port', { 'Sec-Fetch-Site': 'same-site' }],
] as const)('refuses %s everywhere, whatever token it has', async ([, headers]) => {
  for (const adminToken of [undefined, 'let-me-in']) {
    const served = await serveSandboxes({}, adminToken === undefined ? {} : { adminToken });
    const sent = { ...headers, Authorization: 'Bearer let-me-in' };
    for (const [method, path, content] of guarded) {
      const answer = await served.send(method, path, { body: content, headers: sent });
      expect(answer, `${method} ${path}`).toMatchObject({
        status: 403,
        body: { code: 'forbidden', status: 403 },
      });
      const names = Object.keys(answer.headers);
      expect(names.filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
    for (const path of open) {
      expect((await served.send('GET', path, { headers: sent })).status, path).toBe(403);
    }
    await expectUntouched(served);
  }
});

test('lets a person follow a link to the console, and nothing else', async () => {
  const { send } = await serveSandboxes();
  const headers = {
    'Sec-Fetch-Site': 'cross-site',
    'Sec-Fetch-Mode': 'navigate',
    'Sec-Fetch-Dest': 'document',
  };
  expect((await send('GET', '/', { headers })).headers['content-type']).toMatch(/^text\/html/);
  expect((await send('GET', '', { headers })).status).toBe(308);
  expect((await send('GET', '/sandboxes', { headers })).status).toBe(403);
  const inFrame = { ...headers, 'Sec-Fetch-Dest': 'iframe' };
  expect((await send('GET', '/', { headers: inFrame })).status).toBe(403);
  const rebound = { ...headers, Host: 'inventory.example' };
  expect((await send('GET', '/', { headers: rebound })).status).toBe(403);
});

test('needs no token on loopback unless one is given', async () => {
  const plain = await serveSandboxes();
  expect(plain.server.adminToken).toBeUndefined();
  expect((await plain.send('GET', '/sandboxes')).status).toBe(200);
  const given = await serveSandboxes({}, { adminToken: 'let-me-in' });
  expect((await given.send('GET', '/sandboxes')).status).toBe(401);
});

test('on every other address, nothing is read or written without the token', async () => {
  const served = await serveSandboxes({}, { host: '0.0.0.0' });
  const token = served.server.adminToken ?? '';
  expect(token).toMatch(/^[\w-]{43}$/);
  const wrong = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    `Basic ${token}`,
    token,
    `Bearer ${token}x`,
    `Bearer ${token.slice(1)}`,
    `Bearer ${token} ${token}`,
    'Bearer demo-key',
  ];
  for (const [method, path, content] of guarded) {
    for (const authorization of wrong) {
      const headers = authorization === undefined ? {} : { Authorization: authorization };
      const answer = await served.send(method, path, { body: content, headers });
      expect(answer, `${method} ${path} ${authorization}`).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': 'Bearer realm="stockcheck admin"' },
        body: { code: 'unauthorized', status: 401 },
      });
      expect(answer.text).not.toContain(token);
    }
  }
  await expectUntouched(served);
  for (const authorization of [`Bearer ${token}`, `bearer ${token}`]) {
    const headers = { Authorization: authorization };
    expect((await served.send('GET', '/sandboxes', { headers })).status).toBe(200);
  }
});

test('answers on every other address without a token what tells nothing', async () => {
  const { send, server } = await serveSandboxes({}, { host: '0.0.0.0' });
  expect((await send('GET', '/live')).status).toBe(200);
  expect((await send('GET', '/ready')).status).toBe(200);
  expect((await send('GET', '/')).headers['content-type']).toMatch(/^text\/html/);
  expect((await send('GET', '/assets/none.js')).status).toBe(404);
  const headers = { Authorization: 'Bearer demo-key' };
  expect((await sendTo(server.port, 'GET', '/v1/inventory', { headers })).status).toBe(200);
});

test('takes on every other address any name, and what speaks TLS in front of it', async () => {
  const { send, server } = await serveSandboxes({}, { host: '0.0.0.0' });
  const token = { Authorization: `Bearer ${server.adminToken}`, Host: 'stock.internal' };
  for (const origin of ['http://stock.internal', 'https://stock.internal']) {
    const headers = { ...token, Origin: origin };
    expect((await send('GET', '/sandboxes', { headers })).status).toBe(200);
  }
  const foreign = { ...token, Origin: 'https://inventory.example' };
  expect((await send('GET', '/sandboxes', { headers: foreign })).status).toBe(403);
});

test.for([
  '/_stockcheck/../_stockcheck/sandboxes',
  '/%5fstockcheck/sandboxes',
  '//_stockcheck/sandboxes',
])('is not reached around the guard, by %s', async (path) => {
  const { server } = await serveSandboxes({}, { adminToken: 'let-me-in' });
  const answer = await sendTo(server.port, 'GET', path);
  expect([401, 404]).toContain(answer.status);
});

test.for([
  ['127.0.0.1', 200, 204],
  ['inventory.example', 403, 403],
  ['127.0.0.1@inventory.example', 403, 403],
] as const)('judges a whole address by its own host, such as %s', async ([host, get, options]) => {
  const { server } = await serveSandboxes();
  const path = `http://${host}/_stockcheck/sandboxes`;
  expect((await sendTo(server.port, 'GET', path)).status).toBe(get);
  const preflight = { 'Access-Control-Request-Method': 'POST' };
  const answer = await sendTo(server.port, 'OPTIONS', path, { headers: preflight });
  expect(answer.status).toBe(options);
  expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
});

test('needs the token at a whole address as well', async () => {
  const { server } = await serveSandboxes({}, { adminToken: 'let-me-in' });
  const path = `http://127.0.0.1:${server.port}/_stockcheck/sandboxes`;
  expect((await sendTo(server.port, 'GET', path)).status).toBe(401);
});
