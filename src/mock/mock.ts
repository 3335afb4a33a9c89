import type { OperationId } from '../../contracts/case.ts';
import { authorize, isSendableKey, type ApiKeys } from '../inventory/authorization.ts';
import type { InventoryItem } from '../inventory/item.ts';
import type { Outcome } from '../inventory/outcome.ts';
import { whenReady, type MaybePromise, type Store } from '../inventory/store.ts';
import { cutText } from '../json/cut-text.ts';
import type { MockRequest, MockResponse } from './exchange.ts';
import { listInventory, updateInventory } from './operations.ts';
import { defaultPolicy, type Policy, type PolicyChanges } from './policy.ts';
import { toInternalError, toOptionsResponse, toPreflightResponse, toResponse } from './respond.ts';
import { matchRoute, type Route } from './route.ts';

/** The base path of the service (spec, section 9). */
export const basePath = '/v1';

/** The key that a mock accepts unless it is given others. It is no secret. */
export const defaultApiKey = 'demo-key';

/**
 * A misbehaviour that somebody asked for: stands between authorization and operation.
 *
 * @returns the outcome instead of the operation's, or `undefined` to let the operation run
 */
export type Fault = (operation: OperationId, request: MockRequest) => Outcome | undefined;

export interface MockOptions {
  /** Where the inventory is kept. */
  readonly store: Store;
  readonly apiKeys: ApiKeys;
  /** Answers to decisions that differ from the defaults. */
  readonly policy?: PolicyChanges;
  /** Misbehaviour that somebody asked for. */
  readonly fault?: Fault;
  /** Is told of every error that is a bug of ours; the request is answered with 500. */
  readonly onBug?: (error: unknown) => void;
}

/** A stateful inventory service without a transport. */
export interface Mock {
  readonly policy: Policy;
  readonly apiKeys: ApiKeys;
  /**
   * Answers a request. Synchronous where the store is; never throws, and a promise that it returns
   * is never rejected.
   */
  handle(request: MockRequest): MaybePromise<MockResponse>;
  /** Every entry, in the order of the list. */
  items(): MaybePromise<Iterable<InventoryItem>>;
  /** Replaces the whole inventory. */
  replace(items: Iterable<InventoryItem>): MaybePromise<void>;
}

/**
 * Creates a mock over a store. Two mocks share nothing but what they are given.
 *
 * @throws {RangeError} for an API key that no client could send
 */
export function createMock(options: MockOptions): Mock {
  const { store, apiKeys, policy: changes, onBug } = options;
  const policy: Policy = { ...defaultPolicy, ...changes };
  if (apiKeys !== 'any' && !apiKeys.every(isSendableKey)) {
    throw new RangeError(
      'an API key must be one or more visible ASCII characters without spaces, to be sent as a bearer token',
    );
  }

  const engine: Engine = { store, apiKeys, policy, fault: options.fault };
  const fail = (error: unknown): MockResponse => {
    onBug?.(error);
    return toInternalError(policy);
  };

  return {
    policy,
    apiKeys,
    handle(request) {
      try {
        const response = answer(request, engine);
        return response instanceof Promise ? response.catch(fail) : response;
      } catch (error) {
        return fail(error);
      }
    },
    items: () => store.items(),
    replace: (items) => store.replace(items),
  };
}

/** What answers need to know. */
interface Engine {
  readonly store: Store;
  readonly apiKeys: ApiKeys;
  readonly policy: Policy;
  readonly fault: Fault | undefined;
}

function answer(request: MockRequest, engine: Engine): MaybePromise<MockResponse> {
  if (request.method === 'OPTIONS') {
    const method = request.header('access-control-request-method');
    if (method !== undefined) return toPreflightResponse(method, request);
  }
  const route = request.path.startsWith(`${basePath}/`)
    ? matchRoute(request.method, request.path.slice(basePath.length))
    : ({ kind: 'unknown' } as const);
  if (route.kind === 'options') return toOptionsResponse(route.allow);
  return whenReady(perform(route, request, engine), (outcome) =>
    toResponse(outcome, engine.policy),
  );
}

function perform(
  route: Exclude<Route, { kind: 'options' }>,
  request: MockRequest,
  { store, apiKeys, policy, fault }: Engine,
): MaybePromise<Outcome> {
  if (route.kind === 'unknown') return notFound(request);
  if (route.kind === 'methodNotAllowed') {
    if (policy['unspecified-routes'] === '404') return notFound(request);
    const message = `${cutText(request.path)} does not support ${request.method}; it supports ${route.allow}`;
    return { kind: 'methodNotAllowed', allow: route.allow, message };
  }

  const authorization = authorize(
    request.header('authorization'),
    apiKeys,
    policy['scheme-case'] === 'ignore',
  );
  if (!authorization.authorized) return { kind: 'unauthorized', message: authorization.message };

  if (route.kind === 'unspecifiedOperation') return unspecified(route.name);
  return fault?.(route.kind, request) ?? operate(route, request, store, policy);
}

function operate(
  route: Extract<Route, { kind: OperationId }>,
  request: MockRequest,
  store: Store,
  policy: Policy,
): MaybePromise<Outcome> {
  switch (route.kind) {
    case 'listInventory':
      return listInventory(store);
    case 'updateInventory':
      return request.body.length > policy['body-limit']
        ? {
            kind: 'contentTooLarge',
            message: `the body must have at most ${policy['body-limit']} bytes; it has more`,
          }
        : updateInventory(store, policy, route.petId, request);
  }
}

function unspecified(name: string): Outcome {
  return {
    kind: 'notFound',
    message: `${name} belongs to the wider service: the inventory specification names it without describing it, so there is nothing to mock`,
  };
}

function notFound({ method, path }: MockRequest): Outcome {
  return {
    kind: 'notFound',
    message: `there is no ${method} ${cutText(path)}; there are GET ${basePath}/inventory and PATCH ${basePath}/inventory/{petId}`,
  };
}
