import type { Sandboxes } from '../../mock/sandboxes.ts';
import { parseFaultRule, type FaultRule } from '../../mock/faults/fault-rule.ts';
import type { ExactJson } from '../../json/exact-json.ts';
import { done, json } from './admin-answer.ts';
import { paramOf, type AdminRequest } from './admin-request.ts';
import type { AdminRoute } from './admin-route.ts';
import { smallBody } from './body-limits.ts';
import { accept, expected } from './read-input.ts';

/** `…/faults`. */
export function faultRoutes(sandboxes: Sandboxes): readonly AdminRoute[] {
  const find = (request: AdminRequest) => sandboxes.get(paramOf(request, 'id'));
  return [
    {
      operationId: 'listFaults',
      method: 'GET',
      path: '/sandboxes/{id}/faults',
      async handle(request) {
        return json({ faults: await (await find(request)).faults() });
      },
    },
    {
      operationId: 'addFault',
      method: 'POST',
      path: '/sandboxes/{id}/faults',
      body: { limit: smallBody },
      async handle(request) {
        const sandbox = await find(request);
        const { rule } = accept(parseFaultRule(request.body ?? null));
        return json(await sandbox.addFault(rule), 201);
      },
    },
    {
      operationId: 'setFaults',
      method: 'PUT',
      path: '/sandboxes/{id}/faults',
      body: { limit: smallBody },
      async handle(request) {
        const sandbox = await find(request);
        await sandbox.setFaults(readRules(request.body));
        return done;
      },
    },
    {
      operationId: 'removeFaults',
      method: 'DELETE',
      path: '/sandboxes/{id}/faults',
      async handle(request) {
        await (await find(request)).setFaults([]);
        return done;
      },
    },
    {
      operationId: 'removeFault',
      method: 'DELETE',
      path: '/sandboxes/{id}/faults/{faultId}',
      async handle(request) {
        await (await find(request)).removeFault(paramOf(request, 'faultId'));
        return done;
      },
    },
  ];
}

function readRules(body: ExactJson | undefined): readonly FaultRule[] {
  if (!Array.isArray(body)) throw expected('an array of rules', body, []);
  const values = body as readonly ExactJson[];
  return values.map((value, index) => accept(parseFaultRule(value, [index])).rule);
}
