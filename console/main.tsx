import { effect, signal } from '@preact/signals';
import { render } from 'preact';
import { createAccess } from './access.ts';
import { createApi } from './api.ts';
import { AppContext, type App } from './app-context.ts';
import { createVerificationRun } from './conformance/verification-run.ts';
import { createNotices } from './notices.ts';
import { watchRoute } from './route.ts';
import { createSandboxList } from './sandboxes/sandbox-list.ts';
import { Shell } from './shell/shell.tsx';
import { createTheme } from './theme.ts';
import type { ContractView } from './wire.ts';

const access = createAccess(sessionStorage);
const api = createApi(new URL('.', document.baseURI).href, access);
const contract = signal<ContractView | undefined>(undefined);
const now = signal(Date.now());
const app: App = {
  api,
  access,
  route: watchRoute(window),
  notices: createNotices(),
  theme: createTheme(localStorage, document.documentElement),
  sandboxes: createSandboxList(api),
  contract,
  verification: createVerificationRun(api),
  now,
};

setInterval(() => {
  now.value = Date.now();
}, 10_000);

/** How long to wait before the contract is asked for again, in milliseconds. */
const contractPause = 3000;

const readContract = async (isFirst: boolean): Promise<void> => {
  try {
    contract.value = await api.readContract();
  } catch (error) {
    if (isFirst) app.notices.failed('The contract cannot be read', error);
    setTimeout(() => void readContract(false), contractPause);
  }
};
void readContract(true);
void app.sandboxes.refresh();
// Others create and delete sandboxes too, and change them.
const whenVisible = (work: () => Promise<void>) => (): void => {
  if (document.visibilityState === 'visible') void work();
};
const refresh = whenVisible(() => app.sandboxes.refresh());
setInterval(
  whenVisible(() => app.sandboxes.glance()),
  2000,
);
setInterval(refresh, 15_000);
document.addEventListener('visibilitychange', refresh);

effect(() => {
  const route = app.route.value;
  const view = app.sandboxes.views.value.find(
    (known) => route.page === 'sandbox' && known.id === route.id,
  );
  document.title =
    route.page === 'conformance'
      ? 'Conformance · Stockcheck'
      : `${toTitle(route.view)} · ${view?.name ?? route.id} · Stockcheck`;
});

function toTitle(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

const root = document.querySelector('#console');
if (root !== null) {
  render(
    <AppContext.Provider value={app}>
      <Shell />
    </AppContext.Provider>,
    root,
  );
}
