/** One statement of the spec. The id begins with the section that makes it. */
export interface Clause<Id extends string = string> {
  readonly id: Id;
  /** The statement in one sentence of our own. */
  readonly sentence: string;
}

const table = [
  { id: '1/lists-every-pet', sentence: 'The list has the stock entry of every pet.' },
  { id: '1/updates-one-pet', sentence: 'An update sets the stock quantity of one pet only.' },
  {
    id: '2/item-fields',
    sentence: 'An inventory item has all of petId, quantity and status.',
  },
  { id: '2/pet-id-int64', sentence: 'petId is an integer of 64 bits.' },
  { id: '2/quantity-integer', sentence: 'quantity is an integer.' },
  { id: '2/status-string', sentence: 'status is a string.' },
  {
    id: '2/update-quantity-required',
    sentence: 'The body of an update must have the field quantity.',
  },
  {
    id: '2/update-quantity-integer',
    sentence: 'The quantity of an update must be an integer.',
  },
  {
    id: '2/error-fields',
    sentence: 'An error body has all of code, message and status.',
  },
  { id: '2/error-code-string', sentence: 'The code of an error is a string.' },
  { id: '2/error-message-string', sentence: 'The message of an error is a string.' },
  { id: '2/error-status-integer', sentence: 'The status of an error is an integer.' },
  {
    id: '3/status-values',
    sentence: 'The status of an entry is available, pending or sold.',
  },
  {
    id: '4/json-bodies',
    sentence: 'Bodies are application/json, in requests and in responses.',
  },
  { id: '4/authentication-required', sentence: 'Every operation requires authentication.' },
  { id: '4.1/lists-an-array', sentence: 'GET /inventory answers 200 with an array of items.' },
  {
    id: '4.1/current-levels',
    sentence: 'The list shows the current stock levels, updates included.',
  },
  {
    id: '4.2/answers-the-updated-entry',
    sentence: 'PATCH /inventory/{petId} answers 200 with the updated entry.',
  },
  { id: '4.2/pet-id-in-the-path', sentence: 'The petId in the path names the pet to update.' },
  { id: '4.2/pet-id-is-int64', sentence: 'The petId in the path is an integer of 64 bits.' },
  { id: '4.2/body-required', sentence: 'An update must have a body.' },
  { id: '4.2/body-is-an-object', sentence: 'The body of an update is an object.' },
  { id: '5/bearer-scheme', sentence: 'The authentication scheme is bearer.' },
  {
    id: '5/authorization-header',
    sentence: 'The key travels in the Authorization header, as Bearer <API_KEY>.',
  },
  { id: '5/every-operation', sentence: 'Authentication applies to every operation.' },
  { id: '5/missing-key', sentence: 'A missing key is answered with 401 and an error body.' },
  { id: '5/invalid-key', sentence: 'An invalid key is answered with 401 and an error body.' },
  {
    id: '5/json-content-type',
    sentence: 'Requests with a JSON body send Content-Type: application/json.',
  },
  { id: '7/error-body', sentence: 'Every error response has an error body.' },
  { id: '7/status-repeats', sentence: 'The status of an error repeats the HTTP status code.' },
  {
    id: '7/400-invalid-body',
    sentence: 'A body with missing fields or invalid values is answered with 400.',
  },
  { id: '7/401-unauthorized', sentence: 'A missing or invalid key is answered with 401.' },
  {
    id: '7/404-not-found',
    sentence: 'An update of a pet that does not exist is answered with 404.',
  },
  { id: '8/one-array', sentence: 'The list returns all entries in one array.' },
  { id: '9/version-prefix', sentence: 'The operations are served below the prefix /v1.' },
] as const;

export type ClauseId = (typeof table)[number]['id'];

/**
 * The statements of the spec that an exchange over HTTP can show to be kept or broken. What only a
 * document can keep (operation ids, the experimental mark) is tested on the OpenAPI document.
 */
export const clauses: readonly Clause<ClauseId>[] = table;

const sentences: ReadonlyMap<string, string> = new Map(
  clauses.map((clause) => [clause.id, clause.sentence]),
);

/** The sentence of a clause, for messages. */
export function sentenceOf(id: ClauseId): string {
  return sentences.get(id) ?? id;
}
