import { petStatuses, type PetStatus } from '../../../contracts/pet-status.ts';
import { parsePetId } from '../../inventory/pet-id.ts';
import type { ExactJson } from '../../json/exact-json.ts';
import { quoteText } from '../../json/cut-text.ts';
import type { Sandboxes } from '../../mock/sandboxes.ts';
import { AdminRefusal, done, json } from './admin-answer.ts';
import { paramOf, type AdminRequest } from './admin-request.ts';
import type { AdminRoute } from './admin-route.ts';
import { fixtureBody, smallBody } from './body-limits.ts';
import { readInventory } from './read-fixture.ts';
import { expected, readFields, readInteger, readOneOf } from './read-input.ts';
import { readChoiceOf } from './read-query.ts';

/** `…/inventory`, and what replaces or shows all of it. */
export function inventoryRoutes(sandboxes: Sandboxes): readonly AdminRoute[] {
  const find = (request: AdminRequest) => sandboxes.get(paramOf(request, 'id'));
  return [
    {
      operationId: 'getInventory',
      method: 'GET',
      path: '/sandboxes/{id}/inventory',
      async handle(request) {
        const body = await (await find(request)).list();
        return { kind: 'text', status: 200, body, headers: { 'Content-Type': 'application/json' } };
      },
    },
    {
      operationId: 'setInventory',
      method: 'PUT',
      path: '/sandboxes/{id}/inventory',
      body: { limit: fixtureBody },
      async handle(request) {
        const sandbox = await find(request);
        await sandbox.replace(readInventory(request.body));
        return done;
      },
    },
    {
      operationId: 'setPet',
      method: 'PATCH',
      path: '/sandboxes/{id}/inventory/{petId}',
      body: { limit: smallBody },
      async handle(request) {
        const sandbox = await find(request);
        const change = readStockChange(request.body);
        const { petId, quantity, status } = await sandbox.update(readPetId(request), change);
        return json({ petId, quantity, status });
      },
    },
    {
      operationId: 'resetSandbox',
      method: 'POST',
      path: '/sandboxes/{id}/reset',
      query: ['journal'],
      async handle(request) {
        const sandbox = await find(request);
        const journal = readChoiceOf(request.query, 'journal', ['clear', 'keep']);
        await sandbox.reset();
        if (journal === 'clear') await sandbox.journal.clear();
        return done;
      },
    },
    {
      operationId: 'diffSandbox',
      method: 'GET',
      path: '/sandboxes/{id}/diff',
      query: ['snapshot'],
      async handle(request) {
        const sandbox = await find(request);
        return json(await sandbox.diff(request.query.get('snapshot') ?? undefined));
      },
    },
    {
      operationId: 'exportSandbox',
      method: 'GET',
      path: '/sandboxes/{id}/export',
      async handle(request) {
        const sandbox = await find(request);
        return {
          kind: 'text',
          status: 200,
          body: await sandbox.export(),
          headers: {
            'Content-Type': 'application/json',
            'Content-Disposition': `attachment; filename="stockcheck-${sandbox.id}.json"`,
          },
        };
      },
    },
  ];
}

function readPetId(request: AdminRequest): bigint {
  const segment = paramOf(request, 'petId');
  const petId = parsePetId(segment);
  if (petId !== undefined) return petId;
  const message = `there is no pet with petId ${quoteText(segment)}; a petId is an int64 in its shortest decimal form`;
  throw new AdminRefusal(404, 'not_found', message);
}

function readStockChange(body: ExactJson | undefined): { quantity?: bigint; status?: PetStatus } {
  const change = readFields<{ quantity: bigint; status: PetStatus }>(body, {
    quantity: readInteger,
    status: readOneOf(petStatuses),
  });
  if (Object.keys(change).length === 0) {
    throw expected('at least one of quantity, status', body, []);
  }
  return change;
}
