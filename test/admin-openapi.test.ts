import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenAPIV3_1 } from 'openapi-types';
import { expect, onTestFinished, test } from 'vitest';
import { createAdminRoutes } from '../src/server/admin/admin-routes.ts';
import { EventFeed } from '../src/server/admin/event-feed.ts';
import { adminOpenApi } from '../src/server/admin/openapi.ts';
import { createSandboxes } from '../src/mock/sandboxes.ts';
import { patchPet, serveSandboxes, type Answer } from './admin-server.ts';
import { firstEvents } from './event-client.ts';

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Every operation of the document: method, path, id. */
function operationsOf(): string[] {
  return Object.entries(adminOpenApi.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const id = item?.[method]?.operationId;
      return id === undefined ? [] : [`${id}: ${method.toUpperCase()} ${path}`];
    }),
  );
}

test('the document passes the linter without a warning', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'stockcheck-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, 'admin-openapi.json');
  await writeFile(file, JSON.stringify(adminOpenApi));
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const lint = ['lint', file, '--extends=recommended-strict', '--format=json'];
  const { stdout } = await promisify(execFile)('redocly', lint, { env }).catch(
    (error: { stdout: string }) => error,
  );
  const { totals, problems } = JSON.parse(stdout) as { totals: object; problems: unknown[] };
  expect(totals, JSON.stringify(problems)).toMatchObject({ errors: 0, warnings: 0 });
});

test('the document has an operation for every route, and no other', async () => {
  const sandboxes = await createSandboxes();
  const feed = new EventFeed(sandboxes, () => undefined);
  const routes = createAdminRoutes({
    sandboxes,
    feed,
    serveAlone: () => Promise.reject(new Error('not here')),
  });
  const served = routes.map(({ operationId, method, path }) => `${operationId}: ${method} ${path}`);
  expect(served.toSorted()).toEqual(operationsOf().toSorted());
});

test('the document names the query parameters of every route', async () => {
  const sandboxes = await createSandboxes();
  const feed = new EventFeed(sandboxes, () => undefined);
  for (const route of createAdminRoutes({
    sandboxes,
    feed,
    serveAlone: () => Promise.reject(new Error('not here')),
  })) {
    const operation =
      adminOpenApi.paths?.[route.path]?.[route.method.toLowerCase() as (typeof methods)[number]];
    const named = (operation?.parameters ?? []).flatMap((parameter) =>
      'in' in parameter && parameter.in === 'query' ? [parameter.name] : [],
    );
    expect(named, route.operationId).toEqual(route.query ?? []);
    expect(operation?.requestBody !== undefined, route.operationId).toBe(route.body !== undefined);
  }
});

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema(adminOpenApi, 'openapi');

/** Which schema the document gives an answer. */
function schemaOf(operationId: string, status: number, type: string): object {
  for (const item of Object.values(adminOpenApi.paths ?? {})) {
    for (const method of methods) {
      const operation = item?.[method];
      if (operation?.operationId !== operationId) continue;
      const response = operation.responses?.[String(status)];
      if (response === undefined) break;
      const { content } = '$ref' in response ? resolve(response.$ref) : response;
      return toAbsolute(content?.[type]?.schema ?? {});
    }
  }
  throw new Error(`${operationId} documents no ${status}`);
}

function resolve(ref: string): OpenAPIV3_1.ResponseObject {
  const response = adminOpenApi.components?.responses?.[ref.split('/').at(-1) ?? ''];
  if (response === undefined || '$ref' in response) throw new Error(`there is no ${ref}`);
  return response;
}

function toAbsolute(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object;
}

function expectDocumented(operationId: string, { status, text, headers }: Answer): void {
  const type = headers['content-type'] ?? '';
  const schema = schemaOf(operationId, status, type);
  if (status === 204 && text === '') return;
  const lines = type === 'application/x-ndjson' ? text.trimEnd().split('\n') : [text];
  for (const line of lines) {
    const value: unknown = type.includes('json') ? JSON.parse(line) : line;
    const problem = `${operationId} ${status}: ${line.slice(0, 300)}`;
    const validate = ajv.compile(schema);
    expect(validate(value), `${problem}\n${ajv.errorsText(validate.errors)}`).toBe(true);
  }
}

const rule = { operation: 'listInventory', nth: 99, fault: { kind: 'reset' } };

