import {
  isJsonObject,
  NumberLiteral,
  parseExactJson,
  type ExactJson,
} from '../../../src/json/exact-json.ts';
import type { BrokenProvider } from '../mutant.ts';
import { Refusal, type Change } from '../steps.ts';

/** Makes an integer of a quantity that is none. */
const coerces =
  (toInteger: (value: ExactJson) => bigint | number | undefined): Change =>
  (base) => ({
    toQuantity: (value) => {
      const read = base.toQuantity(value);
      if (!(read instanceof Refusal)) return read;
      const coerced = toInteger(value);
      return coerced === undefined || Number.isNaN(coerced) ? read : BigInt(coerced);
    },
  });

/** Makes JSON of text that is none. */
const repairs =
  (repair: (text: string) => string): Change =>
  (base) => ({
    parse: (text) => {
      const parsed = base.parse(text);
      return parsed instanceof Refusal ? base.parse(repair(text)) : parsed;
    },
  });

const replaces = (pattern: RegExp, replacement: string): Change =>
  repairs((text) => text.replace(pattern, replacement));

/** Finds a quantity where there is none. */
const finds =
  (find: (value: ExactJson) => ExactJson | undefined): Change =>
  (base) => ({
    pickQuantity: (value) => {
      const picked = base.pickQuantity(value);
      if (!(picked instanceof Refusal)) return picked;
      const found = find(value);
      return found === undefined ? picked : { value: found };
    },
  });

const findsField = (isMeant: (name: string) => boolean): Change =>
  finds((value) =>
    isJsonObject(value) ? Object.entries(value).find(([name]) => isMeant(name))?.[1] : undefined,
  );

const toNumber = (value: ExactJson): number | undefined =>
  value instanceof NumberLiteral ? Number(value.source) : undefined;

const coercions: readonly BrokenProvider[] = [
  {
    name: 'body-string-coerced',
    breaks: '2/update-quantity-integer',
    summary: 'takes "5" for 5',
    change: coerces((value) =>
      typeof value === 'string' && /^-?[0-9]+$/.test(value) ? BigInt(value) : undefined,
    ),
  },
  {
    name: 'body-empty-string-coerced',
    breaks: '2/update-quantity-integer',
    summary: 'takes an empty string for 0',
    change: coerces((value) => (value === '' ? 0n : undefined)),
  },
  {
    name: 'body-word-coerced',
    breaks: '2/update-quantity-integer',
    summary: 'takes a word for 0',
    change: coerces((value) =>
      typeof value === 'string' && /^[a-z]+$/.test(value) ? 0n : undefined,
    ),
  },
  {
    name: 'body-true-coerced',
    breaks: '2/update-quantity-integer',
    summary: 'takes true for 1',
    change: coerces((value) => (value === true ? 1n : undefined)),
  },
  {
    name: 'body-false-coerced',
    breaks: '2/update-quantity-integer',
    summary: 'takes false for 0',
    change: coerces((value) => (value === false ? 0n : undefined)),
  },
  {
    name: 'body-null-coerced',
    breaks: '2/update-quantity-integer',
    summary: 'takes null for 0',
    change: coerces((value) => (value === null ? 0n : undefined)),
  },
  {
    name: 'body-fraction-truncated',
    breaks: '2/update-quantity-integer',
    summary: 'cuts off a fraction',
    change: coerces((value) => Math.trunc(toNumber(value) ?? NaN)),
  },
  {
    name: 'body-fraction-rounded',
    breaks: '2/update-quantity-integer',
    summary: 'rounds a fraction',
    change: coerces((value) => Math.round(toNumber(value) ?? NaN)),
  },
  {
    name: 'body-negative-fraction-truncated',
    breaks: '2/update-quantity-integer',
    summary: 'cuts off the fraction of a negative number',
    change: coerces((value) => {
      const number = toNumber(value) ?? NaN;
      return number < 0 ? Math.trunc(number) : undefined;
    }),
  },
  {
    name: 'body-tiny-fraction-lost',
    breaks: '2/update-quantity-integer',
    summary: 'judges a quantity by the double it becomes',
    change: coerces((value) => {
      const number = toNumber(value) ?? NaN;
      return Number.isInteger(number) ? number : undefined;
    }),
  },
  {
    name: 'body-fraction-stored',
    breaks: '2/update-quantity-integer',
    summary: 'stores and echoes a fraction',
    change: (base) => {
      const fractions = new Map<bigint, NumberLiteral>();
      let sent: NumberLiteral | undefined;
      return {
        toQuantity: (value) => {
          const read = base.toQuantity(value);
          sent = read instanceof Refusal && value instanceof NumberLiteral ? value : undefined;
          return sent === undefined ? read : 0n;
        },
        apply: (entry, quantity, exchange) => {
          if (sent === undefined) fractions.delete(entry.petId);
          else fractions.set(entry.petId, sent);
          return base.apply(entry, quantity, exchange);
        },
        toItem: ({ petId, quantity, status }) => ({
          petId,
          quantity: fractions.get(petId) ?? quantity,
          status,
        }),
      };
    },
  },
  {
    name: 'body-array-unwrapped',
    breaks: '2/update-quantity-integer',
    summary: 'takes [5] for 5',
    change: coerces((value) =>
      Array.isArray(value) && typeof value[0] === 'bigint' ? value[0] : undefined,
    ),
  },
  {
    name: 'body-empty-array-coerced',
    breaks: '2/update-quantity-integer',
    summary: 'takes an empty array for 0',
    change: coerces((value) => (Array.isArray(value) && value.length === 0 ? 0n : undefined)),
  },
  {
    name: 'body-object-unwrapped',
    breaks: '2/update-quantity-integer',
    summary: 'takes {"value": 5} for 5',
    change: coerces((value) =>
      isJsonObject(value) && typeof value['value'] === 'bigint' ? value['value'] : undefined,
    ),
  },
  {
    name: 'body-empty-object-coerced',
    breaks: '2/update-quantity-integer',
    summary: 'takes a quantity of {} for 0',
    change: coerces((value) =>
      isJsonObject(value) && Object.keys(value).length === 0 ? 0n : undefined,
    ),
  },
];

