import type { OpenAPIV3_1 } from 'openapi-types';
import { petStatuses } from '../../../contracts/pet-status.ts';
import { errorCodes } from '../../inventory/error-body.ts';
import { faultKinds } from '../../mock/faults/kinds.ts';
import { namedAnswers } from '../../mock/policy.ts';
import { longestTimeToLive } from '../../mock/sandbox-options.ts';

type Schema = OpenAPIV3_1.SchemaObject | OpenAPIV3_1.ReferenceObject;
type Properties = Readonly<Record<string, Schema>>;

export function refTo(name: string): OpenAPIV3_1.ReferenceObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object that has all of its properties, but for those that are optional. */
function object(
  description: string,
  required: Properties,
  optional: Properties = {},
): OpenAPIV3_1.SchemaObject {
  return {
    type: 'object',
    description,
    required: Object.keys(required),
    properties: { ...required, ...optional },
  };
}

/** The same, where further properties are refused. */
function input(
  description: string,
  required: Properties,
  optional: Properties = {},
): OpenAPIV3_1.SchemaObject {
  return { ...object(description, required, optional), additionalProperties: false };
}

function listOf(items: Schema, description?: string): OpenAPIV3_1.SchemaObject {
  return { type: 'array', items, ...(description === undefined ? {} : { description }) };
}

const text = (description: string): OpenAPIV3_1.SchemaObject => ({ type: 'string', description });

const oneOf = (values: readonly string[], description: string): OpenAPIV3_1.SchemaObject => ({
  type: 'string',
  enum: [...values],
  description,
});

const time = (description: string): OpenAPIV3_1.SchemaObject => ({
  type: 'string',
  format: 'date-time',
  description: `${description} In UTC.`,
});

function count(description: string, minimum = 0, maximum?: number): OpenAPIV3_1.SchemaObject {
  const bounds = maximum === undefined ? { minimum } : { minimum, maximum };
  return { type: 'integer', description, ...bounds };
}

const petId: OpenAPIV3_1.SchemaObject = {
  type: 'integer',
  format: 'int64',
  description: 'Id of the animal that this entry tracks.',
};
const quantity: OpenAPIV3_1.SchemaObject = {
  type: 'integer',
  description: 'Any integer, exactly.',
};
const status = oneOf(petStatuses, 'The status of a stock entry.');
const stock = object('A stock entry, without its id.', { quantity, status });

const name = text('1 to 64 printable characters, without spaces around them, and neither . nor ..');
const policy = refTo('Policy');
const seed: OpenAPIV3_1.SchemaObject = {
  type: 'integer',
  format: 'int32',
  description: 'Decides what is random in faults.',
};
const timeToLive: OpenAPIV3_1.SchemaObject = {
  type: ['integer', 'null'],
  minimum: 1,
  maximum: longestTimeToLive,
  description: 'In seconds; null: for ever.',
};
const operation = oneOf(['listInventory', 'updateInventory'], 'The id of the operation.');
const clauses = listOf(text('The id of a clause.'));
const faultOfExchange = object('What a fault did.', {
  id: text('The id of the fault.'),
  kind: text('What it does.'),
});

const policySchema: OpenAPIV3_1.SchemaObject = {
  type: 'object',
  description: 'Answers where the specification is silent, as in a fixture.',
  additionalProperties: false,
  properties: {
    ...Object.fromEntries(
      Object.entries(namedAnswers).map(([decision, answers]) => [
        decision,
        { type: 'string' as const, enum: [...answers] },
      ]),
    ),
    'error-codes': {
      type: 'object',
      description: 'New names for codes.',
      additionalProperties: false,
      properties: Object.fromEntries(
        errorCodes.map((code) => [code, { type: 'string' as const, minLength: 1 }]),
      ),
    },
    'quantity-range': {
      type: 'object',
      description: 'Inclusive bounds.',
      additionalProperties: false,
      properties: { minimum: { type: 'integer' }, maximum: { type: 'integer' } },
    },
    'body-limit': { type: 'integer', minimum: 1, maximum: 2 ** 30 },
  },
};

const sandboxView = object(
  'One isolated inventory, and how it behaves.',
  {
    id: text('`default` for the one that the server started with.'),
    name,
    fixture: text('The name of the fixture that it is seeded from, or `inline`.'),
    pets: count('How many pets it has.'),
    seed,
    createdAt: time('When it was created.'),
    policy,
    scenarios: listOf({ type: 'string' }, 'The names of the scenarios of its fixture.'),
    faults: listOf(refTo('Fault'), 'The faults that are on.'),
    snapshots: listOf(refTo('Snapshot'), 'In the order they were taken.'),
  },
  {
    expiresAt: time('When it expires; left out: never.'),
    scenario: text('The scenario that is on; left out: none is.'),
  },
);