test('a public validator accepts real answers of every operation', async () => {
  const { send, server } = await serveSandboxes(
    {},
    {
      verify: async ({ onStart, onResult }) => {
        onStart(1);
        onResult({ id: 'a' });
        return Promise.resolve({ exitCode: 0 });
      },
    },
  );
  const asked = new Set<string>();
  const ask = async (
    operationId: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => {
    asked.add(operationId);
    const [, method = ''] =
      operationsOf()
        .map((line) => line.split(/: | /))
        .find(([id]) => id === operationId) ?? [];
    const answer = await send(method, path, { body, headers });
    expectDocumented(operationId, answer);
    return answer;
  };

  const created = await ask('createSandbox', '/sandboxes', {
    name: 'first',
    fixture: 'edge',
    policy: { 'quantity-range': { minimum: 0 } },
  });
  const { id, apiKey } = created.body as { id: string; apiKey: string };
  const at = `/sandboxes/${id}`;
  await ask('createSandbox', '/sandboxes', { apiKey });
  await ask('createSandbox', '/sandboxes', { name: 5 });
  await ask('createSandbox', '/sandboxes', {
    fixture: { inventory: [], scenarios: { a: [rule] } },
  });
  await patchPet(server, apiKey, 1, 5);
  await patchPet(server, apiKey, 424_242, 5);
  await ask('addFault', `${at}/faults`, rule);
  await ask('addFault', `${at}/faults`, {});
  await ask('listFaults', `${at}/faults`);
  await ask('setFaults', `${at}/faults`, [rule, rule]);
  await ask('takeSnapshot', `${at}/snapshots/a`);
  await ask('getSandbox', at);
  await ask('getSandbox', '/sandboxes/nowhere');
  await ask('listSandboxes', '/sandboxes?limit=2');
  await ask('listSandboxes', '/sandboxes?limit=0');
  await ask('configureSandbox', at, { name: 'second', timeToLive: null });
  await ask('configureSandbox', at, {});
  await ask('getInventory', `${at}/inventory`);
  await ask('setPet', `${at}/inventory/1`, { quantity: 7, status: 'sold' });
  await ask('setPet', `${at}/inventory/x`, { quantity: 7 });
  await ask('diffSandbox', `${at}/diff`);
  await ask('diffSandbox', `${at}/diff?snapshot=b`);
  await ask('exportSandbox', `${at}/export`);
  await ask('readJournal', `${at}/journal`);
  await ask('readJournal', `${at}/journal?limit=x`);
  await ask('setInventory', `${at}/inventory`, [{ petId: 1, quantity: 1, status: 'sold' }]);
  await ask('setInventory', `${at}/inventory`, '[', { 'Content-Type': 'text/plain' });
  await ask('restoreSnapshot', `${at}/snapshots/a/restore`);
  await ask('deleteSnapshot', `${at}/snapshots/a`);
  await ask('deleteSnapshot', `${at}/snapshots/a`);
  await ask('resetSandbox', `${at}/reset?journal=clear`);
  await ask('clearJournal', `${at}/journal`);
  const faults = await ask('listFaults', `${at}/faults`);
  const [first] = (faults.body as { faults: { id: string }[] }).faults;
  await ask('removeFault', `${at}/faults/${first?.id}`);
  await ask('removeFaults', `${at}/faults`);
  await ask('changeProviderState', '/states', { state: 'the inventory is empty' });
  await ask('changeProviderState', '/states', { state: 'it rains' });
  await ask('runVerification', '/verifications', {});
  await ask('runVerification', '/verifications', { baseUrl: 'ftp://x' });
  await ask('getContract', '/contract');
  await ask('listFixtures', '/fixtures');
  await ask('getOpenApi', '/openapi.json');
  await ask('getLiveness', '/live');
  await ask('getReadiness', '/ready');
  await ask('getConsole', '/');
  await ask('getConsoleAsset', '/assets/nothing.js');
  await ask('getLiveness', '/live', undefined, { Origin: 'http://inventory.example' });
  await ask('deleteSandbox', '/sandboxes/default');
  await ask('deleteSandbox', at);

  const streamed = ['streamEvents', 'streamSandboxEvents'];
  const all = operationsOf().map((line) => line.split(':')[0] ?? '');
  expect([...asked, ...streamed].toSorted()).toEqual(all.toSorted());
});

test('a public validator accepts every kind of event', async () => {
  const { sandboxes, server } = await serveSandboxes();
  const events = await firstEvents(server, '/events', 8, async () => {
    const { sandbox, apiKey } = await sandboxes.create();
    await sandbox.addFault({ operation: 'listInventory', fault: { kind: 'error', status: 401 } });
    await patchPet(server, apiKey, 1, 5);
    await sandbox.reset();
    const headers = { Authorization: `Bearer ${apiKey}` };
    await fetch(`${server.url}/inventory`, { headers });
    await sandboxes.delete(sandbox.id);
  });
  const validate = ajv.compile({ $ref: 'openapi#/components/schemas/Event' });
  for (const { data } of events) {
    expect(validate(JSON.parse(data)), `${data}\n${ajv.errorsText(validate.errors)}`).toBe(true);
  }
  expect(new Set(events.map(({ type }) => type))).toEqual(
    new Set(['created', 'sandbox', 'exchange', 'change', 'replaced', 'fault', 'deleted']),
  );
});

/** What stands for a parameter of a path or a query, right and wrong. */
const segments = [
  'default',
  'nowhere',
  '1',
  '9007199254740993',
  '-0',
  'a%20b',
  '%20a',
  '%00',
  '%ff',
  '%zz',
  '..%2f..',
  '%2e',
  'constructor',
  '__proto__',
  '%F0%9F%90%B6',
  'x'.repeat(3000),
];

/** Bodies that the operations take. */
const rightBodies: Readonly<Record<string, unknown>> = {
  createSandbox: {
    name: 'first',
    fixture: { inventory: [{ petId: 1, quantity: 1, status: 'sold' }], scenarios: { a: [rule] } },
    apiKey: 'a-key-of-my-own',
    policy: { 'error-codes': { not_found: 'E404' }, 'quantity-range': { minimum: 0, maximum: 9 } },
    timeToLive: 60,
    scenario: 'a',
    seed: 7,
  },
  configureSandbox: {
    name: 'second',
    policy: { 'content-type': '415', 'body-limit': 100 },
    timeToLive: null,
    scenario: 'bad network',
    seed: -1,
  },
  setInventory: { inventory: [{ petId: 1, quantity: 1, status: 'sold' }] },
  setPet: { quantity: 5, status: 'pending' },
  addFault: {
    operation: 'updateInventory',
    petId: 1,
    every: 2,
    probability: 0.5,
    times: 3,
    fault: { kind: 'delay', logNormal: { median: 5, sigma: 1 }, maximum: 10 },
  },
  setFaults: [
    rule,
    { fault: { kind: 'error', status: 401, message: 'no' } },
    { fault: { kind: 'truncate', bytes: 3 } },
    { fault: { kind: 'unavailable', status: 503, retryAfter: 1 } },
    { fault: { kind: 'wrong-content-type', contentType: 'text/plain' } },
    { fault: { kind: 'slow-drip', bytesPerSecond: 5 } },
  ],
  changeProviderState: {
    state: 'the inventory has the items',
    params: { items: [{ petId: 1, quantity: 1, status: 'sold' }] },
    action: 'setup',
  },
  runVerification: { sandbox: 'default', readOnly: true },
};

const strangeValues: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1.5,
  2 ** 40,
  1e300,
  '',
  'default',
  ' ',
  '\0',
  '\ud800',
  'x'.repeat(300),
  [],
  [[]],
  {},
  { constructor: 1 },
  JSON.parse('{"__proto__":{"kind":"reset"}}') as object,
];

