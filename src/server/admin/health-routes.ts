import type { Sandboxes } from '../../mock/sandboxes.ts';
import { json } from './admin-answer.ts';
import type { AdminRoute } from './admin-route.ts';

/** What a balancer asks. */
export function healthRoutes(sandboxes: Sandboxes): readonly AdminRoute[] {
  return [
    {
      operationId: 'getLiveness',
      method: 'GET',
      path: '/live',
      isOpen: true,
      handle: () => json({ status: 'live' }),
    },
    {
      operationId: 'getReadiness',
      method: 'GET',
      path: '/ready',
      isOpen: true,
      async handle() {
        // Where the storage cannot be asked, the error that it throws is answered with 503.
        await sandboxes.ready();
        return json({ status: 'ready' });
      },
    },
  ];
}
