import { HttpHandler } from 'msw/http';
import type { Store } from '../src/inventory/store.ts';
import { toFetch } from '../src/mock/fetch.ts';
import {
  createInventoryMock,
  type InventoryMock,
  type InventoryMockOptions,
} from '../src/mock/inventory-mock.ts';
import { describeValue, refuseUnknownOptions, requireMethods } from '../src/mock/check-options.ts';
import { basePath, type Mock } from '../src/mock/mock.ts';
import { toLocate } from './base-url.ts';

/** Where the handlers answer, and when. */
export interface ReachOptions {
  /**
   * The base address of the service, or a path that counts on every origin. Left out: `/v1`.
   *
   * Give an address where the page also talks to another service under `/v1`.
   */
  readonly baseUrl?: string;
  /** How long to wait before a request is handled, in milliseconds. Left out: not at all. */
  readonly delay?: number | ((request: Request) => number);
}

/** Handlers over a mock of their own, in memory or over a store. */
export interface OwnMockOptions extends InventoryMockOptions {
  readonly store?: Store;
  readonly mock?: undefined;
}

/** Handlers over a mock that somebody else holds as well. */
export interface GivenMockOptions {
  readonly mock: Mock;
}

export type InventoryHandlersOptions = ReachOptions & (OwnMockOptions | GivenMockOptions);

/**
 * Makes request handlers for `setupServer` and `setupWorker`: all that the standalone server
 * answers under the base address, byte for byte. Requests elsewhere are left alone.
 *
 * @throws {TypeError} for a base address that is none, for an option that there is not, and for one of
 * the wrong type
 * @throws {RangeError} for a wrong fixture, policy or delay
 * @example
 * const server = setupServer(...inventoryHandlers());
 * @example
 * const mock = createInventoryMock({ fixture: 'edge' });
 * const worker = setupWorker(...inventoryHandlers({ mock, baseUrl: '/api/v1', delay: 150 }));
 */
export function inventoryHandlers(
  options: InventoryHandlersOptions = {},
): readonly InventoryHandler[] {
  refuseUnknownOptions(
    options,
    [...reachNames, ...ownNames, 'mock'],
    'the options of inventoryHandlers',
    "{ fixture: 'empty' }",
  );
  if (options.mock !== undefined) {
    checkGivenMock(options);
    return [new InventoryHandler(options.mock, undefined, options)];
  }
  const { store, baseUrl: _baseUrl, delay: _delay, mock: _mock, ...rest } = options;
  if (store !== undefined) {
    return [new InventoryHandler(createInventoryMock({ ...rest, store }), undefined, options)];
  }
  const own = createInventoryMock(rest);
  return [new InventoryHandler(own, own, options)];
}

const reachNames = ['baseUrl', 'delay'] as const;
const ownNames = ['fixture', 'apiKeys', 'policy', 'store', 'onBug'] as const;

function checkGivenMock(options: GivenMockOptions): void {
  requireMethods(options.mock, ['handle'], 'mock must be what createInventoryMock() returns');
  const clash = ownNames.find((name) => (options as Readonly<OwnNames>)[name] !== undefined);
  if (clash !== undefined) {
    throw new TypeError(
      `mock and ${clash} cannot be given together: the mock has its own; give ${clash} to createInventoryMock`,
    );
  }
}

type OwnNames = { readonly [Name in (typeof ownNames)[number]]?: unknown };

/** The most that a timer waits; beyond, it would not wait at all. */
const longestDelay = 2 ** 31 - 1;

function checkDelay(delay: unknown, what: string): void {
  if (typeof delay !== 'number') {
    throw new TypeError(`${what} must be a number of milliseconds; got ${describeValue(delay)}`);
  }
  if (!(delay >= 0 && delay <= longestDelay)) {
    throw new RangeError(`${what} must be milliseconds from 0 to ${longestDelay}; got ${delay}`);
  }
}

/** The one handler behind all operations: the engine routes, as it does on the server. */
export class InventoryHandler extends HttpHandler {
  /** The mock that the handler created for itself in memory; left out where it was given one. */
  readonly own: InventoryMock | undefined;

  constructor(mock: Mock, own: InventoryMock | undefined, options: ReachOptions) {
    const { baseUrl = basePath, delay = 0 } = options;
    const locate = toLocate(baseUrl);
    if (typeof delay !== 'function') checkDelay(delay, 'delay');
    const answer = toFetch(mock);
    super(
      /^/,
      ({ request }) => {
        const path = locate(request.url);
        return { matches: path !== undefined, params: { path } };
      },
      async ({ request, params }: { request: Request; params: { path: string } }) => {
        const milliseconds = typeof delay === 'function' ? delay(request) : delay;
        checkDelay(milliseconds, 'what the function delay returns');
        if (milliseconds > 0) await wait(milliseconds);
        // Nobody waits for the answer any more: change nothing.
        if (request.signal.aborted) return Response.error();
        return answer(request, params.path);
      },
    );
    this.own = own;
    this.info.header = `inventory at ${baseUrl}`;
  }
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
