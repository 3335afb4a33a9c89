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
