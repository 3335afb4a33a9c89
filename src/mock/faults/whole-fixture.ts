import { builtinFixtures } from '../../../fixtures/builtin.ts';
import { parseFixture, type Fixture } from '../fixture.ts';
import { toFixture, type Seed } from '../seed.ts';
import { toScenarios } from './scenarios.ts';

/**
 * Makes a fixture from what people type, its scenarios included: what a mock with faults is seeded
 * from. A page without faults does not load what this needs.
 *
 * @throws like {@link toFixture}, and likewise for a wrong scenario
 */
export function toWholeFixture(seed: Seed): Fixture {
  // Says what is wrong with a name that there is not.
  const fixture = toFixture(seed);
  if (typeof seed === 'string') return readBuiltin(builtinFixtures[seed]);
  if (!('scenarios' in seed) || seed.scenarios === undefined) return fixture;
  return { ...fixture, scenarios: toScenarios(seed.scenarios) };
}

function readBuiltin(text: string): Fixture {
  const parsed = parseFixture(text);
  if (!parsed.ok) throw new Error('a built-in fixture is refused');
  return parsed.fixture;
}
