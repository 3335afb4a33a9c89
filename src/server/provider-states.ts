import { petStatuses } from '../../contracts/pet-status.ts';
import { providerStateNames, type StateItem } from '../../contracts/provider-states.ts';
import type { InventoryItem } from '../inventory/item.ts';
import { isInt64 } from '../inventory/pet-id.ts';
import { describeJson, isJsonObject, toInteger, type ExactJson } from '../json/exact-json.ts';
import type { Mock } from '../mock/mock.ts';
import type { Sandbox } from '../mock/sandbox.ts';

export type StateOutcome =
  | { readonly kind: 'done' }
  /** What is wrong with the request, and what was expected. */
  | { readonly kind: 'refused'; readonly message: string };

/** Brings a mock into the states that the pacts name. */
export interface ProviderStates {
  /**
   * Handles one request of Pact's protocol: `{"state": "…", "params": {…}, "action": "setup"}`.
   * The first set-up keeps the inventory as it was; `teardown` brings it back.
   */
  change(body: ExactJson): Promise<StateOutcome>;
}

/** What is brought into the states: the inventory of a mock, or of one sandbox. */
type Changeable = Pick<Mock, 'items' | 'replace'> | Pick<Sandbox, 'items' | 'replace'>;

const done: StateOutcome = { kind: 'done' };

const refused = (message: string): StateOutcome => ({ kind: 'refused', message });

/** Creates the provider states of a mock, or of one sandbox. */
export function createProviderStates(mock: Changeable): ProviderStates {
  let before: readonly InventoryItem[] | undefined;

  const setUp = async (name: ExactJson | undefined, params: ExactJson): Promise<StateOutcome> => {
    const current = [...(await mock.items())];
    const next = toInventory(name, params, current);
    if (typeof next === 'string') return refused(next);
    before ??= current;
    await mock.replace(next);
    return done;
  };

  const tearDown = async (): Promise<StateOutcome> => {
    if (before !== undefined) await mock.replace(before);
    before = undefined;
    return done;
  };

  return {
    async change(body) {
      if (!isJsonObject(body)) {
        return refused(`the body must be a JSON object; got ${describeJson(body)}`);
      }
      const { state, params = {}, action = 'setup' } = body;
      // What Pact's verifier asks for where an interaction has no state.
      if (state === '') return done;
      if (action === 'teardown') return tearDown();
      if (action === 'setup') return setUp(state, params);
      return refused(`action must be "setup" or "teardown"; got ${describeJson(action)}`);
    },
  };
}

/** The inventory in a state, or the message why there is none. */
function toInventory(
  name: ExactJson | undefined,
  params: ExactJson,
  current: readonly InventoryItem[],
): readonly InventoryItem[] | string {
  if (!isJsonObject(params)) return `params must be an object; got ${describeJson(params)}`;
  switch (name) {
    case 'the inventory has the items': {
      const items = parseItems(params['items']);
      return typeof items === 'string' ? items : withItems(current, items);
    }
    case 'the inventory has no pet': {
      const petId = toInteger(params['petId']);
      return petId === undefined
        ? `params.petId must be an integer; got ${describeJson(params['petId'])}`
        : current.filter((item) => item.petId !== petId);
    }
    case 'the inventory is empty':
      return [];
    default: {
      const known = providerStateNames.map((state) => JSON.stringify(state)).join(', ');
      return `there is no such provider state; got ${describeJson(name)}, the states are ${known}`;
    }
  }
}

function withItems(
  current: readonly InventoryItem[],
  items: readonly StateItem[],
): readonly InventoryItem[] {
  const byPetId = new Map([...current, ...items].map((item) => [item.petId, item]));
  return [...byPetId.values()];
}

function parseItems(items: ExactJson | undefined): readonly StateItem[] | string {
  if (!Array.isArray(items)) return `params.items must be an array; got ${describeJson(items)}`;
  const parsed: StateItem[] = [];
  for (const [index, value] of (items as readonly ExactJson[]).entries()) {
    const item = parseItem(value, `params.items[${index}]`);
    if (typeof item === 'string') return item;
    parsed.push(item);
  }
  return parsed;
}

function parseItem(value: ExactJson, at: string): StateItem | string {
  if (!isJsonObject(value)) return `${at} must be an object; got ${describeJson(value)}`;
  const petId = toInteger(value['petId']);
  if (petId === undefined || !isInt64(petId)) {
    return `${at}.petId must be an integer of 64 bits; got ${describeJson(value['petId'])}`;
  }
  const quantity = toInteger(value['quantity']);
  if (quantity === undefined) {
    return `${at}.quantity must be an integer; got ${describeJson(value['quantity'])}`;
  }
  const status = petStatuses.find((known) => known === value['status']);
  if (status === undefined) {
    return `${at}.status must be ${petStatuses.join(', ')}; got ${describeJson(value['status'])}`;
  }
  return { petId, quantity, status };
}
