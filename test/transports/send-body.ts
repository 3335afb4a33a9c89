import type { ClientRequest } from 'node:http';
import type { CaseRequest } from '../../contracts/case.ts';

/** Long enough for the first piece to arrive alone, in milliseconds. */
const pause = 20;

/** Sends the body of a request and ends it. */
export function sendBody(outgoing: ClientRequest, { body, inPieces }: CaseRequest): void {
  if (body === undefined || inPieces === undefined) {
    outgoing.end(body);
    return;
  }
  outgoing.write(body.subarray(0, 5));
  setTimeout(() => outgoing.end(body.subarray(5)), pause);
}
