import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Matchers, Pact, type Rules } from '@pact-foundation/pact';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createInventoryClient,
  type InventoryClient,
  type ListResult,
  type UpdateResult,
} from '../../src/client/inventory-client.ts';
import { parseExactJson, stringifyExactJson } from '../../src/json/exact-json.ts';
import { cases } from '../cases.ts';
import {
  toPactFileName,
  toPactJson,
  type MatcherList,
  type MatcherTable,
  type PactBody,
  type PactDocument,
  type PactInteraction,
  type PactRequest,
  type PactResponse,
} from './pact-document.ts';
import { pacts } from './pacts.ts';

test.for(pacts)(
  'the committed pact of $consumer.name is what the case table makes',
  async (pact) => {
    await expect(toPactJson(pact)).toMatchFileSnapshot(`../pacts/${toPactFileName(pact)}`);
  },
);

test('no two interactions have the same key or the same description', () => {
  const interactions = pacts.flatMap((pact) => pact.interactions);
  expect(new Set(interactions.map(({ key }) => key)).size).toBe(interactions.length);
  expect(new Set(interactions.map(({ description }) => description)).size).toBe(
    interactions.length,
  );
});

test('every case that Pact can carry is in a pact', () => {
  const carried = new Set(pacts.flatMap((pact) => pact.interactions.map(({ key }) => key)));
  const left = cases.map(({ id }) => id).filter((id) => !carried.has(id));
  expect(left).toEqual([
    // A number that a double cannot come near is refused by Pact's tools.
    'updateInventory/200/exponent-beyond-double',
    // A body of no bytes is no body to them.
    'updateInventory/400/empty-body',
  ]);
});

test('every interaction has a provider state', () => {
  const stateless = pacts.flatMap(({ interactions }) =>
    interactions.filter(({ providerStates }) => providerStates.length === 0),
  );
  expect(stateless).toEqual([]);
});

/** Parameters of a provider state, as Pact's builder takes them. */
type JsonMap = NonNullable<Parameters<ReturnType<Pact['addInteraction']>['given']>[1]>;

/** What the client does to send a request. */
interface Call {
  readonly apiKey: string;
  readonly perform: (client: InventoryClient) => Promise<ListResult | UpdateResult>;
}

/** @returns `undefined` for a request that the client never sends */
function toCall(request: PactRequest): Call | undefined {
  const { headers = {} } = request;
  const [, apiKey] = /^Bearer (\S+)$/.exec(headers['Authorization']?.join() ?? '') ?? [];
  if (apiKey === undefined || request.query !== undefined) return undefined;
  if (request.method === 'GET') return { apiKey, perform: (client) => client.list() };
  const [, petId] = /^\/v1\/inventory\/(0|-?[1-9]\d*)$/.exec(request.path) ?? [];
  const [, quantity] = /^{"quantity":(0|-?[1-9]\d*)}$/.exec(toText(request.body)) ?? [];
  if (petId === undefined || quantity === undefined) return undefined;
  if (headers['Content-Type']?.join() !== 'application/json') return undefined;
  return { apiKey, perform: (client) => client.update(BigInt(petId), BigInt(quantity)) };
}

function toText(body: PactBody | undefined): string {
  if (body === undefined) return '';
  return body.encoded === 'base64' ? atob(body.content) : stringifyExactJson(body.content);
}

const calls = pacts.flatMap((pact) =>
  pact.interactions.flatMap((interaction) => {
    // Pact's mock server rounds what it answers to what 64 bits can hold.
    const isRounded = /\d{20}/.test(toText(interaction.response.body));
    const call = isRounded ? undefined : toCall(interaction.request);
    return call === undefined ? [] : [{ pact, interaction, call, key: interaction.key }];
  }),
);

test('the client can send what a client should', () => {
  expect(calls.map(({ key }) => key)).toMatchInlineSnapshot(`
    [
      "listInventory/200/has-the-items",
      "listInventory/200/empty",
      "listInventory/200/all-entries",
      "updateInventory/200/sets-quantity",
      "updateInventory/200/zero",
      "updateInventory/200/from-zero",
      "updateInventory/200/same-value",
      "updateInventory/200/repeated",
      "updateInventory/200/one",
      "updateInventory/200/above-16-bits",
      "updateInventory/200/int32-maximum",
      "updateInventory/200/large-pet-id",
      "updateInventory/200/body-in-pieces",
      "listInventory/401/wrong-key",
      "listInventory/401/word-undefined",
      "listInventory/401/word-null",
      "listInventory/401/key-prefix",
      "listInventory/401/key-suffix",
      "listInventory/401/key-extended",
      "listInventory/401/key-altered",
      "listInventory/401/key-other-case",
      "listInventory/401/key-in-quotes",
      "updateInventory/401/wrong-key",
      "updateInventory/401/word-undefined",
      "updateInventory/401/word-null",
      "updateInventory/401/key-prefix",
      "updateInventory/401/key-suffix",
      "updateInventory/401/key-extended",
      "updateInventory/401/key-altered",
      "updateInventory/401/key-other-case",
      "updateInventory/401/key-in-quotes",
      "updateInventory/401/before-404-wrong-key",
      "updateInventory/404/unknown-pet",
      "updateInventory/404/beside-large-pet",
      "updateInventory/404/negative",
      "updateInventory/404/int64-maximum",
      "updateInventory/404/int64-minimum",
      "updateInventory/404/wrapped-to-32-bits",
      "updateInventory/404/beyond-int64",
      "updateInventory/404/below-int64",
      "updateInventory/404/wrapped-to-64-bits",
      "updateInventory/404/pet-wrapped-to-64-bits",
      "updateInventory/404/hundred-digits",
      "updateInventory/200/negative",
      "updateInventory/200/int32-maximum-and-one",
      "updateInventory/200/uint32-and-one",
      "updateInventory/200/int32-minimum",
      "updateInventory/200/beyond-double",
      "updateInventory/200/beyond-double-negative",
      "updateInventory/200/beyond-int64",
    ]
  `);
});

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stockcheck-pact-'));
});
afterAll(() => rm(directory, { recursive: true }));

