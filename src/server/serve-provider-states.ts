import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseExactJson } from '../json/exact-json.ts';
import { AdminRefusal, json } from './admin/admin-answer.ts';
import { smallBody } from './admin/body-limits.ts';
import { assertAllowed, type Guard } from './admin/guard.ts';
import { readUpTo } from './admin/read-up-to.ts';
import { sendAnswer, sendRefusal, toRefusal } from './admin/send-answer.ts';
import { NodeRequest } from './node-request.ts';
import type { ProviderStates, StateOutcome } from './provider-states.ts';

/** Where Pact's verifiers set provider states. */
export const providerStatesPath = '/_stockcheck/states';

/** Answers one request to {@link providerStatesPath}. Never rejects. */
export async function serveProviderStates(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  states: ProviderStates,
  guard: Guard,
): Promise<void> {
  try {
    await setState(incoming, states, guard);
    await sendAnswer(outgoing, json({}), new AbortController().signal);
  } catch (error) {
    // Where the client went away, nobody reads it.
    sendRefusal(outgoing, toRefusal(error) ?? toFailure(error));
  }
}

async function setState(
  incoming: IncomingMessage,
  states: ProviderStates,
  guard: Guard,
): Promise<void> {
  const request = new NodeRequest(incoming);
  assertAllowed(request, undefined, guard);
  if (request.method !== 'POST') {
    const message = `${providerStatesPath} supports POST; got ${request.method}`;
    throw new AdminRefusal(405, 'method_not_allowed', message, { Allow: 'POST' });
  }
  const outcome = await change(await readUpTo(incoming, smallBody), states);
  if (outcome.kind === 'refused') throw new AdminRefusal(400, 'invalid_request', outcome.message);
}

async function change(body: Uint8Array, states: ProviderStates): Promise<StateOutcome> {
  const parsed = parseExactJson(new TextDecoder().decode(body));
  return parsed.ok
    ? states.change(parsed.value)
    : { kind: 'refused', message: `the body is not valid JSON: ${parsed.problem}` };
}

function toFailure(error: unknown): AdminRefusal {
  const why = error instanceof Error ? error.message : String(error);
  return new AdminRefusal(500, 'internal_error', `the state could not be set: ${why}`);
}
