import { petStatuses, type PetStatus } from '../../contracts/pet-status.ts';
import { isSendableKey } from '../inventory/authorization.ts';
import type { InventoryItem } from '../inventory/item.ts';
import { isInt64 } from '../inventory/pet-id.ts';
import {
  describeJson,
  isJsonObject,
  NumberLiteral,
  parseExactJson,
  stringifyExactJson,
  toInteger,
  type ExactJson,
} from '../json/exact-json.ts';
import type { JsonPath, JsonProblem } from '../json/json-path.ts';
import { readScenarios, type Scenarios } from './faults/scenarios.ts';
import { parsePolicy, type PolicyChanges } from './policy.ts';

/** What a mock is seeded from. */
export interface Fixture {
  /** No two items have the same petId. */
  readonly inventory: readonly InventoryItem[];
  readonly apiKeys?: readonly string[];
  readonly policy?: PolicyChanges;
  /** Faults to be switched on together, by name. */
  readonly scenarios?: Scenarios;
}

export type ParsedFixture =
  | { readonly ok: true; readonly fixture: Fixture }
  /** The text is not JSON; the sentence is the parser's. */
  | { readonly ok: false; readonly kind: 'syntax'; readonly problem: string }
  /** The value is not a fixture: at least one problem, at most {@link maximumProblems}. */
  | { readonly ok: false; readonly kind: 'content'; readonly problems: readonly JsonProblem[] };

/** Where more is wrong, the rest is reported once these are mended. */
export const maximumProblems = 10;

/**
 * Reads a fixture: an object with `inventory` and optionally `apiKeys`, `policy` and
 * `scenarios`, or just the array of the inventory. Integers are exact.
 */
export function parseFixture(text: string): ParsedFixture {
  const parsed = parseExactJson(text);
  return parsed.ok
    ? parseFixtureValue(parsed.value)
    : { ok: false, kind: 'syntax', problem: parsed.problem };
}

/** Reads a fixture from JSON that is parsed already. */
export function parseFixtureValue(
  value: ExactJson,
): Exclude<ParsedFixture, { readonly kind: 'syntax' }> {
  const problems: JsonProblem[] = [];
  const fixture = Array.isArray(value)
    ? { inventory: readInventory(value as readonly ExactJson[], [], problems) }
    : readFixture(value, problems);
  return problems.length > 0
    ? { ok: false, kind: 'content', problems: problems.slice(0, maximumProblems) }
    : { ok: true, fixture };
}

function readFixture(value: ExactJson, problems: JsonProblem[]): Fixture {
  if (!isJsonObject(value)) {
    problems.push({
      path: [],
      message: `expected an object with the inventory, or its array; got ${describeJson(value)}`,
    });
    return { inventory: [] };
  }
  for (const name of Object.keys(value)) {
    if (!['$schema', 'inventory', 'apiKeys', 'policy', 'scenarios'].includes(name)) {
      problems.push({
        path: [name],
        message: 'there is no such field; a fixture has inventory, apiKeys, policy and scenarios',
      });
    }
  }
  const { inventory, apiKeys, policy, scenarios } = value;
  if (!Array.isArray(inventory)) {
    problems.push({
      path: inventory === undefined ? [] : ['inventory'],
      message: `expected inventory, an array of items; got ${describeJson(inventory)}`,
    });
  }
  return {
    inventory: Array.isArray(inventory)
      ? readInventory(inventory as readonly ExactJson[], ['inventory'], problems)
      : [],
    ...(apiKeys === undefined ? {} : { apiKeys: readApiKeys(apiKeys, problems) }),
    ...(policy === undefined ? {} : { policy: readPolicy(policy, problems) }),
    ...(scenarios === undefined
      ? {}
      : { scenarios: readScenarios(scenarios, ['scenarios'], problems) }),
  };
}

function readPolicy(value: ExactJson, problems: JsonProblem[]): PolicyChanges {
  const parsed = parsePolicy(value, ['policy']);
  if (parsed.ok) return parsed.policy;
  problems.push(...parsed.problems.slice(0, maximumProblems));
  return {};
}

