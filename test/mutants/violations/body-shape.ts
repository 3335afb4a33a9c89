import { isJsonObject, parseExactJson, type ExactJson } from '../../../src/json/exact-json.ts';
import type { BrokenProvider } from '../mutant.ts';
import { Refusal, type Change } from '../steps.ts';

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

export const bodyShapeViolations: readonly BrokenProvider[] = [
  {
    name: 'body-first-piece-only',
    breaks: '4.2/body-required',
    summary: 'reads only the piece of a body that arrives first',
    change: (base) => ({
      answer: (exchange) => base.answer({ ...exchange, body: exchange.firstPiece }),
    }),
  },
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
