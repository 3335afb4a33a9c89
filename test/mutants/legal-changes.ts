import { Buffer } from 'node:buffer';
import type { Change, Entry, Refusal, Reply } from './steps.ts';

export const withHeaders =
  (headers: Readonly<Record<string, string>>, statuses?: readonly number[]): Change =>
  (base) => ({
    answer: async (exchange) => {
      const reply = await base.answer(exchange);
      return statuses === undefined || statuses.includes(reply.status)
        ? { ...reply, headers: { ...reply.headers, ...headers } }
        : reply;
    },
  });

export const withContentType = (contentType: string): Change =>
  withHeaders({ 'Content-Type': contentType });

export const withError =
  (toBody: (refusal: Refusal) => unknown): Change =>
  () => ({ toErrorBody: toBody });

export const withItem =
  (toItem: (entry: Entry) => unknown): Change =>
  () => ({ toItem });

/** Sends the body in chunks, cut without regard to characters. */
export const inChunks =
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
export const writes =
  (toBytes: (reply: Reply) => string): Change =>
  () => ({
    send: (reply, _exchange, response) => {
      response.socket?.end(toBytes(reply));
    },
  });

/** A response of HTTP/1.0, which ends with its connection. */
export const inHttp10: Change = writes(({ status, headers, body }) =>
  [
    `HTTP/1.0 ${status} `,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body.toString(),
  ].join('\r\n'),
);

/** Writes messages beyond ASCII. */
export const german: Change = withError(({ code, status }) => ({
  code,
  message: 'Ungültig: größer als erlaubt – bitte ändern 🐈',
  status,
}));
