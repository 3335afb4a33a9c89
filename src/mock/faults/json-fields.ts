import {
  describeJson,
  isJsonObject,
  NumberLiteral,
  toInteger,
  type ExactJson,
  type ExactJsonObject,
} from '../../json/exact-json.ts';
import type { JsonPath, JsonProblem } from '../../json/json-path.ts';

/** The ends of a range, both included. */
export type Bounds = readonly [minimum: number, maximum: number];

/**
 * The fields of one JSON object, read one by one. What is wrong is noted as a problem; what is
 * returned then does not matter.
 */
export class JsonFields {
  readonly #value: ExactJsonObject;
  readonly #path: JsonPath;
  readonly #problems: JsonProblem[];

  constructor(value: ExactJsonObject, path: JsonPath, problems: JsonProblem[]) {
    this.#value = value;
    this.#path = path;
    this.#problems = problems;
  }

  has(name: string): boolean {
    return this.#value[name] !== undefined;
  }

  get(name: string): ExactJson | undefined {
    return this.#value[name];
  }

  /** @param name the field that is wrong; left out: the object is */
  refuse(message: string, ...name: readonly (string | number)[]): void {
    this.#problems.push({ path: [...this.#path, ...name], message });
  }

  /** @param what what the object is, for the message: `a rule` */
  refuseOthers(what: string, names: readonly string[]): void {
    for (const name of Object.keys(this.#value)) {
      if (!names.includes(name)) {
        this.refuse(`there is no such field; ${what} has ${listOf(names)}`, name);
      }
    }
  }

  integer(name: string, bounds: Bounds): number | undefined {
    return this.has(name) ? this.requiredInteger(name, bounds) : undefined;
  }

  requiredInteger(name: string, bounds: Bounds): number {
    return this.#read(name, `an integer from ${rangeOf(bounds)}`, (value) =>
      toIntegerWithin(value, bounds),
    );
  }

  requiredNumber(name: string, bounds: Bounds): number {
    return this.#read(name, `a number from ${rangeOf(bounds)}`, (value) => toNumber(value, bounds));
  }

  text(name: string, expected: string, pattern: RegExp): string | undefined {
    if (!this.has(name)) return undefined;
    return this.#read(name, expected, (value) =>
      typeof value === 'string' && pattern.test(value) ? value : undefined,
    );
  }

  /** A boolean; left out: false. */
  isTrue(name: string): boolean {
    if (!this.has(name)) return false;
    return this.#read(name, 'true or false', (value) =>
      typeof value === 'boolean' ? value : undefined,
    );
  }

  integerOf<T extends number>(name: string, choices: readonly T[]): T {
    return this.#read(name, oneOf(choices.map(String)), (value) => {
      const integer = toIntegerWithin(value, [0, 999]);
      return choices.find((choice) => choice === integer);
    });
  }

  stringOf<T extends string>(name: string, choices: readonly T[]): T {
    return this.#read(name, oneOf(choices.map((choice) => `"${choice}"`)), (value) =>
      choices.find((choice) => choice === value),
    );
  }

  /** A field of two integers, the second not below the first. */
  requiredRange(name: string, bounds: Bounds): Bounds {
    const expected = `two integers from ${rangeOf(bounds)}, the smaller one first, such as [100, 500]`;
    return this.#read(name, expected, (value) => {
      if (!Array.isArray(value) || value.length !== 2) return undefined;
      const [from, to] = (value as readonly ExactJson[]).map((end) => toIntegerWithin(end, bounds));
      return from === undefined || to === undefined || from > to
        ? undefined
        : ([from, to] as const);
    });
  }

  /** A field that is an object itself. */
  requiredObject(name: string, example: string): JsonFields | undefined {
    const value = this.#value[name];
    if (value !== undefined && isJsonObject(value))
      return new JsonFields(value, [...this.#path, name], this.#problems);
    this.refuse(`expected an object such as ${example}; got ${describeJson(value)}`, name);
    return undefined;
  }

  #read<T>(
    name: string,
    expected: string,
    convert: (value: ExactJson | undefined) => T | undefined,
  ): T {
    const value = this.#value[name];
    const converted = convert(value);
    if (converted === undefined) {
      this.refuse(`expected ${expected}; got ${describeJson(value)}`, name);
    }
    return converted as T;
  }
}

/** Where a number is an integer and lies within the bounds. */
function toIntegerWithin(value: ExactJson | undefined, bounds: Bounds): number | undefined {
  const integer = toInteger(value);
  return integer === undefined ? undefined : within(Number(integer), bounds);
}

function toNumber(value: ExactJson | undefined, bounds: Bounds): number | undefined {
  if (typeof value === 'bigint') return within(Number(value), bounds);
  return value instanceof NumberLiteral ? within(Number(value.source), bounds) : undefined;
}

function within(value: number, [minimum, maximum]: Bounds): number | undefined {
  return value >= minimum && value <= maximum ? value : undefined;
}

function rangeOf([minimum, maximum]: Bounds): string {
  return `${minimum} to ${maximum}`;
}

function oneOf(choices: readonly string[]): string {
  return choices.length === 1 ? (choices[0] ?? '') : `one of ${choices.join(', ')}`;
}

function listOf(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length === 1 ? `${last} alone` : `${names.slice(0, -1).join(', ')} and ${last}`;
}
