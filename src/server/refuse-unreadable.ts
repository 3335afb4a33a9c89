import type { Socket } from 'node:net';
import { toErrorJson } from '../inventory/error-body.ts';

/** Answers what `node:http` could not read as a request, or did not get in time. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, reason, code, message] = describeUnreadable(error);
  const body = toErrorJson(code, message, status);
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json\r\n` +
      `Access-Control-Allow-Origin: *\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
}

function describeUnreadable(
  error: NodeJS.ErrnoException,
): readonly [status: number, reason: string, code: string, message: string] {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return [408, 'Request Timeout', 'request_timeout', 'the request did not arrive in time'];
    case 'HPE_HEADER_OVERFLOW':
      return [
        431,
        'Request Header Fields Too Large',
        'header_fields_too_large',
        'the headers of the request are too large; expected at most 16 KiB',
      ];
    default:
      return [
        400,
        'Bad Request',
        'invalid_request',
        `the request is not valid HTTP/1.1: ${error.message}`,
      ];
  }
}
