import type { SandboxChanges, SandboxView } from '../../admin/admin-api.ts';
import { SandboxGoneError } from '../../inventory/sandbox-storage.ts';
import type { ExactJson } from '../../json/exact-json.ts';
import type { JsonPath } from '../../json/json-path.ts';
import { parsePolicy, type PolicyChanges } from '../../mock/policy.ts';
import type { Sandbox, SandboxOptions } from '../../mock/sandbox.ts';
import { longestTimeToLive } from '../../mock/sandbox-options.ts';
import type { Sandboxes } from '../../mock/sandboxes.ts';
import { AdminRefusal, done, json } from './admin-answer.ts';
import { paramOf } from './admin-request.ts';
import { adminPath, type AdminRoute } from './admin-route.ts';
import { smallBody, fixtureBody } from './body-limits.ts';
import { readSeed } from './read-fixture.ts';
import {
  accept,
  expected,
  readApiKey,
  readFields,
  readNullable,
  readNumberFrom,
  readString,
} from './read-input.ts';
import { readIntegerOf } from './read-query.ts';
import { toSandboxView } from './sandbox-view.ts';

/** How many sandboxes one answer shows unless it is told otherwise, and at most. */
const pageSize = { usual: 100, most: 1000 };

/** `/sandboxes` and `/sandboxes/{id}`. */
export function sandboxRoutes(sandboxes: Sandboxes): readonly AdminRoute[] {
  return [
    {
      operationId: 'listSandboxes',
      method: 'GET',
      path: '/sandboxes',
      query: ['limit', 'after'],
      async handle({ query }) {
        // Those of verifications under way are nobody's.
        const all = (await sandboxes.list()).filter(({ isTemporary }) => !isTemporary);
        const limit = readIntegerOf(query, 'limit', 1, pageSize.most) ?? pageSize.usual;
        const from = findPage(
          all.map(({ id }) => id),
          query.get('after'),
        );
        const views = await Promise.all(all.slice(from, from + limit).map(toViewIfThere));
        const shown = views.filter((view) => view !== undefined);
        return json({ sandboxes: shown, count: all.length, limit: sandboxes.limits.sandboxes });
      },
    },
    {
      operationId: 'createSandbox',
      method: 'POST',
      path: '/sandboxes',
      body: { limit: fixtureBody, isOptional: true },
      async handle({ body = {} }) {
        const names = sandboxes.fixtures.map(({ name }) => name);
        const { sandbox, apiKey } = await sandboxes.create(readSandboxOptions(body, names));
        const view = await toSandboxView(sandbox);
        const location = `${adminPath}/sandboxes/${sandbox.id}`;
        return json({ ...view, apiKey }, 201, { Location: location });
      },
    },
    {
      operationId: 'getSandbox',
      method: 'GET',
      path: '/sandboxes/{id}',
      async handle(request) {
        return json(await toSandboxView(await sandboxes.get(paramOf(request, 'id'))));
      },
    },
    {
      operationId: 'configureSandbox',
      method: 'PATCH',
      path: '/sandboxes/{id}',
      body: { limit: smallBody },
      async handle(request) {
        const id = paramOf(request, 'id');
        const sandbox = await sandboxes.get(id);
        await sandbox.configure(readChanges(request.body));
        return json(await toSandboxView(await sandboxes.get(id)));
      },
    },
    {
      operationId: 'deleteSandbox',
      method: 'DELETE',
      path: '/sandboxes/{id}',
      async handle(request) {
        await sandboxes.delete(paramOf(request, 'id'));
        return done;
      },
    },
  ];
}

/** `undefined` where the sandbox has gone since the list was made: that is no error of the list. */
async function toViewIfThere(sandbox: Sandbox): Promise<SandboxView | undefined> {
  try {
    return await toSandboxView(sandbox);
  } catch (error) {
    if (error instanceof SandboxGoneError) return undefined;
    throw error;
  }
}

/** Where the page behind a sandbox begins. */
function findPage(ids: readonly string[], after: string | null): number {
  if (after === null) return 0;
  const index = ids.indexOf(after);
  if (index !== -1) return index + 1;
  throw new AdminRefusal(
    400,
    'invalid_request',
    'the query after: there is no such sandbox, or no longer; read the list from its beginning',
  );
}

const readTimeToLive = readNullable(readNumberFrom(1, longestTimeToLive));

const readInt32 = readNumberFrom(-(2 ** 31), 2 ** 31 - 1);

function readPolicy(value: ExactJson, path: JsonPath): PolicyChanges {
  return accept(parsePolicy(value, path)).policy;
}

function readSandboxOptions(body: ExactJson, fixtures: readonly string[]): SandboxOptions {
  return readFields<SandboxOptions>(body, {
    name: readString,
    fixture: readSeed(fixtures),
    apiKey: readApiKey,
    policy: readPolicy,
    timeToLive: readTimeToLive,
    scenario: readString,
    seed: readInt32,
  });
}

function readChanges(body: ExactJson | undefined): SandboxChanges {
  const changes = readFields<SandboxChanges>(body, {
    name: readString,
    policy: readPolicy,
    timeToLive: readTimeToLive,
    scenario: readNullable(readString),
    seed: readInt32,
  });
  if (Object.keys(changes).length === 0) {
    throw expected('at least one of name, policy, timeToLive, scenario, seed', body, []);
  }
  return changes;
}
