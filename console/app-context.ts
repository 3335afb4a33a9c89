import type { ReadonlySignal, Signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Access } from './access.ts';
import type { Api } from './api.ts';
import type { VerificationRun } from './conformance/verification-run.ts';
import type { Notices } from './notices.ts';
import type { Route } from './route.ts';
import type { SandboxList } from './sandboxes/sandbox-list.ts';
import type { Theme } from './theme.ts';
import type { ContractView } from './wire.ts';

/** What every view may use. */
export interface App {
  readonly api: Api;
  readonly access: Access;
  readonly route: ReadonlySignal<Route>;
  readonly notices: Notices;
  readonly theme: Signal<Theme>;
  readonly sandboxes: SandboxList;
  /** Left out until it is read. */
  readonly contract: ReadonlySignal<ContractView | undefined>;
  readonly verification: VerificationRun;
  /** Milliseconds since the epoch; moves on every ten seconds. */
  readonly now: ReadonlySignal<number>;
}

export const AppContext = createContext<App | undefined>(undefined);

/** @throws {Error} outside of the page */
export function useApp(): App {
  const app = useContext(AppContext);
  if (app === undefined) throw new Error('useApp is called outside of <AppContext.Provider>');
  return app;
}
