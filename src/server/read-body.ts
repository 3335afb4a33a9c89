import type { IncomingMessage } from 'node:http';

/**
 * Reads the body of a request. Where the client goes away before its end, `next` is never called:
 * there is nobody to read an answer.
 *
 * @param limit what lies beyond it is dropped: a client that is still sending can see the answer
 * @param next is given the whole body, or more of it than the limit
 */
export function readBody(
  incoming: IncomingMessage,
  limit: number,
  next: (body: Uint8Array) => void,
): void {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let ended = false;
  const end = (): void => {
    if (ended) return;
    ended = true;
    const [first] = pieces;
    const body = first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces);
    pieces = [];
    next(body);
  };
  incoming.on('data', (piece: Uint8Array) => {
    if (ended) return;
    pieces.push(piece);
    length += piece.length;
    if (length > limit) end();
  });
  incoming.on('end', end);
}
