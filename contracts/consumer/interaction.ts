import { parseExactJson, stringifyExactJson } from '../../src/json/exact-json.ts';
import { toCaseRequest, type Answer, type Case, type CasePet, type CaseRequest } from '../case.ts';
import type { ClauseId } from '../clauses.ts';
import { hasItems, hasNoPet, type ProviderState, type StateItem } from '../provider-states.ts';
import { expectError, expectItem, expectList } from './expected-response.ts';
import type { PactBody, PactInteraction, PactRequest, PactResponse } from './pact-document.ts';

/** The key in the pacts. A verifier puts the provider's own in its place (`docs/pact.md`). */
export const placeholderKey = 'demo-key';

const basePath = '/v1';

/** The pets that the provider states name. */
export const pets: { readonly [Pet in 'existing' | 'large']: StateItem } = {
  existing: { petId: 12n, quantity: 3n, status: 'available' },
  large: { petId: 9_007_199_254_740_993n, quantity: 3n, status: 'available' },
};

const petIds = {
  existing: pets.existing.petId,
  absent: 424_242n,
  large: pets.large.petId,
  'beside-large': pets.large.petId - 1n,
  none: undefined,
} as const satisfies { readonly [Pet in CasePet]: bigint | undefined };

/**
 * Makes a case an interaction of a pact.
 *
 * @param answers the answers that the interaction accepts: one, or several errors
 * @returns `undefined` where Pact cannot carry the request
 */
export function toInteraction(
  subject: Case,
  answers: readonly [Answer, ...Answer[]],
): PactInteraction | undefined {
  const petId = petIds[subject.given.pet];
  const request = toCaseRequest(subject, {
    apiKey: placeholderKey,
    ...(petId === undefined ? {} : { petId }),
  });
  if (request === undefined || !isCarried(request, answers)) return undefined;
  return {
    type: 'Synchronous/HTTP',
    key: subject.id,
    description: `${subject.id}: ${subject.title}`,
    pending: false,
    comments: toComments(subject.id, subject.clauses),
    providerStates: toStates(subject, request.path),
    request: toPactRequest(request),
    response: toPactResponse(answers, petId),
  };
}

function isCarried({ body }: CaseRequest, [answer]: readonly [Answer, ...Answer[]]): boolean {
  // Pact's tools take a body of no bytes for no body at all.
  if (body?.length === 0) return false;
  // They refuse a pact with a number that a double cannot come near.
  return answer.body !== 'item' || Number.isFinite(Number(answer.quantity));
}

/** What a verifier prints beside an interaction. */
export function toComments(
  testname: string,
  clauses: readonly ClauseId[],
): PactInteraction['comments'] {
  return { text: [`clauses: ${clauses.join(', ')}`], testname };
}

function toStates({ given }: Case, path: string): readonly ProviderState[] {
  const named = toNamedPetId(path);
  switch (given.pet) {
    case 'existing': {
      const quantity = given.quantity ?? pets.existing.quantity;
      const status = quantity === 0n ? 'sold' : pets.existing.status;
      const states = [hasItems({ ...pets.existing, quantity, status })];
      return named === undefined || named === petIds.existing
        ? states
        : [...states, hasNoPet(named)];
    }
    case 'absent':
      return [hasNoPet(petIds.absent)];
    case 'large':
      return [hasItems(pets.large)];
    case 'beside-large':
      return [hasItems(pets.large), hasNoPet(petIds['beside-large'])];
    case 'none':
      return named === undefined ? [hasItems(pets.existing, pets.large)] : [hasNoPet(named)];
  }
}

/** The petId that a path names, where it is an int64 as it is written. */
function toNamedPetId(path: string): bigint | undefined {
  const digits = /^\/inventory\/(-?[1-9]\d*)$/.exec(path)?.[1];
  const petId = digits === undefined ? undefined : BigInt(digits);
  return petId !== undefined && BigInt.asIntN(64, petId) === petId ? petId : undefined;
}

function toPactRequest({ method, path, headers, body }: CaseRequest): PactRequest {
  const [pathname = '', query] = path.split('?', 2);
  const fields: Record<string, string[]> = {};
  for (const [name, value] of headers) (fields[name] ??= []).push(value);
  return {
    method,
    path: basePath + pathname,
    ...(query === undefined ? {} : { query: toQuery(query) }),
    ...(headers.length === 0 ? {} : { headers: fields }),
    ...(body === undefined ? {} : { body: toPactBody(body) }),
  };
}

function toQuery(query: string): { [name: string]: string[] } {
  const names: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(query)) (names[name] ??= []).push(value);
  return names;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * JSON content where a tool that parses it and writes it again gives the same bytes, which a person
 * can read; else the bytes in base64, which every tool sends as they are.
 */
function toPactBody(bytes: Uint8Array): PactBody {
  const contentType = 'application/json';
  const text = decodeText(bytes);
  const parsed = text === undefined ? undefined : parseExactJson(text);
  // Tools hold numbers as doubles or as 64 bits: only safe integers are the same for all of them.
  if (
    parsed?.ok === true &&
    text === stringifyExactJson(parsed.value) &&
    !/\d{16}|[.eE]/.test(text)
  ) {
    return { content: parsed.value, contentType, encoded: false };
  }
  return { content: toBase64(bytes), contentType, encoded: 'base64' };
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCodePoint(...bytes));
}

function toPactResponse(
  [first, ...others]: readonly [Answer, ...Answer[]],
  petId: bigint | undefined,
): PactResponse {
  switch (first.body) {
    case 'list':
      return expectList([pets.existing]);
    case 'item':
      return expectItem({
        petId: petId ?? pets.existing.petId,
        quantity: first.quantity,
        status: 'available',
      });
    case 'error':
      return expectError([first.status, ...others.map(({ status }) => status)]);
  }
}
