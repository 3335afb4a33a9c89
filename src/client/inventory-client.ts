import type { PetStatus } from '../../contracts/pet-status.ts';
import { checkError, checkItem, checkList } from '../../contracts/shapes.ts';
import type { Violation } from '../../contracts/violation.ts';
import { parseExactJson, toInteger, type ExactJson } from '../json/exact-json.ts';

/** InventoryItem (spec, section 2): the stock entry of one pet. Integers are exact. */
export interface InventoryItem {
  readonly petId: bigint;
  readonly quantity: bigint;
  readonly status: PetStatus;
}

/** Error (spec, section 2): the body of every error response. */
export interface InventoryError {
  readonly code: string;
  readonly message: string;
  readonly status: number;
}

/** The key is missing or invalid (401). */
export interface Unauthorized {
  readonly kind: 'unauthorized';
  readonly error: InventoryError;
}

/** The body lacks required fields or contains invalid values (400). */
export interface BadRequest {
  readonly kind: 'badRequest';
  readonly error: InventoryError;
}

/** There is no such pet (404). */
export interface NotFound {
  readonly kind: 'notFound';
  readonly error: InventoryError;
}

/** The service answered with something that the specification does not describe. */
export interface Unexpected {
  readonly kind: 'unexpected';
  readonly status: number;
  /** What is wrong with the answer, and what was expected. */
  readonly message: string;
}

/** No answer came: the service cannot be reached, or the connection broke. */
export interface Unreachable {
  readonly kind: 'unreachable';
  readonly message: string;
  /** What `fetch` threw. */
  readonly cause: unknown;
}

/** What became of {@link InventoryClient.list}. */
export type ListResult =
  | { readonly kind: 'ok'; readonly items: readonly InventoryItem[] }
  | Unauthorized
  | Unexpected
  | Unreachable;

/** What became of {@link InventoryClient.update}. */
export type UpdateResult =
  | { readonly kind: 'ok'; readonly item: InventoryItem }
  | BadRequest
  | Unauthorized
  | NotFound
  | Unexpected
  | Unreachable;

