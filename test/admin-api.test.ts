import { expect, test } from 'vitest';
import { SandboxGoneError } from '../src/inventory/sandbox-storage.ts';
import { parseExactJson } from '../src/json/exact-json.ts';
import { adminOpenApi } from '../src/server/admin/openapi.ts';
import { toRefusal } from '../src/server/admin/send-answer.ts';
import type { Exchange } from '../src/server/exchange.ts';
import { patchPet, send as sendTo, serveSandboxes } from './admin-server.ts';

interface Created {
  readonly id: string;
  readonly apiKey: string;
}

test('creates a sandbox, whose key opens it and nothing else does', async () => {
  const { send, server } = await serveSandboxes();
  const created = await send('POST', '/sandboxes', { body: { name: 'Ann', fixture: 'default' } });
  expect(created).toMatchObject({ status: 201, body: { name: 'Ann', fixture: 'default' } });
  const { id, apiKey } = created.body as Created;
  expect(created.headers.location).toBe(`/_stockcheck/sandboxes/${id}`);
  expect(apiKey).toMatch(/^sb-[a-z0-9]{32}$/);
  expect((await patchPet(server, apiKey, 1, 77)).status).toBe(200);
  const own = await send('GET', `/sandboxes/${id}/inventory`);
  const others = await send('GET', '/sandboxes/default/inventory');
  expect(own.text).toContain('"quantity":77');
  expect(others.text).not.toContain('"quantity":77');
  const view = await send('GET', `/sandboxes/${id}`);
  expect(view.text).not.toContain(apiKey);
});

test('creates a sandbox from nothing at all: the fixture of the server, for a day', async () => {
  const { send } = await serveSandboxes({ fixture: 'empty' });
  const created = await send('POST', '/sandboxes');
  expect(created).toMatchObject({ status: 201, body: { fixture: 'empty', pets: 0 } });
  const { createdAt, expiresAt } = created.body as { createdAt: string; expiresAt: string };
  expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBeCloseTo(86_400_000, -2);
});

test('keeps every digit, in a fixture, in a change and on the way back', async () => {
  const { send } = await serveSandboxes();
  const large = 10n ** 40n + 1n;
  const body = `{"fixture":[{"petId":9007199254740993,"quantity":${large},"status":"sold"}]}`;
  const { id } = (await send('POST', '/sandboxes', { body })).body as Created;
  const at = `/sandboxes/${id}/inventory`;
  expect((await send('GET', at)).text).toBe(
    `[{"petId":9007199254740993,"quantity":${large},"status":"sold"}]`,
  );
  const change = await send('PATCH', `${at}/9007199254740993`, {
    body: `{"quantity":${large + 1n}}`,
  });
  expect(change.text).toBe(`{"petId":9007199254740993,"quantity":${large + 1n},"status":"sold"}`);
  const diff = parseExactJson((await send('GET', `/sandboxes/${id}/diff`)).text);
  expect(diff).toMatchObject({
    value: {
      changed: [{ petId: 9_007_199_254_740_993n, before: { quantity: large } }],
      added: [],
      removed: [],
    },
  });
});

test('takes policy, scenario and key of a sandbox, and shows all but the key', async () => {
  const { send, server } = await serveSandboxes();
  const fault = { operation: 'listInventory', fault: { kind: 'error', status: 401 } };
  const created = await send('POST', '/sandboxes', {
    body: {
      fixture: {
        inventory: [{ petId: 1, quantity: 1, status: 'sold' }],
        scenarios: { closed: [fault] },
      },
      apiKey: 'anns-own-key',
      policy: { 'quantity-range': { minimum: 0 }, challenge: 'none' },
      timeToLive: null,
      scenario: 'closed',
      seed: -1,
    },
  });
  expect(created).toMatchObject({
    status: 201,
    body: {
      fixture: 'inline',
      apiKey: 'anns-own-key',
      scenario: 'closed',
      scenarios: ['closed'],
      policy: { 'quantity-range': { minimum: 0 }, challenge: 'none', 'content-type': '400' },
      faults: [{ scenario: 'closed', rule: fault, seen: 0, hits: 0 }],
    },
  });
  expect(created.body).not.toHaveProperty('expiresAt');
  expect((await patchPet(server, 'anns-own-key', 1, -1)).status).toBe(400);
  const headers = { Authorization: 'Bearer anns-own-key' };
  expect((await sendTo(server.port, 'GET', '/v1/inventory', { headers })).status).toBe(401);
});

