import { isJsonObject, NumberLiteral, type ExactJson } from '../../../src/json/exact-json.ts';
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

const toNumber = (value: ExactJson): number | undefined =>
  value instanceof NumberLiteral ? Number(value.source) : undefined;

export const coercionViolations: readonly BrokenProvider[] = [
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
