import { refuseUnknownOptions } from './check-options.ts';
import type { FixtureSource } from './fixture-sources.ts';
import { mergePolicy, type PolicyChanges } from './policy.ts';
import { toPolicy } from './policy-input.ts';
import { checkName, checkScenario, checkSeed, explainAsInvalid } from './sandbox-options.ts';
import type { SandboxSettings } from './sandbox-settings.ts';
import type { SandboxChanges, SandboxOptions } from './sandbox.ts';

/**
 * The settings of a new sandbox.
 *
 * @param policy of the mock: it outweighs that of the fixture, and is outweighed by that of the options
 * @param createdAt in milliseconds since the epoch
 * @throws {SandboxError} `invalid`
 */
export function toSettings(
  { name: fixtureName, fixture }: FixtureSource,
  { name, policy: own, scenario, seed }: SandboxOptions,
  policy: PolicyChanges,
  createdAt: number,
): SandboxSettings {
  const { scenarios = {} } = fixture;
  if (name !== undefined) checkName(name, 'the name of a sandbox');
  if (scenario !== undefined) checkScenario(scenario, scenarios);
  if (seed !== undefined) checkSeed(seed);
  return {
    name: name ?? fixtureName,
    fixture: fixtureName,
    createdAt,
    policy: mergePolicy(mergePolicy(fixture.policy ?? {}, policy), readPolicy(own)),
    scenarios,
    ...(scenario === undefined ? {} : { scenario }),
    seed: seed ?? 1,
    rules: [],
  };
}

/**
 * The settings of a temporary sandbox like another. Its faults are numbered anew.
 *
 * @param createdAt in milliseconds since the epoch
 * @throws {SandboxError} `invalid`
 */
export function copySettings(
  { fixture, policy, scenarios, scenario, seed, rules }: SandboxSettings,
  name: string,
  createdAt: number,
): SandboxSettings {
  checkName(name, 'the name of a sandbox');
  return {
    name,
    fixture,
    createdAt,
    policy,
    scenarios,
    ...(scenario === undefined ? {} : { scenario }),
    seed,
    rules,
    isTemporary: true,
  };
}

/**
 * The settings of a sandbox after changes.
 *
 * @throws {SandboxError} `invalid`
 * @throws {TypeError} for a change that there is not
 */
export function changeSettings(
  settings: SandboxSettings,
  changes: SandboxChanges,
): SandboxSettings {
  refuseUnknownOptions(changes, changeNames, 'the changes of a sandbox', '{ seed: 7 }');
  const { name, policy, scenario, seed } = changes;
  const { scenario: scenarioBefore, ...rest } = settings;
  if (name !== undefined) checkName(name, 'the name of a sandbox');
  if (typeof scenario === 'string') checkScenario(scenario, settings.scenarios);
  if (seed !== undefined) checkSeed(seed);
  const scenarioAfter = scenario === undefined ? scenarioBefore : (scenario ?? undefined);
  return {
    ...rest,
    ...(name === undefined ? {} : { name }),
    ...(seed === undefined ? {} : { seed }),
    ...(scenarioAfter === undefined ? {} : { scenario: scenarioAfter }),
    policy: mergePolicy(settings.policy, readPolicy(policy)),
  };
}

const changeNames = ['name', 'policy', 'timeToLive', 'scenario', 'seed'] as const;

function readPolicy(policy: SandboxOptions['policy']): PolicyChanges {
  return policy === undefined ? {} : explainAsInvalid(() => toPolicy(policy));
}
