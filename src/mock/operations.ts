import { petStatuses, type PetStatus } from '../../contracts/pet-status.ts';
import type { Outcome } from '../inventory/outcome.ts';
import { parsePetId } from '../inventory/pet-id.ts';
import { whenReady, type MaybePromise, type StockChange, type Store } from '../inventory/store.ts';
import { parseUpdate, type ParsedUpdate } from '../inventory/update-body.ts';
import { quoteText } from '../json/cut-text.ts';
import type { MockRequest } from './exchange.ts';
import type { Policy } from './policy.ts';

/** `GET /inventory` (spec, section 4.1). */
export function listInventory(store: Store): MaybePromise<Outcome> {
  return whenReady(store.list(), (list) => ({ kind: 'listed', list }));
}

/**
 * `PATCH /inventory/{petId}` (spec, section 4.2). A request that is refused changes nothing.
 *
 * @param segment the petId as it stands in the path, percent-decoded
 */
export function updateInventory(
  store: Store,
  policy: Policy,
  segment: string,
  request: MockRequest,
): MaybePromise<Outcome> {
  const petId = parsePetId(segment);
  if (petId === undefined && policy['pet-id-syntax'] === '400') {
    return {
      kind: 'invalid',
      message: `petId must be an int64 in its shortest decimal form; got ${quoteText(segment)}`,
    };
  }
  if (policy['error-precedence'] === '404-first') {
    return whenReady(petId === undefined ? undefined : store.get(petId), (item) =>
      item === undefined ? noSuchPet(segment) : update(store, policy, petId, segment, request),
    );
  }
  return update(store, policy, petId, segment, request);
}

function update(
  store: Store,
  policy: Policy,
  petId: bigint | undefined,
  segment: string,
  request: MockRequest,
): MaybePromise<Outcome> {
  const undeclared = refuseContentType(request, policy);
  if (undeclared !== undefined) return undeclared;
  const parsed = readUpdate(request, policy);
  if (!parsed.ok) return { kind: 'invalid', message: parsed.message };
  if (petId === undefined) return noSuchPet(segment);
  return whenReady(store.update(petId, toChange(parsed.quantity, policy)), (item) =>
    item === undefined ? noSuchPet(segment) : { kind: 'updated', item },
  );
}

function readUpdate(request: MockRequest, policy: Policy): ParsedUpdate {
  return parseUpdate(request.body, {
    quantityRange: policy['quantity-range'],
    acceptsIntegerNotations: policy['integer-notation'] === 'accept',
    acceptsUnknownFields: policy['unknown-fields'] === 'ignore',
  });
}

/** A body that is not declared as JSON; a request without a body needs no declaration. */
function refuseContentType(request: MockRequest, policy: Policy): Outcome | undefined {
  if (policy['content-type'] === 'ignore' || request.body.length === 0) return undefined;
  const contentType = request.header('content-type');
  // Most requests say exactly this: no need to take it apart.
  if (contentType === 'application/json') return undefined;
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType === 'application/json') return undefined;
  const got = contentType === undefined ? 'no Content-Type' : quoteText(contentType);
  return {
    kind: policy['content-type'] === '415' ? 'unsupportedMediaType' : 'invalid',
    message: `the body must be declared as Content-Type: application/json; got ${got}`,
  };
}

function toChange(quantity: bigint, policy: Policy): StockChange {
  if (policy['status-transition'] === 'keep') return { quantity };
  const status = statusByQuantity(quantity);
  return status === undefined ? { quantity } : { quantity, status };
}

function statusByQuantity(quantity: bigint): PetStatus | undefined {
  const [available, , sold] = petStatuses;
  if (quantity === 0n) return sold;
  return quantity > 0n ? available : undefined;
}

function noSuchPet(segment: string): Outcome {
  const hint = isBeyondDouble(segment)
    ? '; a JavaScript number does not hold it exactly, so check that it was not rounded on its way'
    : '';
  return { kind: 'notFound', message: `there is no pet with petId ${quoteText(segment)}${hint}` };
}

function isBeyondDouble(segment: string): boolean {
  const petId = parsePetId(segment);
  return petId !== undefined && !Number.isSafeInteger(Number(petId));
}
