/** A question that the spec leaves open, and the answers a provider may give. */
export interface Decision {
  readonly id: string;
  readonly question: string;
  /** The answers, by name. The first is the mock's default; a policy can choose another. */
  readonly choices: readonly { readonly name: string; readonly meaning: string }[];
  /** What the verifier accepts from a provider. */
  readonly accepted: string;
}

const table = [
  {
    id: 'error-codes',
    question: 'Which strings does the field code of an error hold?',
    choices: [
      { name: 'words', meaning: 'Lower-case words: invalid_request, unauthorized, not_found.' },
      { name: 'renamed', meaning: 'Names of your own, given by the policy.' },
    ],
    accepted: 'Any string.',
  },
  {
    id: 'quantity-range',
    question: 'Which quantities may an update set?',
    choices: [
      { name: 'unbounded', meaning: 'Every integer of up to 4096 digits, exactly.' },
      {
        name: 'bounded',
        meaning: 'Integers from a minimum to a maximum; others are refused with 400.',
      },
    ],
    accepted: '200 or 400 outside 0 to 2147483647; 200 inside.',
  },
  {
    id: 'integer-notation',
    question: 'Are 1.0 and 1e2 integers?',
    choices: [
      { name: 'accept', meaning: 'Yes: the value counts, not how it is written.' },
      { name: 'refuse', meaning: 'No: they are refused with 400.' },
    ],
    accepted: '200 or 400.',
  },
  {
    id: 'unknown-fields',
    question: 'What happens to fields of an update that the spec does not name?',
    choices: [
      { name: 'ignore', meaning: 'They are ignored.' },
      { name: 'refuse', meaning: 'They are refused with 400.' },
    ],
    accepted: '200 or 400.',
  },
  {
    id: 'status-transition',
    question: 'Does the status follow the quantity?',
    choices: [
      { name: 'keep', meaning: 'No: the status stays as it is.' },
      { name: 'by-quantity', meaning: 'Yes: sold at quantity 0, available above 0.' },
    ],
    accepted: 'Any of the three values.',
  },
  {
    id: 'error-precedence',
    question: 'An invalid body for a pet that does not exist: 400 or 404?',
    choices: [
      { name: '400-first', meaning: '400.' },
      { name: '404-first', meaning: '404.' },
    ],
    accepted: 'Both; 401 always comes first.',
  },
  {
    id: 'pet-id-syntax',
    question: 'What answers a petId that is not a canonical int64 (abc, 1.5, 01, +1)?',
    choices: [
      { name: '404', meaning: '404: there is no such pet.' },
      { name: '400', meaning: '400: the request is invalid.' },
    ],
    accepted: '400 or 404.',
  },
  {
    id: 'content-type',
    question: 'What answers a body that is not declared as application/json?',
    choices: [
      { name: '400', meaning: '400: the request is invalid.' },
      { name: '415', meaning: '415: unsupported media type (RFC 9110, section 15.5.16).' },
      { name: 'ignore', meaning: 'Nothing: the body counts, not its declaration.' },
    ],
    accepted: '400, 415 or 200.',
  },
  {
    id: 'scheme-case',
    question: 'Is the scheme name "bearer" as good as "Bearer"?',
    choices: [
      { name: 'ignore', meaning: 'Yes: scheme names ignore case (RFC 9110, section 11.1).' },
      { name: 'exact', meaning: 'No: it is refused with 401.' },
    ],
    accepted: '200 or 401.',
  },
  {
    id: 'challenge',
    question: 'Does a 401 carry a challenge?',
    choices: [
      { name: 'bearer', meaning: 'Yes: WWW-Authenticate: Bearer (RFC 9110, section 15.5.2).' },
      { name: 'none', meaning: 'No.' },
    ],
    accepted: 'Both.',
  },
  {
    id: 'extra-properties',
    question: 'May items and errors have more fields than the spec names?',
    choices: [{ name: 'none', meaning: 'The mock adds none.' }],
    accepted: 'Allowed in items and errors.',
  },
  {
    id: 'list-order',
    question: 'In which order are the entries listed?',
    choices: [{ name: 'seed', meaning: 'In the order of the fixture, always the same.' }],
    accepted: 'Any order.',
  },
  {
    id: 'unspecified-routes',
    question: 'What answers a route that the spec does not name?',
    choices: [
      { name: '405', meaning: '404; a known path with another method: 405 with Allow.' },
      { name: '404', meaning: '404 for both.' },
    ],
    accepted: 'Not checked.',
  },
  {
    id: 'body-limit',
    question: 'How large may a request body be?',
    choices: [
      { name: '1048576', meaning: 'At most 1 MiB; larger ones are answered with 413.' },
      { name: 'bytes', meaning: 'At most a number of bytes of your own.' },
    ],
    accepted: 'Not checked.',
  },
] as const;

export type DecisionId = (typeof table)[number]['id'];

export const decisions: readonly (Decision & { readonly id: DecisionId })[] = table;

/** The names of the answers to one decision. */
export type ChoiceOf<Id extends DecisionId> = Extract<
  (typeof table)[number],
  { id: Id }
>['choices'][number]['name'];
