import { isSendableKey } from '../../inventory/authorization.ts';
import { describeJson, isJsonObject, toInteger, type ExactJson } from '../../json/exact-json.ts';
import { formatJsonPath, type JsonPath, type JsonProblem } from '../../json/json-path.ts';
import { maximumProblems } from '../../mock/fixture.ts';
import { AdminRefusal } from './admin-answer.ts';

/** Reads a part of a body. @throws {AdminRefusal} naming its path and what was expected */
export type Reader<T> = (value: ExactJson, path: JsonPath) => T;

/** A body or a query that is wrong: 400. Of many problems, the first are told. */
export function refuseInput(problems: readonly JsonProblem[]): AdminRefusal {
  const told = problems.slice(0, maximumProblems);
  const lines = told.map(({ path, message }) => `${formatJsonPath(path)}: ${message}`);
  return new AdminRefusal(400, 'invalid_request', lines.join('\n'));
}

/** Says what was expected, and what was there instead. */
export function expected(what: string, value: ExactJson | undefined, path: JsonPath): AdminRefusal {
  return refuseInput([{ path, message: `expected ${what}; got ${describeJson(value)}` }]);
}

/** What a parser of the engine returns. */
type Parsed<T> =
  ({ readonly ok: true } & T) | { readonly ok: false; readonly problems: readonly JsonProblem[] };

/** Takes what was parsed, or refuses the request for its problems. */
export function accept<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw refuseInput(parsed.problems);
  return parsed;
}

/**
 * Reads an object whose fields may all be left out. Unknown ones are refused: a typing error must
 * not be ignored.
 */
export function readFields<T extends object>(
  value: ExactJson | undefined,
  readers: { readonly [Name in keyof T]-?: Reader<T[Name]> },
  path: JsonPath = [],
): Partial<T> {
  if (value === undefined || !isJsonObject(value)) throw expected('an object', value, path);
  const fields: Partial<T> = {};
  for (const [name, field] of Object.entries(value)) {
    if (!isFieldOf(readers, name)) {
      const names = Object.keys(readers).join(', ');
      const message = `there is no such field; there are ${names}`;
      throw refuseInput([{ path: [...path, name], message }]);
    }
    fields[name] = readers[name](field, [...path, name]);
  }
  return fields;
}

function isFieldOf<T extends object>(readers: T, name: PropertyKey): name is keyof T {
  return Object.hasOwn(readers, name);
}

export const readString: Reader<string> = (value, path) => {
  if (typeof value === 'string') return value;
  throw expected('a string', value, path);
};

export const readBoolean: Reader<boolean> = (value, path) => {
  if (typeof value === 'boolean') return value;
  throw expected('true or false', value, path);
};

/** An API key that a client could send. */
export const readApiKey: Reader<string> = (value, path) => {
  if (typeof value === 'string' && isSendableKey(value)) return value;
  // The value is not repeated: it may be a key that is merely mistyped.
  const message = 'expected a key of visible ASCII characters without spaces; got something else';
  throw refuseInput([{ path, message }]);
};

/** An integer of any size. */
export const readInteger: Reader<bigint> = (value, path) => {
  const integer = toInteger(value);
  if (integer === undefined) throw expected('an integer', value, path);
  return integer;
};

/** An integer that a number holds. */
export function readNumberFrom(minimum: number, maximum: number): Reader<number> {
  return (value, path) => {
    const integer = toInteger(value);
    if (integer !== undefined && integer >= BigInt(minimum) && integer <= BigInt(maximum)) {
      return Number(integer);
    }
    throw expected(`an integer from ${minimum} to ${maximum}`, value, path);
  };
}

/** What a reader reads, or `null`. */
export function readNullable<T>(read: Reader<T>): Reader<T | null> {
  return (value, path) => (value === null ? null : read(value, path));
}

export function readOneOf<T extends string>(choices: readonly T[]): Reader<T> {
  return (value, path) => {
    const choice = choices.find((known) => known === value);
    if (choice === undefined) throw expected(`one of ${choices.join(', ')}`, value, path);
    return choice;
  };
}
