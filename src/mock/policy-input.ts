import type { ExactJson } from '../json/exact-json.ts';
import { formatJsonPath } from '../json/json-path.ts';
import { toExactInteger } from './item-input.ts';
import { parsePolicy, type Policy, type PolicyChanges } from './policy.ts';

/** A policy as people type it: answers that differ from the defaults. Bounds may be numbers. */
export type PolicyInput = Partial<Omit<Policy, 'quantity-range'>> & {
  /** Inclusive bounds; left out: none. */
  readonly 'quantity-range'?: {
    readonly minimum?: number | bigint;
    readonly maximum?: number | bigint;
  };
};

/**
 * Reads a policy as people type it.
 *
 * @throws {RangeError} naming the decision or the answer that there is not
 */
export function toPolicy(input: PolicyInput): PolicyChanges {
  const parsed = parsePolicy(toExactJson(input), ['policy']);
  if (parsed.ok) return parsed.policy;
  throw new RangeError(
    parsed.problems
      .map(({ path, message }) => `${formatJsonPath(path).slice('$.'.length)}: ${message}`)
      .join('\n'),
  );
}

/** As if it had been read from a fixture. */
function toExactJson(value: unknown): ExactJson {
  if (typeof value === 'number') return toExactInteger(value, 'policy: a number');
  if (typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean') {
    return value;
  }
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) return [];
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(entries.map(([name, field]) => [name, toExactJson(field)]));
}
