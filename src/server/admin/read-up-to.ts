import type { IncomingMessage } from 'node:http';
import { readBody } from '../read-body.ts';
import { AdminRefusal } from './admin-answer.ts';

/**
 * Reads the body of a request.
 *
 * @param limit how many bytes it may have
 * @throws {AdminRefusal} 413 for a larger one, 400 where the client goes away before its end
 */
export async function readUpTo(incoming: IncomingMessage, limit: number): Promise<Uint8Array> {
  const bytes = await new Promise<Uint8Array>((resolve, reject) => {
    readBody(incoming, limit, resolve);
    incoming.once('close', () => reject(new AdminRefusal(400, 'invalid_request', 'cut short')));
  });
  if (bytes.length <= limit) return bytes;
  const message = `the body must have at most ${limit} bytes; it has more`;
  throw new AdminRefusal(413, 'content_too_large', message, { Connection: 'close' });
}
