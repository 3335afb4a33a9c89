import {
  isJsonObject,
  parseExactJson,
  toInteger,
  type ExactJson,
} from '../../src/json/exact-json.ts';
import { exchange } from './http-exchange.ts';
import type { VerifiedProvider } from './verified-provider.ts';

export type StateChange =
  | { readonly kind: 'set' }
  /** Why the provider is not in the state. */
  | { readonly kind: 'refused' | 'unanswered'; readonly problem: string };

const set: StateChange = { kind: 'set' };

const refused = (problem: string): StateChange => ({ kind: 'refused', problem });

/**
 * Passes on a state change, and looks whether the provider is in that state then: many frameworks
 * answer a state that nobody handles with success.
 */
export async function changeState(
  body: Uint8Array,
  options: VerifiedProvider,
): Promise<StateChange> {
  const parsed = parseExactJson(new TextDecoder().decode(body));
  if (!parsed.ok || !isJsonObject(parsed.value)) {
    return refused('the verifier sent no state change');
  }
  const { state, action, params = {} } = parsed.value;
  // What the verifier sends for an interaction without a state.
  if (state === '') return set;
  const name = `the provider state ${JSON.stringify(state)}`;
  if (options.stateUrl === undefined) {
    return refused(
      `${name} cannot be set: there is no state-change URL; give one with PROVIDER_STATES_URL or stateUrl`,
    );
  }
  const answer = await exchange(
    {
      method: 'POST',
      url: options.stateUrl,
      headers: toHeaders(options.stateToken),
      body,
    },
    options.timeout,
  );
  // A provider that has nothing to tear down need not know the action.
  if (action === 'teardown') return set;
  if (answer.kind === 'unanswered') {
    return { kind: 'unanswered', problem: `${name} was not set: ${answer.problem}` };
  }
  if (answer.status < 200 || answer.status > 299) {
    return refused(
      `${name} was not set: the state-change URL answered ${answer.status}${quote(answer.body, options.stateToken)}`,
    );
  }
  const lacking = await findLack(state, params, options);
  return lacking === undefined
    ? set
    : refused(
        `${name} was not set: the state-change URL answered ${answer.status}, but ${lacking}`,
      );
}

/** What the list shows that a state excludes. Says nothing where the list cannot be read. */
async function findLack(
  state: ExactJson | undefined,
  params: ExactJson,
  options: VerifiedProvider,
): Promise<string | undefined> {
  if (!isJsonObject(params)) return undefined;
  switch (state) {
    case 'the inventory is empty': {
      const list = await readList(options);
      return list === undefined || list.size === 0 ? undefined : 'the list has entries';
    }
    case 'the inventory has no pet': {
      const petId = toInteger(params['petId']);
      const list = await readList(options);
      return petId !== undefined && list?.has(petId) === true
        ? `the list has the pet ${petId}`
        : undefined;
    }
    case 'the inventory has the items':
      return findMissing(params['items'], await readList(options));
    default:
      return undefined;
  }
}

function findMissing(
  items: ExactJson | undefined,
  list: ReadonlyMap<bigint, bigint | undefined> | undefined,
): string | undefined {
  if (list === undefined || !Array.isArray(items)) return undefined;
  for (const item of items as readonly ExactJson[]) {
    const { petId, quantity } = toEntry(item);
    if (petId === undefined) continue;
    if (!list.has(petId)) return `the list lacks the pet ${petId}`;
    if (list.get(petId) !== quantity) {
      return `the pet ${petId} is listed with the quantity ${list.get(petId)}, not ${quantity}`;
    }
  }
  return undefined;
}

function toEntry(item: ExactJson): {
  petId: bigint | undefined;
  quantity: bigint | undefined;
} {
  if (!isJsonObject(item)) return { petId: undefined, quantity: undefined };
  return { petId: toInteger(item['petId']), quantity: toInteger(item['quantity']) };
}

async function readList(
  options: VerifiedProvider,
): Promise<ReadonlyMap<bigint, bigint | undefined> | undefined> {
  const answer = await listInventory(options);
  if (answer.kind === 'unanswered' || answer.status !== 200) return undefined;
  const parsed = parseExactJson(answer.body.toString('utf8'));
  if (!parsed.ok || !Array.isArray(parsed.value)) return undefined;
  const quantities = new Map<bigint, bigint | undefined>();
  for (const item of parsed.value as readonly ExactJson[]) {
    const { petId, quantity } = toEntry(item);
    if (petId !== undefined) quantities.set(petId, quantity);
  }
  return quantities;
}

/** `GET /inventory` with the provider's key. */
export function listInventory({
  baseUrl,
  apiKey,
  timeout,
}: Pick<VerifiedProvider, 'baseUrl' | 'apiKey' | 'timeout'>): ReturnType<typeof exchange> {
  const url = new URL(`${baseUrl.href.replace(/\/$/, '')}/inventory`);
  return exchange({ method: 'GET', url, headers: ['Authorization', `Bearer ${apiKey}`] }, timeout);
}

function toHeaders(token: string | undefined): string[] {
  const headers = ['Content-Type', 'application/json', 'Accept', 'application/json'];
  return token === undefined ? headers : [...headers, 'Authorization', `Bearer ${token}`];
}

function quote(body: Buffer, token: string | undefined): string {
  const whole = body.toString('utf8').trim();
  const text = token === undefined ? whole : whole.replaceAll(token, '…');
  if (text === '') return '';
  return `: ${text.length <= 200 ? text : `${text.slice(0, 199)}…`}`;
}
