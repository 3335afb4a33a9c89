import { decisions, type ChoiceOf, type DecisionId } from '../../contracts/decisions.ts';
import { errorCodes, type ErrorCode } from '../inventory/error-body.ts';
import { describeJson, isJsonObject, toInteger, type ExactJson } from '../json/exact-json.ts';
import type { JsonPath, JsonProblem } from '../json/json-path.ts';

/** The decisions that are a choice between named answers. */
type NamedDecision =
  | 'integer-notation'
  | 'unknown-fields'
  | 'status-transition'
  | 'error-precedence'
  | 'pet-id-syntax'
  | 'content-type'
  | 'scheme-case'
  | 'challenge'
  | 'unspecified-routes';

/** The mock's answer to every decision (`contracts/decisions.ts`) that has more than one. */
export type Policy = { readonly [Id in NamedDecision]: ChoiceOf<Id> } & {
  /** Another name for some of the codes. */
  readonly 'error-codes': { readonly [Code in ErrorCode]?: string };
  /** Inclusive bounds; left out: none. */
  readonly 'quantity-range': { readonly minimum?: bigint; readonly maximum?: bigint };
  /** Bytes, from 1 to 2^30. */
  readonly 'body-limit': number;
};

/** Answers that differ from the defaults. */
export type PolicyChanges = Partial<Policy>;

export const defaultPolicy: Policy = {
  'error-codes': {},
  'quantity-range': {},
  'integer-notation': 'accept',
  'unknown-fields': 'ignore',
  'status-transition': 'keep',
  'error-precedence': '400-first',
  'pet-id-syntax': '404',
  'content-type': '400',
  'scheme-case': 'ignore',
  challenge: 'bearer',
  'unspecified-routes': '405',
  'body-limit': 1_048_576,
};

/** Puts changes over a policy; codes that only the policy renames stay renamed. */
export function mergePolicy(policy: PolicyChanges, changes: PolicyChanges): PolicyChanges {
  const merged = { ...policy, ...changes };
  const codes = { ...policy['error-codes'], ...changes['error-codes'] };
  return 'error-codes' in merged ? { ...merged, 'error-codes': codes } : merged;
}

/** Decisions that a policy can answer, in the order of the table. */
export const policyNames: readonly (keyof Policy)[] = Object.keys(
  defaultPolicy,
) as (keyof Policy)[];

/**
 * The names of the answers, the default first. They stand in `contracts/decisions.ts` as well: that
 * table is prose for the most part, which a page with the mock in it should not have to load.
 */
export const namedAnswers: { readonly [Id in NamedDecision]: readonly ChoiceOf<Id>[] } = {
  'integer-notation': ['accept', 'refuse'],
  'unknown-fields': ['ignore', 'refuse'],
  'status-transition': ['keep', 'by-quantity'],
  'error-precedence': ['400-first', '404-first'],
  'pet-id-syntax': ['404', '400'],
  'content-type': ['400', '415', 'ignore'],
  'scheme-case': ['ignore', 'exact'],
  challenge: ['bearer', 'none'],
  'unspecified-routes': ['405', '404'],
};

export type ParsedPolicy =
  | { readonly ok: true; readonly policy: PolicyChanges }
  | { readonly ok: false; readonly problems: readonly JsonProblem[] };

/** Reads a policy from JSON, as it stands in a fixture: `{"content-type": "415"}`. */
export function parsePolicy(value: ExactJson, path: JsonPath = []): ParsedPolicy {
  if (!isJsonObject(value)) {
    return refuse(path, `the policy must be an object; got ${describeJson(value)}`);
  }
  const problems: JsonProblem[] = [];
  const policy: Record<string, unknown> = {};
  for (const [name, answer] of Object.entries(value)) {
    const at = [...path, name];
    if (isPolicyName(name)) {
      const parsed = parseAnswer(name, answer, at);
      if (parsed.ok) policy[name] = parsed.value;
      // Not spread into push: there may be more than a call may have arguments.
      else for (const problem of parsed.problems) problems.push(problem);
    } else {
      problems.push({ path: at, message: `there is no such decision; ${listOfNames()}` });
    }
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, policy };
}