const names: readonly BrokenProvider[] = [
  {
    name: 'body-missing-is-zero',
    breaks: '2/update-quantity-required',
    summary: 'takes a missing quantity for 0',
    change: finds((value) => (isJsonObject(value) ? 0n : undefined)),
  },
  {
    name: 'body-missing-changes-nothing',
    breaks: '2/update-quantity-required',
    summary: 'answers 200 with the entry as it is where quantity is missing',
    change: (base) => ({
      update: async (exchange) => {
        const entry = base.findPet(exchange);
        const parsed = base.parse(exchange.body.toString());
        return entry instanceof Refusal ||
          parsed instanceof Refusal ||
          !isJsonObject(parsed.value) ||
          Object.hasOwn(parsed.value, 'quantity')
          ? base.update(exchange)
          : base.reply(200, base.toItemBody(entry, exchange), exchange);
      },
    }),
  },
  {
    name: 'body-empty-object-accepted',
    breaks: '2/update-quantity-required',
    summary: 'takes an empty object for a quantity of 0',
    change: finds((value) =>
      isJsonObject(value) && Object.keys(value).length === 0 ? 0n : undefined,
    ),
  },
  {
    name: 'body-name-case-ignored',
    breaks: '2/update-quantity-required',
    summary: 'ignores the case of the field name',
    change: findsField((name) => name.toLowerCase() === 'quantity'),
  },
  {
    name: 'body-name-capitalised',
    breaks: '2/update-quantity-required',
    summary: 'takes Quantity as well',
    change: findsField((name) => name === 'Quantity'),
  },
  {
    name: 'body-name-trimmed',
    breaks: '2/update-quantity-required',
    summary: 'trims the field name',
    change: findsField((name) => name.trim() === 'quantity'),
  },
  {
    name: 'body-name-alias',
    breaks: '2/update-quantity-required',
    summary: 'takes qty for quantity',
    change: findsField((name) => name === 'qty'),
  },
  {
    name: 'body-name-any',
    breaks: '2/update-quantity-required',
    summary: 'takes the first integer of the object, whatever its name',
    change: finds((value) =>
      isJsonObject(value)
        ? Object.values(value).find((field) => typeof field === 'bigint')
        : undefined,
    ),
  },
  {
    name: 'body-nested-accepted',
    breaks: '2/update-quantity-required',
    summary: 'looks for quantity one level deeper',
    change: finds((value) => {
      const [inner] = isJsonObject(value) ? Object.values(value) : [];
      return inner !== undefined && isJsonObject(inner) ? inner['quantity'] : undefined;
    }),
  },
  {
    name: 'body-prototype-polluted',
    breaks: '2/update-quantity-required',
    summary: 'copies the body field by field, __proto__ included',
    change: finds((value) => {
      const prototype = isJsonObject(value)
        ? Object.entries(value).find(([name]) => name === '__proto__')?.[1]
        : undefined;
      return prototype !== undefined && isJsonObject(prototype) ? prototype['quantity'] : undefined;
    }),
  },
  {
    name: 'body-number-accepted',
    breaks: '4.2/body-is-an-object',
    summary: 'takes a bare number for the quantity',
    change: finds((value) => (typeof value === 'bigint' ? value : undefined)),
  },
  {
    name: 'body-array-of-update-accepted',
    breaks: '4.2/body-is-an-object',
    summary: 'takes the first update of an array',
    change: finds((value) => {
      const first = Array.isArray(value) ? (value[0] as ExactJson | undefined) : undefined;
      return first !== undefined && isJsonObject(first) ? first['quantity'] : undefined;
    }),
  },
  {
    name: 'body-array-of-number-accepted',
    breaks: '4.2/body-is-an-object',
    summary: 'takes a body of [5]',
    change: finds((value) => (Array.isArray(value) ? (value[0] as ExactJson) : undefined)),
  },
  {
    name: 'body-empty-array-accepted',
    breaks: '4.2/body-is-an-object',
    summary: 'takes an empty array for an empty object, and that for 0',
    change: finds((value) => (Array.isArray(value) && value.length === 0 ? 0n : undefined)),
  },
  {
    name: 'body-null-accepted',
    breaks: '4.2/body-is-an-object',
    summary: 'takes a body of null for a quantity of 0',
    change: finds((value) => (value === null ? 0n : undefined)),
  },
  {
    name: 'body-scalar-accepted',
    breaks: '4.2/body-is-an-object',
    summary: 'takes a bare string or boolean for a quantity of 0',
    change: finds((value) =>
      typeof value === 'string' || typeof value === 'boolean' ? 0n : undefined,
    ),
  },
  {
    name: 'body-json-in-a-string-accepted',
    breaks: '4.2/body-is-an-object',
    summary: 'parses a string once more',
    change: finds((value) => {
      const inner = typeof value === 'string' ? parseExactJson(value) : undefined;
      return inner?.ok && isJsonObject(inner.value) ? inner.value['quantity'] : undefined;
    }),
  },
];

