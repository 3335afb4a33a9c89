import type { ConsoleFiles } from './console-files.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { quoteText } from '../../json/cut-text.ts';
import { describeJson, parseExactJson, type ExactJson } from '../../json/exact-json.ts';
import type { Sandboxes } from '../../mock/sandboxes.ts';
import { NodeRequest } from '../node-request.ts';
import { AdminRefusal } from './admin-answer.ts';
import { adminPath, findRoute, type AdminRoute } from './admin-route.ts';
import { createAdminRoutes } from './admin-routes.ts';
import { EventFeed } from './event-feed.ts';
import { assertAllowed, type Guard } from './guard.ts';
import { checkQuery } from './read-query.ts';
import { readUpTo } from './read-up-to.ts';
import { sendAnswer, sendRefusal, toRefusal } from './send-answer.ts';
import type { RunVerification, ServeAlone } from './verification.ts';

export interface AdminOptions {
  readonly sandboxes: Sandboxes;
  readonly guard: Guard;
  /** The folder that the console was built into. Left out: a page says how to get it. */
  readonly consoleFiles?: ConsoleFiles | undefined;
  /** Left out: 501. */
  readonly verify?: RunVerification | undefined;
  /** Serves one sandbox while it is verified. */
  readonly serveAlone: ServeAlone;
  /** Is told of every error that is a bug of ours. */
  readonly onBug: (error: unknown) => void;
  /**
   * Requests are passed on by another process. Whoever sends a body that is too large would lose the
   * answer if the connection were closed before its end.
   */
  readonly isForwarded?: true;
}

/** The admin API over HTTP. */
export interface Admin {
  /** Answers a request to `/_stockcheck` or below. Never rejects. */
  serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void>;
  /** Ends streams, long polls and verifications. */
  close(): void;
}

/** Creates the admin API of a mock with sandboxes. */
export function createAdmin(options: AdminOptions): Admin {
  const feed = new EventFeed(options.sandboxes, options.onBug);
  const routes = createAdminRoutes({ ...options, feed });
  const closing = new AbortController();
  return {
    async serve(incoming, outgoing) {
      const gone = new AbortController();
      outgoing.once('close', () => gone.abort());
      const signal = AbortSignal.any([gone.signal, closing.signal]);
      try {
        await answer(incoming, outgoing, { routes, guard: options.guard, signal });
      } catch (error) {
        if (closing.signal.aborted) refuse(stopping, outgoing, options);
        // What was given up because the client is gone needs no answer.
        else if (!gone.signal.aborted) refuse(error, outgoing, options);
      }
    },
    close() {
      closing.abort();
      feed.close();
    },
  };
}

function refuse(
  error: unknown,
  outgoing: ServerResponse,
  { onBug, isForwarded }: Pick<AdminOptions, 'onBug' | 'isForwarded'>,
): void {
  const refusal = toRefusal(error);
  if (refusal === undefined) onBug(error);
  // Too late to say anything: the client sees that the answer is cut off.
  if (outgoing.headersSent) outgoing.destroy();
  else sendRefusal(outgoing, refusal ?? internalError, isForwarded);
}

const internalError = new AdminRefusal(
  500,
  'internal_error',
  'the admin API failed; this is a bug in the mock',
);

const stopping = new AdminRefusal(503, 'unavailable', 'the server stops', { Connection: 'close' });

interface Serving {
  readonly routes: readonly AdminRoute[];
  readonly guard: Guard;
  readonly signal: AbortSignal;
}

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { routes, guard, signal }: Serving,
): Promise<void> {
  const request = new NodeRequest(incoming);
  const { method, path } = request;
  const found = findRoute(routes, method, path);
  const addressed =
    path === adminPath ? toConsole : found.kind === 'found' ? found.route : undefined;
  assertAllowed(request, addressed, guard);
  if (path === adminPath) return redirect(outgoing);
  if (found.kind === 'unknown') throw unknownPath(method, path);
  if (found.kind === 'methodNotAllowed') return refuseMethod(method, path, found.allow, outgoing);
  const query = toQuery(request.target);
  checkQuery(query, found.route.query ?? []);
  const body = await readJson(request, incoming, found.route);
  const made = await found.route.handle({
    params: found.params,
    query,
    header: (name) => request.header(name),
    body,
    signal,
  });
  await sendAnswer(outgoing, made, signal);
}

/** What leads to the page is let through as the page is. */
const toConsole = { isOpen: true, isPage: true } as const;

/** The page refers to its files beside it: behind a path without the slash they would be elsewhere. */
function redirect(outgoing: ServerResponse): void {
  outgoing.writeHead(308, { Location: `${adminPath}/`, 'Content-Length': 0 }).end();
}

function refuseMethod(method: string, path: string, allow: string, outgoing: ServerResponse): void {
  if (method === 'OPTIONS') {
    outgoing.writeHead(204, { Allow: allow }).end();
    return;
  }
  const message = `${quoteText(path)} does not support ${method}; it supports ${allow}`;
  throw new AdminRefusal(405, 'method_not_allowed', message, { Allow: allow });
}

function unknownPath(method: string, path: string): AdminRefusal {
  const message = `there is no ${method} ${quoteText(path)}; ${adminPath}/openapi.json describes what there is`;
  return new AdminRefusal(404, 'not_found', message);
}

function toQuery(target: string): URLSearchParams {
  const start = target.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : target.slice(start + 1));
}

async function readJson(
  request: NodeRequest,
  incoming: IncomingMessage,
  { body: expected, method, path }: AdminRoute,
): Promise<ExactJson | undefined> {
  // Not read at all: `node:http` drops it.
  if (expected === undefined) return undefined;
  const bytes = await readUpTo(incoming, expected.limit);
  if (bytes.length === 0 && expected.isOptional === true) return undefined;
  const mediaType = request.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    const got = mediaType === undefined ? 'no Content-Type' : quoteText(mediaType);
    const message = `the body of ${method} ${adminPath}${path} must be declared as Content-Type: application/json; got ${got}`;
    throw new AdminRefusal(415, 'unsupported_media_type', message);
  }
  return parseBody(bytes);
}

function parseBody(bytes: Uint8Array): ExactJson {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AdminRefusal(400, 'invalid_request', 'the body is not a text in UTF-8');
  }
  if (text === '') {
    const message = `$: expected a body; got ${describeJson(undefined)}`;
    throw new AdminRefusal(400, 'invalid_request', message);
  }
  const parsed = parseExactJson(text);
  if (parsed.ok) return parsed.value;
  const message = `the body is not valid JSON: ${withoutQuote(parsed.problem)}`;
  throw new AdminRefusal(400, 'invalid_request', message);
}

/** The parser quotes what stands around the place, which may be a key. */
function withoutQuote(problem: string): string {
  return problem.replace(/, (\.\.\.)?".*is not valid JSON$/s, '');
}