test.for(calls)("the client keeps to $key on Pact's mock server", async (subject) => {
  const { pact, interaction, call } = subject;
  const { providerStates, description, request, response } = interaction;
  const builder = new Pact({
    consumer: pact.consumer.name,
    provider: pact.provider.name,
    dir: directory,
    logLevel: 'warn',
  }).addInteraction();
  for (const state of providerStates) {
    if ('params' in state) builder.given(state.name, toJsonMap(state.params));
    else builder.given(state.name);
  }

  const result = await builder
    .uponReceiving(description)
    .withRequest(request.method, request.path, (sent) => {
      sent.headers(toTemplate(request.headers));
      // As text: the builder would round the integers of an object.
      if (request.body !== undefined) sent.jsonBody(toText(request.body));
    })
    .willRespondWith(toStatus(response), (answer) => {
      answer.headers(toTemplate(response.headers));
      answer.jsonBody(toText(response.body)).matchingRules(toRules(response.matchingRules));
    })
    .executeTest(({ url }) =>
      call.perform(createInventoryClient({ baseUrl: `${url}/v1`, apiKey: call.apiKey })),
    );

  expect(result?.kind).toBe(toKind(response.status));
  expect(stringifyExactJson(toContent(result))).toBe(toText(response.body));
  expect(await readWritten(pact, description)).toEqual(toWritable(interaction));
});

/** The interaction as Pact's own builder has written it to a pact file. */
async function readWritten(pact: PactDocument, description: string): Promise<unknown> {
  const text = await readFile(join(directory, toPactFileName(pact)), 'utf8');
  const { interactions } = parse(text) as { interactions: { description: string }[] };
  return interactions.find((interaction) => interaction.description === description);
}

/** What the builder has words for: all but the key and the comments. */
function toWritable({ key: _key, comments: _comments, ...interaction }: PactInteraction): unknown {
  const written = parse(stringifyExactJson(interaction)) as { request: { body?: unknown } };
  // The builder writes base64 only for what is no JSON at all.
  if (interaction.request.body?.encoded === 'base64') {
    const content = parse(toText(interaction.request.body));
    written.request.body = { content, contentType: 'application/json', encoded: false };
  }
  return written;
}

function parse(text: string): unknown {
  const parsed = parseExactJson(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}

function toKind(status: number): string {
  return { 200: 'ok', 400: 'badRequest', 401: 'unauthorized', 404: 'notFound' }[status] ?? 'none';
}

function toContent(result: ListResult | UpdateResult | undefined): unknown {
  if (result === undefined) return undefined;
  if ('items' in result) return result.items;
  if ('item' in result) return result.item;
  return 'error' in result ? result.error : result;
}

/** Headers as the builder takes them: each of ours has one line. */
function toTemplate(headers: PactRequest['headers'] = {}): { [name: string]: string } {
  return Object.fromEntries(Object.entries(headers).map(([name, [line = '']]) => [name, line]));
}

function toStatus({
  status,
  matchingRules,
}: PactResponse): number | ReturnType<typeof Matchers.matchStatus> {
  const [matcher] = matchingRules.status?.$.matchers ?? [];
  return matcher?.match === 'statusCode'
    ? Matchers.matchStatus(status, [...matcher.status])
    : status;
}

/** Matching rules as the builder takes them. The one for the status has a place of its own. */
function toRules({ header, body = {} }: PactResponse['matchingRules']): Rules {
  return { header: toRuleList(header), body: toRuleList(body) } as unknown as Rules;
}

function toRuleList(table: MatcherTable): { path: string; rules: MatcherList['matchers'] }[] {
  return Object.entries(table).map(([path, { matchers }]) => ({ path, rules: matchers }));
}

/** Parameters as the builder takes them: it calls `JSON.stringify`, which knows no `bigint`. */
function toJsonMap(params: object): JsonMap {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, toJsonValue(value)]),
  );
}

function toJsonValue(value: unknown): JsonMap[string] {
  const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => JsonMap };
  if (typeof value === 'bigint') return rawJSON(`${value}`);
  if (Array.isArray(value)) return value.map(toJsonValue);
  return typeof value === 'object' && value !== null ? toJsonMap(value) : String(value);
}
