import { signal, type ReadonlySignal } from '@preact/signals';

/** The views of one sandbox, in the order of their tabs. */
export const sandboxViews = ['stock', 'journal', 'faults', 'snapshots', 'policy'] as const;

export type SandboxViewName = (typeof sandboxViews)[number];

export type Route =
  | { readonly page: 'conformance' }
  | {
      readonly page: 'sandbox';
      readonly id: string;
      readonly view: SandboxViewName;
      /** In the journal: the sequence of the exchange that is shown. */
      readonly detail?: string;
    };

const home: Route = { page: 'sandbox', id: 'default', view: 'stock' };

/** Reads `#/sandboxes/default/journal/12`; what is not known leads to the default stock. */
export function parseRoute(hash: string): Route {
  const [, page, id, view, detail] = hash.split('/').map(decode);
  if (page === 'conformance') return { page };
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
  if (route.page === 'conformance') return '#/conformance';
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