export interface InventoryClientOptions {
  /** The base address of the service, which ends in `/v1`. */
  readonly baseUrl: string | URL;
  /** Is sent as `Authorization: Bearer <API_KEY>`. */
  readonly apiKey: string;
  /** Left out: the platform's own. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

export interface RequestOptions {
  /** Stops the request; the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** The two inventory operations (spec, section 4). Errors are values; see each result's `kind`. */
export interface InventoryClient {
  /** `GET /inventory`: the stock entry of every pet. */
  list(options?: RequestOptions): Promise<ListResult>;
  /**
   * `PATCH /inventory/{petId}`: sets the quantity of one pet.
   *
   * @throws {RangeError} for a number that is not a safe integer: it may have lost digits already.
   * A `bigint` has no bounds
   */
  update(
    petId: bigint | number,
    quantity: bigint | number,
    options?: RequestOptions,
  ): Promise<UpdateResult>;
}

/**
 * Creates a client of the Pet Store Inventory API. Every integer is exact, whatever its size.
 *
 * @example
 * ```ts
 * const inventory = createInventoryClient({
 *   baseUrl: 'http://127.0.0.1:4010/v1',
 *   apiKey: 'demo-key',
 * });
 * const result = await inventory.update(9007199254740993n, 5);
 * if (result.kind === 'ok') show(result.item.quantity);
 * else if (result.kind === 'notFound') show(result.error.message);
 * ```
 *
 * @throws {TypeError} for a base address that is not a URL
 */
export function createInventoryClient(options: InventoryClientOptions): InventoryClient {
  const base = new URL(options.baseUrl);
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  const authorization = `Bearer ${options.apiKey}`;
  const send = options.fetch ?? ((request: Request) => fetch(request));

  return {
    async list({ signal } = {}) {
      const request = new Request(new URL('inventory', base), {
        headers: { Authorization: authorization },
        signal: signal ?? null,
      });
      return toListResult(await exchange(send, request));
    },
    async update(petId, quantity, { signal } = {}) {
      const path = `inventory/${toDigits('petId', petId)}`;
      const request = new Request(new URL(path, base), {
        method: 'PATCH',
        headers: { Authorization: authorization, 'Content-Type': 'application/json' },
        body: `{"quantity":${toDigits('quantity', quantity)}}`,
        signal: signal ?? null,
      });
      return toUpdateResult(await exchange(send, request));
    },
  };
}

interface Answered {
  readonly kind: 'answered';
  readonly status: number;
  readonly body: string;
}

async function exchange(
  send: (request: Request) => Promise<Response>,
  request: Request,
): Promise<Answered | Unreachable> {
  try {
    const response = await send(request);
    return { kind: 'answered', status: response.status, body: await response.text() };
  } catch (cause) {
    if (request.signal.aborted) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    return {
      kind: 'unreachable',
      message: `${request.method} ${request.url} got no answer: ${why}`,
      cause,
    };
  }
}

function toListResult(answered: Answered | Unreachable): ListResult {
  if (answered.kind === 'unreachable') return answered;
  if (answered.status === 401) return toError(answered, 'unauthorized');
  if (answered.status !== 200) return unexpected(answered, 'expected the status 200 or 401');
  const parsed = parseExactJson(answered.body);
  if (!parsed.ok) return unexpected(answered, `the body is not JSON: ${parsed.problem}`);
  const [violation] = checkList(parsed.value);
  if (violation !== undefined) return unexpected(answered, describe(violation));
  return { kind: 'ok', items: (parsed.value as readonly ExactJson[]).map(toItem) };
}

function toUpdateResult(answered: Answered | Unreachable): UpdateResult {
  if (answered.kind === 'unreachable') return answered;
  switch (answered.status) {
    case 200:
      return toUpdated(answered);
    case 400:
      return toError(answered, 'badRequest');
    case 401:
      return toError(answered, 'unauthorized');
    case 404:
      return toError(answered, 'notFound');
    default:
      return unexpected(answered, 'expected the status 200, 400, 401 or 404');
  }
}

function toUpdated(answered: Answered): UpdateResult {
  const parsed = parseExactJson(answered.body);
  if (!parsed.ok) return unexpected(answered, `the body is not JSON: ${parsed.problem}`);
  const [violation] = checkItem(parsed.value);
  if (violation !== undefined) return unexpected(answered, describe(violation));
  return { kind: 'ok', item: toItem(parsed.value) };
}

function toError<Kind extends 'badRequest' | 'unauthorized' | 'notFound'>(
  answered: Answered,
  kind: Kind,
): { readonly kind: Kind; readonly error: InventoryError } | Unexpected {
  const parsed = parseExactJson(answered.body);
  if (!parsed.ok) return unexpected(answered, `the body is not JSON: ${parsed.problem}`);
  const [violation] = checkError(parsed.value, answered.status);
  if (violation !== undefined) return unexpected(answered, describe(violation));
  const { code, message } = parsed.value as { readonly code: string; readonly message: string };
  return { kind, error: { code, message, status: answered.status } };
}

/** Only for values that {@link checkItem} has found nothing wrong with. */
function toItem(value: ExactJson): InventoryItem {
  const { petId, quantity, status } = value as { readonly [name: string]: ExactJson };
  return {
    petId: toInteger(petId) ?? 0n,
    quantity: toInteger(quantity) ?? 0n,
    status: status as PetStatus,
  };
}

function unexpected({ status }: Answered, problem: string): Unexpected {
  return { kind: 'unexpected', status, message: `the service answered ${status}: ${problem}` };
}

function describe({ at, expected, received }: Violation): string {
  return `expected ${expected} at ${at}; got ${received}`;
}

function toDigits(name: string, value: bigint | number): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new RangeError(
      `${name} must be a safe integer or a bigint; got the number ${value}, which may have lost digits`,
    );
  }
  // BigInt: a number of -0 is 0.
  return BigInt(value).toString();
}
