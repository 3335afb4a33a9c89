import type { OpenAPIV3, OpenAPIV3_1 } from 'openapi-types';
import { refTo, schemas } from './openapi-schemas.ts';

// What stands below a path must be of the types of OpenAPI 3.0 as well: openapi-types mixes them.
type Parameter = OpenAPIV3.ParameterObject | OpenAPIV3.ReferenceObject;
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
type Schema = OpenAPIV3.NonArraySchemaObject | ListSchema | OpenAPIV3.ReferenceObject;
type ListSchema = { readonly type: 'array'; readonly items: OpenAPIV3.ReferenceObject };
type Headers = Readonly<
  Record<string, { readonly description: string; readonly schema: OpenAPIV3.NonArraySchemaObject }>
>;

/** Problems that an operation answers with, besides 400, 401 and 403. */
type Problem =
  | 'NotFound'
  | 'ConsoleMissing'
  | 'Conflict'
  | 'ContentTooLarge'
  | 'UnsupportedMediaType'
  | 'NotImplemented'
  | 'Unavailable'
  | 'InsufficientStorage';

const statuses: Readonly<Record<Problem | 'BadRequest' | 'Unauthorized' | 'Forbidden', string>> = {
  BadRequest: '400',
  Unauthorized: '401',
  Forbidden: '403',
  NotFound: '404',
  ConsoleMissing: '404',
  Conflict: '409',
  ContentTooLarge: '413',
  UnsupportedMediaType: '415',
  NotImplemented: '501',
  Unavailable: '503',
  InsufficientStorage: '507',
};

const json = (schema: Schema): Content => ({
  'application/json': { schema },
});

interface Sketch {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly body?: { readonly schema: Schema };
  readonly isBodyOptional?: true;
  readonly answer: readonly [status: string, description: string, content?: Content];
  readonly headers?: Headers;
  readonly problems?: readonly Problem[];
  readonly isOpen?: true;
}

function operation(sketch: Sketch): NonNullable<OpenAPIV3_1.PathItemObject['get']> {
  const { id, tag, summary, description, parameters, body, answer, isOpen } = sketch;
  const [status, meaning, content] = answer;
  const withBody: readonly Problem[] =
    body === undefined ? [] : ['ContentTooLarge', 'UnsupportedMediaType'];
  const problems = new Set([
    // A parameter of the query that there is not.
    'BadRequest' as const,
    ...(isOpen === true ? [] : (['Unauthorized'] as const)),
    'Forbidden' as const,
    ...withBody,
    ...(sketch.problems ?? []),
  ]);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(isOpen === true ? { security: [] } : {}),
    ...(parameters === undefined ? {} : { parameters: [...parameters] }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: sketch.isBodyOptional !== true,
            content: { 'application/json': body },
          },
        }),
    responses: {
      [status]: {
        description: meaning,
        ...(sketch.headers === undefined ? {} : { headers: sketch.headers }),
        ...(content === undefined ? {} : { content }),
      },
      ...Object.fromEntries(
        [...problems].map((name) => [statuses[name], { $ref: `#/components/responses/${name}` }]),
      ),
    },
  };
}

const parameter = (name: string): OpenAPIV3.ReferenceObject => ({
  $ref: `#/components/parameters/${name}`,
});

const inQuery = (
  name: string,
  description: string,
  schema: OpenAPIV3.NonArraySchemaObject,
): OpenAPIV3.ParameterObject => ({ name, in: 'query', description, schema });

const integer = (minimum: number, maximum: number): OpenAPIV3.NonArraySchemaObject => ({
  type: 'integer',
  minimum,
  maximum,
});

const inPath = (name: string, description: string): OpenAPIV3.ParameterObject => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string' },
});

const lastEventId: OpenAPIV3.ParameterObject = {
  name: 'Last-Event-ID',
  in: 'header',
  description:
    'The id of the event that was seen last. What came behind it is told first; where that is not known any more, `replaced` says so.',
  schema: { type: 'string' },
};

