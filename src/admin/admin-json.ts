import {
  NumberLiteral,
  parseExactJson,
  stringifyExactJson,
  type ExactJson,
} from '../json/exact-json.ts';
import { formatJsonPath, type JsonPath } from '../json/json-path.ts';

/** Whose integers have no bound, or one beyond a double: they are `bigint` in what is received. */
const exactNames: ReadonlySet<string> = new Set(['petId', 'quantity', 'quantity-range']);

export type ReadJson =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

/** Reads what the admin API sends: integers of the inventory as `bigint`, other numbers as numbers. */
export function readAdminJson(text: string): ReadJson {
  const parsed = parseExactJson(text);
  return parsed.ok ? { ok: true, value: toPlain(parsed.value, false) } : parsed;
}

function toPlain(value: ExactJson, isExact: boolean): unknown {
  if (typeof value === 'bigint') return isExact ? value : Number(value);
  if (value instanceof NumberLiteral) return Number(value.source);
  if (Array.isArray(value)) return (value as ExactJson[]).map((part) => toPlain(part, isExact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      toPlain(part, isExact || exactNames.has(name)),
    ]),
  );
}

/**
 * Writes what the admin API is sent, with all digits of every `bigint`.
 *
 * @throws {RangeError} for a number that may have lost digits already
 */
export function writeAdminJson(value: unknown): string {
  refuseLostDigits(value, []);
  return stringifyExactJson(value);
}

function refuseLostDigits(value: unknown, path: JsonPath): void {
  if (typeof value === 'number') {
    if (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))) return;
    throw new RangeError(
      `${formatJsonPath(path)} must be a number that is exact, or a bigint; got ${value}`,
    );
  }
  if (typeof value !== 'object' || value === null || value instanceof NumberLiteral) return;
  if (Array.isArray(value)) {
    for (const [index, part] of value.entries()) refuseLostDigits(part, [...path, index]);
    return;
  }
  for (const [name, part] of Object.entries(value)) refuseLostDigits(part, [...path, name]);
}

/**
 * The digits of an integer as people type it.
 *
 * @throws {RangeError} for a number that is not a safe integer
 */
export function toDigits(name: string, value: number | bigint): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new RangeError(
      `${name} must be a safe integer or a bigint; got the number ${value}, which may have lost digits`,
    );
  }
  // BigInt: a number of -0 is 0.
  return BigInt(value).toString();
}

/**
 * A fixture as people hand it over: the name of one, an object or an array, or the text of one, such
 * as `export()` gives.
 *
 * @throws {SyntaxError} for a text that begins like JSON and is none
 */
export function readFixture(fixture: string | object): unknown {
  if (typeof fixture !== 'string') return isIterable(fixture) ? Array.from(fixture) : fixture;
  if (!/^\s*[[{]/.test(fixture)) return fixture;
  const parsed = parseExactJson(fixture);
  if (!parsed.ok) throw new SyntaxError(`the text of the fixture is not JSON: ${parsed.problem}`);
  return parsed.value;
}

function isIterable(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value;
}
