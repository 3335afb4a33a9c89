import { describeJson, isJsonObject, type ExactJson } from '../../json/exact-json.ts';
import type { JsonPath, JsonProblem } from '../../json/json-path.ts';
import { describeValue } from '../check-options.ts';
import { parseFaultRule, toFaultRule, type FaultRule, type FaultRuleInput } from './fault-rule.ts';

/** Rules by the name of their scenario. */
export type Scenarios = Readonly<Record<string, readonly FaultRule[]>>;

/** Scenarios as people type them. */
export type ScenariosInput = Readonly<Record<string, readonly FaultRuleInput[]>>;

/** The most rules that a scenario may have, and that may be added to a mock by hand. */
export const maximumRules = 50;

/** The most scenarios that a fixture may have. */
export const maximumScenarios = 100;

const scenarioName = /^[^\s\p{Cc}](?:[^\p{Cc}]{0,62}[^\s\p{Cc}])?$/u;
const expectedName =
  'expected a name of 1 to 64 characters that does not begin or end with a space';

/** Reads the scenarios of a fixture. What is wrong is added to the problems. */
export function readScenarios(
  value: ExactJson,
  path: JsonPath,
  problems: JsonProblem[],
): Scenarios {
  if (!isJsonObject(value)) {
    problems.push({
      path,
      message: `expected scenarios by name, such as {"bad network": [{"fault": {"kind": "reset"}}]}; got ${describeJson(value)}`,
    });
    return {};
  }
  const entries = Object.entries(value);
  if (entries.length > maximumScenarios) {
    problems.push({ path, message: tooMany(entries.length) });
    return {};
  }
  return Object.fromEntries(
    entries.map(([name, rules]) => {
      const at = [...path, name];
      if (!scenarioName.test(name)) problems.push({ path: at, message: expectedName });
      return [name, readRules(rules, at, problems)];
    }),
  );
}

function tooMany(count: number): string {
  return `expected at most ${maximumScenarios} scenarios; got ${count}`;
}

function readRules(
  value: ExactJson,
  path: JsonPath,
  problems: JsonProblem[],
): readonly FaultRule[] {
  const rules = Array.isArray(value) ? (value as readonly ExactJson[]) : [];
  if (rules.length === 0 || rules.length > maximumRules) {
    const got = rules.length === 0 ? describeJson(value) : `${rules.length}`;
    const message = `expected an array of 1 to ${maximumRules} rules; got ${got}`;
    problems.push({ path, message });
    return [];
  }
  return rules.flatMap((rule, index) => {
    const parsed = parseFaultRule(rule, [...path, index]);
    if (parsed.ok) return [parsed.rule];
    problems.push(...parsed.problems);
    return [];
  });
}

/**
 * Reads scenarios as people type them.
 *
 * @throws {TypeError} for what is no object of lists
 * @throws {RangeError} for a wrong rule, naming the scenario and the field
 */
export function toScenarios(input: ScenariosInput): Scenarios {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new TypeError(
      `scenarios must be an object such as { 'bad network': [{ fault: { kind: 'reset' } }] }; got ${describeValue(input)}`,
    );
  }
  const entries = Object.entries(input);
  if (entries.length > maximumScenarios) {
    throw new RangeError(`scenarios: ${tooMany(entries.length)}`);
  }
  return Object.fromEntries(
    entries.map(([name, rules]) => {
      const where = `scenarios[${JSON.stringify(name)}]`;
      if (!scenarioName.test(name)) throw new RangeError(`${where}: ${expectedName}`);
      if (!Array.isArray(rules) || rules.length === 0 || rules.length > maximumRules) {
        throw new TypeError(
          `${where} must be a list of 1 to ${maximumRules} rules; got ${describeValue(rules)}`,
        );
      }
      return [
        name,
        (rules as readonly FaultRuleInput[]).map((rule, index) =>
          toFaultRule(rule, `${where}[${index}]`),
        ),
      ];
    }),
  );
}
