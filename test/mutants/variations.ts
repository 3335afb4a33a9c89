import { setTimeout as delay } from 'node:timers/promises';
import { NumberLiteral, stringifyExactJson } from '../../src/json/exact-json.ts';
import type { LegalProvider } from './mutant.ts';
import { consecutivePets, type SeedEntry } from './seed.ts';
import { combine, Refusal, type Change, type Entry, type Reply } from './steps.ts';

const invalid = (message: string): Refusal => new Refusal(400, 'invalid', message);

const withHeaders =
  (headers: Readonly<Record<string, string>>, statuses?: readonly number[]): Change =>
  (base) => ({
    answer: async (exchange) => {
      const reply = await base.answer(exchange);
      return statuses === undefined || statuses.includes(reply.status)
        ? { ...reply, headers: { ...reply.headers, ...headers } }
        : reply;
    },
  });

const withContentType = (contentType: string): Change =>
  withHeaders({ 'Content-Type': contentType });

const withError =
  (toBody: (refusal: Refusal) => unknown): Change =>
  () => ({ toErrorBody: toBody });

const withItem =
  (toItem: (entry: Entry) => unknown): Change =>
  () => ({ toItem });

/** Writes the same JSON in other characters. */
const written =
  (rewrite: (text: string) => string): Change =>
  (base) => ({
    stringify: (body, exchange) => rewrite(base.stringify(body, exchange)),
  });

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

/** Sends the body in chunks, cut without regard to characters. */
const inChunks =
  (length: number): Change =>
  () => ({
    send: ({ status, headers, body }, _exchange, response) => {
      response.writeHead(status, headers);
      const bytes = Buffer.from(body);
      for (let from = 0; from < bytes.length; from += length) {
        response.write(bytes.subarray(from, from + length));
      }
      response.end();
    },
  });

/** Writes the response itself. */
const writes =
  (toBytes: (reply: Reply) => string): Change =>
  () => ({
    send: (reply, _exchange, response) => {
      response.socket?.end(toBytes(reply));
    },
  });

/** A response of HTTP/1.0, which ends with its connection. */
const inHttp10 = writes(({ status, headers, body }) =>
  [
    `HTTP/1.0 ${status} `,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body.toString(),
  ].join('\r\n'),
);

const withoutLength = writes(({ status, headers, body }) =>
  [
    `HTTP/1.1 ${status} Quite`,
    'Connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body.toString(),
  ].join('\r\n'),
);

const renamesHeaders =
  (rename: (name: string) => string): Change =>
  () => ({
    send: ({ status, headers, body }, _exchange, response) => {
      response.setHeader(rename('Content-Length'), Buffer.byteLength(body));
      for (const [name, value] of Object.entries(headers)) response.setHeader(rename(name), value);
      response.writeHead(status).end(body);
    },
  });

const slow =
  (milliseconds: number, everyNth: number): Change =>
  (base) => ({
    answer: async (exchange) => {
      if (exchange.number % everyNth === 0) await delay(milliseconds);
      return base.answer(exchange);
    },
  });

/** Takes a moment before it writes, and writes in one step. */
const writesLate: Change = (base) => ({
  apply: async (entry, quantity, exchange) => {
    await delay(exchange.number % 7);
    return base.apply(entry, quantity, exchange);
  },
});

const oneByOne: Change = (base) => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    answer: async (exchange) => {
      const turn = last.then(async () => base.answer(exchange));
      last = turn.catch(() => undefined);
      return turn;
    },
  };
};

/** Puts U+FFFD for bytes that are not UTF-8, as most decoders do unless they are told not to. */
const replacesInvalidUtf8: Change = () => ({ decode: (bytes) => bytes.toString() });

const escapes = written((text) =>
  text
    .replaceAll('"quantity"', String.raw`"qu\u0061ntity"`)
    .replaceAll('"available"', String.raw`"\u0061vail\u0061ble"`),
);

