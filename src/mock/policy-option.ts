import type { ExactJson } from '../json/exact-json.ts';
import {
  choicesOf,
  defaultPolicy,
  isPolicyName,
  listOfNames,
  parseAnswer,
  type Policy,
  type PolicyChanges,
} from './policy.ts';

export type ParsedPolicyOption =
  | { readonly ok: true; readonly policy: PolicyChanges }
  | { readonly ok: false; readonly message: string };

/**
 * Reads a policy as it is typed: `content-type=415`, `quantity-range=0..100`,
 * `error-codes=not_found:E404,unauthorized:E401`, `body-limit=65536`. The name of the default
 * answer is always good: `quantity-range=unbounded`.
 */
export function parsePolicyOption(option: string): ParsedPolicyOption {
  const [, name, answer] = /^([^=]*)=(.*)$/s.exec(option) ?? [];
  if (name === undefined || answer === undefined) {
    return refuse(`${option}: expected <decision>=<answer>, such as content-type=415`);
  }
  if (!isPolicyName(name)) return refuse(`${name}: there is no such decision; ${listOfNames()}`);
  if (answer === choicesOf(name)[0]) return { ok: true, policy: { [name]: defaultPolicy[name] } };
  const json = toJson(name, answer);
  if (json === undefined) return refuse(`${name}: ${expected(name)}; got "${answer}"`);
  const parsed = parseAnswer(name, json, []);
  if (parsed.ok) return { ok: true, policy: { [name]: parsed.value } };
  return refuse(
    parsed.problems
      .map(({ path, message }) => `${[name, ...path].join('.')}: ${message}`)
      .join('; '),
  );
}

function refuse(message: string): ParsedPolicyOption {
  return { ok: false, message };
}

function expected(name: keyof Policy): string {
  switch (name) {
    case 'error-codes':
      return 'expected new names for codes, such as not_found:E404,unauthorized:E401';
    case 'quantity-range':
      return 'expected bounds, such as 0..100, 0.. or ..100';
    case 'body-limit':
      return 'expected a number of bytes from 1 to 1073741824';
    default:
      return `expected one of ${choicesOf(name).join(', ')}`;
  }
}

/** Turns an answer as typed into the JSON that a fixture would hold. */
function toJson(name: keyof Policy, answer: string): ExactJson | undefined {
  switch (name) {
    case 'error-codes': {
      const pairs = answer.split(',').map((pair) => /^(\w+):(.+)$/.exec(pair));
      return pairs.includes(null)
        ? undefined
        : Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']));
    }
    case 'quantity-range': {
      const [, minimum = '', maximum = ''] = /^(-?\d+)?\.\.(-?\d+)?$/.exec(answer) ?? [];
      if (minimum === '' && maximum === '') return undefined;
      return {
        ...(minimum === '' ? {} : { minimum: BigInt(minimum) }),
        ...(maximum === '' ? {} : { maximum: BigInt(maximum) }),
      };
    }
    case 'body-limit':
      return /^\d{1,10}$/.test(answer) ? BigInt(answer) : undefined;
    default:
      return choicesOf(name).includes(answer) ? answer : undefined;
  }
}
