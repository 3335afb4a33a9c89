import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { dripEnd, dripInterval } from '../mock/faults/drip.ts';
import type { Delivery, MockResponse } from '../mock/exchange.ts';
import type { LateAnswers } from './late-answers.ts';
import { send } from './send.ts';

export interface DeliveryHooks {
  readonly late: LateAnswers;
  /** Is called when the client gets what it gets, or when nothing more will come. */
  readonly tell: () => void;
  /** Is called in its place where the connection ended before the answer was due. */
  readonly tellUnsent: () => void;
}

/** Sends an answer of the mock as a fault wants it. Ends with the client, if that leaves first. */
export function deliver(
  outgoing: ServerResponse,
  response: MockResponse,
  { delay, damage }: Delivery,
  { late, tell, tellUnsent }: DeliveryHooks,
): void {
  // The client has left while the answer was made.
  if (outgoing.closed) {
    tellUnsent();
    return;
  }
  late.add(outgoing);
  const proceed = (socket: Socket): void => {
    switch (damage?.kind) {
      case undefined:
        send(outgoing, response);
        break;
      case 'reset':
        socket.resetAndDestroy();
        break;
      case 'hang':
        late.hang(socket);
        break;
      case 'empty-reply':
        socket.destroySoon();
        break;
      case 'truncate':
        truncate(outgoing, response, damage.bytes, socket);
        break;
      case 'slow-drip':
        drip(outgoing, response, damage.bytesPerSecond);
    }
    tell();
  };
  later(outgoing, delay, proceed, tellUnsent);
}

/**
 * Calls one back when the time has passed and it is the turn of an answer, or the other when the client
 * has left before.
 */
function later(
  outgoing: ServerResponse,
  milliseconds: number,
  next: (socket: Socket) => void,
  otherwise: () => void,
): void {
  let timer: NodeJS.Timeout | undefined;
  const leave = (): void => {
    clearTimeout(timer);
    otherwise();
  };
  outgoing.once('close', leave);
  const proceed = (): void => {
    whenItsTurn(outgoing, (socket) => {
      outgoing.off('close', leave);
      next(socket);
    });
  };
  if (milliseconds === 0) proceed();
  else timer = setTimeout(proceed, milliseconds);
}

/**
 * Answers to requests that came at once go out one after another (pipelining, RFC 9112, section
 * 9.3.2): what is done to the connection must not hit the ones before.
 */
function whenItsTurn(outgoing: ServerResponse, next: (socket: Socket) => void): void {
  if (outgoing.socket === null) outgoing.once('socket', next);
  else next(outgoing.socket);
}

function truncate(
  outgoing: ServerResponse,
  response: MockResponse,
  bytes: number,
  socket: Socket,
): void {
  const body = begin(outgoing, response);
  if (body === undefined) return;
  writePart(outgoing, body, 0, bytes);
  // Nothing, but behind what was written.
  outgoing.write('', () => socket.destroySoon());
}

function drip(outgoing: ServerResponse, response: MockResponse, bytesPerSecond: number): void {
  const body = begin(outgoing, response);
  if (body === undefined) return;
  const length = lengthOf(body);
  let sent = 0;
  let intervals = 0;
  const timer = setInterval(() => {
    intervals += 1;
    const end = Math.min(dripEnd(intervals, bytesPerSecond), length);
    writePart(outgoing, body, sent, end);
    sent = end;
    if (sent < length) return;
    clearInterval(timer);
    outgoing.end();
  }, dripInterval(bytesPerSecond));
  outgoing.once('close', () => clearInterval(timer));
}

/**
 * Sends the head of an answer, which promises the whole body.
 *
 * @returns the body in segments; `undefined` where none may be sent, and all is done
 */
function begin(
  outgoing: ServerResponse,
  response: MockResponse,
): readonly Uint8Array[] | undefined {
  if (outgoing.req.method === 'HEAD') {
    send(outgoing, response);
    return undefined;
  }
  const { status, headers } = response;
  const body = typeof response.body === 'string' ? [Buffer.from(response.body)] : response.body;
  outgoing.writeHead(status, [...headers, 'Content-Length', String(lengthOf(body))]);
  outgoing.flushHeaders();
  return body;
}

function lengthOf(segments: readonly Uint8Array[]): number {
  return segments.reduce((sum, segment) => sum + segment.length, 0);
}

/** Writes some bytes of a body. None is copied: thousands of clients may be given a long list slowly. */
function writePart(
  outgoing: ServerResponse,
  segments: readonly Uint8Array[],
  from: number,
  to: number,
): void {
  let start = 0;
  for (const segment of segments) {
    const end = start + segment.length;
    if (end > from && start < to) {
      outgoing.write(segment.subarray(Math.max(from - start, 0), to - start));
    }
    start = end;
  }
}
