import type { IncomingMessage, ServerResponse } from 'node:http';
import { toPath } from './node-request.ts';
import type { Mock } from '../mock/mock.ts';
import type { Admin, AdminOptions } from './admin/admin.ts';
import type { Guard } from './admin/guard.ts';
import type { ProviderStates } from './provider-states.ts';

/** What lies under `/_stockcheck/`. */
export interface OwnPaths {
  /** @returns whether the request was for it; where not, nothing was done */
  serve(incoming: IncomingMessage, outgoing: ServerResponse): boolean;
  /** Is about another mock from now on. */
  use(mock: Mock): void;
  /** Ends what would stay open. */
  close(): void;
}

/**
 * Whether a request target is for what lies there, be it a whole address: the service, which answers
 * every origin, must not answer for it.
 */
export function isOwnPath(target: string): boolean {
  if (target.startsWith('/v1/')) return false;
  return /^\/_stockcheck(?:\/|$)/.test(toPath(target));
}

/** Nothing lies there: the engine says so. */
export const noOwnPaths: OwnPaths = {
  serve: () => false,
  use: () => undefined,
  close: () => undefined,
};

/** The admin API of a mock with sandboxes. */
export function createAdminPaths(options: AdminOptions): OwnPaths {
  let admin: Promise<Admin> | undefined;
  return {
    serve(incoming, outgoing) {
      if (!isOwnPath(incoming.url ?? '')) return false;
      // Loaded late: the mock starts sooner without it.
      admin ??= import('./admin/admin.ts').then(({ createAdmin }) => createAdmin(options));
      admin.then((ready) => ready.serve(incoming, outgoing)).catch(options.onBug);
      return true;
    },
    use() {
      throw new TypeError(
        'a server of sandboxes serves no other mock; use reseed() of the sandboxes instead',
      );
    },
    close() {
      void admin?.then((ready) => ready.close());
    },
  };
}

/** Provider states alone: what a mock without sandboxes has. */
export function createStatePaths(first: Mock, guard: Guard): OwnPaths {
  let mock = first;
  let states: ProviderStates | undefined;

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { createProviderStates } = await import('./provider-states.ts');
    const { serveProviderStates } = await import('./serve-provider-states.ts');
    states ??= createProviderStates(mock);
    await serveProviderStates(incoming, outgoing, states, guard);
  };

  return {
    serve(incoming, outgoing) {
      if (toPath(incoming.url ?? '') !== '/_stockcheck/states') return false;
      void serve(incoming, outgoing);
      return true;
    },
    use(next) {
      mock = next;
      states = undefined;
    },
    close: () => undefined,
  };
}
