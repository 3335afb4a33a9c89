import { NumberLiteral } from '../../../src/json/exact-json.ts';
import {
  withHeaders,
  withContentType,
  withError,
  withItem,
  inChunks,
  inHttp10,
} from '../legal-changes.ts';
import type { LegalProvider } from '../mutant.ts';
import { combine, Refusal, type Change } from '../steps.ts';

const invalid = (message: string): Refusal => new Refusal(400, 'invalid', message);

const bounded =
  (minimum: bigint, maximum: bigint): Change =>
  (base) => ({
    toQuantity: (value) => {
      const quantity = base.toQuantity(value);
      return typeof quantity === 'bigint' && (quantity < minimum || quantity > maximum)
        ? invalid('quantity is out of range')
        : quantity;
    },
  });

const refusesNotations: Change = (base) => ({
  toQuantity: (value) =>
    value instanceof NumberLiteral ? invalid('quantity is no integer') : base.toQuantity(value),
});

const refusesUnknownFields: Change = (base) => ({
  pickQuantity: (value) => {
    const picked = base.pickQuantity(value);
    return !(picked instanceof Refusal) && Object.keys(value ?? {}).length > 1
      ? invalid('there is a field too many')
      : picked;
  },
});

const followsQuantity =
  (toStatus: (quantity: bigint, before: string) => string): Change =>
  (base) => ({
    apply: (entry, quantity, exchange) => {
      entry.status = toStatus(quantity, entry.status);
      return base.apply(entry, quantity, exchange);
    },
  });

const soldAtZero = followsQuantity((quantity) => (quantity === 0n ? 'sold' : 'available'));

const notFoundFirst: Change = (base) => ({
  update: async (exchange) => {
    const entry = base.findPet(exchange);
    return entry instanceof Refusal ? base.refuse(entry, exchange) : base.update(exchange);
  },
});

const refusesPetIdSyntax: Change = (base) => ({
  findPet: (exchange) =>
    base.toPetId(exchange.petId) === undefined
      ? invalid('petId is no int64')
      : base.findPet(exchange),
});

/** Judges the petId before the body. */
const petIdSyntaxFirst: Change = (base) => ({
  update: async (exchange) =>
    base.toPetId(exchange.petId) === undefined
      ? base.refuse(invalid('petId is no int64'), exchange)
      : base.update(exchange),
});

const unsupportedMediaType: Change = (base) => ({
  checkMediaType: (exchange) =>
    base.checkMediaType(exchange) && new Refusal(415, 'media_type', 'expected application/json'),
});

const ignoresMediaType: Change = () => ({ checkMediaType: () => undefined });

const exactScheme: Change = (base) => ({
  readToken: (exchange) =>
    exchange.headers.authorization?.startsWith('Bearer ') ? base.readToken(exchange) : undefined,
});

const challenges = withHeaders({ 'WWW-Authenticate': 'Bearer realm="inventory"' }, [401]);

const limitsBody: Change = (base) => ({
  update: async (exchange) =>
    exchange.body.length > 1_024
      ? base.refuse(new Refusal(413, 'too_large', 'the body is too large'), exchange)
      : base.update(exchange),
});

const extraProperties: Change = () => ({
  toItem: ({ petId, quantity, status }) => ({
    petId,
    quantity,
    status,
    name: 'Rex',
    tags: [null, true, 1.5],
    updatedAt: new Date().toISOString(),
    _links: { self: { href: `/v1/inventory/${petId}` } },
  }),
  toErrorBody: ({ code, message, status }) => ({
    code,
    message,
    status,
    details: [],
    timestamp: Date.now(),
    path: null,
  }),
});

const shuffles: Change = (base) => {
  let turn = 0;
  return {
    list: (exchange) => {
      const entries = base.list(exchange);
      turn += 1;
      const cut = (turn * 5) % Math.max(entries.length, 1);
      return [...entries.slice(cut), ...entries.slice(0, cut)];
    },
  };
};

const reverses: Change = (base) => ({ list: (exchange) => base.list(exchange).toReversed() });

/** Puts U+FFFD for bytes that are not UTF-8, as most decoders do unless they are told not to. */
const replacesInvalidUtf8: Change = () => ({ decode: (bytes) => bytes.toString() });

