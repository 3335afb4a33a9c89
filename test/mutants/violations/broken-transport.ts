import { gzipSync } from 'node:zlib';
import type { BrokenProvider } from '../mutant.ts';
import { errorStatuses, jsonHeaders, replaceReply } from '../replace-reply.ts';
import {
  has,
  isListed,
  isUpdated,
  sends,
  size,
  toHead,
  type Meant,
  type Send,
} from '../replace-sending.ts';
import type { Change, Reply } from '../steps.ts';

/** Writes bytes to the connection itself. */
const writes = (toBytes: (reply: Reply) => string, isMeant?: Meant): Change =>
  sends((reply, response) => {
    response.socket?.end(toBytes(reply));
  }, isMeant);

const resets: Send = (_reply, response) => {
  response.socket?.resetAndDestroy();
};

export const brokenTransportViolations: readonly BrokenProvider[] = [
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
    leavesNothingToJudge: true,
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
    leavesNothingToJudge: true,
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
