import type { InventoryItem } from '../../inventory/item.ts';
import { isJsonObject, type ExactJson } from '../../json/exact-json.ts';
import type { JsonPath } from '../../json/json-path.ts';
import { parseFixtureValue, type Fixture } from '../../mock/fixture.ts';
import type { Seed } from '../../mock/seed.ts';
import { expected, readOneOf, refuseInput, type Reader } from './read-input.ts';

/**
 * The name of a fixture, or a fixture in full.
 *
 * @param names of the fixtures that there are
 */
export function readSeed(names: readonly string[]): Reader<Seed | 'server'> {
  return (value, path) => {
    // Only names that the engine itself gave come through.
    if (typeof value === 'string') return readOneOf(names)(value, path) as Seed | 'server';
    if (isJsonObject(value) || Array.isArray(value)) return readFixture(value, path);
    throw expected(`a fixture, or the name of one: ${names.join(', ')}`, value, path);
  };
}

/** The items of a fixture, or of the array alone. */
export function readInventory(value: ExactJson | undefined): readonly InventoryItem[] {
  if (value === undefined) throw expected('a fixture, or the array of its items', value, []);
  return readFixture(value, []).inventory;
}

function readFixture(value: ExactJson, at: JsonPath): Fixture {
  const parsed = parseFixtureValue(value);
  if (parsed.ok) return parsed.fixture;
  throw refuseInput(parsed.problems.map((it) => ({ ...it, path: [...at, ...it.path] })));
}
