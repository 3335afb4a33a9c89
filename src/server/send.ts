import type { ServerResponse } from 'node:http';
import type { MockResponse } from '../mock/exchange.ts';

/** Up to this size, copying a body costs less than a write of its own behind the headers. */
const smallBody = 16_384;

/** Small bodies as text. Segments never change, and those that nobody holds any more fall out. */
const texts = new WeakMap<Uint8Array, string>();

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
  if (first === undefined || first.length < length) writeAll(outgoing, segments);
  // As text, a body goes out in one write with the headers. Latin-1 gives each byte back.
  else if (length <= smallBody) outgoing.end(toText(first), 'latin1');
  else outgoing.end(first);
}

function writeAll(outgoing: ServerResponse, segments: readonly Uint8Array[]): void {
  outgoing.cork();
  for (const segment of segments) outgoing.write(segment);
  outgoing.end();
  outgoing.uncork();
}

function toText(bytes: Uint8Array): string {
  const known = texts.get(bytes);
  if (known !== undefined) return known;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  texts.set(bytes, text);
  return text;
}

function withLength(headers: readonly string[], length: number): string[] {
  return [...headers, 'Content-Length', String(length)];
}