test('lists sandboxes by pages', async () => {
  const { send, sandboxes } = await serveSandboxes({ limits: { sandboxes: 7 } });
  const ids = ['default'];
  while (ids.length < 6) ids.push((await sandboxes.create()).sandbox.id);
  const pages: string[][] = [];
  for (let after = ''; ;) {
    const { body } = await send('GET', `/sandboxes?limit=2${after && `&after=${after}`}`);
    expect(body).toMatchObject({ count: 6, limit: 7 });
    const page = (body as { sandboxes: Created[] }).sandboxes.map(({ id }) => id);
    if (page.length === 0) break;
    pages.push(page);
    after = page.at(-1) ?? '';
  }
  expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4, 6)]);
});

test('changes the settings of a sandbox', async () => {
  const { send } = await serveSandboxes();
  const { id } = (await send('POST', '/sandboxes')).body as Created;
  const changes = { name: 'Bob', timeToLive: null, policy: { challenge: 'none' }, seed: 5 };
  const changed = await send('PATCH', `/sandboxes/${id}`, { body: changes });
  expect(changed).toMatchObject({ status: 200, body: { id, name: 'Bob' } });
  expect(changed.body).not.toHaveProperty('expiresAt');
  expect((await send('GET', `/sandboxes/${id}`)).body).toEqual(changed.body);
});

test('deletes a sandbox, whose key opens nothing then', async () => {
  const { send, server } = await serveSandboxes();
  const { id, apiKey } = (await send('POST', '/sandboxes')).body as Created;
  expect(await send('DELETE', `/sandboxes/${id}`)).toMatchObject({ status: 204, text: '' });
  expect((await send('DELETE', `/sandboxes/${id}`)).status).toBe(404);
  expect((await patchPet(server, apiKey, 1, 1)).status).toBe(401);
});

test('replaces, resets and exports an inventory', async () => {
  const { send } = await serveSandboxes();
  const at = '/sandboxes/default';
  const before = (await send('GET', `${at}/inventory`)).text;
  const items = [{ petId: 3, quantity: 4, status: 'pending' }];
  expect((await send('PUT', `${at}/inventory`, { body: items })).status).toBe(204);
  expect((await send('GET', `${at}/inventory`)).body).toEqual(items);
  expect((await send('PUT', `${at}/inventory`, { body: { inventory: [] } })).status).toBe(204);
  expect((await send('GET', `${at}/inventory`)).body).toEqual([]);
  expect((await send('POST', `${at}/reset`)).status).toBe(204);
  expect((await send('GET', `${at}/inventory`)).text).toBe(before);
  const exported = await send('GET', `${at}/export`);
  expect(exported.headers['content-disposition']).toBe(
    'attachment; filename="stockcheck-default.json"',
  );
  const again = await send('POST', '/sandboxes', { body: `{"fixture":${exported.text}}` });
  const { id } = again.body as Created;
  expect((await send('GET', `/sandboxes/${id}/inventory`)).text).toBe(before);
});

