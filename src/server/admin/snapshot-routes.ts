import type { Sandboxes } from '../../mock/sandboxes.ts';
import { done, json } from './admin-answer.ts';
import { paramOf, type AdminRequest } from './admin-request.ts';
import type { AdminRoute } from './admin-route.ts';
import { toTime } from './sandbox-view.ts';

/** `…/snapshots/{name}`. */
export function snapshotRoutes(sandboxes: Sandboxes): readonly AdminRoute[] {
  const find = (request: AdminRequest) => sandboxes.get(paramOf(request, 'id'));
  return [
    {
      operationId: 'takeSnapshot',
      method: 'PUT',
      path: '/sandboxes/{id}/snapshots/{name}',
      async handle(request) {
        const sandbox = await find(request);
        const { name, createdAt } = await sandbox.snapshot(paramOf(request, 'name'));
        return json({ name, createdAt: toTime(createdAt) }, 201);
      },
    },
    {
      operationId: 'restoreSnapshot',
      method: 'POST',
      path: '/sandboxes/{id}/snapshots/{name}/restore',
      async handle(request) {
        await (await find(request)).restore(paramOf(request, 'name'));
        return done;
      },
    },
    {
      operationId: 'deleteSnapshot',
      method: 'DELETE',
      path: '/sandboxes/{id}/snapshots/{name}',
      async handle(request) {
        await (await find(request)).deleteSnapshot(paramOf(request, 'name'));
        return done;
      },
    },
  ];
}
