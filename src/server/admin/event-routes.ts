import type { Sandboxes } from '../../mock/sandboxes.ts';
import type { AdminAnswer } from './admin-answer.ts';
import { paramOf, type AdminRequest } from './admin-request.ts';
import type { AdminRoute } from './admin-route.ts';
import type { EventFeed } from './event-feed.ts';

/** `/events` and `…/events`. */
export function eventRoutes(sandboxes: Sandboxes, feed: EventFeed): readonly AdminRoute[] {
  const stream = (request: AdminRequest, sandbox: string | undefined): AdminAnswer => {
    feed.assertRoom();
    const lastEventId = request.header('last-event-id');
    return {
      kind: 'stream',
      headers: { 'Content-Type': 'text/event-stream' },
      run: (output) => feed.add(output, sandbox, lastEventId),
    };
  };
  return [
    {
      operationId: 'streamEvents',
      method: 'GET',
      path: '/events',
      handle: (request) => stream(request, undefined),
    },
    {
      operationId: 'streamSandboxEvents',
      method: 'GET',
      path: '/sandboxes/{id}/events',
      async handle(request) {
        const { id } = await sandboxes.get(paramOf(request, 'id'));
        return stream(request, id);
      },
    },
  ];
}
