import type { MaybePromise } from '../../inventory/store.ts';
import { percentDecode } from '../../mock/route.ts';
import type { AdminAnswer } from './admin-answer.ts';
import type { AdminRequest } from './admin-request.ts';

/** Everything that is ours lies below it. */
export const adminPath = '/_stockcheck';

export type AdminMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One operation of the admin API. The OpenAPI document has the same, by the same id. */
export interface AdminRoute {
  readonly operationId: string;
  readonly method: AdminMethod;
  /** Below {@link adminPath}; `{name}` stands for one segment. */
  readonly path: string;
  /** Names of the query that may be given. */
  readonly query?: readonly string[];
  /** The body is JSON, of at most so many bytes. Left out: none is read. */
  readonly body?: { readonly limit: number; readonly isOptional?: true };
  /** Answers without a token: it tells nothing that is anybody's. */
  readonly isOpen?: true;
  /** Answers when a person follows a link from another page. */
  readonly isPage?: true;
  handle(request: AdminRequest): MaybePromise<AdminAnswer>;
}

export type FoundRoute =
  | {
      readonly kind: 'found';
      readonly route: AdminRoute;
      readonly params: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'methodNotAllowed'; readonly allow: string }
  | { readonly kind: 'unknown' };

/** Finds the operation that a method and a path address: `/_stockcheck/sandboxes`. */
export function findRoute(routes: readonly AdminRoute[], method: string, path: string): FoundRoute {
  const segments = path.slice(adminPath.length).split('/');
  const matches = routes.flatMap((route) => {
    const params = matchPath(route.path.split('/'), segments);
    return params === undefined ? [] : [{ route, params }];
  });
  // RFC 9110, section 9.1: who supports GET supports HEAD.
  const wanted = method === 'HEAD' ? 'GET' : method;
  const found = matches.find(({ route }) => route.method === wanted);
  if (found !== undefined) return { kind: 'found', ...found };
  if (matches.length === 0) return { kind: 'unknown' };
  return { kind: 'methodNotAllowed', allow: toAllow(matches.map(({ route }) => route.method)) };
}

function toAllow(methods: readonly AdminMethod[]): string {
  const names = methods.flatMap((method) => (method === 'GET' ? [method, 'HEAD'] : [method]));
  return [...new Set([...names, 'OPTIONS'])].join(', ');
}

function matchPath(
  pattern: readonly string[],
  segments: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (part.startsWith('{')) {
      if (segment === '') return undefined;
      params[part.slice(1, -1)] = percentDecode(segment);
    } else if (part !== segment) return undefined;
  }
  return params;
}
