import { Buffer } from 'node:buffer';
import { parseExactJson } from '../../../src/json/exact-json.ts';
import type { BrokenProvider } from '../mutant.ts';
import { jsonHeaders, replaceReply, toErrorReply } from '../replace-reply.ts';
import { Refusal, type Change, type Exchange, type Reply } from '../steps.ts';

const toText = ({ body }: Exchange): string => body.toString();
const isJson = (exchange: Exchange): boolean => parseExactJson(toText(exchange)).ok;
const isEmpty = ({ body }: Exchange): boolean => body.length === 0;
const isObject = (exchange: Exchange): boolean => /^\s*\{/.test(toText(exchange));

/** Answers in another way where 400 is right, and a body is meant. */
const answers = (isMeant: (exchange: Exchange) => boolean, reply: Reply): Change =>
  replaceReply([400], (right, exchange) => (isMeant(exchange) ? reply : right));

const wrongStatus: readonly BrokenProvider[] = [
  {
    name: 'invalid-body-422',
    breaks: '7/400-invalid-body',
    summary: 'answers 422 to an invalid body',
    change: answers(() => true, toErrorReply(422)),
  },
  {
    name: 'invalid-value-422',
    breaks: '2/update-quantity-integer',
    summary: 'answers 422 to a quantity that is no integer, and 400 to malformed JSON',
    change: answers(
      (exchange) => isJson(exchange) && toText(exchange).includes('"quantity":'),
      toErrorReply(422),
    ),
  },
  {
    name: 'malformed-422',
    breaks: '4/json-bodies',
    summary: 'answers 422 to malformed JSON',
    change: answers((exchange) => !isJson(exchange) && !isEmpty(exchange), toErrorReply(422)),
  },
  {
    name: 'malformed-500',
    breaks: '4/json-bodies',
    summary: 'stumbles over malformed JSON',
    change: answers((exchange) => !isJson(exchange) && !isEmpty(exchange), toErrorReply(500)),
  },
  {
    name: 'invalid-body-500',
    breaks: '7/400-invalid-body',
    summary: 'answers 500 to an invalid body',
    change: answers(() => true, toErrorReply(500)),
  },
  {
    name: 'no-body-500',
    breaks: '4.2/body-required',
    summary: 'stumbles over a missing body',
    change: answers(isEmpty, toErrorReply(500)),
  },
  {
    name: 'no-body-411',
    breaks: '4.2/body-required',
    summary: 'answers 411 to a missing body',
    change: answers(isEmpty, toErrorReply(411)),
  },
  {
    name: 'no-body-415',
    breaks: '4.2/body-required',
    summary: 'answers 415 to a missing body',
    change: answers(isEmpty, toErrorReply(415)),
  },
  {
    name: 'null-500',
    breaks: '4.2/body-is-an-object',
    summary: 'stumbles over null',
    change: answers((exchange) => toText(exchange) === 'null', toErrorReply(500)),
  },
  {
    name: 'array-500',
    breaks: '4.2/body-is-an-object',
    summary: 'stumbles over an array',
    change: answers((exchange) => toText(exchange).startsWith('['), toErrorReply(500)),
  },
  {
    name: 'scalar-500',
    breaks: '4.2/body-is-an-object',
    summary: 'stumbles over a bare number, string or boolean',
    change: answers((exchange) => /^(?:"|\d|true)/.test(toText(exchange)), toErrorReply(500)),
  },
  {
    name: 'quantity-null-500',
    breaks: '2/update-quantity-integer',
    summary: 'stumbles over a quantity of null',
    change: answers((exchange) => toText(exchange).includes(':null'), toErrorReply(500)),
  },
  {
    name: 'quantity-object-500',
    breaks: '2/update-quantity-integer',
    summary: 'stumbles over a quantity that is an object or an array',
    change: answers((exchange) => /:[{[]/.test(toText(exchange)), toErrorReply(500)),
  },
  {
    name: 'quantity-missing-500',
    breaks: '2/update-quantity-required',
    summary: 'stumbles over a missing quantity',
    change: answers(
      (exchange) => isJson(exchange) && isObject(exchange) && !/"quantity":/.test(toText(exchange)),
      toErrorReply(500),
    ),
  },
  {
    name: 'quantity-missing-404',
    breaks: '2/update-quantity-required',
    summary: 'answers 404 where quantity is missing',
    change: answers(
      (exchange) => isJson(exchange) && isObject(exchange) && !/"quantity":/.test(toText(exchange)),
      toErrorReply(404),
    ),
  },
  {
    name: 'invalid-utf-8-500',
    breaks: '4/json-bodies',
    summary: 'stumbles over bytes that are not UTF-8',
    change: answers(({ body }) => !body.equals(Buffer.from(body.toString())), toErrorReply(500)),
  },
  {
    name: 'invalid-body-200-error',
    breaks: '7/400-invalid-body',
    summary: 'sends the error body with 200',
    change: answers(() => true, toErrorReply(200, 400)),
  },
  {
    name: 'invalid-body-200-empty',
    breaks: '7/400-invalid-body',
    summary: 'ignores an invalid body, with 200 and no body',
    change: answers(() => true, { status: 200, headers: jsonHeaders, body: '' }),
  },
  {
    name: 'invalid-body-204',
    breaks: '7/400-invalid-body',
    summary: 'ignores an invalid body, with 204',
    change: answers(() => true, { status: 204, headers: {}, body: '' }),
  },
  {
    name: 'invalid-body-415',
    breaks: '7/400-invalid-body',
    summary: 'answers 415 to malformed JSON that is declared as JSON',
    change: answers((exchange) => !isJson(exchange), toErrorReply(415)),
  },
  {
    name: 'invalid-body-409',
    breaks: '7/400-invalid-body',
    summary: 'answers 409 to an invalid body',
    change: answers(() => true, toErrorReply(409)),
  },
  {
    name: 'invalid-body-401',
    breaks: '7/400-invalid-body',
    summary: 'answers 401 to an invalid body with a right key',
    change: answers(() => true, toErrorReply(401)),
  },
  {
    name: 'invalid-body-status-422',
    breaks: '7/status-repeats',
    summary: 'sends 400 with a body that says 422',
    change: answers(() => true, toErrorReply(400, 422)),
  },
  {
    name: 'valid-body-400',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'refuses every update',
    change: () => ({ toQuantity: () => new Refusal(400, 'no', 'no') }),
  },
  {
    name: 'zero-refused',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'takes a quantity of 0 for a missing one',
    change: (base) => ({
      toQuantity: (value) => {
        const quantity = base.toQuantity(value);
        return quantity === 0n ? new Refusal(400, 'missing', 'quantity is missing') : quantity;
      },
    }),
  },
  {
    name: 'quantity-above-16-bits-refused',
    breaks: '2/quantity-integer',
    summary: 'refuses quantities above 65535',
    change: (base) => ({
      toQuantity: (value) => {
        const quantity = base.toQuantity(value);
        return typeof quantity === 'bigint' && quantity > 65_535n
          ? new Refusal(400, 'range', 'too many')
          : quantity;
      },
    }),
  },
  {
    name: 'json-content-type-refused',
    breaks: '5/json-content-type',
    summary: 'answers 415 to application/json, and wants a media type of its own',
    change: () => ({
      checkMediaType: ({ headers }) =>
        headers['content-type'] === 'application/vnd.petstore+json'
          ? undefined
          : new Refusal(415, 'type', 'expected application/vnd.petstore+json'),
    }),
  },
  {
    name: 'charset-required',
    breaks: '5/json-content-type',
    summary: 'answers 400 to application/json without a charset',
    change: () => ({
      checkMediaType: ({ headers }) =>
        headers['content-type']?.includes('charset')
          ? undefined
          : new Refusal(400, 'type', 'expected a charset'),
    }),
  },
  {
    name: 'escaped-name-refused',
    breaks: '2/update-quantity-required',
    summary: 'looks for the name of the field in the text',
    change: (base) => ({
      parse: (text) =>
        text.includes('"quantity"') || !text.includes('\\u')
          ? base.parse(text)
          : new Refusal(400, 'missing', 'quantity is missing'),
    }),
  },
  {
    name: 'white-space-refused',
    breaks: '2/update-quantity-required',
    summary: 'refuses white space around tokens',
    change: (base) => ({
      parse: (text) => (/^\s/.test(text) ? new Refusal(400, 'syntax', 'syntax') : base.parse(text)),
    }),
  },
];

/** Changes the inventory although the request is refused with 400. */
const changesOn400 =
  (change: (exchange: Exchange, world: Parameters<Change>[1]) => void): Change =>
  (base, world) => ({
    refuse: (refusal, exchange) => {
      if (refusal.status === 400) change(exchange, world);
      return base.refuse(refusal, exchange);
    },
  });

const findTarget = ({ petId }: Exchange, { inventory }: Parameters<Change>[1]) =>
  [...inventory.values()].find((entry) => `${entry.petId}` === petId);

const applied: readonly BrokenProvider[] = [
  {
    name: 'invalid-body-but-applied',
    breaks: '7/400-invalid-body',
    summary: 'writes the digits of an invalid quantity, and then answers 400',
    change: changesOn400((exchange, world) => {
      const target = findTarget(exchange, world);
      const digits = /\d+/.exec(toText(exchange))?.[0];
      if (target !== undefined && digits !== undefined) target.quantity = BigInt(digits);
    }),
  },
  {
    name: 'invalid-body-zeroes',
    breaks: '7/400-invalid-body',
    summary: 'sets the quantity to 0, and then answers 400',
    change: changesOn400((exchange, world) => {
      const target = findTarget(exchange, world);
      if (target !== undefined) target.quantity = 0n;
    }),
  },
  {
    name: 'invalid-body-deletes',
    breaks: '7/400-invalid-body',
    summary: 'loses the entry, and then answers 400',
    change: changesOn400((exchange, world) => {
      const target = findTarget(exchange, world);
      if (target !== undefined) world.inventory.delete(target.petId);
    }),
  },
  {
    name: 'invalid-body-changes-another-pet',
    breaks: '7/400-invalid-body',
    summary: 'counts refusals in the quantity of the first pet',
    change: changesOn400((_exchange, { inventory }) => {
      const [first] = inventory.values();
      if (first !== undefined) first.quantity += 1n;
    }),
  },
  {
    name: 'invalid-body-changes-status',
    breaks: '7/400-invalid-body',
    summary: 'marks the pet as pending, and then answers 400',
    change: changesOn400((exchange, world) => {
      const target = findTarget(exchange, world);
      if (target !== undefined) target.status = target.status === 'pending' ? 'sold' : 'pending';
    }),
  },
];

export const refusedBodyViolations: readonly BrokenProvider[] = [...wrongStatus, ...applied];
