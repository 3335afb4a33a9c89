import { parseJournalQuery } from '../../mock/journal-query.ts';
import { NothingKeptError, TooManyWaitersError, type Journal } from '../../mock/journal.ts';
import type { Sandboxes } from '../../mock/sandboxes.ts';
import { AdminRefusal, done, json } from './admin-answer.ts';
import { paramOf, type AdminRequest } from './admin-request.ts';
import type { AdminRoute } from './admin-route.ts';

/** `…/journal`. */
export function journalRoutes(sandboxes: Sandboxes): readonly AdminRoute[] {
  const find = (request: AdminRequest) => sandboxes.get(paramOf(request, 'id'));
  return [
    {
      operationId: 'readJournal',
      method: 'GET',
      path: '/sandboxes/{id}/journal',
      query: ['operation', 'petId', 'method', 'status', 'verdict', 'after', 'limit', 'wait'],
      async handle(request) {
        const { journal } = await find(request);
        return json(await read(journal, request));
      },
    },
    {
      operationId: 'clearJournal',
      method: 'DELETE',
      path: '/sandboxes/{id}/journal',
      async handle(request) {
        await (await find(request)).journal.clear();
        return done;
      },
    },
  ];
}

async function read(journal: Journal, request: AdminRequest): Promise<unknown> {
  const parsed = parseJournalQuery(request.query);
  if (!parsed.ok) throw new AdminRefusal(400, 'invalid_request', `the query: ${parsed.problem}`);
  try {
    return await journal.waitFor(parsed.query, request.signal);
  } catch (error) {
    throw toRefusal(error) ?? error;
  }
}

function toRefusal(error: unknown): AdminRefusal | undefined {
  if (error instanceof NothingKeptError) return new AdminRefusal(409, 'conflict', error.message);
  return error instanceof TooManyWaitersError
    ? new AdminRefusal(503, 'unavailable', error.message, { 'Retry-After': '1' })
    : undefined;
}
