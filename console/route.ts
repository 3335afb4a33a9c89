import { signal, type ReadonlySignal } from '@preact/signals';

/** The views of one sandbox, in the order of their tabs. */
export const sandboxViews = ['stock', 'journal', 'faults', 'snapshots', 'policy'] as const;

export type SandboxViewName = (typeof sandboxViews)[number];

export type Route =
  | {
      readonly page: 'conformance';
      /** The id of the sandbox whose copy is run. Left out: `default`. */
      readonly sandbox?: string;
    }
  | {
      readonly page: 'sandbox';
      readonly id: string;
      readonly view: SandboxViewName;
      /** In the journal: the sequence of the exchange that is shown. */
      readonly detail?: string;
    };

/** The sandbox that every server has. */
export const defaultId = 'default';

const home: Route = { page: 'sandbox', id: defaultId, view: 'stock' };

/**
 * Reads `#/sandboxes/default/journal/12` or `#/conformance/default`; what is not known leads to the
 * default stock.
 */
export function parseRoute(hash: string): Route {
  const [, page, id, view, detail] = hash.split('/').map(decode);
  if (page === 'conformance') return { page, ...(id ? { sandbox: id } : {}) };
  if (page !== 'sandboxes' || id === undefined || id === '') return home;
  const known = sandboxViews.find((name) => name === view) ?? 'stock';
  return { page: 'sandbox', id, view: known, ...(detail ? { detail } : {}) };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address of a route: `#/sandboxes/default/stock`. */
export function toHash(route: Route): string {
  if (route.page === 'conformance') {
    const { sandbox = defaultId } = route;
    return sandbox === defaultId ? '#/conformance' : `#/conformance/${encodeURIComponent(sandbox)}`;
  }
  const detail = route.detail === undefined ? '' : `/${encodeURIComponent(route.detail)}`;
  return `#/sandboxes/${encodeURIComponent(route.id)}/${route.view}${detail}`;
}

/** The route of a window, which follows its address. */
export function watchRoute(window: Window): ReadonlySignal<Route> {
  const route = signal(parseRoute(window.location.hash));
  window.addEventListener('hashchange', () => {
    route.value = parseRoute(window.location.hash);
  });
  return route;
}
