import type { ServerResponse } from 'node:http';
import type { MockResponse } from '../mock/exchange.ts';

/** Up to this size, copying a body costs less than a write of its own behind the headers. */
const smallBody = 16_384;

/** Sends an answer of the mock, with the length of its body. */
export function send(outgoing: ServerResponse, { status, headers, body }: MockResponse): void {
  if (status === 204) outgoing.writeHead(status, headers as string[]).end();
  else if (typeof body === 'string') sendText(outgoing, status, headers, body);
  else sendSegments(outgoing, status, headers, body);
}

function sendText(
  outgoing: ServerResponse,
  status: number,
  headers: readonly string[],
  text: string,
): void {
  const length = Buffer.byteLength(text);
  outgoing.writeHead(status, withLength(headers, length));
  // Text of one byte for each character is ASCII, which is written faster as Latin-1.
  outgoing.end(text, length === text.length ? 'latin1' : 'utf8');
}

function sendSegments(
  outgoing: ServerResponse,
  status: number,
  headers: readonly string[],
  segments: readonly Uint8Array[],
): void {
  const length = segments.reduce((sum, segment) => sum + segment.length, 0);
  outgoing.writeHead(status, withLength(headers, length));
  const [first] = segments;
  if (first !== undefined && length === first.length) {
    // As text, a body goes out in one write with the headers. Latin-1 gives each byte back.
    if (length <= smallBody) outgoing.end(toBuffer(first).toString('latin1'), 'latin1');
    else outgoing.end(first);
    return;
  }
  outgoing.cork();
  for (const segment of segments) outgoing.write(segment);
  outgoing.end();
  outgoing.uncork();
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function withLength(headers: readonly string[], length: number): string[] {
  return [...headers, 'Content-Length', String(length)];
}