const pretty = written((text) => text.replaceAll(/([[{,])/g, '$1\r\n\t').replaceAll('":', '" : '));

const german = withError(({ code, status }) => ({
  code,
  message: 'Ungültig: größer als erlaubt – bitte ändern 🐈',
  status,
}));

const pets = (...ids: readonly bigint[]): readonly SeedEntry[] =>
  ids.map((petId, index) => [petId, BigInt(index * 3), index % 2 === 0 ? 'available' : 'pending']);

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

const representation: readonly LegalProvider[] = [
  {
    name: 'charset-declared',
    summary: 'declares a charset',
    change: withContentType('application/json; charset=utf-8'),
  },
  {
    name: 'media-type-capitalised',
    summary: 'declares Application/JSON',
    change: withContentType('Application/JSON'),
  },
  {
    name: 'media-type-with-space-and-quotes',
    summary: 'declares a quoted charset with spaces around',
    change: withContentType('application/json ; charset="UTF-8"'),
  },
  {
    name: 'json-pretty',
    summary: 'writes JSON on many lines',
    change: () => ({ stringify: (body) => stringifyExactJson(body, 4) }),
  },
  { name: 'json-with-tabs', summary: 'writes JSON with tabs and CR LF', change: pretty },
  {
    name: 'json-with-newline',
    summary: 'writes a line end behind the value',
    change: written((text) => `${text}\n`),
  },
  {
    name: 'json-in-white-space',
    summary: 'writes white space around the value',
    change: written((text) => `\r\n\t ${text} \n\n`),
  },
  { name: 'json-escaped', summary: 'escapes letters of names and values', change: escapes },
  {
    name: 'json-other-field-order',
    summary: 'writes fields in another order',
    change: combine(
      withItem(({ petId, quantity, status }) => ({ status, quantity, petId })),
      withError(({ code, message, status }) => ({ status, message, code })),
    ),
  },
  { name: 'messages-in-german', summary: 'writes messages beyond ASCII', change: german },
  {
    name: 'messages-in-german-escaped',
    summary: 'writes messages beyond ASCII in escapes',
    change: combine(
      german,
      written((text) =>
        text.replaceAll(
          /[^\0-\x7f]/g,
          (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
        ),
      ),
    ),
  },
  {
    name: 'messages-long',
    summary: 'writes messages of 20 kB with quotes, line ends and braces',
    change: withError(({ code, status }) => ({
      code,
      message: 'got "{5}"\n\t]'.repeat(1_600),
      status,
    })),
  },
];

const transport: readonly LegalProvider[] = [
  {
    name: 'connection-closed',
    summary: 'closes the connection after each response',
    change: withHeaders({ Connection: 'close' }),
  },
  { name: 'chunks', summary: 'sends bodies in chunks', change: inChunks(4_096) },
  {
    name: 'chunks-of-three-bytes',
    summary: 'sends bodies in chunks of three bytes, within characters',
    change: combine(german, inChunks(3)),
  },
  {
    name: 'length-left-out',
    summary: 'ends a body by closing the connection',
    change: withoutLength,
  },
  { name: 'http-1.0', summary: 'speaks HTTP/1.0, without a reason phrase', change: inHttp10 },
  {
    name: 'headers-in-lower-case',
    summary: 'writes header names in lower case',
    change: renamesHeaders((name) => name.toLowerCase()),
  },
  {
    name: 'headers-in-upper-case',
    summary: 'writes header names in upper case',
    change: renamesHeaders((name) => name.toUpperCase()),
  },
  {
    name: 'headers-many',
    summary: 'sends many other headers',
    change: withHeaders({
      'Set-Cookie': 'session=1; HttpOnly',
      'Strict-Transport-Security': 'max-age=63072000',
      'X-Request-Id': '7d444840-9dc0-11d1-b245-5ffdce74fad2',
      'Access-Control-Allow-Origin': '*',
      Vary: 'Origin, Accept-Encoding',
      ETag: '"33a64df5"',
      Server: 'Inventory/3',
      'X-Padding': 'a'.repeat(4_000),
    }),
  },
  {
    name: 'slow-now-and-then',
    summary: 'takes 100 ms for every sixtieth request',
    change: slow(100, 60),
  },
  { name: 'slow-always', summary: 'takes 3 ms for every request', change: slow(3, 1) },
  { name: 'writes-late', summary: 'takes a moment before it writes', change: writesLate },
  { name: 'one-by-one', summary: 'answers one request at a time', change: oneByOne },
];

const inventories: readonly LegalProvider[] = [
  { name: 'one-pet', summary: 'has one pet', seed: pets(7n) },
  { name: 'two-pets', summary: 'has two pets', seed: pets(7n, 8n) },
  { name: 'ten-pets', summary: 'has ten pets', seed: consecutivePets(10) },
  { name: 'thousand-pets', summary: 'has 1000 pets', seed: consecutivePets(1_000) },
  {
    name: 'pets-with-large-ids',
    summary: 'has petIds near both ends of int64, and these ends',
    seed: pets(
      9223372036854775807n,
      9223372036854775806n,
      9007199254740993n,
      -9223372036854775807n,
      -9223372036854775808n,
    ),
  },
  {
    name: 'pets-beside-each-other-beyond-double',
    summary: 'has petIds that a double cannot tell from each other',
    seed: pets(9007199254740992n, 9007199254740993n, 9007199254740994n),
  },
  {
    name: 'pets-with-negative-ids',
    summary: 'has negative petIds, and 0',
    seed: pets(-1n, -2n, -5000000000n, 0n),
  },
  {
    name: 'pets-with-huge-quantities',
    summary: 'has quantities that no double holds',
    seed: [
      [1n, 123456789012345678901234567890n, 'available'],
      [2n, -9007199254740993n, 'pending'],
      [3n, 10n ** 300n + 7n, 'sold'],
    ],
  },
  {
    name: 'pets-all-sold',
    summary: 'has pets that are all sold, with a quantity of 0',
    seed: [
      [11n, 0n, 'sold'],
      [12n, 0n, 'sold'],
      [13n, 0n, 'sold'],
    ],
  },
  {
    name: 'keys-many',
    summary: 'knows several keys',
    apiKeys: ['k-ONE-1', 'k-TWO-2', 'k-THREE-3'],
  },
  {
    name: 'key-of-digits',
    summary: 'has a key without letters, which has no other case',
    apiKeys: ['0123456789'],
  },
  {
    name: 'key-with-symbols',
    summary: 'has a key with the characters of a token (RFC 6750)',
    apiKeys: ['aZ09-._~+/=='],
  },
  {
    name: 'key-long',
    summary: 'has a key of 600 characters',
    apiKeys: ['eyJhbGciOi'.repeat(60)],
  },
];

/**
 * What is not here, because it is doubtful whether the spec allows it: integers written as `5.0` in
 * responses, a byte order mark, unknown query parameters refused, 429 and 503, an echo whose status
 * differs from the list's, compression that was not asked for.
 */
export const variations: readonly LegalProvider[] = [
  ...decided,
  ...combined,
  ...representation,
  ...transport,
  ...inventories,
];
