import { createGzip } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { BrokenProvider } from '../mutant.ts';
import { errorStatuses, jsonHeaders } from '../replace-reply.ts';
import { has, isListed, isUpdated, sends, size, toHead, type Meant } from '../replace-sending.ts';
import type { Change } from '../steps.ts';

const hangs = (isMeant: Meant): Change => sends(() => {}, isMeant);

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

/** What keeps a client busy until it loses patience. */
const endless: readonly BrokenProvider[] = [
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
    leavesNothingToJudge: true,
    change: hangs(() => true),
  },
  {
    name: 'hang-on-list',
    breaks: '4.1/lists-an-array',
    summary: 'never answers a list with a right key',
    leavesNothingToJudge: true,
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

export const endlessTransportViolations: readonly BrokenProvider[] = endless.map((violation) =>
  Object.assign(violation, { needs: 'transport' as const }),
);