const page: Content = { 'text/html; charset=utf-8': { schema: { type: 'string' } } };

const id = parameter('id');
const inSandbox: readonly Problem[] = ['NotFound', 'Unavailable'];

const paths: OpenAPIV3_1.PathsObject = {
  '/': {
    get: operation({
      id: 'getConsole',
      tag: 'console',
      summary: 'Show the console',
      answer: ['200', 'The page.', page],
      problems: ['ConsoleMissing'],
      isOpen: true,
    }),
  },
  '/assets/{name}': {
    get: operation({
      id: 'getConsoleAsset',
      tag: 'console',
      summary: 'Get a file of the console',
      parameters: [inPath('name', 'The name of the file.')],
      answer: ['200', 'The file.', { '*/*': { schema: { type: 'string' } } }],
      problems: ['NotFound'],
      isOpen: true,
    }),
  },
  '/live': {
    get: operation({
      id: 'getLiveness',
      tag: 'health',
      summary: 'Say whether the server runs',
      answer: ['200', 'It does.', json(refTo('Health'))],
      isOpen: true,
    }),
  },
  '/ready': {
    get: operation({
      id: 'getReadiness',
      tag: 'health',
      summary: 'Say whether the server can serve requests',
      answer: ['200', 'It can.', json(refTo('Health'))],
      problems: ['Unavailable'],
      isOpen: true,
    }),
  },
  '/openapi.json': {
    get: operation({
      id: 'getOpenApi',
      tag: 'contract',
      summary: 'Get this document',
      answer: ['200', 'The document.', json({ type: 'object' })],
    }),
  },
  '/contract': {
    get: operation({
      id: 'getContract',
      tag: 'contract',
      summary: 'Get the contract as data',
      answer: ['200', 'Clauses, decisions and cases.', json(refTo('Contract'))],
    }),
  },
  '/fixtures': {
    get: operation({
      id: 'listFixtures',
      tag: 'sandboxes',
      summary: 'List the fixtures that have a name',
      answer: ['200', 'The fixtures, with their scenarios.', json(refTo('Fixtures'))],
    }),
  },
  '/sandboxes': {
    get: operation({
      id: 'listSandboxes',
      tag: 'sandboxes',
      summary: 'List sandboxes',
      parameters: [
        inQuery('limit', 'How many at most. Left out: 100.', integer(1, 1000)),
        inQuery('after', 'The id of the sandbox behind which the page begins.', { type: 'string' }),
      ],
      answer: ['200', 'A page of them.', json(refTo('SandboxPage'))],
      problems: ['Unavailable'],
    }),
    post: operation({
      id: 'createSandbox',
      tag: 'sandboxes',
      summary: 'Create a sandbox',
      description: 'The key that opens it is in the answer, and is told nowhere else.',
      body: { schema: refTo('SandboxRequest') },
      isBodyOptional: true,
      answer: ['201', 'The sandbox, with its key.', json(refTo('CreatedSandbox'))],
      headers: { Location: { description: 'Where it is.', schema: { type: 'string' } } },
      problems: ['Conflict', 'InsufficientStorage', 'Unavailable'],
    }),
  },
  '/sandboxes/{id}': {
    parameters: [id],
    get: operation({
      id: 'getSandbox',
      tag: 'sandboxes',
      summary: 'Get a sandbox',
      answer: ['200', 'The sandbox.', json(refTo('Sandbox'))],
      problems: inSandbox,
    }),
    patch: operation({
      id: 'configureSandbox',
      tag: 'sandboxes',
      summary: 'Change the settings of a sandbox',
      body: { schema: refTo('SandboxChanges') },
      answer: ['200', 'The sandbox as it is now.', json(refTo('Sandbox'))],
      problems: [...inSandbox, 'InsufficientStorage'],
    }),
    delete: operation({
      id: 'deleteSandbox',
      tag: 'sandboxes',
      summary: 'Delete a sandbox',
      answer: ['204', 'It is gone, and its key opens nothing.'],
      problems: [...inSandbox, 'Conflict'],
    }),
  },
  '/sandboxes/{id}/inventory': {
    parameters: [id],
    get: operation({
      id: 'getInventory',
      tag: 'inventory',
      summary: 'Get the inventory',
      description: 'Past key, faults and journal.',
      answer: ['200', 'Every entry.', json({ type: 'array', items: refTo('Item') })],
      problems: inSandbox,
    }),
    put: operation({
      id: 'setInventory',
      tag: 'inventory',
      summary: 'Replace the inventory',
      body: { schema: refTo('Fixture') },
      answer: ['204', 'It is replaced. What else a fixture holds is ignored.'],
      problems: [...inSandbox, 'InsufficientStorage'],
    }),
  },
  '/sandboxes/{id}/inventory/{petId}': {
    parameters: [id, inPath('petId', 'Id of the pet, an int64.')],
    patch: operation({
      id: 'setPet',
      tag: 'inventory',
      summary: 'Write one entry',
      description: 'Past key, faults and journal.',
      body: { schema: refTo('StockChange') },
      answer: ['200', 'The entry as it is now.', json(refTo('Item'))],
      problems: inSandbox,
    }),
  },
  '/sandboxes/{id}/reset': {
    parameters: [id],
    post: operation({
      id: 'resetSandbox',
      tag: 'inventory',
      summary: 'Go back to the fixture',
      description: 'Snapshots, settings and faults stay.',
      parameters: [
        inQuery('journal', 'Whether the journal is emptied as well. Left out: keep.', {
          type: 'string',
          enum: ['clear', 'keep'],
        }),
      ],
      answer: ['204', 'The inventory is that of the fixture.'],
      problems: inSandbox,
    }),
  },
  '/sandboxes/{id}/diff': {
    parameters: [id],
    get: operation({
      id: 'diffSandbox',
      tag: 'inventory',
      summary: 'Compare the inventory with what it was',
      parameters: [
        inQuery('snapshot', 'The name of a snapshot. Left out: the fixture.', { type: 'string' }),
      ],
      answer: ['200', 'The differences.', json(refTo('InventoryDiff'))],
      problems: inSandbox,
    }),
  },
  '/sandboxes/{id}/export': {
    parameters: [id],
    get: operation({
      id: 'exportSandbox',
      tag: 'inventory',
      summary: 'Get the sandbox as a fixture',
      answer: ['200', 'The fixture, as a file.', json(refTo('Fixture'))],
      headers: {
        'Content-Disposition': { description: 'The name of the file.', schema: { type: 'string' } },
      },
      problems: inSandbox,
    }),
  },
  '/sandboxes/{id}/snapshots/{name}': {
    parameters: [id, parameter('snapshot')],
    put: operation({
      id: 'takeSnapshot',
      tag: 'snapshots',
      summary: 'Keep the inventory under a name',
      description: 'A snapshot of that name is replaced.',
      answer: ['201', 'The snapshot.', json(refTo('Snapshot'))],
      problems: [...inSandbox, 'InsufficientStorage'],
    }),
    delete: operation({
      id: 'deleteSnapshot',
      tag: 'snapshots',
      summary: 'Delete a snapshot',
      answer: ['204', 'It is gone.'],
      problems: inSandbox,
    }),
  },
  '/sandboxes/{id}/snapshots/{name}/restore': {
    parameters: [id, parameter('snapshot')],
    post: operation({
      id: 'restoreSnapshot',
      tag: 'snapshots',
      summary: 'Go back to a snapshot',
      answer: ['204', 'The inventory is that of the snapshot, which stays.'],
      problems: inSandbox,
    }),
  },
  '/sandboxes/{id}/faults': {
    parameters: [id],
    get: operation({
      id: 'listFaults',
      tag: 'faults',
      summary: 'List the faults that are on',
      answer: ['200', 'The faults, in the order they are asked.', json(refTo('Faults'))],
      problems: inSandbox,
    }),
    post: operation({
      id: 'addFault',
      tag: 'faults',
      summary: 'Add a fault',
      body: { schema: refTo('FaultRule') },
      answer: ['201', 'The fault.', json(refTo('Fault'))],
      problems: [...inSandbox, 'InsufficientStorage'],
    }),
    put: operation({
      id: 'setFaults',
      tag: 'faults',
      summary: 'Replace the faults that were added',
      description: "The scenario's stay.",
      body: { schema: { type: 'array', items: refTo('FaultRule') } },
      answer: ['204', 'They are replaced.'],
      problems: [...inSandbox, 'InsufficientStorage'],
    }),
    delete: operation({
      id: 'removeFaults',
      tag: 'faults',
      summary: 'Remove all faults that were added',
      description: "The scenario's stay.",
      answer: ['204', 'They are gone.'],
      problems: inSandbox,
    }),
  },
  '/sandboxes/{id}/faults/{faultId}': {
    parameters: [id, inPath('faultId', 'Id of a fault that was added.')],
    delete: operation({
      id: 'removeFault',
      tag: 'faults',
      summary: 'Remove a fault',
      answer: ['204', 'It is gone.'],
      problems: inSandbox,
    }),
  },
  '/sandboxes/{id}/journal': {
    parameters: [id],
    get: operation({
      id: 'readJournal',
      tag: 'journal',
      summary: 'Read the journal, or wait for a request',
      description:
        'With `wait`, the answer comes as soon as an exchange matches, or empty then. A server that keeps no exchanges (`--journal 0`) refuses to wait: 409. Of several servers over one Redis, the journal is that of all.',
      parameters: [
        inQuery('operation', 'Only exchanges of this operation.', {
          type: 'string',
          enum: ['listInventory', 'updateInventory'],
        }),
        inQuery('petId', 'Only those whose path names this pet.', {
          type: 'integer',
          format: 'int64',
        }),
        inQuery('method', 'Only those with this method.', { type: 'string' }),
        inQuery(
          'status',
          'Only those answered with this status; 0: not answered.',
          integer(0, 599),
        ),
        inQuery('verdict', 'Only those judged so.', {
          type: 'string',
          enum: ['pass', 'fail', 'inconclusive'],
        }),
        inQuery('after', 'Only those with a higher sequence.', { type: 'integer', minimum: 0 }),
        inQuery(
          'limit',
          'The newest so many, or with `after` the oldest. Left out: 100.',
          integer(1, 1000),
        ),
        inQuery('wait', 'Seconds to wait for a first match. Left out: 0.', {
          type: 'number',
          minimum: 0,
          maximum: 60,
        }),
      ],
      answer: ['200', 'The exchanges that match.', json(refTo('JournalPage'))],
      problems: [...inSandbox, 'Conflict'],
    }),
    delete: operation({
      id: 'clearJournal',
      tag: 'journal',
      summary: 'Empty the journal',
      answer: ['204', 'It is empty. Sequences go on rising.'],
      problems: inSandbox,
    }),
  },
  '/sandboxes/{id}/events': {
    parameters: [id],
    get: operation({
      id: 'streamSandboxEvents',
      tag: 'events',
      summary: 'Hear what happens in a sandbox',
      parameters: [lastEventId],
      answer: [
        '200',
        'Server-sent events, until the sandbox is deleted.',
        { 'text/event-stream': { schema: refTo('Event') } },
      ],
      problems: inSandbox,
    }),
  },
  '/events': {
    get: operation({
      id: 'streamEvents',
      tag: 'events',
      summary: 'Hear what happens in every sandbox',
      parameters: [lastEventId],
      answer: ['200', 'Server-sent events.', { 'text/event-stream': { schema: refTo('Event') } }],
      problems: ['Unavailable'],
    }),
  },
  '/states': {
    post: operation({
      id: 'changeProviderState',
      tag: 'contract',
      summary: 'Set a provider state',
      description: "What Pact's verifiers ask for.",
      parameters: [
        inQuery('sandbox', 'The id of the sandbox. Left out: default.', { type: 'string' }),
      ],
      body: { schema: refTo('ProviderState') },
      answer: ['200', 'The sandbox is in the state.', json({ type: 'object' })],
      problems: inSandbox,
    }),
  },
  '/verifications': {
    post: operation({
      id: 'runVerification',
      tag: 'contract',
      summary: 'Verify a provider, or this mock',
      body: { schema: refTo('VerificationRequest') },
      isBodyOptional: true,
      answer: [
        '200',
        'Lines of JSON, as results come in.',
        { 'application/x-ndjson': { schema: refTo('VerificationLine') } },
      ],
      problems: [...inSandbox, 'NotImplemented'],
    }),
  },
};