const decided: readonly LegalProvider[] = [
  {
    name: 'codes-in-upper-case',
    summary: 'has codes of its own',
    decisions: ['error-codes'],
    change: withError(({ message, status }) => ({ code: `ERR_${status}`, message, status })),
  },
  {
    name: 'codes-of-digits',
    summary: 'has codes that are strings of digits',
    decisions: ['error-codes'],
    change: withError(({ message, status }) => ({ code: `${status}01`, message, status })),
  },
  {
    name: 'codes-empty',
    summary: 'has empty codes and messages',
    decisions: ['error-codes'],
    change: withError(({ status }) => ({ code: '', message: '', status })),
  },
  {
    name: 'codes-the-same',
    summary: 'has one code for everything',
    decisions: ['error-codes'],
    change: withError(({ message, status }) => ({ code: 'error', message, status })),
  },
  {
    name: 'quantity-from-zero',
    summary: 'refuses negative quantities',
    decisions: ['quantity-range'],
    change: bounded(0n, 10n ** 4_000n),
  },
  {
    name: 'quantity-unsigned-int32',
    summary: 'takes quantities from 0 to 2^31 - 1',
    decisions: ['quantity-range'],
    change: bounded(0n, 2n ** 31n - 1n),
  },
  {
    name: 'quantity-int32',
    summary: 'takes quantities of 32 bits',
    decisions: ['quantity-range'],
    change: bounded(-(2n ** 31n), 2n ** 31n - 1n),
  },
  {
    name: 'quantity-int64',
    summary: 'takes quantities of 64 bits',
    decisions: ['quantity-range'],
    change: bounded(-(2n ** 63n), 2n ** 63n - 1n),
  },
  {
    name: 'quantity-safe-integer',
    summary: 'takes quantities that a double holds exactly',
    decisions: ['quantity-range'],
    change: bounded(1n - 2n ** 53n, 2n ** 53n - 1n),
  },
  {
    name: 'notations-refused',
    summary: 'refuses 5.0, 1e2 and -0',
    decisions: ['integer-notation'],
    change: refusesNotations,
  },
  {
    name: 'notations-refused-where-huge',
    summary: 'takes 5.0 and 1e2, and refuses 1e400',
    decisions: ['integer-notation', 'quantity-range'],
    change: bounded(-(2n ** 63n), 2n ** 64n),
  },
  {
    name: 'unknown-fields-refused',
    summary: 'refuses fields that it does not know',
    decisions: ['unknown-fields'],
    change: refusesUnknownFields,
  },
  {
    name: 'status-sold-at-zero',
    summary: 'sells out at 0, and is available above',
    decisions: ['status-transition'],
    change: soldAtZero,
  },
  {
    name: 'status-pending-after-update',
    summary: 'marks every updated pet as pending',
    decisions: ['status-transition'],
    change: followsQuantity(() => 'pending'),
  },
  {
    name: 'status-pending-when-few',
    summary: 'is pending below 5, sold at 0 and below',
    decisions: ['status-transition'],
    change: followsQuantity((quantity) =>
      quantity <= 0n ? 'sold' : quantity < 5n ? 'pending' : 'available',
    ),
  },
  {
    name: 'status-goes-round',
    summary: 'goes from available over pending to sold and back, one step at each update',
    decisions: ['status-transition'],
    change: followsQuantity((_quantity, before) =>
      before === 'available' ? 'pending' : before === 'pending' ? 'sold' : 'available',
    ),
  },
  {
    name: 'not-found-first',
    summary: 'answers 404 before 400',
    decisions: ['error-precedence'],
    change: notFoundFirst,
  },
  {
    name: 'pet-id-syntax-400',
    summary: 'answers 400 to a petId that is no int64',
    decisions: ['pet-id-syntax'],
    change: refusesPetIdSyntax,
  },
  {
    name: 'pet-id-syntax-400-first',
    summary: 'answers 400 to a petId that is no int64, before it looks at the body',
    decisions: ['pet-id-syntax', 'error-precedence'],
    change: combine(notFoundFirst, petIdSyntaxFirst),
  },
  {
    name: 'media-type-415',
    summary: 'answers 415 to a body that is not declared as JSON',
    decisions: ['content-type'],
    change: unsupportedMediaType,
  },
  {
    name: 'media-type-ignored',
    summary: 'reads every body as JSON',
    decisions: ['content-type'],
    change: ignoresMediaType,
  },
  {
    name: 'media-type-bare',
    summary: 'answers 415 to a media type with parameters, or in upper case',
    decisions: ['content-type'],
    change: () => ({
      checkMediaType: ({ headers, body }) =>
        headers['content-type'] === 'application/json' || body.length === 0
          ? undefined
          : new Refusal(415, 'media_type', 'expected application/json'),
    }),
  },
  {
    name: 'media-type-any-json',
    summary: 'takes every media type that ends in json',
    decisions: ['content-type'],
    change: (base) => ({
      checkMediaType: (exchange) =>
        exchange.headers['content-type']?.endsWith('json')
          ? undefined
          : base.checkMediaType(exchange),
    }),
  },
  {
    name: 'scheme-exact',
    summary: 'knows the scheme as Bearer only',
    decisions: ['scheme-case'],
    change: exactScheme,
  },
  {
    name: 'challenge-bearer',
    summary: 'sends a challenge with 401',
    decisions: ['challenge'],
    change: challenges,
  },
  {
    name: 'challenge-with-error',
    summary: 'sends a challenge of RFC 6750 with 401',
    decisions: ['challenge'],
    change: withHeaders(
      { 'WWW-Authenticate': 'Bearer error="invalid_token", charset="UTF-8"' },
      [401],
    ),
  },
  {
    name: 'extra-properties',
    summary: 'adds properties to items and errors, some of which change by themselves',
    decisions: ['extra-properties'],
    change: extraProperties,
  },
  {
    name: 'extra-properties-of-other-names',
    summary: 'adds properties whose names are like those of the spec',
    decisions: ['extra-properties'],
    change: withItem(({ petId, quantity, status }) => ({
      id: `${petId}`,
      Quantity: null,
      STATUS: 'Available',
      quantity,
      petId,
      status,
    })),
  },
  {
    name: 'order-reversed',
    summary: 'lists the last pet first',
    decisions: ['list-order'],
    change: reverses,
  },
  {
    name: 'order-changing',
    summary: 'lists in another order each time',
    decisions: ['list-order'],
    change: shuffles,
  },
  {
    name: 'order-by-last-update',
    summary: 'lists the pet that was updated last at the end',
    decisions: ['list-order'],
    change: (base, { inventory }) => ({
      apply: (entry, quantity, exchange) => {
        inventory.delete(entry.petId);
        inventory.set(entry.petId, entry);
        return base.apply(entry, quantity, exchange);
      },
    }),
  },
  {
    name: 'order-by-quantity',
    summary: 'lists the pet with the most animals first',
    decisions: ['list-order'],
    change: (base) => ({
      list: (exchange) =>
        base.list(exchange).toSorted((a, b) => (a.quantity < b.quantity ? 1 : -1)),
    }),
  },
  {
    name: 'routes-405',
    summary: 'answers 405 where the path is known and the method is not',
    decisions: ['unspecified-routes'],
    change: (base) => ({
      refuse: (refusal, exchange) =>
        exchange.operation === 'unknown' && exchange.path.startsWith('/v1/inventory')
          ? base.refuse(new Refusal(405, 'method', 'another method'), exchange)
          : base.refuse(refusal, exchange),
    }),
  },
  {
    name: 'routes-401-first',
    summary: 'asks for a key before it looks at the route',
    decisions: ['unspecified-routes'],
    change: (base) => ({
      answer: async (exchange) => {
        const refusal = base.authorize(exchange);
        return refusal === undefined ? base.answer(exchange) : base.refuse(refusal, exchange);
      },
    }),
  },
  {
    name: 'body-limit-small',
    summary: 'answers 413 above 1 KiB',
    decisions: ['body-limit'],
    change: limitsBody,
  },
];

