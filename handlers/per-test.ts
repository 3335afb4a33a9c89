import type { HttpHandler } from 'msw/http';
import type { InventoryMock, InventoryMockOptions } from '../src/mock/inventory-mock.ts';
import { requireMethods } from '../src/mock/check-options.ts';
import { InventoryHandler, inventoryHandlers, type ReachOptions } from './inventory-handlers.ts';

/** What of MSW's `setupServer` is needed here. */
export interface BoundaryServer extends HandlerList {
  boundary<Args extends unknown[], R>(callback: (...args: Args) => R): (...args: Args) => R;
  use(...handlers: HttpHandler[]): void;
}

/** What of MSW's `setupServer` and `setupWorker` is needed here. */
export interface HandlerList {
  listHandlers(): readonly unknown[];
}

/**
 * Gives every test an inventory of its own, also to tests that run side by side in one file: each
 * runs in a `boundary()` of the server, with handlers of its own in front.
 *
 * @returns a function for Vitest's `aroundEach`
 * @example
 * const server = setupServer();
 * beforeAll(() => server.listen());
 * afterAll(() => server.close());
 * aroundEach(inventoryPerTest(server));
 */
export function inventoryPerTest(
  server: BoundaryServer,
  options: InventoryMockOptions & ReachOptions = {},
): (runTest: () => Promise<void>) => Promise<void> {
  requireMethods(server, ['boundary', 'use'], 'inventoryPerTest needs a server of msw/node');
  if (Object.keys(options).some((name) => name === 'mock' || name === 'store')) {
    throw new TypeError(
      'inventoryPerTest makes a mock for each test, and takes neither mock nor store; use server.boundary() with inventoryHandlers({ mock })',
    );
  }
  // What is wrong with the options is said here, not in the first test.
  inventoryHandlers(options);
  return (runTest) =>
    server.boundary(async () => {
      server.use(...inventoryHandlers(options));
      // In a boundary of its own, `resetHandlers` goes back to these, not to the ones before.
      await server.boundary(runTest)();
    })();
}

/**
 * The mock that answers here: in this test, where {@link inventoryPerTest} gave it one, or on the
 * whole server or worker.
 *
 * @throws {Error} where no inventory handlers with a mock of their own are in use
 * @example
 * inventoryOf(server).next('updateInventory', { status: 404 });
 */
export function inventoryOf(server: HandlerList): InventoryMock {
  requireMethods(
    server,
    ['listHandlers'],
    'inventoryOf needs what setupServer or setupWorker returned',
  );
  const handler = server
    .listHandlers()
    .find((candidate): candidate is InventoryHandler => candidate instanceof InventoryHandler);
  if (handler === undefined) {
    throw new Error(
      'there are no inventory handlers in use here; add inventoryHandlers() to setupServer or setupWorker, or inventoryPerTest(server) to aroundEach',
    );
  }
  if (handler.own === undefined) {
    throw new Error(
      'the inventory handlers in use here were given a mock or a store; keep hold of that one instead',
    );
  }
  return handler.own;
}
