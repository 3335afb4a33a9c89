import type { OperationId } from '../../contracts/case.ts';
import { authorize, isSendableKey, type ApiKeys } from '../inventory/authorization.ts';
import type { InventoryItem } from '../inventory/item.ts';
import type { Outcome } from '../inventory/outcome.ts';
import type { MaybePromise, Store } from '../inventory/store.ts';
import { cutText } from '../json/cut-text.ts';
import type { FaultHit, MockRequest, MockResponse } from './exchange.ts';
import { listInventory, updateInventory } from './operations.ts';
import { defaultPolicy, type Policy, type PolicyChanges } from './policy.ts';
import { toInternalError, toOptionsResponse, toPreflightResponse, toResponse } from './respond.ts';
import { matchRoute, type Route } from './route.ts';

/** The base path of the service (spec, section 9). */
export const basePath = '/v1';

/** The key that a mock accepts unless it is given others. It is no secret. */
export const defaultApiKey = 'demo-key';

/** What a fault does to one exchange. */
export interface Interference {
  /** The rule that did it, and what it did. Left out: there is no rule. */
  readonly fault?: FaultHit;
  /** What comes instead of the operation's outcome. Left out: the operation runs. */
  readonly outcome?: Outcome;
  /** Spoils the response to the outcome. Left out: it is sent as it is. */
  spoil?(response: MockResponse): MockResponse;
  /** What rises by 1 once the request is answered. */
  readonly counters?: readonly string[];
}

/**
 * A misbehaviour that somebody asked for: stands between authorization and operation.
 *
 * @param segment the petId as it stands in the path, percent-decoded; left out where there is none
 * @returns `undefined` to let the operation run; a promise where it has to ask
 */
export type Fault = (
  operation: OperationId,
  request: MockRequest,
  segment?: string,
) => MaybePromise<Interference | undefined>;

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

  const engine: Engine = { ...options, policy };

  const fail = (error: unknown): MockResponse => {
    onBug?.(error);
    return toInternalError(policy);
  };

  return {
    policy,
    apiKeys,
    handle: (request) => handleRequest(request, engine, fail),
    items: () => store.items(),
    replace: (items) => store.replace(items),
  };
}

/** What an answer is made from: one inventory, and how it behaves. */
export interface Engine {
  readonly store: Store;
  readonly apiKeys: ApiKeys;
  readonly policy: Policy;
  readonly fault?: Fault | undefined;
  /** Is told of every request that was routed to an operation, and of its response. */
  readonly onAnswer?: ((answered: Answered) => void) | undefined;
  /** The time in milliseconds. Left out: nobody wants to know. */
  readonly now?: (() => number) | undefined;
}

/** One exchange as the engine saw it. */
export interface Answered {
  readonly request: MockRequest;
  /** When the request was there, by the engine's clock; 0 where it has none. */
  readonly startedAt: number;
  readonly route: Exclude<Route, { kind: 'options' }>;
  /** What came of it; where a fault stood in for the operation, what the fault made of it. */
  readonly outcome: Outcome;
  /** As the transport is given it, spoilt where a fault spoils it. */
  readonly response: MockResponse;
  /** What a fault did. Left out: there was none. */
  readonly interference?: Interference | undefined;
  /** What answered it. */
  readonly engine: Pick<Engine, 'apiKeys'>;
}

/**
 * Answers a request. Never throws, and a promise that it returns is never rejected.
 *
 * @param fail makes the answer where an error is thrown
 * @param isAuthorized whether the key was found to be valid already, behind the scheme `Bearer`
 */
export function handleRequest(
  request: MockRequest,
  engine: Engine,
  fail: (error: unknown) => MaybePromise<MockResponse>,
  isAuthorized = false,
): MaybePromise<MockResponse> {
  try {
    const response = answer(request, engine, engine.now?.() ?? 0, isAuthorized);
    return response instanceof Promise ? response.catch(fail) : response;
  } catch (error) {
    return fail(error);
  }
}

function answer(
  request: MockRequest,
  engine: Engine,
  startedAt: number,
  isAuthorized: boolean,
): MaybePromise<MockResponse> {
  if (request.method === 'OPTIONS') {
    const method = request.header('access-control-request-method');
    if (method !== undefined) return toPreflightResponse(method, request);
  }
  const route = request.path.startsWith(`${basePath}/`)
    ? matchRoute(request.method, request.path.slice(basePath.length))
    : ({ kind: 'unknown' } as const);
  if (route.kind === 'options') return toOptionsResponse(route.allow);
  const refused = refuse(route, request, engine, isAuthorized);
  if (refused !== undefined) return finish(route, request, engine, startedAt, refused);
  return perform(route as Operation, request, engine, startedAt);
}

type Operation = Extract<Route, { kind: OperationId }>;

/** What never reaches an operation. */
function refuse(
  route: Exclude<Route, { kind: 'options' }>,
  request: MockRequest,
  { apiKeys, policy }: Engine,
  isAuthorized: boolean,
): Outcome | undefined {
  if (route.kind === 'unknown') return notFound(request);
  if (route.kind === 'methodNotAllowed') {
    if (policy['unspecified-routes'] === '404') return notFound(request);
    const message = `${cutText(request.path)} does not support ${request.method}; it supports ${route.allow}`;
    return { kind: 'methodNotAllowed', allow: route.allow, message };
  }
  if (!isAuthorized) {
    const authorization = authorize(
      request.header('authorization'),
      apiKeys,
      policy['scheme-case'] === 'ignore',
    );
    if (!authorization.authorized) return { kind: 'unauthorized', message: authorization.message };
  }
  return route.kind === 'unspecifiedOperation' ? unspecified(route.name) : undefined;
}

function perform(
  route: Operation,
  request: MockRequest,
  engine: Engine,
  startedAt: number,
): MaybePromise<MockResponse> {
  const interference = engine.fault?.(
    route.kind,
    request,
    (route as { readonly petId?: string }).petId,
  );
  // Not `whenReady`: this runs for every request, and a closure costs more than a comparison.
  return interference instanceof Promise
    ? interference.then((ready) => proceed(route, request, engine, startedAt, ready))
    : proceed(route, request, engine, startedAt, interference);
}

function proceed(
  route: Operation,
  request: MockRequest,
  engine: Engine,
  startedAt: number,
  interference: Interference | undefined,
): MaybePromise<MockResponse> {
  const outcome = interference?.outcome ?? operate(route, request, engine);
  return outcome instanceof Promise
    ? outcome.then((ready) => finish(route, request, engine, startedAt, ready, interference))
    : finish(route, request, engine, startedAt, outcome, interference);
}

function finish(
  route: Exclude<Route, { kind: 'options' }>,
  request: MockRequest,
  engine: Engine,
  startedAt: number,
  outcome: Outcome,
  interference?: Interference,
): MockResponse {
  const made = toResponse(outcome, engine.policy);
  const response = interference?.spoil?.(made) ?? made;
  engine.onAnswer?.({ request, startedAt, route, outcome, response, interference, engine });
  return response;
}

function operate(
  route: Operation,
  request: MockRequest,
  { store, policy }: Engine,
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