const combined: readonly LegalProvider[] = [
  {
    name: 'strict-in-everything',
    summary: 'refuses whatever may be refused',
    decisions: [
      'quantity-range',
      'integer-notation',
      'unknown-fields',
      'pet-id-syntax',
      'content-type',
      'scheme-case',
    ],
    change: combine(
      bounded(0n, 2n ** 31n - 1n),
      refusesNotations,
      refusesUnknownFields,
      refusesPetIdSyntax,
      unsupportedMediaType,
      exactScheme,
      limitsBody,
    ),
  },
  {
    name: 'lenient-in-everything',
    summary: 'takes whatever may be taken',
    decisions: ['content-type'],
    change: combine(ignoresMediaType, replacesInvalidUtf8),
  },
  {
    name: 'like-a-framework-of-python',
    summary: 'combines 404 first, sold at 0, extra properties and HTTP/1.0',
    decisions: ['error-precedence', 'status-transition', 'extra-properties'],
    change: combine(notFoundFirst, soldAtZero, extraProperties, challenges, inHttp10),
  },
  {
    name: 'like-a-framework-of-java',
    summary: 'combines int32, 415, chunks and a changing order',
    decisions: ['quantity-range', 'content-type', 'list-order'],
    change: combine(
      bounded(-(2n ** 31n), 2n ** 31n - 1n),
      unsupportedMediaType,
      shuffles,
      inChunks(50),
      withContentType('application/json;charset=UTF-8'),
    ),
  },
  {
    name: 'like-a-framework-of-javascript',
    summary: 'combines safe integers, replaced bytes, 400 for the petId and a status that follows',
    decisions: ['quantity-range', 'pet-id-syntax', 'status-transition'],
    change: combine(
      bounded(1n - 2n ** 53n, 2n ** 53n - 1n),
      replacesInvalidUtf8,
      petIdSyntaxFirst,
      soldAtZero,
      withContentType('application/json; charset=utf-8'),
      withHeaders({ 'X-Powered-By': 'Coffee', ETag: 'W/"1"', 'Cache-Control': 'no-store' }),
    ),
  },
];

export const decisionVariations: readonly LegalProvider[] = [...decided, ...combined];
