import type { Socket } from 'node:net';
import { toErrorJson, type ErrorCode } from '../inventory/error-body.ts';
import type { Policy } from '../mock/policy.ts';
import type { Exchange } from './exchange.ts';

/** How long a client has to read why it is refused, in milliseconds. */
const linger = 1000;

/**
 * Answers what `node:http` could not read as a request, or did not get in time.
 *
 * @returns what happened, for the log; `undefined` where nobody is there to be answered
 */
export function refuseUnreadable(
  error: NodeJS.ErrnoException,
  socket: Socket,
  policy: Policy,
): Exchange | undefined {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  const { status, reason, code, message } = describeUnreadable(error);
  const body = toErrorJson(policy['error-codes'][code] ?? code, message, status);
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json\r\n` +
      `Access-Control-Allow-Origin: *\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
  // Not at once: what is still on its way here would make the answer get lost (RFC 9112, section
  // 9.6). But not later: a client that never closes its end would keep the connection for ever.
  const deadline = setTimeout(() => socket.destroy(), linger);
  socket.once('close', () => clearTimeout(deadline));
  return { method: '(unreadable)', path: '', status, duration: 0, refusal: message };
}

interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly code: ErrorCode;
  readonly message: string;
}

function describeUnreadable(error: NodeJS.ErrnoException): Refusal {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return {
        status: 408,
        reason: 'Request Timeout',
        code: 'request_timeout',
        message: 'the request did not arrive in time',
      };
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: 431,
        reason: 'Request Header Fields Too Large',
        code: 'header_fields_too_large',
        message: 'the headers of the request are too large; expected at most 16 KiB',
      };
    default:
      return {
        status: 400,
        reason: 'Bad Request',
        code: 'invalid_request',
        message: `the server cannot read this as a request of HTTP/1.1: ${error.message}`,
      };
  }
}
