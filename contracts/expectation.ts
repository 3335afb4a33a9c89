import type { Answer } from './case.ts';
import { cases } from './cases.ts';
import type { ClauseId } from './clauses.ts';
import { readCredentials, type Credentials } from './credentials.ts';
import { readUpdate, type UpdateReading } from './update-reading.ts';

/** A request that anybody sent. */
export interface ObservedRequest {
  readonly method: string;
  /** Relative to the base address, as it was sent: `/inventory/12`. A query says nothing. */
  readonly path: string;
  /** The value of a header, its name in lower case. */
  header(name: string): string | undefined;
  readonly body: Uint8Array;
  /** Whether the body was longer than what is here. */
  readonly bodyIsCut?: boolean;
}

/**
 * What is known beside the bytes. Where something is not, every answer is legal that would be in
 * either case. The quantity before is of no use: the spec lets no answer depend on it.
 */
export interface ExchangeFacts {
  /** Left out: the header is read, and whether the key is valid is not known. */
  readonly credentials?: Credentials;
  /** Whether the pet of the path had an entry when the request arrived. */
  readonly petExists?: boolean;
}

/** An answer that the contract allows, with the clauses that it keeps. */
export interface LegalAnswer {
  readonly answer: Answer;
  readonly clauses: readonly ClauseId[];
  /** The quantity cannot be told, so that of {@link answer} says nothing. */
  readonly anyQuantity?: true;
  /** Legal only if the part of the body that is not here is as it must be for it. */
  readonly isUncertain?: true;
}

/** What the contract says about a request. */
export interface Expectation {
  /** What the request is about. The first is the one that a wrong status breaks. */
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  readonly legal: readonly LegalAnswer[];
  /** The pet that the path names. */
  readonly petId?: bigint;
  /** A refusal of its size (413) is legal; the specification says nothing of it. */
  readonly mayBeTooLarge: boolean;
}

type Clauses = Expectation['clauses'];

const clausesById: ReadonlyMap<string, Clauses> = new Map(
  cases.map(({ id, clauses }) => [id, clauses]),
);

/** The clauses of the case that a request is like. */
function clausesLike(id: string): Clauses {
  const found = clausesById.get(id);
  if (found === undefined) throw new RangeError(`there is no case ${id}`);
  return found;
}

/**
 * Finds what the contract says about a request: every answer that the specification and its
 * decisions allow.
 *
 * @returns `undefined` where it says nothing: the request is addressed to no operation
 */
export function expectFor(
  request: ObservedRequest,
  facts: ExchangeFacts = {},
): Expectation | undefined {
  const [path = ''] = request.path.split('?', 1);
  const credentials = facts.credentials ?? readCredentials(request.header('authorization'));
  if (request.method === 'GET' && path === '/inventory') {
    return authenticated('listInventory', credentials, expectedList);
  }
  const segment = /^[/]inventory[/]([^/]+)$/.exec(path)?.[1];
  if (request.method !== 'PATCH' || segment === undefined) return undefined;
  return authenticated('updateInventory', credentials, () =>
    expectUpdate(request, readPetId(segment), facts.petExists),
  );
}

const listClauses = clausesLike('listInventory/200/all-entries');

const expectedList = (): Expectation => ({
  clauses: listClauses,
  legal: [{ answer: { status: 200, body: 'list' }, clauses: listClauses }],
  mayBeTooLarge: false,
});

const unauthorizedLike: { readonly [Kind in Credentials]?: string } = {
  missing: '401/missing',
  'no-key': '401/scheme-alone',
  'other-scheme': '401/other-scheme',
  'invalid-key': '401/wrong-key',
};

/** 401 comes before every other answer, and is none where the key is valid. */
function authenticated(
  operation: 'listInventory' | 'updateInventory',
  credentials: Credentials,
  otherwise: () => Expectation,
): Expectation {
  const like = unauthorizedLike[credentials];
  if (like !== undefined) {
    // Where it is missing, it may have been sent elsewhere.
    const clauses: Clauses = [...clausesLike(`${operation}/${like}`), '5/authorization-header'];
    return { clauses, legal: [{ answer: unauthorized, clauses }], mayBeTooLarge: false };
  }
  const expectation = otherwise();
  if (credentials === 'valid-key') return expectation;
  const invalid = clausesLike(`${operation}/401/wrong-key`);
  if (credentials === 'unverified-key') {
    return {
      ...expectation,
      legal: [...expectation.legal, { answer: unauthorized, clauses: invalid }],
    };
  }
  const scheme: ClauseId = '5/bearer-scheme';
  return withClause(scheme, {
    ...expectation,
    legal: [
      ...expectation.legal,
      { answer: unauthorized, clauses: [expectation.clauses[0], ...errorClauses] },
    ],
  });
}