const problem = (description: string): OpenAPIV3_1.ResponseObject => ({
  description,
  content: { 'application/json': { schema: refTo('Error') } },
});

const later = {
  'Retry-After': { description: 'When to try again, in seconds.', schema: { type: 'integer' } },
} as const;

const responses: Readonly<Record<keyof typeof statuses, OpenAPIV3_1.ResponseObject>> = {
  BadRequest: problem(
    'The body or the query is wrong; the message says where, and what was expected.',
  ),
  Unauthorized: {
    ...problem('The admin token is needed, and is missing or wrong.'),
    headers: { 'WWW-Authenticate': { description: 'Bearer.', schema: { type: 'string' } } },
  },
  Forbidden: problem('The request comes from a page of another origin, or names another host.'),
  NotFound: problem('There is no such sandbox, pet, snapshot, fault or file.'),
  ConsoleMissing: { description: 'A page that says how to get the console.', content: page },
  Conflict: problem(
    'The key is taken, the default sandbox was to be deleted, or no exchange is kept that could be waited for.',
  ),
  ContentTooLarge: problem('The body is too large.'),
  UnsupportedMediaType: problem('The body is not declared as application/json.'),
  NotImplemented: problem('The server was started without a verifier.'),
  Unavailable: { ...problem('The server cannot do it now.'), headers: later },
  InsufficientStorage: problem('A limit is reached; the message says which.'),
};

