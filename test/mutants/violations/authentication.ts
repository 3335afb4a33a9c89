import type { BrokenProvider } from '../mutant.ts';
import type { Change, Exchange, Operation } from '../steps.ts';

/** Also takes what `read` finds in a request for a key, on one operation or on both. */
const alsoReads =
  (read: (exchange: Exchange) => string | null | undefined, only?: Operation): Change =>
  (base) => ({
    readToken: (exchange) =>
      (only === undefined || exchange.operation === only ? read(exchange) : undefined) ??
      base.readToken(exchange),
  });

/** Also takes what the pattern's first group finds in `Authorization` for a key. */
const alsoMatches = (pattern: RegExp): Change =>
  alsoReads(({ headers }) => pattern.exec(headers.authorization ?? '')?.[1]);

/** Also grants what `isGranted` says. */
const grants =
  (isGranted: (exchange: Exchange) => boolean): Change =>
  (base) => ({
    authorize: (exchange) => (isGranted(exchange) ? undefined : base.authorize(exchange)),
  });

/** Compares the token with a key in its own way. */
const knows =
  (isKnown: (token: string, key: string) => boolean): Change =>
  (_base, { apiKeys }) => ({
    isKnown: (token) => apiKeys.some((key) => isKnown(token, key)),
  });

const hasHeader = ({ headers }: Exchange): boolean => headers.authorization !== undefined;

/** What is granted without a right key. */
const unguarded: readonly BrokenProvider[] = [
  {
    name: 'auth-off',
    breaks: '4/authentication-required',
    summary: 'asks nobody for a key',
    change: grants(() => true),
  },
  {
    name: 'auth-off-on-list',
    breaks: '5/every-operation',
    summary: 'lists without a key',
    change: grants(({ operation }) => operation === 'listInventory'),
  },
  {
    name: 'auth-off-on-update',
    breaks: '5/every-operation',
    summary: 'updates without a key',
    change: grants(({ operation }) => operation === 'updateInventory'),
  },
  {
    name: 'auth-missing-key-granted',
    breaks: '5/missing-key',
    summary: 'judges a key only where one is sent',
    change: grants((exchange) => !hasHeader(exchange)),
  },
  {
    name: 'auth-any-header-granted',
    breaks: '5/invalid-key',
    summary: 'is content with any Authorization header',
    change: grants(hasHeader),
  },
  {
    name: 'auth-empty-header-granted',
    breaks: '5/missing-key',
    summary: 'takes an empty Authorization header for a key',
    change: grants(({ headers }) => headers.authorization === ''),
  },
  {
    name: 'auth-scheme-alone-granted',
    breaks: '5/missing-key',
    summary: 'takes the scheme without a key',
    change: grants(({ headers }) => /^bearer *$/i.test(headers.authorization ?? '')),
  },
  {
    name: 'auth-scheme-alone-granted-on-list',
    breaks: '5/missing-key',
    summary: 'lists for the scheme without a key',
    change: grants(
      ({ headers, operation }) =>
        operation === 'listInventory' && /^bearer *$/i.test(headers.authorization ?? ''),
    ),
  },
  {
    name: 'auth-any-key',
    breaks: '5/invalid-key',
    summary: 'knows every key',
    change: () => ({ isKnown: () => true }),
  },
  {
    name: 'auth-any-key-on-list',
    breaks: '5/invalid-key',
    summary: 'lists for every key',
    change: grants((exchange) => exchange.operation === 'listInventory' && hasHeader(exchange)),
  },
  {
    name: 'auth-any-key-on-update',
    breaks: '5/invalid-key',
    summary: 'updates for every key',
    change: grants((exchange) => exchange.operation === 'updateInventory' && hasHeader(exchange)),
  },
];

/** Keys that are only like a right one. */
const likeness: readonly BrokenProvider[] = [
  {
    name: 'auth-any-key-under-lower-case-scheme',
    breaks: '5/invalid-key',
    summary: 'does not look at the key where the scheme is in lower case',
    change: grants(({ headers }) => headers.authorization?.startsWith('bearer ') === true),
  },
  {
    name: 'auth-key-prefix',
    breaks: '5/invalid-key',
    summary: 'takes the beginning of a key',
    change: knows((token, key) => key.startsWith(token)),
  },
  {
    name: 'auth-key-suffix',
    breaks: '5/invalid-key',
    summary: 'takes the end of a key',
    change: knows((token, key) => key.endsWith(token)),
  },
  {
    name: 'auth-key-extended',
    breaks: '5/invalid-key',
    summary: 'takes whatever begins with a key',
    change: knows((token, key) => token.startsWith(key)),
  },
  {
    name: 'auth-key-other-case',
    breaks: '5/invalid-key',
    summary: 'ignores the case of keys',
    change: knows((token, key) => token.toLowerCase() === key.toLowerCase()),
  },
  {
    name: 'auth-key-length',
    breaks: '5/invalid-key',
    summary: 'compares the length of keys',
    change: knows((token, key) => token.length === key.length),
  },
  {
    name: 'auth-key-last-character',
    breaks: '5/invalid-key',
    summary: 'does not compare the last character of keys',
    change: knows(
      (token, key) => token.length === key.length && token.startsWith(key.slice(0, -1)),
    ),
  },
  {
    name: 'auth-key-in-quotes',
    breaks: '5/invalid-key',
    summary: 'takes quotes off a key',
    change: alsoMatches(/^bearer +"(\S+)"$/i),
  },
  {
    name: 'auth-first-of-two-tokens',
    breaks: '5/invalid-key',
    summary: 'reads the first of two tokens',
    change: alsoMatches(/^bearer +(\S+) /i),
  },
  {
    name: 'auth-last-of-two-tokens',
    breaks: '5/invalid-key',
    summary: 'reads the last of two tokens',
    change: alsoMatches(/^bearer .*?(\S+)$/i),
  },
  {
    name: 'auth-token-list',
    breaks: '5/invalid-key',
    summary: 'takes a list of tokens',
    change: alsoMatches(/^bearer ([^,\s]+),/i),
  },
  {
    name: 'auth-key-anywhere',
    breaks: '5/invalid-key',
    summary: 'looks for the key anywhere in the header',
    change: (base, { apiKeys }) => ({
      readToken: (exchange) =>
        apiKeys.find((key) => exchange.headers.authorization?.includes(key)) ??
        base.readToken(exchange),
    }),
  },
];

