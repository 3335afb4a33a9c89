import { readCredentials, type Credentials } from '../../contracts/credentials.ts';
import type { PetStatus } from '../../contracts/pet-status.ts';
import { isKnownKey, type ApiKeys } from '../inventory/authorization.ts';
import { toItemJson } from '../inventory/item.ts';
import type { UpdatedItem } from '../inventory/store.ts';
import type { JournalEntry } from './journal-entry.ts';
import { keepBytes, keepText, noBytes, type BodyKeeper } from './keep-body.ts';
import { basePath, type Answered } from './mock.ts';
import { repeatsKey, textRepeatsKey, toSentKeys, type ShownRequest } from './repeats-key.ts';

const none: readonly string[] = [];

const bearer = 'Bearer ';

/**
 * What a journal keeps of an exchange until somebody reads it. Neither a key nor what carries one is
 * kept, nor anything that holds more memory than it shows: no request object, no long list, no part
 * of a larger buffer or text.
 *
 * A journal fills the same objects over and over, and what nearly every exchange consists of is kept
 * as numbers. What is made for a request and outlives it has to be moved by the garbage collector,
 * which would take longer than all the rest.
 */
export class KeptExchange {
  sequence = 0;
  /** In milliseconds since the epoch. */
  at = 0;
  /** In milliseconds. */
  duration = 0;
  kind: Answered['route']['kind'] = 'unknown';
  method = '';
  /** `undefined`: that of an update of {@link segment} or of what was updated. */
  path: string | undefined;
  /** Of an update that was refused: the petId as it stands in the path, percent-decoded. */
  segment: string | undefined;
  contentType: string | undefined;
  prefer: string | undefined;
  credentials: Credentials = 'missing';
  /** The request repeats a key: what it sent, and what may quote it, is not told. */
  isHidden = false;
  /** `undefined`: that of a plain update, `{"quantity":5}`. */
  requestBody: Uint8Array | undefined;
  /** In bytes, whole. */
  requestLength = 0;
  status = 0;
  /** Names and values in turn. */
  headers: readonly string[] = none;
  /**
   * The first bytes, perhaps more of them than are shown; a text is whole. `undefined`: what was
   * updated, as JSON.
   */
  responseBody: string | Uint8Array | undefined;
  /** In bytes, whole; -1: that of what is kept. */
  responseLength = -1;
  refusal: string | undefined;
  /** What was updated, where its numbers do not hold it. */
  updated: UpdatedItem | undefined;
  fault: JournalEntry['fault'] | undefined;
  /** About how many bytes of memory it takes. */
  weight = 0;
  /** Whether the numbers below say what was updated. */
  isCompact = false;
  petId = 0;
  quantity = 0;
  petStatus: PetStatus = 'available';
  previousQuantity = 0;
  previousStatus: PetStatus = 'available';

  /** Runs for every request: takes references where they hold nothing else, and works nothing out. */
  fill(
    { request, route, outcome, response, interference }: Answered,
    sequence: number,
    at: number,
    duration: number,
    apiKeys: ApiKeys,
    bodies: BodyKeeper,
  ): void {
    const authorization = request.header('authorization');
    this.sequence = sequence;
    this.at = at;
    this.duration = duration;
    this.kind = route.kind;
    this.method = keepText(request.method, longestText);
    // A list has no body, and a preference that nothing came of says nothing.
    const contentType =
      route.kind === 'listInventory' ? undefined : keepHeader(request.header('content-type'));
    const prefer = interference === undefined ? undefined : keepHeader(request.header('prefer'));
    this.contentType = contentType;
    this.prefer = prefer;
    // The engine asks for a key before a fault or an operation.
    const isKnown =
      (route.kind === 'updateInventory' || route.kind === 'listInventory') &&
      (interference !== undefined || outcome.kind !== 'unauthorized');
    this.credentials =
      isKnown && authorization?.startsWith(bearer) === true
        ? 'valid-key'
        : readCredentials(authorization, (key) => isKnownKey(key, apiKeys));
    const named = route.kind === 'updateInventory' ? route.petId : undefined;
    this.#keepUpdate(outcome.kind === 'updated' ? outcome.item : undefined);
    const { updated, isCompact } = this;
    const isUpdated = isCompact || updated !== undefined;
    this.segment = named === undefined || isUpdated ? undefined : keepText(named, longestText);
    this.path = keepPath(request.path, named);
    this.requestLength = request.body.length;
    this.requestBody = this.#keepRequestBody(request.body, bodies);
    this.status = response.status;
    this.headers = response.headers;
    this.refusal = response.refusal;
    this.fault = interference?.fault;
    this.isHidden = mayTellKey(
      request,
      contentType,
      prefer,
      apiKeys,
      authorization,
      this.credentials,
    );
    this.weight =
      baseWeight +
      this.#keepResponseBody(response.body, interference === undefined, bodies) +
      (this.requestBody?.length ?? 0) +
      // A text that is not Latin-1 takes two bytes for each character.
      2 * (lengthOf(this.path) + lengthOf(this.segment) + lengthOf(this.refusal)) +
      lengthOf(contentType) +
      lengthOf(prefer) +
      weighHeaders(response.headers) +
      (updated === undefined ? 0 : weighItem(updated));
  }

  /** Lets go of what it refers to. */
  release(): void {
    this.path = undefined;
    this.segment = undefined;
    this.contentType = undefined;
    this.prefer = undefined;
    this.requestBody = undefined;
    this.headers = none;
    this.responseBody = undefined;
    this.refusal = undefined;
    this.updated = undefined;
    this.fault = undefined;
  }

