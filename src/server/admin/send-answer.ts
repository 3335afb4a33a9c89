import type { ServerResponse } from 'node:http';
import { SandboxGoneError } from '../../inventory/sandbox-storage.ts';
import { StoreUnavailableError } from '../../inventory/store.ts';
import { toErrorJson } from '../../inventory/error-body.ts';
import { stringifyExactJson } from '../../json/exact-json.ts';
import { SandboxError } from '../../mock/sandbox.ts';
import { send } from '../send.ts';
import {
  AdminRefusal,
  type AdminAnswer,
  type AdminHeaders,
  type AdminStream,
} from './admin-answer.ts';

// No CORS, ever: pages of other origins have no business here.
const common: AdminHeaders = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
};

/**
 * Sends an answer.
 *
 * @param signal aborted when the client went away, or the server stops
 */
export async function sendAnswer(
  outgoing: ServerResponse,
  answer: AdminAnswer,
  signal: AbortSignal,
): Promise<void> {
  switch (answer.kind) {
    case 'json': {
      const headers = { 'Content-Type': 'application/json', ...answer.headers };
      sendBody(outgoing, answer.status, headers, stringifyExactJson(answer.value));
      return;
    }
    case 'done':
      sendBody(outgoing, 204, {}, '');
      return;
    case 'text':
      sendBody(outgoing, answer.status, answer.headers, answer.body);
      return;
    case 'stream':
      outgoing.writeHead(200, { ...common, ...answer.headers });
      if (outgoing.req.method === 'HEAD') outgoing.end();
      else await answer.run(toStream(outgoing, signal));
  }
}

function sendBody(
  outgoing: ServerResponse,
  status: number,
  headers: AdminHeaders,
  body: string | readonly Uint8Array[],
): void {
  const all = Object.entries({ ...common, ...headers }).flat();
  // Neither has a body, nor the length of one (RFC 9110, section 8.6).
  if (status === 204 || status === 304) outgoing.writeHead(status, all).end();
  else send(outgoing, { status, headers: all, body });
}

function toStream(outgoing: ServerResponse, signal: AbortSignal): AdminStream {
  // Sent now: a client waits for them before it believes that it is connected.
  outgoing.flushHeaders();
  return {
    signal,
    write: (text) => void (outgoing.writable && outgoing.write(text)),
    get waiting() {
      return outgoing.writableLength;
    },
    end: () => void outgoing.end(),
    destroy: () => void outgoing.destroy(),
  };
}

/** What an error is answered with; `undefined` for a bug of ours. */
export function toRefusal(error: unknown): AdminRefusal | undefined {
  if (error instanceof AdminRefusal) return error;
  // It is named by its id: to ask again would find nothing.
  if (error instanceof SandboxGoneError) return new AdminRefusal(404, 'not_found', error.message);
  if (error instanceof StoreUnavailableError) {
    return new AdminRefusal(503, 'unavailable', error.message, {
      'Retry-After': String(error.retryAfterSeconds),
    });
  }
  return error instanceof SandboxError ? toSandboxRefusal(error) : undefined;
}

function toSandboxRefusal({ kind, message }: SandboxError): AdminRefusal {
  switch (kind) {
    case 'notFound':
      return new AdminRefusal(404, 'not_found', message);
    case 'invalid':
      return new AdminRefusal(400, 'invalid_request', message);
    case 'conflict':
      return new AdminRefusal(409, 'conflict', message);
    // Not 429, which is about too many requests in a time, and which clients send again by
    // themselves: room does not come by waiting. RFC 4918 (section 11.5) says of 507 that the
    // request must not be repeated until somebody asks for it.
    case 'limit':
      return new AdminRefusal(507, 'insufficient_storage', message);
  }
}

/**
 * Sends a refusal, in the form that all errors have.
 *
 * @param keepsOpen whether the connection stays open, whatever the refusal says
 */
export function sendRefusal(
  outgoing: ServerResponse,
  { status, code, message, headers }: AdminRefusal,
  keepsOpen = false,
): void {
  const { Connection, ...others } = headers;
  const connection = Connection === undefined || keepsOpen ? {} : { Connection };
  const all = { 'Content-Type': 'application/json', ...others, ...connection };
  sendBody(outgoing, status, all, toErrorJson(code, message, status));
}