function readApiKeys(value: ExactJson, problems: JsonProblem[]): readonly string[] {
  const keys = Array.isArray(value) ? (value as readonly ExactJson[]) : [];
  if (keys.length === 0) {
    problems.push({
      path: ['apiKeys'],
      message: `expected an array of at least one key; got ${describeType(value)}`,
    });
  }
  return keys.filter((key, index): key is string => {
    if (typeof key === 'string' && isSendableKey(key)) return true;
    // The value is not repeated: it may be a key that is merely mistyped.
    const got = typeof key === 'string' ? 'another string' : describeType(key);
    problems.push({
      path: ['apiKeys', index],
      message: `expected a key of visible ASCII characters without spaces; got ${got}`,
    });
    return false;
  });
}

/** Names the type of a value alone: the value may be a key. */
function describeType(value: ExactJson): string {
  if (typeof value === 'string') return 'a string';
  return typeof value === 'object' && !(value instanceof NumberLiteral)
    ? describeJson(value)
    : 'another value';
}

function readInventory(
  items: readonly ExactJson[],
  path: JsonPath,
  problems: JsonProblem[],
): readonly InventoryItem[] {
  const positions = new Map<bigint, number>();
  const inventory: InventoryItem[] = [];
  for (const [index, value] of items.entries()) {
    if (problems.length >= maximumProblems) break;
    const item = readItem(value, [...path, index], problems);
    if (item !== undefined) {
      const earlier = positions.get(item.petId);
      if (earlier === undefined) positions.set(item.petId, index);
      else {
        problems.push({
          path: [...path, index, 'petId'],
          message: `petId ${item.petId} is taken already by item ${earlier}; expected one item for each pet`,
        });
      }
      inventory.push(item);
    }
  }
  return inventory;
}

const itemFields = new Set(['petId', 'quantity', 'status']);

function readItem(
  value: ExactJson,
  path: JsonPath,
  problems: JsonProblem[],
): InventoryItem | undefined {
  if (!isJsonObject(value)) {
    problems.push({
      path,
      message: `expected an item such as {"petId": 1, "quantity": 5, "status": "available"}; got ${describeJson(value)}`,
    });
    return undefined;
  }
  for (const name of Object.keys(value)) {
    if (!itemFields.has(name)) {
      problems.push({
        path: [...path, name],
        message: 'there is no such field; an item has petId, quantity and status',
      });
    }
  }
  const petId = readField(value['petId'], toInt64, 'an int64', [...path, 'petId'], problems);
  const quantity = readField(
    value['quantity'],
    toInteger,
    'an integer',
    [...path, 'quantity'],
    problems,
  );
  const status = readField(
    value['status'],
    toStatus,
    `one of ${petStatuses.join(', ')}`,
    [...path, 'status'],
    problems,
  );
  return petId === undefined || quantity === undefined || status === undefined
    ? undefined
    : { petId, quantity, status };
}

function readField<T>(
  value: ExactJson | undefined,
  read: (value: ExactJson | undefined) => T | undefined,
  expected: string,
  path: JsonPath,
  problems: JsonProblem[],
): T | undefined {
  const field = read(value);
  if (field === undefined) {
    problems.push({ path, message: `expected ${expected}; got ${describeJson(value)}` });
  }
  return field;
}

function toInt64(value: ExactJson | undefined): bigint | undefined {
  const integer = toInteger(value);
  return integer !== undefined && isInt64(integer) ? integer : undefined;
}

function toStatus(value: ExactJson | undefined): PetStatus | undefined {
  return petStatuses.find((status) => status === value);
}

/**
 * Writes a fixture as JSON, one item a line, so that two of them can be compared by line.
 *
 * @param rest what stands behind the inventory; what is empty is left out
 */
export function* toFixtureJson(
  inventory: Iterable<InventoryItem>,
  rest: Pick<Fixture, 'policy' | 'scenarios'> = {},
): Generator<string> {
  yield '{\n  "inventory": [';
  let separator = '\n';
  for (const { petId, quantity, status } of inventory) {
    yield `${separator}    { "petId": ${petId}, "quantity": ${quantity}, "status": "${status}" }`;
    separator = ',\n';
  }
  yield separator === '\n' ? ']' : '\n  ]';
  for (const [name, value] of Object.entries(rest)) {
    if (Object.keys(value).length > 0) {
      yield `,\n  "${name}": ${stringifyExactJson(value, 2).replaceAll('\n', '\n  ')}`;
    }
  }
  yield '\n}\n';
}