/** The admin API as an OpenAPI 3.1 document. */
export const adminOpenApi: OpenAPIV3_1.Document = {
  openapi: '3.1.1',
  info: {
    title: 'Stockcheck admin API',
    version: '1.0.0',
    summary: 'Sandboxes, faults and journal of a mock of the Pet Store Inventory API.',
    description:
      'Integers of the inventory are exact: they may be larger than a double holds. ' +
      'Pages of other origins are refused, and CORS never opens it.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [
    {
      url: '{origin}/_stockcheck',
      description: 'The server that the mock runs in.',
      variables: {
        origin: {
          default: 'http://127.0.0.1:4010',
          description: 'Scheme, host and port of the server.',
        },
      },
    },
  ],
  // On loopback no token is needed, unless one was given.
  security: [{ adminToken: [] }, {}],
  tags: [
    { name: 'console', description: 'The web page.' },
    { name: 'health', description: 'What a balancer asks.' },
    { name: 'contract', description: 'The contract, and who keeps it.' },
    { name: 'sandboxes', description: 'Isolated inventories; a key opens one.' },
    { name: 'inventory', description: 'The stock of a sandbox.' },
    { name: 'snapshots', description: 'Inventories that were kept.' },
    { name: 'faults', description: 'Misbehaviour on purpose.' },
    { name: 'journal', description: 'What was asked and answered.' },
    { name: 'events', description: 'What happens, as it happens.' },
  ],
  paths,
  components: {
    securitySchemes: {
      adminToken: {
        type: 'http',
        scheme: 'bearer',
        description: 'The admin token, as Authorization: Bearer <token>.',
      },
    },
    parameters: {
      id: inPath('id', 'Id of the sandbox; `default` for the one that the server started with.'),
      snapshot: inPath('name', 'The name of the snapshot: 1 to 64 printable characters.'),
    },
    schemas,
    responses,
  },
};
