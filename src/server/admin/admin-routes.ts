import type { Sandboxes } from '../../mock/sandboxes.ts';
import type { AdminRoute } from './admin-route.ts';
import { consoleRoutes, type ConsoleFiles } from './console-files.ts';
import { contractRoutes } from './contract-routes.ts';
import type { EventFeed } from './event-feed.ts';
import { eventRoutes } from './event-routes.ts';
import { faultRoutes } from './fault-routes.ts';
import { healthRoutes } from './health-routes.ts';
import { inventoryRoutes } from './inventory-routes.ts';
import { journalRoutes } from './journal-routes.ts';
import { sandboxRoutes } from './sandbox-routes.ts';
import { snapshotRoutes } from './snapshot-routes.ts';
import { stateRoutes } from './state-routes.ts';
import type { RunVerification, ServeAlone } from './verification.ts';
import { verificationRoutes } from './verification-routes.ts';

export interface AdminContext {
  readonly sandboxes: Sandboxes;
  readonly feed: EventFeed;
  readonly consoleFiles?: ConsoleFiles | undefined;
  readonly verify?: RunVerification | undefined;
  readonly serveAlone: ServeAlone;
}

/** Every operation of the admin API. */
export function createAdminRoutes(context: AdminContext): readonly AdminRoute[] {
  const { sandboxes, feed, consoleFiles, verify, serveAlone } = context;
  return [
    ...consoleRoutes(consoleFiles),
    ...healthRoutes(sandboxes),
    ...contractRoutes(sandboxes),
    ...sandboxRoutes(sandboxes),
    ...inventoryRoutes(sandboxes),
    ...snapshotRoutes(sandboxes),
    ...faultRoutes(sandboxes),
    ...journalRoutes(sandboxes),
    ...eventRoutes(sandboxes, feed),
    ...stateRoutes(sandboxes),
    ...verificationRoutes(sandboxes, verify, serveAlone),
  ];
}
