import type { ClauseId } from './clauses.ts';
import type { ChoiceOf, DecisionId } from './decisions.ts';

export type OperationId = 'listInventory' | 'updateInventory';

/**
 * Which pet a case is about. `{petId}` in the path stands for its id.
 *
 * - `existing`: a pet that is listed; `absent`: an int64 id that is not
 * - `large`: a listed pet whose id a double cannot hold; `beside-large`: the id that a double would
 *   make of it, which is not listed
 * - `none`: the path holds no petId, or a literal one
 */
export type CasePet = 'existing' | 'absent' | 'large' | 'beside-large' | 'none';

/** What must be so before the request is sent. */
export interface Precondition {
  readonly pet: CasePet;
  /** The quantity that the pet has before. Left out: any. */
  readonly quantity?: bigint;
}

/**
 * A request, byte by byte. `{petId}` in the path is the pet's id in decimal digits, and `{petId:…}`
 * is made from it:
 *
 * - `{petId:hexadecimal}`: in hexadecimal digits behind `0x`
 * - `{petId:plus-2^32}`, `{petId:plus-2^64}`: what an integer of 32 or 64 bits would wrap to the id
 * - `{petId:other}`, in a body of text: the id of another pet that is listed, or 1
 *
 * In header values and in the path, `{apiKey}` is a valid key, and `{apiKey:…}` is made from it:
 *
 * - `{apiKey:prefix}`: without its last character; `{apiKey:suffix}`: without its first
 * - `{apiKey:extended}`: with one more character
 * - `{apiKey:altered}`: with another last character
 * - `{apiKey:other-case}`: with every letter in the other case
 * - `{apiKey:basic}`: as the user name of Basic credentials (RFC 7617)
 */
export interface RequestTemplate {
  readonly method: 'GET' | 'PATCH';
  /** Relative to the base address, which ends in `/v1`. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Text stands for its UTF-8 bytes. Left out: the request has no body. */
  readonly body?: string | Uint8Array;
}

/** One answer to a decision. */
export type Choice = {
  readonly [Id in DecisionId]: { readonly decision: Id; readonly choice: ChoiceOf<Id> };
}[DecisionId];

/**
 * A legal answer, with what must hold afterwards: after an `error` the whole inventory is as it
 * was; after an `item` the pet has the quantity, and no other pet changed; after a `list` nothing
 * changed.
 */
export type Answer = (
  | { readonly status: 200; readonly body: 'list' }
  | { readonly status: 200; readonly body: 'item'; readonly quantity: bigint }
  | { readonly status: 400 | 401 | 404 | 415; readonly body: 'error' }
) & {
  /**
   * The answer to a decision that the spec leaves open. Left out behind the first answer: it is
   * legal, though no policy of the mock gives it.
   */
  readonly choice?: Choice;
};

/** One thing that the contract says. */
export interface Case {
  /** `operation/status/cause`, stable: reports and pacts refer to it. */
  readonly id: string;
  /** A sentence without its subject: "refuses a quantity that is a string". */
  readonly title: string;
  readonly operation: OperationId;
  /** The first is the one that a wrong status breaks. */
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  readonly given: Precondition;
  readonly request: RequestTemplate;
  /** How many times the request is sent, each with the same answer. Left out: once. */
  readonly times?: number;
  /** The mock's default answer first, then every other legal one. */
  readonly answers: readonly [Answer, ...Answer[]];
}

/** What a case needs to know to become a request. */
export interface CaseFacts {
  /** A key that the provider accepts. */
  readonly apiKey: string;
  /** The id of the pet that {@link Precondition} asks for. Left out where it asks for none. */
  readonly petId?: bigint;
  /** The ids that are listed, which stand for other pets, and for none that does not exist. */
  readonly listed?: ReadonlySet<bigint>;
}

/** A request ready to be sent, byte by byte. */
export interface CaseRequest {
  readonly method: string;
  /** Relative to the base address. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | undefined;
}

const encoder = new TextEncoder();

/**
 * Fills in a case's request template.
 *
 * @returns `undefined` where the case cannot be made from these facts: a key without letters has no
 * other case, a path that names a pet needs its id, and an id that is listed is not unknown
 */
export function toCaseRequest(subject: Case, facts: CaseFacts): CaseRequest | undefined {
  const { answers } = subject;
  const { method, path, headers, body } = subject.request;
  if (path.includes('{petId') && facts.petId === undefined) return undefined;
  const otherCase = swapCase(facts.apiKey);
  const usesOtherCase = headers.some(([, value]) => value.includes('{apiKey:other-case}'));
  if (usesOtherCase && otherCase === facts.apiKey) return undefined;

  const petId = facts.petId ?? 0n;
  const filledPath = fill(path, petId, facts.apiKey);
  // Beyond int64 it would no longer be a petId.
  if (path.includes('{petId:plus-2^32}') && petId + 2n ** 32n >= 2n ** 63n) return undefined;
  if (answers[0].status === 404 && namesListedPet(filledPath, facts.listed)) return undefined;

  const other = `${findOther(petId, facts.listed)}`;
  return {
    method,
    path: filledPath,
    headers: headers.map(([name, value]) => [name, fill(value, petId, facts.apiKey)] as const),
    body: typeof body === 'string' ? encoder.encode(body.replace('{petId:other}', other)) : body,
  };
}

/** Fills in placeholders in one pass: a key may look like one, or hold `$&`. */
function fill(template: string, petId: bigint, apiKey: string): string {
  return template.replace(/\{[^}]+\}/g, (placeholder) => {
    switch (placeholder) {
      case '{petId}':
        return `${petId}`;
      case '{petId:hexadecimal}':
        return `${petId < 0n ? '-' : ''}0x${absolute(petId).toString(16)}`;
      case '{petId:plus-2^32}':
        return `${petId + 2n ** 32n}`;
      case '{petId:plus-2^64}':
        return `${petId + 2n ** 64n}`;
      case '{apiKey}':
        return apiKey;
      case '{apiKey:prefix}':
        return apiKey.slice(0, -1);
      case '{apiKey:suffix}':
        return apiKey.slice(1);
      case '{apiKey:extended}':
        return `${apiKey}x`;
      case '{apiKey:altered}':
        return alterLast(apiKey);
      case '{apiKey:other-case}':
        return swapCase(apiKey);
      case '{apiKey:basic}':
        return btoa(`${apiKey}:`);
      default:
        return placeholder;
    }
  });
}

function findOther(petId: bigint, listed: Iterable<bigint> = []): bigint {
  for (const id of listed) if (id !== petId) return id;
  return 1n;
}

function namesListedPet(path: string, listed: ReadonlySet<bigint> | undefined): boolean {
  const [, petId] = /^[/]inventory[/](0|-?[1-9][0-9]*)$/.exec(path) ?? [];
  return petId !== undefined && listed?.has(BigInt(petId)) === true;
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function alterLast(key: string): string {
  return `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`;
}

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