test('takes, compares, restores and deletes snapshots of any printable name', async () => {
  const { send } = await serveSandboxes();
  const at = '/sandboxes/default';
  const name = encodeURIComponent('before / the 1st “sale”');
  const taken = await send('PUT', `${at}/snapshots/${name}`);
  expect(taken).toMatchObject({ status: 201, body: { name: 'before / the 1st “sale”' } });
  await send('PATCH', `${at}/inventory/1`, { body: { status: 'sold' } });
  const diff = await send('GET', `${at}/diff?snapshot=${name}`);
  expect(diff.body).toMatchObject({
    changed: [{ petId: 1, before: { status: 'available' }, after: { status: 'sold' } }],
  });
  expect((await send('POST', `${at}/snapshots/${name}/restore`)).status).toBe(204);
  expect((await send('GET', `${at}/diff`)).body).toEqual({ changed: [], added: [], removed: [] });
  expect((await send('DELETE', `${at}/snapshots/${name}`)).status).toBe(204);
  const gone = await send('POST', `${at}/snapshots/${name}/restore`);
  expect(gone).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('adds, replaces and removes faults', async () => {
  const { send, server } = await serveSandboxes();
  const at = '/sandboxes/default/faults';
  const rule = { petId: 1, times: 1, fault: { kind: 'error', status: 404, message: 'gone' } };
  const added = await send('POST', at, { body: rule });
  expect(added).toMatchObject({ status: 201, body: { rule, seen: 0, hits: 0 } });
  expect((await patchPet(server, 'demo-key', 1, 1)).status).toBe(404);
  expect((await patchPet(server, 'demo-key', 1, 1)).status).toBe(200);
  expect((await send('GET', at)).body).toMatchObject({ faults: [{ rule, hits: 1 }] });
  expect((await send('PUT', at, { body: [rule, rule] })).status).toBe(204);
  const { faults } = (await send('GET', at)).body as { faults: Created[] };
  expect(faults).toHaveLength(2);
  expect((await send('DELETE', `${at}/${faults[0]?.id}`)).status).toBe(204);
  expect((await send('DELETE', `${at}/${faults[0]?.id}`)).status).toBe(404);
  expect((await send('DELETE', at)).status).toBe(204);
  expect((await send('GET', at)).body).toEqual({ faults: [] });
});

test('reads the journal of what was asked, without keys', async () => {
  const { send, server } = await serveSandboxes();
  const at = '/sandboxes/default/journal';
  await patchPet(server, 'demo-key', 1, 5);
  await patchPet(server, 'demo-key', 424_242, 5);
  const all = await send('GET', at);
  expect(all.body).toMatchObject({ last: 2, exchanges: [{ sequence: 1 }, { sequence: 2 }] });
  expect(all.text).not.toContain('demo-key');
  const refused = await send('GET', `${at}?operation=updateInventory&status=404&petId=424242`);
  expect(refused.body).toMatchObject({ last: 2, exchanges: [{ sequence: 2, petId: 424_242 }] });
  expect((await send('GET', `${at}?after=2`)).body).toEqual({ last: 2, exchanges: [] });
  await send('POST', '/sandboxes/default/reset');
  expect((await send('GET', at)).body).toMatchObject({ exchanges: [{}, {}] });
  expect((await send('POST', '/sandboxes/default/reset?journal=clear')).status).toBe(204);
  expect((await send('GET', at)).body).toEqual({ last: 2, exchanges: [] });
  await patchPet(server, 'demo-key', 1, 6);
  expect((await send('DELETE', at)).status).toBe(204);
  expect((await send('GET', at)).body).toEqual({ last: 3, exchanges: [] });
});

test('waits for the request that is expected, and answers as soon as it is there', async () => {
  const { send, server } = await serveSandboxes();
  const waiting = send('GET', '/sandboxes/default/journal?petId=2&wait=60');
  await patchPet(server, 'demo-key', 1, 5);
  await patchPet(server, 'demo-key', 2, 6);
  expect((await waiting).body).toMatchObject({
    exchanges: [{ petId: 2, change: { petId: 2, after: { quantity: 6 } } }],
  });
});

test('answers a wait that is over with an empty page', async () => {
  const { send } = await serveSandboxes();
  const page = await send('GET', '/sandboxes/default/journal?wait=0.05');
  expect(page).toMatchObject({ status: 200, body: { last: 0, exchanges: [] } });
});

test('lets a hundred wait for one sandbox, and tells others when to ask again', async () => {
  const { send, server } = await serveSandboxes();
  const waits = Array.from({ length: 101 }, () =>
    send('GET', '/sandboxes/default/journal?petId=2&wait=60'),
  );
  expect(await Promise.race(waits)).toMatchObject({
    status: 503,
    headers: { 'retry-after': '1' },
    body: { message: expect.stringMatching(/^100 requests are waiting/) },
  });
  await patchPet(server, 'demo-key', 2, 6);
  const statuses = (await Promise.all(waits)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(100);
});

test('tells a client that waits when the server stops', async () => {
  const { send, server } = await serveSandboxes();
  const waiting = send('GET', '/sandboxes/default/journal?wait=60');
  // It is served when a request behind it is.
  await send('GET', '/live');
  await server.close();
  expect(await waiting).toMatchObject({ status: 503, body: { message: 'the server stops' } });
});

test('shows the contract, the fixtures and its own description', async () => {
  const { send } = await serveSandboxes({
    fixture: { inventory: [], scenarios: { closed: [{ fault: { kind: 'reset' } }] } },
  });
  expect((await send('GET', '/contract')).body).toMatchObject({
    clauses: expect.arrayContaining([expect.objectContaining({ id: '5/missing-key' })]),
    decisions: expect.arrayContaining([
      expect.objectContaining({ id: 'content-type', default: '400' }),
    ]),
    cases: expect.arrayContaining([
      expect.objectContaining({ operation: 'listInventory', status: 200 }),
    ]),
  });
  const { fixtures } = (await send('GET', '/fixtures')).body as { fixtures: { name: string }[] };
  expect(fixtures.map(({ name }) => name)).toEqual(['server', 'default', 'empty', 'edge']);
  expect(fixtures[0]).toEqual({ name: 'server', scenarios: ['closed'] });
  expect((await send('GET', '/openapi.json')).body).toMatchObject({ openapi: '3.1.1' });
});

test('sets provider states of one sandbox, and brings back what was', async () => {
  const { send, sandboxes } = await serveSandboxes();
  const { sandbox } = await sandboxes.create();
  const at = `/states?sandbox=${sandbox.id}`;
  const body = { state: 'the inventory is empty' };
  expect(await send('POST', at, { body })).toMatchObject({ status: 200, body: {} });
  expect(await sandbox.count()).toBe(0);
  expect(await sandboxes.default.count()).toBe(12);
  await send('POST', at, { body: { ...body, action: 'teardown' } });
  expect(await sandbox.count()).toBe(12);
  expect((await send('POST', '/states', { body })).status).toBe(200);
  expect(await sandboxes.default.count()).toBe(0);
});

test.for([
  ['POST', '/sandboxes', '[]', '$: expected an object; got an empty array'],
  ['POST', '/sandboxes', '{', 'the body is not valid JSON'],
  ['POST', '/sandboxes', '{"ttl":5}', '$.ttl: there is no such field; there are name, fixture'],
  ['POST', '/sandboxes', '{"__proto__":5}', '$.__proto__: there is no such field'],
  ['POST', '/sandboxes', '{"name":5}', '$.name: expected a string; got the number 5'],
  ['POST', '/sandboxes', '{"name":""}', 'must have 1 to 64 printable characters'],
  [
    'POST',
    '/sandboxes',
    '{"timeToLive":0}',
    '$.timeToLive: expected an integer from 1 to 2592000; got the number 0',
  ],
  ['POST', '/sandboxes', '{"timeToLive":1.5}', '$.timeToLive: expected an integer'],
  ['POST', '/sandboxes', '{"timeToLive":2592001}', '$.timeToLive: expected an integer'],
  ['POST', '/sandboxes', '{"seed":2147483648}', '$.seed: expected an integer from -2147483648'],
  ['POST', '/sandboxes', '{"scenario":"none"}', 'there is no scenario "none"'],
  ['POST', '/sandboxes', '{"fixture":"cats"}', '$.fixture: expected one of server, default'],
  ['POST', '/sandboxes', '{"fixture":5}', '$.fixture: expected a fixture, or the name of one'],
  [
    'POST',
    '/sandboxes',
    '{"fixture":[{"petId":1,"quantity":"2","status":"sold"}]}',
    '$.fixture[0].quantity: expected an integer; got the string "2"',
  ],
  [
    'POST',
    '/sandboxes',
    '{"fixture":{"inventory":[],"policy":{"content-type":"200"}}}',
    '$.fixture.policy["content-type"]: expected one of',
  ],
  ['POST', '/sandboxes', '{"policy":{"colour":"red"}}', '$.policy.colour: there is no such'],
  ['POST', '/sandboxes', '{"apiKey":""}', '$.apiKey: expected a key of visible ASCII characters'],
  ['GET', '/sandboxes?limit=x', undefined, 'the query limit: expected an integer from 1 to 1000'],
  ['GET', '/sandboxes?after=nobody', undefined, 'the query after: there is no such sandbox'],
  ['GET', '/sandboxes?page=2', undefined, 'the query "page": there is no such parameter; there'],
  ['GET', '/sandboxes?limit=1&limit=2', undefined, 'the query limit: expected it once only'],
  ['GET', '/live?x', undefined, 'the query "x": there is no such parameter; the operation has'],
  ['PATCH', '/sandboxes/default', '{}', '$: expected at least one of name, policy, timeToLive'],
  ['PATCH', '/sandboxes/default', '{"scenario":5}', '$.scenario: expected a string'],
  ['PATCH', '/sandboxes/default', '{"apiKey":"x"}', '$.apiKey: there is no such field'],
  ['PATCH', '/sandboxes/default', '', 'expected a body'],
  ['PUT', '/sandboxes/default/inventory', '5', '$: expected an object with the inventory, or'],
  [
    'PUT',
    '/sandboxes/default/inventory',
    '[{"petId":9223372036854775808,"quantity":1,"status":"sold"}]',
    '$[0].petId: expected an int64',
  ],
  [
    'PUT',
    '/sandboxes/default/inventory',
    '[{"petId":1,"quantity":1,"status":"sold"},{"petId":1,"quantity":1,"status":"sold"}]',
    '$[1].petId: petId 1 is taken already by item 0',
  ],
  ['PATCH', '/sandboxes/default/inventory/1', '{}', '$: expected at least one of quantity, status'],
  [
    'PATCH',
    '/sandboxes/default/inventory/1',
    '{"quantity":1.5}',
    '$.quantity: expected an integer; got the number 1.5',
  ],
  [
    'PATCH',
    '/sandboxes/default/inventory/1',
    '{"status":"lost"}',
    '$.status: expected one of available, pending, sold; got the string "lost"',
  ],
  ['POST', '/sandboxes/default/reset?journal=burn', undefined, 'the query journal: expected one'],
  ['PUT', `/sandboxes/default/snapshots/${'x'.repeat(65)}`, undefined, '1 to 64 printable'],
  ['PUT', '/sandboxes/default/snapshots/%00', undefined, '1 to 64 printable'],
  ['POST', '/sandboxes/default/faults', '{}', '$.fault: expected'],
  ['POST', '/sandboxes/default/faults', '{"fault":{"kind":"fire"}}', '$.fault.kind: expected'],
  ['PUT', '/sandboxes/default/faults', '{}', '$: expected an array of rules'],
  ['PUT', '/sandboxes/default/faults', '[{"fault":{"kind":"reset"}},5]', '$[1]: expected a rule'],
  ['GET', '/sandboxes/default/journal?wait=61', undefined, 'wait must be a number of seconds'],
  ['GET', '/sandboxes/default/journal?petId=x', undefined, 'petId must be an int64'],
  ['POST', '/states', '{"state":"it rains"}', 'there is no such provider state'],
  ['POST', '/verifications', '{"baseUrl":"ftp://x"}', '$.baseUrl: expected an address such as'],
  ['POST', '/verifications', '{"baseUrl":"http://a"}', '$.apiKey: expected a key'],
  ['POST', '/verifications', '{"apiKey":"a"}', '$.apiKey: expected baseUrl beside it'],
  [
    'POST',
    '/verifications',
    '{"baseUrl":"http://a","apiKey":"k","sandbox":"default"}',
    '$.sandbox: expected sandbox or baseUrl, not both',
  ],
] as const)('refuses %s %s with the body %s', async ([method, path, body, problem]) => {
  const { send, sandboxes } = await serveSandboxes(
    {},
    { verify: () => Promise.reject(new Error('it was run')) },
  );
  const headers = body === '' ? { 'Content-Type': 'application/json' } : {};
  const answer = await send(method, path, { body, headers });
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', status: 400 } });
  expect((answer.body as { message: string }).message).toContain(problem);
  expect(await sandboxes.list()).toHaveLength(1);
  expect(await sandboxes.default.diff()).toEqual({ changed: [], added: [], removed: [] });
  expect(await sandboxes.default.faults()).toEqual([]);
});

test('does not quote a body that is no JSON: there may be a key in it', async () => {
  const { send } = await serveSandboxes();
  const answer = await send('POST', '/sandboxes', { body: '{"apiKey": s3cret-key}' });
  expect(answer).toMatchObject({ status: 400 });
  expect(answer.text).toContain('the body is not valid JSON: ');
  expect(answer.text).not.toContain('s3cret');
});

test('never repeats a key that is refused', async () => {
  const { send } = await serveSandboxes();
  for (const body of [
    '{"apiKey":"my secret"}',
    '{"apiKey":"my secret',
    '{"apiKey":["my secret"]}',
  ]) {
    const answer = await send('POST', '/sandboxes', { body });
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain('secret');
  }
});

test.for([
  ['GET', '/sandboxes/nobody'],
  ['PATCH', '/sandboxes/nobody'],
  ['DELETE', '/sandboxes/nobody'],
  ['GET', '/sandboxes/nobody/inventory'],
  ['PUT', '/sandboxes/nobody/inventory'],
  ['PATCH', '/sandboxes/nobody/inventory/1'],
  ['PATCH', '/sandboxes/default/inventory/424242'],
  ['PATCH', '/sandboxes/default/inventory/01'],
  ['POST', '/sandboxes/nobody/reset'],
  ['GET', '/sandboxes/nobody/diff'],
  ['GET', '/sandboxes/default/diff?snapshot=none'],
  ['GET', '/sandboxes/nobody/export'],
  ['PUT', '/sandboxes/nobody/snapshots/a'],
  ['POST', '/sandboxes/default/snapshots/none/restore'],
  ['DELETE', '/sandboxes/default/snapshots/none'],
  ['GET', '/sandboxes/nobody/faults'],
  ['DELETE', '/sandboxes/default/faults/none'],
  ['GET', '/sandboxes/nobody/journal'],
  ['DELETE', '/sandboxes/nobody/journal'],
  ['GET', '/sandboxes/nobody/events'],
  ['POST', '/states?sandbox=nobody'],
] as const)('answers %s %s with 404', async ([method, path]) => {
  const { send } = await serveSandboxes();
  const body = path.endsWith('/inventory') ? [] : { quantity: 1 };
  const options = ['PATCH', 'PUT', 'POST'].includes(method)
    ? { body: path === '/sandboxes/nobody' ? { name: 'x' } : body }
    : {};
  const answer = await send(method, path, options);
  expect(answer).toMatchObject({ status: 404, body: { code: 'not_found', status: 404 } });
});

test.for([
  '/nothing',
  '/sandboxes/',
  '/sandboxes/default/',
  '/sandboxes/default/nothing',
  '/sandboxes//inventory',
  '/Sandboxes',
  '//',
])('says at %s where to read what there is', async (path) => {
  const { send } = await serveSandboxes();
  const answer = await send('GET', path);
  expect(answer).toMatchObject({ status: 404, body: { code: 'not_found', status: 404 } });
  expect(answer.text).toContain('/_stockcheck/openapi.json describes what there is');
});

test.for([
  ['PUT', '/sandboxes', 'GET, HEAD, POST, OPTIONS'],
  ['POST', '/sandboxes/default', 'GET, HEAD, PATCH, DELETE, OPTIONS'],
  ['GET', '/verifications', 'POST, OPTIONS'],
  ['DELETE', '/live', 'GET, HEAD, OPTIONS'],
  ['POST', '/', 'GET, HEAD, OPTIONS'],
] as const)('answers %s %s with 405 and what it supports', async ([method, path, allow]) => {
  const { send } = await serveSandboxes();
  const answer = await send(method, path);
  expect(answer).toMatchObject({ status: 405, headers: { allow }, body: { status: 405 } });
  expect(await send('OPTIONS', path)).toMatchObject({ status: 204, headers: { allow } });
});

test('answers HEAD as GET, without a body', async () => {
  const { send } = await serveSandboxes();
  for (const path of ['/sandboxes', '/sandboxes/default/inventory', '/live', '/']) {
    const get = await send('GET', path);
    const head = await send('HEAD', path);
    expect(head).toMatchObject({ status: get.status, text: '' });
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  }
  const events = await send('HEAD', '/events');
  expect(events.headers['content-type']).toBe('text/event-stream');
});

test('takes a body that is declared as JSON only', async () => {
  const { send } = await serveSandboxes();
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json5']) {
    const headers = { 'Content-Type': type };
    const answer = await send('POST', '/sandboxes', { body: {}, headers });
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  }
  const headers = { 'Content-Type': 'Application/JSON; charset=utf-8' };
  expect((await send('POST', '/sandboxes', { body: {}, headers })).status).toBe(201);
});

test('takes 1 MiB of a body, and 64 MiB of one that holds a fixture', async () => {
  const { send, sandboxes } = await serveSandboxes();
  const at = '/sandboxes/default';
  const small = '{"name":"a"}'.padEnd(1_048_576);
  expect((await send('PATCH', at, { body: small })).status).toBe(200);
  expect(await send('PATCH', at, { body: `${small} ` })).toMatchObject({
    status: 413,
    body: { code: 'content_too_large', message: expect.stringContaining('1048576 bytes') },
  });
  expect((await send('PUT', `${at}/inventory`, { body: `[]${' '.repeat(2 ** 21)}` })).status).toBe(
    204,
  );
  expect(await sandboxes.default.count()).toBe(0);
  const large = '[]'.padEnd(67_108_865);
  expect((await send('PUT', `${at}/inventory`, { body: large })).status).toBe(413);
});

test('refuses a body that is not UTF-8', async () => {
  const { server } = await serveSandboxes();
  const answer = await fetch(`http://127.0.0.1:${server.port}/_stockcheck/sandboxes`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: Uint8Array.of(0x22, 0xff, 0x22),
  });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('not a text in UTF-8');
});

test('says which limit is reached with 507, which nobody repeats by themselves', async () => {
  const { send } = await serveSandboxes({
    limits: { sandboxes: 1, pets: 1, snapshots: 1 },
  });
  const at = '/sandboxes/default';
  const item = { petId: 1, quantity: 1, status: 'sold' };
  expect((await send('POST', '/sandboxes')).status).toBe(201);
  expect((await send('PUT', `${at}/snapshots/a`)).status).toBe(201);
  const rule = { fault: { kind: 'reset' } };
  const rules = Array.from({ length: 51 }, () => rule);
  expect((await send('PUT', `${at}/faults`, { body: rules.slice(1) })).status).toBe(204);
  const refused = [
    await send('PUT', `${at}/faults`, { body: rules }),
    await send('POST', `${at}/faults`, { body: rule }),
    await send('POST', '/sandboxes'),
    await send('PUT', `${at}/snapshots/b`),
    await send('PUT', `${at}/inventory`, { body: [item, { ...item, petId: 2 }] }),
  ];
  for (const answer of refused) {
    expect(answer).toMatchObject({ status: 507, body: { code: 'insufficient_storage' } });
    expect((answer.body as { message: string }).message).toMatch(/1/);
  }
});

test('tells the first of a great many problems', async () => {
  const { send } = await serveSandboxes();
  const codes = Object.fromEntries(Array.from({ length: 300_000 }, (_, index) => [`c${index}`, 1]));
  const policy = { 'error-codes': codes };
  for (const body of [{ policy }, { fixture: { inventory: [], policy } }]) {
    const answer = await send('POST', '/sandboxes', { body });
    expect(answer.status).toBe(400);
    expect((answer.body as { message: string }).message.split('\n')).toHaveLength(10);
  }
});

test('keeps no settings that take as much memory as thousands of sandboxes', async () => {
  const { send } = await serveSandboxes();
  const long = { policy: { 'error-codes': { unauthorized: 'x'.repeat(1_000_000) } } };
  const longer = { policy: { 'error-codes': { unauthorized: 'x'.repeat(1_048_500) } } };
  expect((await send('PATCH', '/sandboxes/default', { body: long })).status).toBe(200);
  for (const answer of [
    await send('POST', '/sandboxes', { body: longer }),
    await send('PATCH', '/sandboxes/default', { body: longer }),
  ]) {
    expect(answer.status).toBe(507);
    expect(answer.text).toMatch(/policy, scenarios and faults of a sandbox may take 1048576/);
  }
});

test('refuses a key that is taken, and to delete the default sandbox', async () => {
  const { send } = await serveSandboxes();
  const body = { apiKey: 'demo-key' };
  expect(await send('POST', '/sandboxes', { body })).toMatchObject({
    status: 409,
    body: { code: 'conflict', status: 409 },
  });
  expect((await send('DELETE', '/sandboxes/default')).status).toBe(409);
});

test('never opens itself to other origins', async () => {
  const { send } = await serveSandboxes();
  for (const [method, path] of [
    ['GET', '/sandboxes'],
    ['GET', '/nothing'],
    ['OPTIONS', '/sandboxes'],
    ['DELETE', '/sandboxes/nobody'],
    ['GET', '/'],
  ] as const) {
    const { headers } = await send(method, path);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});

test('is never stored, but for the files of the console', async () => {
  const { send } = await serveSandboxes();
  for (const path of ['/sandboxes', '/nothing', '/sandboxes/nobody', '/events?x', '/live']) {
    const { headers } = await send('GET', path);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  }
});

test('is ready while the storage is, and says when to ask again where it is not', async () => {
  const { MemorySandboxes } = await import('../src/stores/memory-sandboxes.ts');
  let ready = true;
  const storage = Object.assign(new MemorySandboxes({ now: Date.now }), {
    ready: () => (ready ? { ready } : { ready: false as const, reason: 'redis is gone' }),
  });
  const { send } = await serveSandboxes({ storage });
  expect(await send('GET', '/ready')).toMatchObject({ status: 200, body: { status: 'ready' } });
  ready = false;
  expect(await send('GET', '/ready')).toMatchObject({
    status: 503,
    headers: { 'retry-after': '1' },
    body: { message: 'redis is gone', status: 503 },
  });
  expect(await send('GET', '/live')).toMatchObject({ status: 200, body: { status: 'live' } });
});

test('says that a sandbox is not there any more where it went away meanwhile', () => {
  expect(toRefusal(new SandboxGoneError('a1'))).toMatchObject({ status: 404, code: 'not_found' });
});

test('takes the body limit of the sandbox that the key opens', async () => {
  const { send, server } = await serveSandboxes({ policy: { 'body-limit': 1000 } });
  const make = async (limit: number): Promise<string> => {
    const body = { policy: { 'body-limit': limit } };
    return ((await send('POST', '/sandboxes', { body })).body as Created).apiKey;
  };
  const [less, more] = [await make(100), await make(100_000)];
  const patch = async (apiKey: string, length: number): Promise<number> => {
    const headers = { Authorization: `Bearer ${apiKey}`, 'Transfer-Encoding': 'chunked' };
    const body = '{"quantity":5}'.padEnd(length);
    return (await sendTo(server.port, 'PATCH', '/v1/inventory/1', { body, headers })).status;
  };
  expect(await patch('demo-key', 1000)).toBe(200);
  expect(await patch('demo-key', 1001)).toBe(413);
  expect(await patch(less, 100)).toBe(200);
  expect(await patch(less, 101)).toBe(413);
  expect(await patch(more, 100_000)).toBe(200);
  expect(await patch(more, 100_001)).toBe(413);
  expect(await patch(more, 1_000_000)).toBe(413);
  expect(await patch('nobody', 1_000_000)).toBe(401);
});

test('lets 1,000 sandboxes be used in parallel, and each sees only its own writes', async () => {
  // A thousand clients in the process of the server: on a busy machine, some wait for long.
  const { send, server } = await serveSandboxes(
    {},
    { headersTimeout: 60_000, requestTimeout: 60_000 },
  );
  const keys = await Promise.all(
    Array.from({ length: 1000 }, async () => {
      const { status, body } = await send('POST', '/sandboxes');
      expect(status).toBe(201);
      return (body as Created).apiKey;
    }),
  );
  expect(new Set(keys).size).toBe(1000);
  const clients = keys.map(async (apiKey, index) => {
    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
    const wrong: unknown[] = [];
    for (const petId of [1, 2, 3]) {
      const quantity = index * 10 + petId;
      const url = `${server.url}/inventory`;
      await fetch(`${url}/${petId}`, {
        method: 'PATCH',
        headers,
        body: `{"quantity":${quantity}}`,
      });
      const list = (await (await fetch(url, { headers })).json()) as { quantity: number }[];
      if (list[petId - 1]?.quantity !== quantity) wrong.push(list[petId - 1]);
      if (list[0]?.quantity !== index * 10 + 1) wrong.push(list[0]);
    }
    return wrong;
  });
  expect((await Promise.all(clients)).flat()).toEqual([]);
  const untouched = await send('GET', '/sandboxes/default/diff');
  expect(untouched.body).toEqual({ changed: [], added: [], removed: [] });
});

test('keeps working as a plain mock does, without an admin API', async () => {
  const { send, server } = await serveSandboxes({}, { admin: false });
  for (const path of ['/', '/live', '/sandboxes', '/states']) {
    expect(await send('GET', path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
  const home = await sendTo(server.port, 'GET', '/');
  expect(home.text).not.toContain('/_stockcheck/');
  expect((await patchPet(server, 'demo-key', 1, 1)).status).toBe(200);
});

test('leads from the first page to the console', async () => {
  const { server } = await serveSandboxes();
  const home = await sendTo(server.port, 'GET', '/');
  expect(home.text).toContain('<a href="/_stockcheck/">');
});

test('hides the key of a sandbox that a request repeats from the log', async () => {
  const exchanges: Exchange[] = [];
  const onExchange = (exchange: Exchange): void => void exchanges.push(exchange);
  const { sandboxes, server } = await serveSandboxes({}, { onExchange });
  const { apiKey } = await sandboxes.create();
  const headers = { Authorization: `Bearer ${apiKey}` };
  await sendTo(server.port, 'PATCH', `/v1/inventory/${apiKey}`, { body: {}, headers });
  await sendTo(server.port, 'PATCH', '/v1/inventory/1', { body: { quantity: apiKey }, headers });
  expect(exchanges).toHaveLength(2);
  expect(JSON.stringify(exchanges)).not.toContain(apiKey);
});

test('refuses at once to wait for an exchange where none is kept', async () => {
  const { send } = await serveSandboxes({ limits: { exchanges: 0 } });
  const journal = '/sandboxes/default/journal';
  expect((await send('GET', journal)).body).toEqual({ exchanges: [], last: 0 });
  expect(await send('GET', `${journal}?wait=60`)).toMatchObject({
    status: 409,
    body: { code: 'conflict', message: expect.stringContaining('--journal 0') as string },
  });
});

const operationsWithBody = Object.entries(adminOpenApi.paths ?? {}).flatMap(([path, item]) =>
  (['post', 'put', 'patch'] as const)
    .filter((method) => item?.[method]?.requestBody !== undefined)
    .map((method) => [method.toUpperCase(), path] as const),
);

const refuseToVerify = (): Promise<never> => Promise.reject(new Error('not to be reached'));

test.each(operationsWithBody)('%s %s refuses null and every other scalar', async (method, path) => {
  const { send } = await serveSandboxes({}, { verify: refuseToVerify });
  const own = path.replace('{id}', 'default').replace('{petId}', '1');
  for (const body of ['null', '1', '"text"', 'true']) {
    expect(await send(method, own, { body }), body).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', message: expect.stringContaining('got ') as string },
    });
  }
});
