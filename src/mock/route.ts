/** Where a request is addressed. */
export type Route =
  | { readonly kind: 'listInventory' }
  /** `petId` is the path segment, percent-decoded. */
  | { readonly kind: 'updateInventory'; readonly petId: string }
  /** An operation that the spec names without describing it (spec, section 1). */
  | { readonly kind: 'unspecifiedOperation'; readonly name: string }
  | { readonly kind: 'options'; readonly allow: string }
  | { readonly kind: 'methodNotAllowed'; readonly allow: string }
  | { readonly kind: 'unknown' };

const unknown: Route = { kind: 'unknown' };

/**
 * Finds the operation that a method and a path address.
 *
 * @param path relative to the base path: `/inventory/12`
 */
export function matchRoute(method: string, path: string): Route {
  if (path === '/inventory') return matchMethod(method, 'GET', { kind: 'listInventory' });
  // Not `split`: this runs for every request.
  const end = path.indexOf('/', 1);
  const name = path.slice(end + 1);
  if (end === -1 || name === '' || name.includes('/')) return unknown;
  if (path.startsWith('/inventory/')) {
    return matchMethod(method, 'PATCH', { kind: 'updateInventory', petId: percentDecode(name) });
  }
  if (path.startsWith('/pets/')) {
    return matchMethod(method, 'GET', { kind: 'unspecifiedOperation', name: 'GET /pets/{petId}' });
  }
  if (path === '/store/orders') {
    return matchMethod(method, 'GET', { kind: 'unspecifiedOperation', name: 'GET /store/orders' });
  }
  return unknown;
}

function matchMethod(method: string, operation: 'GET' | 'PATCH', route: Route): Route {
  if (method === operation) return route;
  // RFC 9110, section 9.1: who supports GET supports HEAD.
  if (method === 'HEAD' && operation === 'GET') return route;
  const allow = operation === 'GET' ? 'GET, HEAD, OPTIONS' : `${operation}, OPTIONS`;
  return { kind: method === 'OPTIONS' ? 'options' : 'methodNotAllowed', allow };
}

/** Decodes percent-encoding; what is not encoded rightly stays as it is. */
export function percentDecode(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
