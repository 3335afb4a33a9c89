import { cutText } from './cut-text.ts';

/**
 * JSON without loss: every integer comes through with all its digits.
 *
 * `JSON.parse` with source text access and `JSON.rawJSON` (ECMAScript "JSON.parse source text
 * access") do the work; this file only decides what a number becomes.
 */

/**
 * The most digits an integer may have. Without a bound, the ten bytes `1e99999999` would ask for
 * a number of a hundred million digits.
 */
export const maximumIntegerDigits = 4096;

/** A JSON number that is not written as a plain integer: `1.5`, `1.0`, `1e2`, `-0`. */
export class NumberLiteral {
  /** The number exactly as it stood in the text. */
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** A parsed JSON value. Plain integers are `bigint`, other numbers keep their text. */
export type ExactJson =
  | null
  | boolean
  | string
  | bigint
  | NumberLiteral
  | readonly ExactJson[]
  | { readonly [name: string]: ExactJson };

/** A JSON object as {@link parseExactJson} returns it. */
export type ExactJsonObject = { readonly [name: string]: ExactJson };

export type ParsedJson =
  | { readonly ok: true; readonly value: ExactJson }
  | { readonly ok: false; readonly problem: string };

type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;

// TypeScript's own declarations do not know the third argument of the reviver and `rawJSON` yet.
const parseWithSource = JSON.parse as (text: string, reviver: Reviver) => ExactJson;
const { rawJSON } = JSON as unknown as { rawJSON: (this: void, text: string) => unknown };

const plainInteger = /^(?:0|-?[1-9][0-9]{0,4095})$/;

function reviveNumber(_name: string, value: unknown, context: { readonly source?: string }) {
  if (typeof value !== 'number') return value;
  const source = context.source ?? String(value);
  return plainInteger.test(source) ? BigInt(source) : new NumberLiteral(source);
}

/** Sixteen digits, a fraction, an exponent or a minus before zero, be it in a string. */
const mayLoseDigits = /[0-9]{16}|[0-9][.eE]|-0/;

/**
 * Turns numbers that are exact as they are into `bigint`, in place. Many times as fast as a reviver,
 * which is told of every value by its name and source.
 */
function toExact(value: unknown): unknown {
  if (typeof value === 'number') return BigInt(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const parts = value as unknown[];
    for (let index = 0; index < parts.length; index += 1) parts[index] = toExact(parts[index]);
    return parts;
  }
  const fields = value as Record<string, unknown>;
  for (const name of Object.keys(fields)) {
    const field = fields[name];
    if (typeof field !== 'string') fields[name] = toExact(field);
  }
  return fields;
}

/**
 * Parses JSON text, keeping every number exact.
 *
 * @returns the value, or the parser's own sentence about what is wrong with the text
 */
export function parseExactJson(text: string): ParsedJson {
  try {
    const value = mayLoseDigits.test(text)
      ? parseWithSource(text, reviveNumber)
      : (toExact(JSON.parse(text)) as ExactJson);
    return { ok: true, value };
  } catch (error) {
    // The value is walked recursively: very deep nesting exhausts the stack.
    if (error instanceof RangeError) return { ok: false, problem: 'it is nested too deeply' };
    if (error instanceof SyntaxError) return { ok: false, problem: error.message };
    throw error;
  }
}

/** Writes a value as JSON text; `bigint` and {@link NumberLiteral} keep their digits. */
export function stringifyExactJson(value: unknown, space?: number): string {
  return JSON.stringify(
    value,
    (_name, part: unknown) => {
      if (typeof part === 'bigint') return rawJSON(part.toString());
      if (part instanceof NumberLiteral) return rawJSON(part.source);
      return part;
    },
    space,
  );
}

export function isJsonObject(value: ExactJson): value is ExactJsonObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof NumberLiteral)
  );
}

export type IntegerReading =
  | { readonly kind: 'integer'; readonly value: bigint; readonly plain: boolean }
  | { readonly kind: 'fraction' }
  | { readonly kind: 'too-long' };

const numberParts = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/**
 * Judges by its exact text whether a JSON number is an integer: `1.0` and `1e2` are,
 * `1.0000000000000000001` is not, whatever a double would make of it.
 */
export function readInteger(value: bigint | NumberLiteral): IntegerReading {
  if (typeof value === 'bigint') return { kind: 'integer', value, plain: true };
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    numberParts.exec(value.source) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return { kind: 'integer', value: 0n, plain: false };
  const significant = withoutTrailingZeros(digits);
  const zeros = digits.length - significant.length + Number(exponent) - fraction.length;
  if (zeros < 0) return { kind: 'fraction' };
  if (significant.length + zeros > maximumIntegerDigits) return { kind: 'too-long' };
  return {
    kind: 'integer',
    value: BigInt(sign + significant + '0'.repeat(zeros)),
    plain: false,
  };
}

/** The integer that a JSON number is, by its exact text; `undefined` for everything else. */
export function toInteger(value: ExactJson | undefined): bigint | undefined {
  if (typeof value !== 'bigint' && !(value instanceof NumberLiteral)) return undefined;
  const reading = readInteger(value);
  return reading.kind === 'integer' ? reading.value : undefined;
}

// Not a regular expression: `/0+$/` takes quadratic time on a long run of inner zeros.
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 0x30) end -= 1;
  return digits.slice(0, end);
}

/**
 * Names a JSON value in an error message: `the string "5"`, `null`, `the number 1.5`.
 * Long values are cut, so that a message never repeats a whole body.
 */
export function describeJson(value: ExactJson | undefined): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  if (typeof value === 'string') return `the string ${JSON.stringify(cutText(value))}`;
  if (typeof value === 'boolean') return `the boolean ${value}`;
  if (typeof value === 'bigint') return `the number ${cutText(value.toString())}`;
  if (value instanceof NumberLiteral) return `the number ${cutText(value.source)}`;
  return Object.keys(value).length === 0 ? 'an empty object' : 'an object';
}
