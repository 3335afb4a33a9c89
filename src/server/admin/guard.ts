import { refuseForeignRequest, type RequestOrigin } from '../foreign-request.ts';
import { AdminRefusal } from './admin-answer.ts';
import type { AdminRoute } from './admin-route.ts';
import { hasAdminToken } from './admin-token.ts';

/** Who may use the admin API. */
export interface Guard {
  /** Whether the server listens on this machine alone. */
  readonly onLoopback: boolean;
  /** What requests must carry. Left out: nothing, since only this machine can send any. */
  readonly token: string | undefined;
}

interface GuardedRequest extends RequestOrigin {
  readonly method: string;
}

/**
 * Lets a request through, or says why not.
 *
 * @param route what it is addressed to. Left out: nothing that there is
 * @throws {AdminRefusal} 403 for a page of another origin, 401 without the token
 */
export function assertAllowed(
  request: GuardedRequest,
  route: Pick<AdminRoute, 'isOpen' | 'isPage'> | undefined,
  { onLoopback, token }: Guard,
): void {
  const isFollowed = route?.isPage === true && isNavigation(request);
  const foreign = refuseForeignRequest(isFollowed ? withoutSite(request) : request, onLoopback);
  if (foreign !== undefined) throw new AdminRefusal(403, 'forbidden', foreign);
  if (token === undefined || route?.isOpen === true) return;
  if (hasAdminToken(request.header('authorization'), token)) return;
  throw new AdminRefusal(
    401,
    'unauthorized',
    'the admin token is missing or wrong; expected "Authorization: Bearer <token>", with the token that the server printed when it started, or was given by --admin-token',
    { 'WWW-Authenticate': 'Bearer realm="stockcheck admin"' },
  );
}

/** A link to the page itself may stand anywhere: who follows it sees the page, and nobody else. */
function isNavigation(request: GuardedRequest): boolean {
  return (
    request.header('sec-fetch-mode') === 'navigate' &&
    request.header('sec-fetch-dest') === 'document' &&
    request.method === 'GET'
  );
}

function withoutSite(request: GuardedRequest): GuardedRequest {
  return {
    method: request.method,
    target: request.target,
    header: (name) => (name === 'sec-fetch-site' ? undefined : request.header(name)),
  };
}