/** What is granted because of an earlier request. */
const remembered: readonly BrokenProvider[] = [
  {
    name: 'auth-remembered-by-connection',
    breaks: '5/missing-key',
    summary: 'asks for a key once on each connection',
    change: (base) => {
      const granted = new WeakSet<object>();
      return {
        authorize: (exchange) => {
          const refusal = base.authorize(exchange);
          if (refusal === undefined) granted.add(exchange.connection);
          return granted.has(exchange.connection) ? undefined : refusal;
        },
      };
    },
  },
  {
    name: 'auth-remembered-by-address',
    breaks: '5/missing-key',
    summary: 'asks an address for a key once, and grants it all later requests without one',
    change: (base) => {
      let isGranted = false;
      return {
        authorize: (exchange) => {
          const refusal = base.authorize(exchange);
          isGranted ||= refusal === undefined;
          return isGranted && !hasHeader(exchange) ? undefined : refusal;
        },
      };
    },
  },
];

/** Keys under another scheme, or in another place. */
const elsewhere: readonly BrokenProvider[] = [
  {
    name: 'auth-basic',
    breaks: '5/bearer-scheme',
    summary: 'takes Basic credentials',
    change: alsoReads(({ headers }) => {
      const [, encoded = ''] = /^basic (\S+)$/i.exec(headers.authorization ?? '') ?? [];
      return Buffer.from(encoded, 'base64').toString().split(':')[0] || undefined;
    }),
  },
  {
    name: 'auth-any-scheme',
    breaks: '5/bearer-scheme',
    summary: 'takes a key under any scheme',
    change: alsoMatches(/^[a-z]+ (\S+)$/i),
  },
  {
    name: 'auth-basic-with-key',
    breaks: '5/bearer-scheme',
    summary: 'takes a key as it is under the scheme Basic',
    change: alsoMatches(/^basic (\S+)$/i),
  },
  {
    name: 'auth-bare-key',
    breaks: '5/bearer-scheme',
    summary: 'takes a key without a scheme',
    change: alsoMatches(/^(\S+)$/),
  },
  {
    name: 'auth-scheme-with-colon',
    breaks: '5/bearer-scheme',
    summary: 'takes a colon behind the scheme',
    change: alsoMatches(/^bearer: (\S+)$/i),
  },
  {
    name: 'auth-scheme-without-space',
    breaks: '5/bearer-scheme',
    summary: 'cuts off the first six characters, whatever follows',
    change: alsoMatches(/^bearer(\S+)$/i),
  },
  {
    name: 'auth-key-in-query',
    breaks: '5/authorization-header',
    summary: 'takes a key from the query parameter api_key',
    change: alsoReads(({ query }) => query.get('api_key')),
  },
  {
    name: 'auth-key-in-query-on-list',
    breaks: '5/authorization-header',
    summary: 'lists for a key in the query parameter key',
    change: alsoReads(({ query }) => query.get('key'), 'listInventory'),
  },
  {
    name: 'auth-access-token-on-update',
    breaks: '5/authorization-header',
    summary: 'updates for a key in the query parameter access_token (RFC 6750)',
    change: alsoReads(({ query }) => query.get('access_token'), 'updateInventory'),
  },
  {
    name: 'auth-other-header',
    breaks: '5/authorization-header',
    summary: 'takes a key from X-API-Key',
    change: alsoReads(({ headers }) => headers['x-api-key'] as string | undefined),
  },
  {
    name: 'auth-other-header-on-update',
    breaks: '5/authorization-header',
    summary: 'updates for a key in X-API-Key',
    change: alsoReads(
      ({ headers }) => headers['x-api-key'] as string | undefined,
      'updateInventory',
    ),
  },
  {
    name: 'auth-bearer-refused',
    breaks: '5/authorization-header',
    summary: 'knows a key in X-API-Key only',
    leavesNothingToJudge: true,
    change: () => ({ readToken: ({ headers }) => headers['x-api-key'] as string | undefined }),
  },
  {
    name: 'auth-bearer-refused-on-update',
    breaks: '5/json-content-type',
    summary: 'answers 401 to every update',
    change: (base) => ({
      isKnown: () => true,
      readToken: (exchange) =>
        exchange.operation === 'updateInventory' ? undefined : base.readToken(exchange),
    }),
  },
];

export const authenticationViolations: readonly BrokenProvider[] = [
  ...unguarded,
  ...likeness,
  ...remembered,
  ...elsewhere,
];
