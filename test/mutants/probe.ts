import { toCaseRequest, type Answer, type Case } from '../../contracts/case.ts';
import { cases } from '../../contracts/cases.ts';
import { judgeResponse } from '../../contracts/judge.ts';
import { checkList } from '../../contracts/shapes.ts';
import {
  isJsonObject,
  parseExactJson,
  toInteger,
  type ExactJson,
} from '../../src/json/exact-json.ts';
import type { Provider } from './provider.ts';
import type { RawClient, Received } from './raw-client.ts';

/** What the list says: quantity and status by petId. */
export type Listed = ReadonlyMap<bigint, { readonly quantity: bigint; readonly status: string }>;

/** A case that the provider does not keep, and how. */
export interface Failure {
  readonly case: Case;
  readonly problems: readonly string[];
}

/**
 * Runs cases of the contract's table one by one, each on the provider's seed: response judged, list
 * compared before and after.
 *
 * @param isMeant which cases to run
 */
export async function* probe(
  provider: Provider,
  client: RawClient,
  isMeant: (subject: Case) => boolean = () => true,
): AsyncGenerator<Failure> {
  for (const subject of cases.filter(isMeant)) {
    provider.reset();
    const problems = await probeCase(provider, client, subject);
    if (problems.length > 0) yield { case: subject, problems };
  }
}

async function probeCase(
  provider: Provider,
  client: RawClient,
  subject: Case,
): Promise<readonly string[]> {
  const { pet, quantity } = subject.given;
  const petId = choosePet(provider, pet);
  if (petId === undefined && pet !== 'none') return [];
  const entry = petId === undefined ? undefined : provider.inventory.get(petId);
  if (entry !== undefined && quantity !== undefined) entry.quantity = quantity;
  const request = toCaseRequest(subject, {
    apiKey: provider.apiKey,
    listed: new Set(provider.inventory.keys()),
    ...(petId === undefined ? {} : { petId }),
  });
  if (request === undefined) return [];

  const before = await readList(provider, client);
  if (typeof before === 'string') return [before];
  const problems: string[] = [];
  for (let time = 0; time < (subject.times ?? 1); time += 1) {
    const received = await client.send(request);
    if (!received.ok) return [...problems, received.problem];
    const { answer, violations } = judgeResponse(subject, received, petId);
    problems.push(
      ...violations.map((found) => `${found.at}: expected ${found.expected}, ${found.received}`),
    );
    if (answer?.body === 'list') {
      problems.push(...compare(before, toListed(received), answer, petId));
    }
    const after = await readList(provider, client);
    problems.push(...compare(before, after, answer, petId));
  }
  return problems;
}

/** The pet of a provider that a case is about. */
export function choosePet({ inventory }: Provider, pet: Case['given']['pet']): bigint | undefined {
  const ids = [...inventory.keys()];
  const large = ids.find((id) => !inventory.has(BigInt(Number(id))));
  switch (pet) {
    case 'existing':
      return ids[Math.floor(ids.length / 2)];
    case 'absent':
      return 7_654_321n;
    case 'large':
      return large;
    case 'beside-large':
      return large === undefined ? undefined : BigInt(Number(large));
    case 'none':
      return undefined;
  }
}

function compare(
  before: Listed,
  after: Listed | string,
  answer: Answer | undefined,
  petId: bigint | undefined,
): string[] {
  if (typeof after === 'string') return [after];
  const problems = before.size === after.size ? [] : [`${after.size} entries are listed`];
  for (const [id, { quantity, status }] of before) {
    const now = after.get(id);
    const isUpdated = answer?.body === 'item' && id === petId;
    const expected = isUpdated ? answer.quantity : quantity;
    if (now?.quantity !== expected) problems.push(`pet ${id} has ${now?.quantity}`);
    // Whether the status follows the quantity is the provider's decision.
    if (!isUpdated && now?.status !== status) problems.push(`pet ${id} is ${now?.status}`);
  }
  return problems;
}

/** The list as the provider tells it, or what is wrong with it. */
export async function readList(provider: Provider, client: RawClient): Promise<Listed | string> {
  const received = await client.send({
    method: 'GET',
    path: '/inventory',
    headers: [['Authorization', `Bearer ${provider.apiKey}`]],
    body: undefined,
  });
  return toListed(received);
}

function toListed(received: Received): Listed | string {
  if (!received.ok) return `the list is not answered: ${received.problem}`;
  if (received.status !== 200) return `the list is answered with ${received.status}`;
  const parsed = parseExactJson(Buffer.from(received.body).toString());
  if (!parsed.ok) return `the list is not JSON: ${parsed.problem}`;
  const [violation] = checkList(parsed.value);
  if (violation !== undefined) return `the list has ${violation.received} at ${violation.at}`;
  return new Map((parsed.value as readonly ExactJson[]).map(toListedEntry));
}

function toListedEntry(item: ExactJson): [bigint, { quantity: bigint; status: string }] {
  const { petId, quantity, status } = isJsonObject(item) ? item : {};
  return [
    toInteger(petId) ?? 0n,
    { quantity: toInteger(quantity) ?? 0n, status: typeof status === 'string' ? status : '' },
  ];
}
