import type { IncomingMessage } from 'node:http';
import { whenReady, type MaybePromise } from '../inventory/store.ts';

/** A piece costs some 200 bytes beside what is in it: a client may send one for every byte. */
const mostPieces = 1024;

/**
 * Reads the body of a request. Where the client goes away before its end, `next` is never called:
 * there is nobody to read an answer.
 *
 * @param limit what lies beyond it is dropped: a client that is still sending can see the answer
 * @param next is given the whole body, or more of it than the limit
 * @param extend is asked once, for a body beyond the limit, whether it may be larger after all
 */
export function readBody(
  incoming: IncomingMessage,
  limit: number,
  next: (body: Uint8Array, isWhole: boolean) => void,
  extend?: () => MaybePromise<number>,
): void {
  let pieces: Uint8Array[] = [];
  /** What so many pieces were joined to. */
  let joined: Uint8Array[] = [];
  let length = 0;
  let ended = false;
  let most = limit;
  let ask = extend;
  const end = (): void => {
    if (ended) return;
    ended = true;
    const [first] = pieces;
    const isOne = first !== undefined && length === first.length;
    const body = isOne ? first : Buffer.concat([...joined, ...pieces]);
    pieces = [];
    joined = [];
    next(body, length <= most);
  };
  const goOn = (larger: number): void => {
    most = Math.max(most, larger);
    if (length > most) end();
    incoming.resume();
  };
  incoming.on('data', (piece: Uint8Array) => {
    if (ended) return;
    pieces.push(piece);
    length += piece.length;
    if (pieces.length >= mostPieces) {
      joined.push(Buffer.concat(pieces));
      pieces = [];
    }
    if (length <= most) return;
    if (ask === undefined) {
      end();
      return;
    }
    const asked = ask();
    ask = undefined;
    incoming.pause();
    void whenReady(asked, goOn);
  });
  incoming.on('end', end);
}