const body = object('A body, as far as it is kept.', {
  length: count('In bytes, whole.'),
  text: text('The first of them, as UTF-8.'),
  isCut: { type: 'boolean', description: 'Whether there are more.' },
});
const headers = listOf(
  { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 2 },
  'Names and values of those that matter to the contract; never a key.',
);

/** What the admin API speaks of. */
export const schemas: Readonly<Record<string, OpenAPIV3_1.SchemaObject>> = {
  Item: object('One stock entry.', { petId, quantity, status }),
  StockChange: {
    ...input('What is left out stays as it is.', {}, { quantity, status }),
    minProperties: 1,
  },
  Policy: policySchema,
  Fixture: {
    description:
      'A fixture, or the array of its items alone. stockcheck/fixture.schema.json has all.',
    oneOf: [
      listOf(refTo('Item')),
      object(
        'A fixture in full.',
        { inventory: listOf(refTo('Item')) },
        {
          $schema: { type: 'string' },
          apiKeys: listOf({ type: 'string' }, 'Not used by sandboxes that are created from it.'),
          policy,
          scenarios: {
            type: 'object',
            description: 'Faults by the name of the scenario.',
            maxProperties: 100,
            additionalProperties: listOf(refTo('FaultRule')),
          },
        },
      ),
    ],
  },
  Sandbox: sandboxView,
  CreatedSandbox: {
    description: 'A sandbox that was just created.',
    allOf: [
      refTo('Sandbox'),
      object('With its key.', { apiKey: text('Opens it. It is told here and nowhere else.') }),
    ],
  },
  SandboxPage: object('Some of the sandboxes.', {
    sandboxes: listOf(
      refTo('Sandbox'),
      'In the order they were created. The temporary ones of verifications are left out.',
    ),
    count: count('How many there are in all, the default one included.'),
    limit: count('How many there may be, the default one aside.'),
  }),
  SandboxRequest: input(
    'What a sandbox is created from.',
    {},
    {
      name,
      fixture: {
        description: 'The name of a fixture, or one in full. Left out: `server`.',
        oneOf: [
          oneOf(['server', 'default', 'empty', 'edge'], 'The name of a fixture.'),
          refTo('Fixture'),
        ],
      },
      apiKey: text('A key of your own, in visible ASCII characters. Left out: one is made.'),
      policy,
      timeToLive,
      scenario: text('A scenario of the fixture to begin with.'),
      seed,
    },
  ),
  SandboxChanges: {
    ...input(
      'What is left out stays as it is.',
      {},
      {
        name,
        policy,
        timeToLive,
        scenario: { type: ['string', 'null'], description: 'A scenario, or null for none.' },
        seed,
      },
    ),
    minProperties: 1,
  },
  Snapshot: object('An inventory that was kept.', { name, createdAt: time('When it was taken.') }),
  InventoryDiff: object('How an inventory differs from an earlier one.', {
    changed: listOf(refTo('ChangedItem'), 'In both, and not the same.'),
    added: listOf(refTo('Item')),
    removed: listOf(refTo('Item')),
  }),
  ChangedItem: object('A stock entry, before and after.', { petId, before: stock, after: stock }),
  FaultRule: object(
    'A misbehaviour, and the requests that it hits.',
    {
      fault: {
        type: 'object',
        description: 'What happens; each kind has fields of its own.',
        required: ['kind'],
        properties: {
          kind: oneOf(
            faultKinds.map(({ kind }) => kind),
            'What happens.',
          ),
        },
      },
    },
    {
      operation,
      petId,
      nth: count('Only this one of the requests that fit.', 1),
      every: count('Only each so-manieth of them.', 1),
      probability: { type: 'number', minimum: 0, maximum: 1 },
      times: count('How often at most.', 1),
    },
  ),
  Fault: object(
    'A rule, with what became of it.',
    {
      id: text('Names it among the faults of its sandbox.'),
      rule: refTo('FaultRule'),
      seen: count('How many requests all processes have asked it about.'),
      hits: count('How many of them it hit; where another rule came before, it has not.'),
    },
    { scenario: text('The scenario it belongs to; left out: it was added by itself.') },
  ),
  Faults: object('The faults that are on.', { faults: listOf(refTo('Fault')) }),
  Exchange: object(
    'One request and what was answered.',
    {
      sequence: count('Rises with every exchange of a sandbox: by one, or by more over Redis.', 1),
      at: time('When the answer was there.'),
      duration: { type: 'number', minimum: 0, description: 'In milliseconds.' },
      request: object('What was sent.', {
        method: { type: 'string' },
        path: { type: 'string' },
        headers,
        body,
      }),
      response: object('What was answered.', { status: { type: 'integer' }, headers, body }),
      verdict: object('What the contract says of it.', {
        verdict: oneOf(['pass', 'fail', 'inconclusive'], 'Whether the contract is kept.'),
        clauses,
        findings: listOf({ type: 'string' }, 'What is broken.'),
      }),
    },
    {
      operation,
      petId,
      refusal: text('Why the request was refused; left out: it was not.'),
      change: refTo('ChangedItem'),
      fault: faultOfExchange,
    },
  ),
  JournalPage: object(
    'Some exchanges, in the order they happened.',
    {
      exchanges: listOf(refTo('Exchange')),
      last: count('The sequence of the last exchange of the sandbox: what `after` takes.'),
    },
    {
      isPartial: {
        type: 'boolean',
        const: true,
        description:
          'Of several servers with one journal, some did not answer in time: what they were asked is missing. Left out: nothing is.',
      },
    },
  ),
  Event: {
    description: 'The data of a server-sent event, whose name is its type.',
    type: 'object',
    required: ['type', 'sandbox'],
    properties: {
      type: oneOf(
        ['exchange', 'change', 'replaced', 'fault', 'sandbox', 'created', 'deleted'],
        'What happened.',
      ),
      sandbox: text('The id of the sandbox; `*` in `replaced` where events of any may be missing.'),
      exchange: refTo('Exchange'),
      item: refTo('Item'),
      before: stock,
      fault: faultOfExchange,
      view: refTo('Sandbox'),
    },
  },
  Contract: object('What the contract says.', {
    clauses: listOf(
      object('A statement of it.', { id: { type: 'string' }, sentence: { type: 'string' } }),
    ),
    decisions: listOf(
      object('A question that it leaves open.', {
        id: { type: 'string' },
        question: { type: 'string' },
        default: text('The name of the answer that the mock gives unless a policy says otherwise.'),
        choices: listOf(
          object('An answer.', { name: { type: 'string' }, meaning: { type: 'string' } }),
        ),
        accepted: text('What the verifier accepts.'),
      }),
    ),
    cases: listOf(
      object('One thing that it says.', {
        id: { type: 'string' },
        title: { type: 'string' },
        operation,
        status: { type: 'integer' },
        clauses,
      }),
    ),
  }),
  Fixtures: object('What a sandbox can be created from by name.', {
    fixtures: listOf(
      object('A fixture.', { name: { type: 'string' }, scenarios: listOf({ type: 'string' }) }),
    ),
  }),
  Health: object('What the server says of itself.', {
    status: oneOf(['live', 'ready'], 'What it is.'),
  }),
  ProviderState: object(
    "A state change of Pact's protocol.",
    { state: text('The name of the state.') },
    {
      params: { type: 'object' },
      action: oneOf(['setup', 'teardown'], 'Left out: setup.'),
    },
  ),
  VerificationRequest: input(
    'What is verified. Without a baseUrl, this mock: on a sandbox of its own, which is deleted then.',
    {},
    {
      baseUrl: { type: 'string', format: 'uri', description: 'The address that ends in `/v1`.' },
      apiKey: text('A key that the provider at the baseUrl accepts.'),
      sandbox: text('The id of a sandbox whose copy is verified, with its policy and faults.'),
      readOnly: { type: 'boolean', description: 'Sends nothing but GET.' },
    },
  ),
  VerificationLine: {
    description: 'One line of the answer. The last is an `end`, or an `error`.',
    oneOf: [
      object('The first.', {
        type: { const: 'start' },
        subjects: count('How many results follow.'),
      }),
      object('As soon as it is there.', {
        type: { const: 'result' },
        result: { type: 'object', description: 'What became of one case or check.' },
      }),
      object('The last.', {
        type: { const: 'end' },
        report: {
          type: 'object',
          description: 'As `stockcheck verify --reporter json` writes it.',
        },
      }),
      object('The last, where the run came to nothing.', {
        type: { const: 'error' },
        error: refTo('Error'),
      }),
    ],
  },
  Error: object('The body of every error response.', {
    code: text('Machine-readable error code.'),
    message: text('Human-readable description.'),
    status: { type: 'integer', description: 'The HTTP status code.' },
  }),
};
