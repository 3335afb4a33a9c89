import { setTimeout as delay } from 'node:timers/promises';
import { withHeaders, inChunks, writes, inHttp10, german } from '../legal-changes.ts';
import type { LegalProvider } from '../mutant.ts';
import { combine, type Change } from '../steps.ts';

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

export const transportVariations: readonly LegalProvider[] = [
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