/** The same value with one part of it in turn left out, or in the place of something strange. */
function* mutate(value: unknown): Generator {
  yield* strangeValues;
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, part] of value.entries()) {
      yield value.toSpliced(index, 1);
      for (const other of mutate(part)) yield value.with(index, other);
    }
    return;
  }
  yield { ...value, unknown: 1 };
  for (const [name, part] of Object.entries(value)) {
    yield Object.fromEntries(Object.entries(value).filter(([field]) => field !== name));
    for (const other of mutate(part)) yield { ...value, [name]: other };
  }
}

function requestSchemaOf(operationId: string): object {
  for (const item of Object.values(adminOpenApi.paths ?? {})) {
    for (const method of methods) {
      const operation = item?.[method];
      if (operation?.operationId !== operationId) continue;
      const { requestBody } = operation;
      if (requestBody === undefined || '$ref' in requestBody) break;
      return toAbsolute(requestBody.content['application/json']?.schema ?? {});
    }
  }
  throw new Error(`${operationId} documents no body`);
}

const verifyNothing = (): Promise<unknown> => Promise.resolve({});

const withBody = Object.keys(rightBodies).toSorted();

test('the document names every operation with a body that is tried', () => {
  const documented = operationsOf()
    .map((line) => line.split(': ')[0] ?? '')
    .filter((operationId) => {
      try {
        return requestSchemaOf(operationId) !== undefined;
      } catch {
        return false;
      }
    });
  expect(documented.toSorted()).toEqual(withBody);
});