const syntax: readonly BrokenProvider[] = [
  {
    name: 'json-trailing-comma',
    breaks: '4/json-bodies',
    summary: 'accepts a trailing comma',
    change: replaces(/,\s*\}/g, '}'),
  },
  {
    name: 'json-comment',
    breaks: '4/json-bodies',
    summary: 'accepts comments',
    change: replaces(/\/\*.*?\*\//g, ''),
  },
  {
    name: 'json-single-quotes',
    breaks: '4/json-bodies',
    summary: 'accepts single quotes',
    change: replaces(/'/g, '"'),
  },
  {
    name: 'json-bare-name',
    breaks: '4/json-bodies',
    summary: 'accepts a name without quotes',
    change: replaces(/\{\s*quantity/, '{"quantity"'),
  },
  {
    name: 'json-nan',
    breaks: '4/json-bodies',
    summary: 'accepts NaN, and takes it for 0',
    change: replaces(/NaN/, '0'),
  },
  {
    name: 'json-infinity',
    breaks: '4/json-bodies',
    summary: 'accepts Infinity, and takes it for the largest int64',
    change: replaces(/-?Infinity/, '9223372036854775807'),
  },
  {
    name: 'json-hexadecimal',
    breaks: '4/json-bodies',
    summary: 'accepts hexadecimal numbers',
    change: repairs((text) => text.replace(/0x[0-9a-f]+/i, (digits) => `${Number(digits)}`)),
  },
  {
    name: 'json-leading-zero',
    breaks: '4/json-bodies',
    summary: 'accepts a leading zero',
    change: replaces(/:0+(?=[1-9])/, ':'),
  },
  {
    name: 'json-octal',
    breaks: '4/json-bodies',
    summary: 'reads 010 as 8',
    change: repairs((text) => text.replace(/0[0-7]+/, (digits) => `${Number.parseInt(digits, 8)}`)),
  },
  {
    name: 'json-plus-sign',
    breaks: '4/json-bodies',
    summary: 'accepts a plus sign',
    change: replaces(/:\+/, ':'),
  },
  {
    name: 'json-bare-point',
    breaks: '4/json-bodies',
    summary: 'accepts 5. for 5',
    change: replaces(/5\.\}/, '5}'),
  },
  {
    name: 'json-bare-fraction',
    breaks: '4/json-bodies',
    summary: 'accepts .5, and cuts it to 0',
    change: replaces(/:\.5/, ':0'),
  },
  {
    name: 'json-bare-exponent',
    breaks: '4/json-bodies',
    summary: 'accepts 5e for 5',
    change: replaces(/5e\}/, '5}'),
  },
  {
    name: 'json-separator',
    breaks: '4/json-bodies',
    summary: 'accepts 1_000',
    change: replaces(/_/g, ''),
  },
  {
    name: 'json-undefined',
    breaks: '4/json-bodies',
    summary: 'accepts undefined, and takes it for 0',
    change: replaces(/undefined/, '0'),
  },
  {
    name: 'json-no-colon',
    breaks: '4/json-bodies',
    summary: 'accepts a name without a colon',
    change: replaces(/"quantity" 5/, '"quantity":5'),
  },
  {
    name: 'json-word',
    breaks: '4/json-bodies',
    summary: 'accepts a bare word, and takes it for 0',
    change: replaces(/:[a-z]+\}/, ':0}'),
  },
  {
    name: 'json-no-value',
    breaks: '4/json-bodies',
    summary: 'accepts a name without a value, and takes it for 0',
    change: replaces(/:\}/, ':0}'),
  },
  {
    name: 'json-first-of-two-values',
    breaks: '4/json-bodies',
    summary: 'reads the first of two values',
    change: repairs((text) => /^(\{[^}]*\})\{/.exec(text)?.[1] ?? text),
  },
  {
    name: 'json-last-of-two-values',
    breaks: '4/json-bodies',
    summary: 'reads the last of two values',
    change: repairs((text) => /\}(\{[^}]*\})$/.exec(text)?.[1] ?? text),
  },
  {
    name: 'json-text-behind',
    breaks: '4/json-bodies',
    summary: 'stops reading behind the value',
    change: repairs((text) => /^(\{[^}]*\})[^{]/.exec(text)?.[1] ?? text),
  },
  {
    name: 'json-truncated-repaired',
    breaks: '4/json-bodies',
    summary: 'closes a brace that is missing',
    change: repairs((text) => `${text}}`),
  },
  {
    name: 'json-form-accepted',
    breaks: '4/json-bodies',
    summary: 'accepts form fields',
    change: replaces(/^quantity=(\d+)$/, '{"quantity":$1}'),
  },
  {
    name: 'json-xml-accepted',
    breaks: '4/json-bodies',
    summary: 'accepts XML',
    change: replaces(/^<quantity>(\d+)<\/quantity>$/, '{"quantity":$1}'),
  },
  {
    name: 'json-searched',
    breaks: '4/json-bodies',
    summary: 'looks for the first number in a body that is not JSON',
    change: repairs((text) => `{"quantity":${/[1-9]\d*/.exec(text)?.[0] ?? '-'}}`),
  },
  {
    name: 'json-invalid-utf-8-dropped',
    breaks: '4/json-bodies',
    summary: 'drops the bytes that are not UTF-8',
    change: () => ({ decode: (bytes) => bytes.filter((byte) => byte < 0x80).toString() }),
  },
  {
    name: 'body-missing-accepted',
    breaks: '4.2/body-required',
    summary: 'takes a missing body for a quantity of 0',
    change: repairs((text) => (text === '' ? '{"quantity":0}' : text)),
  },
  {
    name: 'body-missing-accepted-without-change',
    breaks: '4.2/body-required',
    summary: 'answers 200 with the entry as it is to an update without a body',
    change: (base) => ({
      update: async (exchange) => {
        const entry = base.findPet(exchange);
        return exchange.body.length > 0 || entry instanceof Refusal
          ? base.update(exchange)
          : base.reply(200, base.toItemBody(entry, exchange), exchange);
      },
    }),
  },
  {
    name: 'body-white-space-accepted',
    breaks: '4.2/body-required',
    summary: 'takes white space for a quantity of 0',
    change: repairs((text) => (/^\s+$/.test(text) ? '{"quantity":0}' : text)),
  },
];

export const invalidBodyViolations: readonly BrokenProvider[] = [...coercions, ...names, ...syntax];
