import type { IncomingMessage, ServerResponse } from 'node:http';
import { toErrorJson } from '../inventory/error-body.ts';
import { parseExactJson } from '../json/exact-json.ts';
import { refuseForeignRequest } from './foreign-request.ts';
import { NodeRequest } from './node-request.ts';
import type { ProviderStates, StateOutcome } from './provider-states.ts';

/** Where Pact's verifiers set provider states. */
export const providerStatesPath = '/_stockcheck/states';

const maximumBytes = 1_048_576;

/** Answers one request to {@link providerStatesPath}. */
export async function serveProviderStates(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  states: ProviderStates,
  onLoopback: boolean,
): Promise<void> {
  const foreign = refuseForeignRequest(new NodeRequest(incoming), onLoopback);
  if (foreign !== undefined) return refuse(outgoing, 403, 'forbidden', foreign);
  if (incoming.method !== 'POST') {
    outgoing.setHeader('Allow', 'POST');
    const message = `${providerStatesPath} supports POST; got ${incoming.method}`;
    return refuse(outgoing, 405, 'method_not_allowed', message);
  }
  const body = await readBody(incoming);
  if (body === undefined) {
    return refuse(outgoing, 413, 'content_too_large', `expected at most ${maximumBytes} bytes`);
  }
  try {
    const outcome = await change(body, states);
    if (outcome.kind === 'done') send(outgoing, 200, '{}');
    else refuse(outgoing, 400, 'invalid_request', outcome.message);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    refuse(outgoing, 500, 'internal_error', `the state could not be set: ${why}`);
  }
}

async function change(body: Uint8Array, states: ProviderStates): Promise<StateOutcome> {
  const parsed = parseExactJson(new TextDecoder().decode(body));
  return parsed.ok
    ? states.change(parsed.value)
    : { kind: 'refused', message: `the body is not valid JSON: ${parsed.problem}` };
}

/** @returns `undefined` where there are too many bytes; the rest is dropped */
async function readBody(incoming: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length <= maximumBytes) chunks.push(chunk);
  }
  return length > maximumBytes ? undefined : Buffer.concat(chunks);
}

function refuse(outgoing: ServerResponse, status: number, code: string, message: string): void {
  send(outgoing, status, toErrorJson(code, message, status));
}

// No CORS: pages of other origins have no business here.
function send(outgoing: ServerResponse, status: number, body: string): void {
  outgoing.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  });
  outgoing.end(body);
}
