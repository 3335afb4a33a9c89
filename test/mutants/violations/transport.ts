import { createGzip, gzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { BrokenProvider } from '../mutant.ts';
import { errorStatuses, jsonHeaders, replaceReply } from '../replace-reply.ts';
import type { Change, Exchange, Reply } from '../steps.ts';

type Send = (reply: Reply, response: ServerResponse, exchange: Exchange) => void;
type Meant = (reply: Reply, exchange: Exchange) => boolean;

/** Sends some replies in another way. */
const sends =
  (send: Send, isMeant: Meant = () => true): Change =>
  (base) => ({
    send: (reply, exchange, response) => {
      if (isMeant(reply, exchange)) send(reply, response, exchange);
      else base.send(reply, exchange, response);
    },
  });

/** Writes bytes to the connection itself. */
const writes = (toBytes: (reply: Reply) => string, isMeant?: Meant): Change =>
  sends((reply, response) => {
    response.socket?.end(toBytes(reply));
  }, isMeant);

const hangs = (isMeant: Meant): Change => sends(() => {}, isMeant);

const isList: Meant = (_reply, { operation }) => operation === 'listInventory';
const isUpdate: Meant = (_reply, { operation }) => operation === 'updateInventory';
const isListed: Meant = (reply, exchange) => reply.status === 200 && isList(reply, exchange);
const isUpdated: Meant = (reply, exchange) => reply.status === 200 && isUpdate(reply, exchange);
const has =
  (...statuses: number[]): Meant =>
  ({ status }) =>
    statuses.includes(status);

const size = ({ body }: Reply): number => Buffer.byteLength(body);

const toHead = (status: number, ...fields: readonly string[]): string =>
  [`HTTP/1.1 ${status} Said`, 'Content-Type: application/json', ...fields, '', ''].join('\r\n');

const resets: Send = (_reply, response) => {
  response.socket?.resetAndDestroy();
};

/** Calls again and again, until the connection is closed. */
function repeat(
  response: ServerResponse,
  milliseconds: number,
  act: (socket: Socket) => void,
): void {
  const { socket } = response;
  if (socket === null) return;
  const timer = setInterval(() => {
    act(socket);
  }, milliseconds);
  socket.once('close', () => {
    clearInterval(timer);
  });
}

/** Writes as fast as the other side reads, until the connection is closed. */
function flood(response: ServerResponse, chunk: string): void {
  const { socket } = response;
  const write = (): void => {
    if (socket?.destroyed === false && socket.write(chunk)) setImmediate(write);
  };
  socket?.on('drain', write);
  write();
}

const broken: readonly BrokenProvider[] = [
  {
    name: 'content-length-too-long',
    breaks: '4.1/lists-an-array',
    summary: 'announces ten bytes more than it sends, and closes',
    change: writes(
      (reply) =>
        `${toHead(reply.status, `Content-Length: ${size(reply) + 10}`)}${reply.body.toString()}`,
      isListed,
    ),
  },
  {
    name: 'content-length-too-short',
    breaks: '4.1/lists-an-array',
    summary: 'announces ten bytes less than it sends',
    change: writes(
      (reply) =>
        `${toHead(reply.status, `Content-Length: ${size(reply) - 10}`)}${reply.body.toString()}`,
      isListed,
    ),
  },
  {
    name: 'content-length-counts-characters',
    breaks: '7/error-body',
    summary: 'counts characters, not bytes, in errors with an umlaut',
    change: writes(
      (reply) => {
        const body = `{"code":"refused","message":"ung\u00fcltig","status":${reply.status}}`;
        return toHead(reply.status, `Content-Length: ${body.length}`) + body;
      },
      has(...errorStatuses),
    ),
  },
  {
    name: 'chunks-truncated',
    breaks: '4.1/lists-an-array',
    summary: 'closes the connection within a chunk of the list',
    change: writes(
      (reply) =>
        `${toHead(reply.status, 'Transfer-Encoding: chunked')}${size(reply).toString(16)}\r\n${reply.body.slice(0, 40).toString()}`,
      isListed,
    ),
  },
  {
    name: 'chunks-without-end',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'closes the connection without the last chunk',
    change: writes(
      (reply) =>
        `${toHead(reply.status, 'Transfer-Encoding: chunked')}${size(reply).toString(16)}\r\n${reply.body.toString()}\r\n`,
      isUpdated,
    ),
  },
  {
    name: 'chunk-size-malformed',
    breaks: '4.1/lists-an-array',
    summary: 'writes a chunk size that is no number',
    change: writes(
      (reply) =>
        `${toHead(reply.status, 'Transfer-Encoding: chunked')}zz\r\n${reply.body.toString()}\r\n0\r\n\r\n`,
      isListed,
    ),
  },
  {
    name: 'reset-on-400',
    breaks: '7/400-invalid-body',
    summary: 'resets the connection in place of 400',
    change: sends(resets, has(400)),
  },
  {
    name: 'reset-on-401',
    breaks: '7/401-unauthorized',
    summary: 'resets the connection in place of 401',
    change: sends(resets, has(401)),
  },
  {
    name: 'reset-on-404',
    breaks: '7/404-not-found',
    summary: 'resets the connection in place of 404',
    change: sends(resets, has(404)),
  },
  {
    name: 'reset-on-update',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'updates, and resets the connection',
    change: sends(resets, isUpdated),
  },
  {
    name: 'closed-without-a-word',
    breaks: '4.1/lists-an-array',
    summary: 'closes every connection without an answer',
    change: writes(() => ''),
  },
  {
    name: 'status-line-malformed',
    breaks: '4.1/lists-an-array',
    summary: 'sends a status line without a number',
    change: writes(() => 'HTTP/1.1 OK\r\nContent-Length: 2\r\n\r\n[]', isListed),
  },
  {
    name: 'not-http',
    breaks: '4.1/lists-an-array',
    summary: 'speaks another protocol',
    change: writes(() => '220 inventory ESMTP ready\r\n'),
  },
  {
    name: 'header-malformed',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'sends a header line without a colon',
    change: writes(
      (reply) =>
        `${toHead(reply.status, `Content-Length: ${size(reply)}`, 'oh no')}${reply.body.toString()}`,
      isUpdated,
    ),
  },
  {
    name: 'redirect-301',
    breaks: '4.1/lists-an-array',
    summary: 'redirects the list to a path with a slash at its end',
    change: redirects(301, isListed),
  },
  {
    name: 'redirect-308',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'redirects an update to a path with a slash at its end',
    change: redirects(308, isUpdated),
  },
  {
    name: 'redirect-307-everything',
    breaks: '4/json-bodies',
    summary: 'redirects whatever is right to another address',
    change: replaceReply([200], (_reply, { path }) => ({
      status: 307,
      headers: { Location: `https://127.0.0.1:9${path}` },
      body: '',
    })),
  },
  {
    name: 'redirect-in-a-circle',
    breaks: '4.1/lists-an-array',
    summary: 'redirects the list to itself',
    change: replaceReply([200], (reply, { path, operation }) =>
      operation === 'listInventory'
        ? { status: 302, headers: { Location: path }, body: '' }
        : reply,
    ),
  },
  {
    name: 'gzip-unasked',
    breaks: '4/json-bodies',
    summary: 'compresses bodies though nobody asked for it',
    change: replaceReply([200], (reply) => ({
      ...reply,
      headers: { ...reply.headers, 'Content-Encoding': 'gzip' },
      body: gzipSync(reply.body),
    })),
  },
  {
    name: 'gzip-undeclared',
    breaks: '4/json-bodies',
    summary: 'compresses bodies, and does not say so',
    change: replaceReply([200], (reply) => ({ ...reply, body: gzipSync(reply.body) })),
  },
  {
    name: 'huge-body',
    breaks: '4.1/lists-an-array',
    summary: 'lists 64 MiB of one letter',
    change: sends((_reply, response) => {
      response.writeHead(200, { ...jsonHeaders, 'Content-Length': 2 ** 26 });
      let left = 2 ** 26;
      const chunk = Buffer.alloc(2 ** 16, 'a');
      const write = (): void => {
        while (left > 0 && !response.destroyed) {
          left -= chunk.length;
          if (!response.write(chunk)) return;
        }
        response.end();
      };
      response.on('drain', write);
      write();
    }, isListed),
  },
  {
    name: 'huge-header',
    breaks: '4.1/lists-an-array',
    summary: 'sends a header of 1 MiB with the list',
    change: replaceReply([200], (reply, { operation }) =>
      operation === 'listInventory'
        ? { ...reply, headers: { ...reply.headers, 'X-Trace': 'a'.repeat(2 ** 20) } }
        : reply,
    ),
  },
];

function redirects(status: number, isMeant: Meant): Change {
  return replaceReply([200], (reply, exchange) =>
    isMeant(reply, exchange)
      ? { status, headers: { Location: `${exchange.path}/` }, body: '' }
      : reply,
  );
}

/** What keeps a client busy until it loses patience. */
const neverEnding: readonly BrokenProvider[] = [
  {
    name: 'content-length-too-long-and-open',
    breaks: '4.1/lists-an-array',
    summary: 'announces ten bytes more than it sends, and keeps the connection',
    change: sends((reply, response) => {
      response.socket?.write(
        `${toHead(reply.status, `Content-Length: ${size(reply) + 10}`)}${reply.body.toString()}`,
      );
    }, isListed),
  },
  {
    name: 'hang-on-everything',
    breaks: '4.1/lists-an-array',
    summary: 'never answers',
    change: hangs(() => true),
  },
  {
    name: 'hang-on-list',
    breaks: '4.1/lists-an-array',
    summary: 'never answers a list with a right key',
    change: hangs(isListed),
  },
  {
    name: 'hang-on-update',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'updates, and never says so',
    change: hangs(isUpdated),
  },
  {
    name: 'hang-on-400',
    breaks: '7/400-invalid-body',
    summary: 'never answers an invalid body',
    change: hangs(has(400)),
  },
  {
    name: 'hang-on-401',
    breaks: '7/401-unauthorized',
    summary: 'never answers a wrong key',
    change: hangs(has(401)),
  },
  {
    name: 'hang-on-404',
    breaks: '7/404-not-found',
    summary: 'never answers for an unknown pet',
    change: hangs(has(404)),
  },
  {
    name: 'hang-on-no-body',
    breaks: '4.2/body-required',
    summary: 'waits for a body that is not there',
    change: hangs(({ status }, { body }) => status === 400 && body.length === 0),
  },
  {
    name: 'hang-after-headers',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'sends the headers of an echo, and no byte of its body',
    change: sends((_reply, response) => {
      response.writeHead(200, { ...jsonHeaders, 'Content-Length': 40 }).flushHeaders();
    }, isUpdated),
  },
  {
    name: 'endless-body',
    breaks: '4.1/lists-an-array',
    summary: 'lists entries without end',
    change: sends((_reply, response) => {
      response.socket?.write(`${toHead(200, 'Connection: close')}[`);
      flood(response, '{"petId":1,"quantity":1,"status":"sold"},'.repeat(1_000));
    }, isListed),
  },
  {
    name: 'endless-error',
    breaks: '7/error-body',
    summary: 'sends errors with a message without end',
    change: sends(
      (reply, response) => {
        response.socket?.write(
          `${toHead(reply.status, 'Connection: close')}{"status":${reply.status},"message":"`,
        );
        flood(response, 'no '.repeat(10_000));
      },
      has(...errorStatuses),
    ),
  },
  {
    name: 'endless-white-space',
    breaks: '4.1/lists-an-array',
    summary: 'writes the list, and then spaces without end',
    change: sends((reply, response) => {
      response.socket?.write(`${toHead(200, 'Connection: close')}${reply.body.toString()}`);
      repeat(response, 20, (socket) => socket.write(' '));
    }, isListed),
  },
  {
    name: 'endless-headers',
    breaks: '4.1/lists-an-array',
    summary: 'sends header lines without end',
    change: sends((_reply, response) => {
      response.socket?.write('HTTP/1.1 200 OK\r\n');
      repeat(response, 20, (socket) => socket.write('X-More: yes\r\n'));
    }, isListed),
  },
  {
    name: 'endless-continue',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'answers 100 Continue again and again',
    change: sends((_reply, response) => {
      repeat(response, 20, (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n'));
    }, isUpdated),
  },
  {
    name: 'slow-drip',
    breaks: '4.1/lists-an-array',
    summary: 'sends the list at a byte per second',
    change: sends((reply, response) => {
      response.writeHead(200, { ...jsonHeaders, 'Content-Length': size(reply) });
      let sent = 0;
      repeat(response, 1_000, () => {
        response.write(reply.body.slice(sent, sent + 1));
        sent += 1;
        if (sent === size(reply)) response.end();
      });
    }, isListed),
  },
  {
    name: 'gzip-bomb',
    breaks: '4.1/lists-an-array',
    summary: 'sends compressed zeros without end',
    change: sends((_reply, response) => {
      response.writeHead(200, { ...jsonHeaders, 'Content-Encoding': 'gzip' });
      const gzip = createGzip();
      gzip.pipe(response);
      const zeros = Buffer.alloc(2 ** 20, '0');
      repeat(response, 20, () => gzip.write(zeros));
    }, isListed),
  },
];

export const transportViolations: readonly BrokenProvider[] = [
  ...broken,
  ...neverEnding.map((violation): BrokenProvider =>
    Object.assign(violation, { needs: 'transport' as const }),
  ),
];