  #keepUpdate(item: UpdatedItem | undefined): void {
    this.isCompact = false;
    this.updated = item;
    if (item === undefined) return;
    const { previous } = item;
    const petId = Number(item.petId);
    const quantity = Number(item.quantity);
    const previousQuantity = Number(previous.quantity);
    if (
      !Number.isSafeInteger(petId) ||
      !Number.isSafeInteger(quantity) ||
      !Number.isSafeInteger(previousQuantity)
    ) {
      return;
    }
    this.isCompact = true;
    this.updated = undefined;
    this.petId = petId;
    this.quantity = quantity;
    this.petStatus = item.status;
    this.previousQuantity = previousQuantity;
    this.previousStatus = previous.status;
  }

  #keepRequestBody(body: Uint8Array, bodies: BodyKeeper): Uint8Array | undefined {
    if (body.length === 0) return noBytes;
    return this.isCompact && isPlainUpdate(body, this.quantity)
      ? undefined
      : keepBytes(body, bodies.most);
  }

  /** @returns how many bytes it takes */
  #keepResponseBody(
    body: Answered['response']['body'],
    isPlain: boolean,
    bodies: BodyKeeper,
  ): number {
    if (isPlain && this.isCompact) {
      this.responseBody = undefined;
      this.responseLength = -1;
      return 0;
    }
    const { kept, length, weight } = bodies.keep(body);
    this.responseBody = kept;
    this.responseLength = length;
    return weight;
  }
}

/** What was updated. Left out: nothing. */
export function updatedOf(kept: KeptExchange): UpdatedItem | undefined {
  if (!kept.isCompact) return kept.updated;
  return {
    petId: BigInt(kept.petId),
    quantity: BigInt(kept.quantity),
    status: kept.petStatus,
    previous: { quantity: BigInt(kept.previousQuantity), status: kept.previousStatus },
  };
}

/** The first bytes of the request's body. */
export function requestBodyOf({ requestBody, quantity }: KeptExchange): Uint8Array {
  return requestBody ?? encoder.encode(`${plainStart}${quantity}}`);
}

/** The first bytes of the response's body. */
export function responseBodyOf({
  responseBody,
  petId,
  quantity,
  petStatus,
}: KeptExchange): Uint8Array {
  const body = responseBody ?? toItemJson(petId, quantity, petStatus);
  return typeof body === 'string' ? encoder.encode(body) : body;
}

const encoder = new TextEncoder();

const plainStart = '{"quantity":';

/** Whether a body is `{"quantity":5}`, as nearly all are, and so need not be kept. */
function isPlainUpdate(body: Uint8Array, quantity: number): boolean {
  const start = plainStart.length;
  let end = body.length - 1;
  if (quantity < 0 || end <= start || body[end] !== 0x7d) return false;
  for (let index = 0; index < start; index += 1) {
    if (body[index] !== plainStart.charCodeAt(index)) return false;
  }
  // From its last digit to its first: none is missing, and there is no zero in front.
  let rest = quantity;
  do {
    end -= 1;
    if (body[end] !== 0x30 + (rest % 10)) return false;
    rest = Math.floor(rest / 10);
  } while (rest > 0 && end > start);
  return rest === 0 && end === start;
}

/**
 * What an exchange takes beside its bodies and long texts: an object with its numbers. Measured by
 * `bench/journal.ts`.
 */
export const baseWeight = 400;

/** The path of every update, but for its petId. */
export const updatePath: string = `${basePath}/inventory/`;
const listPath = `${basePath}/inventory`;

const lengthOf = (text: string | undefined): number => (text === undefined ? 0 : text.length);

/** Longer paths and headers are cut. */
const longestText = 2048;

function keepPath(path: string, named: string | undefined): string | undefined {
  if (path === listPath) return listPath;
  // Says nothing that the petId does not: had any of it been decoded, it would be shorter.
  if (named !== undefined && path.length === updatePath.length + named.length) return undefined;
  return keepText(path, longestText);
}

function keepHeader(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  // Nearly always this one, which each request brings anew.
  return value === json ? json : keepText(value, longestText);
}

const json = 'application/json';

/** Whether what is kept repeats a key: one of the sandbox, or the one that was sent. */
function mayTellKey(
  request: ShownRequest,
  contentType: string | undefined,
  prefer: string | undefined,
  apiKeys: ApiKeys,
  authorization: string | undefined,
  credentials: Credentials,
): boolean {
  // A valid key is among those of the sandbox, where they are known.
  const isListed = apiKeys !== 'any' && credentials === 'valid-key';
  const sent = isListed ? none : toSentKeys(authorization);
  return (
    (apiKeys !== 'any' && repeatsOneOf(request, contentType, prefer, apiKeys)) ||
    (sent.length > 0 && repeatsOneOf(request, contentType, prefer, sent))
  );
}

function repeatsOneOf(
  request: ShownRequest,
  contentType: string | undefined,
  prefer: string | undefined,
  keys: readonly string[],
): boolean {
  return (
    repeatsKey(request, keys) ||
    (contentType !== undefined && contentType !== json && textRepeatsKey(contentType, keys)) ||
    (prefer !== undefined && textRepeatsKey(prefer, keys))
  );
}

function weighHeaders(headers: readonly string[]): number {
  let weight = 0;
  for (const text of headers) weight += text.length;
  return weight;
}

const large = 2n ** 64n;

function weighItem({ quantity, previous }: UpdatedItem): number {
  return weighInteger(quantity) + weighInteger(previous.quantity);
}

function weighInteger(value: bigint): number {
  return value < large && value > -large ? 0 : value.toString(16).length;
}