/** Whether a policy can answer a decision of this name. */
export function isPolicyName(name: string): name is keyof Policy {
  return Object.hasOwn(defaultPolicy, name);
}

/** For messages: `the decisions are error-codes, …`. */
export function listOfNames(): string {
  return `the decisions are ${policyNames.join(', ')}`;
}

function refuse(path: JsonPath, message: string): { ok: false; problems: readonly JsonProblem[] } {
  return { ok: false, problems: [{ path, message }] };
}

export type ParsedAnswer =
  { ok: true; value: unknown } | { ok: false; problems: readonly JsonProblem[] };

/** Reads the answer to one decision from JSON. */
export function parseAnswer(name: keyof Policy, answer: ExactJson, path: JsonPath): ParsedAnswer {
  switch (name) {
    case 'error-codes':
      return parseErrorCodes(answer, path);
    case 'quantity-range':
      return parseRange(answer, path);
    case 'body-limit': {
      const limit = toInteger(answer);
      return limit !== undefined && limit >= 1n && limit <= 2n ** 30n
        ? { ok: true, value: Number(limit) }
        : refuse(path, `${expectedAnswer(name)}; got ${describeJson(answer)}`);
    }
    default:
      return namedAnswers[name].some((known) => known === answer)
        ? { ok: true, value: answer }
        : refuse(path, `${expectedAnswer(name)}; got ${describeJson(answer)}`);
  }
}

function parseErrorCodes(answer: ExactJson, path: JsonPath): ParsedAnswer {
  if (!isJsonObject(answer)) {
    return refuse(path, `${expectedAnswer('error-codes')}; got ${describeJson(answer)}`);
  }
  const problems: JsonProblem[] = [];
  for (const [code, renamed] of Object.entries(answer)) {
    const at = [...path, code];
    if (!errorCodes.some((known) => known === code)) {
      problems.push({
        path: at,
        message: `there is no such code; the codes are ${errorCodes.join(', ')}`,
      });
    } else if (typeof renamed !== 'string' || renamed === '') {
      problems.push({
        path: at,
        message: `expected the new name of the code, a string that is not empty; got ${describeJson(renamed)}`,
      });
    }
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: { ...answer } };
}

function parseRange(answer: ExactJson, path: JsonPath): ParsedAnswer {
  const expected = expectedAnswer('quantity-range');
  if (!isJsonObject(answer)) return refuse(path, `${expected}; got ${describeJson(answer)}`);
  const problems: JsonProblem[] = [];
  const range: Record<string, bigint> = {};
  for (const [bound, value] of Object.entries(answer)) {
    const at = [...path, bound];
    const integer = toInteger(value);
    if (bound !== 'minimum' && bound !== 'maximum') {
      problems.push({ path: at, message: `there is no such bound; ${expected}` });
    } else if (integer === undefined) {
      problems.push({ path: at, message: `expected an integer; got ${describeJson(value)}` });
    } else range[bound] = integer;
  }
  const { minimum, maximum } = range;
  if (minimum !== undefined && maximum !== undefined && minimum > maximum) {
    problems.push({ path, message: `the minimum ${minimum} is above the maximum ${maximum}` });
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: range };
}

/** The names of the answers to a decision, the default first. */
export function choicesOf(name: DecisionId): readonly string[] {
  return decisions.find(({ id }) => id === name)?.choices.map((choice) => choice.name) ?? [];
}

function expectedAnswer(name: keyof Policy): string {
  switch (name) {
    case 'error-codes':
      return 'expected new names for codes, such as {"not_found": "E404"}';
    case 'quantity-range':
      return 'expected bounds, such as {"minimum": 0, "maximum": 100}';
    case 'body-limit':
      return 'expected a number of bytes from 1 to 1073741824';
    default:
      return `expected one of ${namedAnswers[name].map((choice) => `"${choice}"`).join(', ')}`;
  }
}
