import {
  isJsonObject,
  parseExactJson,
  stringifyExactJson,
  type ExactJson,
  type ExactJsonObject,
} from '../json/exact-json.ts';
import { formatJsonPath, type JsonProblem } from '../json/json-path.ts';
import type { Numbering } from './faults/fault-plan.ts';
import { parseFaultRule, type FaultRule } from './faults/fault-rule.ts';
import { maximumRules, readScenarios, type Scenarios } from './faults/scenarios.ts';
import { parsePolicy, type PolicyChanges } from './policy.ts';
import { SandboxError } from './sandbox.ts';

/** What a mock keeps with a sandbox, besides its inventory. */
export interface SandboxSettings {
  readonly name: string;
  /** What the fixture is called. */
  readonly fixture: string;
  /** In milliseconds since the epoch. */
  readonly createdAt: number;
  /** Answers that differ from the defaults. */
  readonly policy: PolicyChanges;
  readonly scenarios: Scenarios;
  /** The scenario that is on. */
  readonly scenario?: string;
  /** An int32 that decides what is random in faults. */
  readonly seed: number;
  /** The faults that were added by themselves. */
  readonly rules: readonly FaultRule[];
  /** It is of use for a moment only, and nobody's. Left out: it is not. */
  readonly isTemporary?: true;
  /** What all processes call the faults. Left out: as in a sandbox that was just made. */
  readonly numbering?: Numbering;
}

/** In characters. A sandbox without pets takes about as much memory. */
const longestSettings = 1_048_576;

/**
 * Writes settings as the text that a storage keeps.
 *
 * @throws {SandboxError} `limit` where they are too long to be kept for thousands of sandboxes
 */
export function writeSettings(settings: SandboxSettings): string {
  const text = stringifyExactJson(settings);
  if (text.length <= longestSettings) return text;
  throw new SandboxError(
    'limit',
    `policy, scenarios and faults of a sandbox may take ${longestSettings} characters as JSON; they take ${text.length}`,
  );
}

/**
 * Reads what {@link writeSettings} wrote. What cannot be read is left out, because another version
 * wrote it or somebody else: a sandbox whose settings are damaged still has its inventory, and must
 * not take the others with it.
 *
 * @param tell is told what was left out
 */
export function readSettings(text: string, tell?: (problem: Error) => void): SandboxSettings {
  const problems: JsonProblem[] = [];
  const fields = readObject(text, problems);
  const { name, fixture, createdAt, scenario, seed } = fields;
  const scenarios = readScenarios(fields['scenarios'] ?? {}, ['scenarios'], problems);
  const settings: SandboxSettings = {
    name: readText(name, 'unnamed'),
    fixture: readText(fixture, 'unknown'),
    createdAt: readNumber(createdAt, latestTime) ?? 0,
    policy: readPolicy(fields['policy'] ?? {}, problems),
    scenarios,
    ...(typeof scenario === 'string' && Object.hasOwn(scenarios, scenario) ? { scenario } : {}),
    seed: readNumber(seed, 2 ** 31 - 1) ?? 1,
    rules: readRules(fields['rules'] ?? [], problems),
    ...(fields['isTemporary'] === true ? { isTemporary: true } : {}),
    ...readNumbering(fields['numbering']),
  };
  if (problems.length > 0) {
    const told = problems.map(({ path, message }) => `${formatJsonPath(path)}: ${message}`);
    tell?.(
      new Error(`the settings of a sandbox cannot be read whole; left out: ${told.join('; ')}`),
    );
  }
  return settings;
}

/** In milliseconds since the epoch: beyond, there is no date (ECMAScript, "Time Values"). */
const latestTime = 8.64e15;

function readObject(text: string, problems: JsonProblem[]): ExactJsonObject {
  const parsed = parseExactJson(text);
  if (parsed.ok && isJsonObject(parsed.value)) return parsed.value;
  problems.push({ path: [], message: 'expected a JSON object' });
  return {};
}

function readText(value: ExactJson | undefined, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}

function readNumber(value: ExactJson | undefined, largest: number): number | undefined {
  const number = typeof value === 'bigint' ? Number(value) : Number.NaN;
  return Math.abs(number) <= largest ? number : undefined;
}

/** Each answer by itself: a decision that is no more must not take the others with it. */
function readPolicy(value: ExactJson, problems: JsonProblem[]): PolicyChanges {
  const answers = isJsonObject(value) ? Object.entries(value) : [];
  return Object.assign(
    {},
    ...answers.map(([name, answer]) => {
      const parsed = parsePolicy({ [name]: answer }, ['policy']);
      if (parsed.ok) return parsed.policy;
      problems.push(...parsed.problems);
      return {};
    }),
  ) as PolicyChanges;
}

/** Damaged, it is left out: the faults get new names then, and count from the beginning. */
function readNumbering(value: ExactJson | undefined): Pick<SandboxSettings, 'numbering'> {
  if (value === undefined || !isJsonObject(value)) return {};
  const [run, lastId, lastPlace] = [value['run'], value['lastId'], value['lastPlace']].map(
    readCount,
  );
  const played = readCounts(value['played']);
  const added = (Array.isArray(value['added']) ? (value['added'] as readonly ExactJson[]) : []).map(
    (numbers) => readCounts(numbers),
  );
  if (run === undefined || lastId === undefined || lastPlace === undefined) return {};
  return {
    numbering: {
      run,
      lastId,
      lastPlace,
      played,
      added: added.map(([id = 0, place = 0]) => [id, place]),
    },
  };
}

function readCounts(value: ExactJson | undefined): readonly number[] {
  const counts = Array.isArray(value) ? (value as readonly ExactJson[]) : [];
  return counts.map((count) => readCount(count) ?? 0);
}

function readCount(value: ExactJson | undefined): number | undefined {
  return readNumber(value, Number.MAX_SAFE_INTEGER);
}

function readRules(value: ExactJson, problems: JsonProblem[]): readonly FaultRule[] {
  const rules = Array.isArray(value) ? (value as readonly ExactJson[]) : [];
  return rules.slice(0, maximumRules).flatMap((rule, index) => {
    const parsed = parseFaultRule(rule, ['rules', index]);
    if (parsed.ok) return [parsed.rule];
    problems.push(...parsed.problems);
    return [];
  });
}