const unauthorized: Answer = { status: 401, body: 'error' };
const invalidBody: Answer = { status: 400, body: 'error' };
const notFound: Answer = { status: 404, body: 'error' };
const unsupported: Answer = { status: 415, body: 'error' };

const errorClauses: readonly ClauseId[] = [
  '2/error-fields',
  '2/error-code-string',
  '2/error-message-string',
  '2/error-status-integer',
  '7/error-body',
  '7/status-repeats',
];

function withClause(clause: ClauseId, expectation: Expectation): Expectation {
  return {
    ...expectation,
    clauses: [...expectation.clauses, clause],
    legal: expectation.legal.map((one) => ({ ...one, clauses: [...one.clauses, clause] })),
  };
}

function expectUpdate(
  request: ObservedRequest,
  petId: bigint | undefined,
  petExists: boolean | undefined,
): Expectation {
  const reading = request.bodyIsCut === true ? 'cut' : readUpdate(request.body);
  const expectation: Expectation = {
    ...(petId === undefined ? expectMisspelt() : expectKnown(reading, petExists)),
    ...(petId === undefined ? {} : { petId }),
    mayBeTooLarge: request.body.length > 0,
  };
  if (isDeclared(request)) return expectation;
  const legal = [invalidBody, unsupported].map((answer) => ({ answer, clauses: errorClauses }));
  return withClause('5/json-content-type', {
    ...expectation,
    legal: [...expectation.legal, ...legal],
  });
}

/** A body declared as nothing but JSON: with anything more, a provider may refuse it. */
function isDeclared(request: ObservedRequest): boolean {
  const contentType = request.header('content-type')?.trim();
  return (
    contentType === 'application/json' || (contentType === undefined && request.body.length === 0)
  );
}

type Told = Pick<Expectation, 'clauses' | 'legal'>;

/** A petId that is no canonical int64 is unknown or invalid, whatever the body. */
function expectMisspelt(): Told {
  const clauses = clausesLike('updateInventory/404/word');
  return { clauses, legal: [notFound, invalidBody].map((answer) => ({ answer, clauses })) };
}

function expectKnown(reading: UpdateReading | 'cut', petExists: boolean | undefined): Told {
  const unknown = clausesLike('updateInventory/404/unknown-pet');
  const mayBeUnknown: readonly LegalAnswer[] =
    petExists === true ? [] : [{ answer: notFound, clauses: unknown }];
  if (reading !== 'cut' && reading.kind === 'invalid') {
    const clauses = [reading.clause, '7/400-invalid-body', ...errorClauses] as const;
    const both = mayBeUnknown.map((one) => ({
      ...one,
      clauses: [...one.clauses, '7/400-invalid-body' as const],
    }));
    return { clauses, legal: [{ answer: invalidBody, clauses }, ...both] };
  }
  const refused = reading === 'cut' ? expectUncertainRefusal() : expectRefusal(reading);
  if (petExists === false) return { clauses: unknown, legal: [...mayBeUnknown, ...refused] };
  return {
    clauses: updateClauses,
    legal: [toApplied(reading), ...refused, ...mayBeUnknown],
  };
}

const updateClauses = clausesLike('updateInventory/200/sets-quantity');

function toApplied(reading: (UpdateReading & { kind: 'valid' }) | 'cut'): LegalAnswer {
  const quantity = reading === 'cut' ? undefined : reading.quantity;
  const also = reading === 'cut' ? [] : (reading.refusable ?? []);
  return {
    answer: { status: 200, body: 'item', quantity: quantity ?? 0n },
    clauses: [...updateClauses, ...also],
    ...(quantity === undefined ? { anyQuantity: true } : {}),
    ...(reading === 'cut' ? { isUncertain: true } : {}),
  };
}

/** Where a decision lets the provider refuse what another applies. */
function expectRefusal({ refusable }: UpdateReading & { kind: 'valid' }): readonly LegalAnswer[] {
  if (refusable === undefined) return [];
  const clauses: Clauses = ['4.2/answers-the-updated-entry', ...refusable, ...errorClauses];
  return [{ answer: invalidBody, clauses }];
}

const expectUncertainRefusal = (): readonly LegalAnswer[] => [
  { answer: invalidBody, clauses: ['7/400-invalid-body', ...errorClauses], isUncertain: true },
];

const canonicalInteger = /^(?:0|-?[1-9][0-9]{0,18})$/;

/** The petId of a path segment; `undefined` for all that is not a canonical int64. */
function readPetId(segment: string): bigint | undefined {
  let text = segment;
  try {
    text = decodeURIComponent(segment);
  } catch {
    // What is not encoded rightly is no integer either.
  }
  if (!canonicalInteger.test(text)) return undefined;
  const petId = BigInt(text);
  return petId >= -(2n ** 63n) && petId < 2n ** 63n ? petId : undefined;
}