test.for(withBody)(
  'answers strange bodies of %s as documented, and takes none that the document refuses',
  async (operationId) => {
    const { send, sandboxes } = await serveSandboxes({}, { verify: verifyNothing });
    const line = operationsOf().find((one) => one.startsWith(`${operationId}: `)) ?? '';
    const [, method = '', template = ''] = line.split(/: | /);
    const path = template.replace('{id}', 'default').replace('{petId}', '1');
    const isValid = ajv.compile(requestSchemaOf(operationId));
    const right = rightBodies[operationId];
    const statuses = new Set<number>();
    for (const body of [right, ...mutate(right)]) {
      const answer = await send(method, path, { body: JSON.stringify(body) });
      statuses.add(answer.status);
      expectDocumented(operationId, answer);
      const sent = `${answer.status}: ${JSON.stringify(body).slice(0, 300)}`;
      expect(answer.status >= 300 || isValid(body), sent).toBe(true);
      for (const sandbox of await sandboxes.list()) {
        if (sandbox.id !== 'default') await sandboxes.delete(sandbox.id);
      }
      await sandboxes.default.setFaults([]);
    }
    expect(statuses).toContain(400);
    for (const body of ['', '{', '[1', 'null', `${'['.repeat(9000)}1`, '{"a":1}{', '\ufeff{}']) {
      expectDocumented(operationId, await send(method, path, { body }));
    }
    const headers = { 'Content-Type': 'text/plain' };
    expectDocumented(operationId, await send(method, path, { body: '{}', headers }));
    const long = ' '.repeat(operationId === 'createSandbox' ? 10 : 1_100_000);
    expectDocumented(operationId, await send(method, path, { body: long }));
  },
);

test('answers strange paths and queries of every operation as documented', async () => {
  const { send, sandboxes } = await serveSandboxes();
  for (const line of operationsOf()) {
    const [operationId = '', method = '', template = ''] = line.split(/: | /);
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const paths = names.flatMap((name) =>
      segments.map((segment) =>
        template
          .replace(`{${name}}`, segment)
          .replace('{id}', 'default')
          .replaceAll(/\{\w+\}/g, '1'),
      ),
    );
    for (const path of paths) {
      // What streams would not end.
      const asked = path === '/sandboxes/default/events' ? `${path}?x` : path;
      expectDocumented(operationId, await send(method, asked, {}));
    }
    const path = template.replace('{id}', 'default').replaceAll(/\{\w+\}/g, '1');
    for (const query of ['?unknown=1', '?=', '?%ff=%00', '?constructor', '?__proto__=1']) {
      const answer = await send(method, path + query, {});
      expect(answer.status, `${line}${query}`).toBe(400);
      expectDocumented(operationId, answer);
    }
  }
  expect((await sandboxes.list()).length).toBeGreaterThan(0);
});

test('answers strange values of every query parameter as documented', async () => {
  const { send } = await serveSandboxes();
  for (const [template, item] of Object.entries(adminOpenApi.paths ?? {})) {
    for (const method of methods) {
      const { operationId = '', parameters = [] } = item?.[method] ?? {};
      for (const parameter of parameters) {
        if ('$ref' in parameter || parameter.in !== 'query') continue;
        for (const value of [
          ...segments,
          '',
          '0',
          '0.001',
          '-1',
          '1e3',
          '0x1',
          '99999999999999999',
        ]) {
          // A wait of a second would be one.
          if (parameter.name === 'wait' && value === '1') continue;
          const path = template.replace('{id}', 'default');
          const asked = `${path}?${parameter.name}=${value}`;
          const body = rightBodies[operationId];
          expectDocumented(operationId, await send(method.toUpperCase(), asked, { body }));
        }
      }
    }
  }
});
