import type { BuiltinFixtureName } from '../../fixtures/builtin.ts';
import { builtinInventories } from '../../fixtures/builtin-inventories.ts';
import { parseExactJson } from '../json/exact-json.ts';
import { checkApiKeys, describeValue, refuseUnknownOptions } from './check-options.ts';
import type { Fixture } from './fixture.ts';
import type { ScenariosInput } from './faults/scenarios.ts';
import { toItems, type ItemInput } from './item-input.ts';
import { toPolicy, type PolicyInput } from './policy-input.ts';

/**
 * What a mock is seeded from: the name of a built-in fixture, a list of items, or an object with
 * the list in `inventory`.
 */
export type Seed =
  | BuiltinFixtureName
  | readonly ItemInput[]
  | {
      readonly inventory: readonly ItemInput[];
      readonly apiKeys?: readonly string[];
      readonly policy?: PolicyInput;
      /** For a mock with sandboxes; one without does not look at them. */
      readonly scenarios?: ScenariosInput;
    };

/**
 * Makes a fixture from what people type.
 *
 * @throws {RangeError} naming the item and the field that is wrong, or the fixture that there is not
 * @throws {TypeError} for what is no fixture at all
 */
export function toFixture(seed: Seed): Fixture {
  if (typeof seed === 'string') return readBuiltin(seed);
  if (isList(seed)) return { inventory: toItems(seed) };
  refuseUnknownOptions(seed, fixtureNames, 'fixture', '{ inventory: [] }');
  const { inventory, apiKeys, policy } = seed;
  if (!isList(inventory)) {
    throw new TypeError(
      `fixture.inventory must be a list of items; got ${describeValue(inventory)}`,
    );
  }
  if (apiKeys !== undefined) checkApiKeys(apiKeys);
  return {
    inventory: toItems(inventory),
    ...(apiKeys === undefined ? {} : { apiKeys }),
    ...(policy === undefined ? {} : { policy: toPolicy(policy) }),
  };
}

const fixtureNames = ['inventory', 'apiKeys', 'policy', 'scenarios', '$schema'];

function isList(seed: unknown): seed is readonly ItemInput[] {
  return Array.isArray(seed);
}

function readBuiltin(name: BuiltinFixtureName): Fixture {
  if (!Object.hasOwn(builtinInventories, name)) {
    const names = Object.keys(builtinInventories).join(', ');
    throw new RangeError(`there is no built-in fixture "${name}"; there are ${names}`);
  }
  // Not `parseFixture`: that judges what people write, and would double what a page has to load.
  const parsed = parseExactJson(builtinInventories[name]);
  if (!parsed.ok) throw new Error(`the built-in fixture "${name}" is not JSON: ${parsed.problem}`);
  return { inventory: toItems(parsed.value as unknown as readonly ItemInput[]) };
}
