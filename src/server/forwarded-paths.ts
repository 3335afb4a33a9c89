import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { AdminRefusal } from './admin/admin-answer.ts';
import { sendRefusal, toRefusal } from './admin/send-answer.ts';
import { toPath } from './node-request.ts';
import { isOwnPath, type OwnPaths } from './own-paths.ts';

export interface ForwardingOptions {
  /** The socket that another process serves the admin API on. */
  readonly socket: string;
  /** Rejects where this process itself could not serve a request. */
  readonly ready: () => Promise<void>;
}

/** Headers that are about one connection, not about the answer (RFC 9110, section 7.6.1). */
const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding']);

/** What lies under `/_stockcheck/`, served by another process: each request is passed on as it is. */
export function createForwardedPaths({ socket, ready }: ForwardingOptions): OwnPaths {
  const open = new Set<ServerResponse>();
  return {
    serve(incoming, outgoing) {
      if (!isOwnPath(incoming.url ?? '')) return false;
      open.add(outgoing);
      outgoing.once('close', () => open.delete(outgoing));
      // Whether requests can be served is a question to this process as well.
      const isReady =
        toPath(incoming.url ?? '') === '/_stockcheck/ready' ? ready() : Promise.resolve();
      isReady.then(
        () => forward(socket, incoming, outgoing),
        (error: unknown) => refuse(outgoing, error),
      );
      return true;
    },
    use() {
      throw new TypeError('a server of sandboxes serves no other mock');
    },
    close() {
      for (const outgoing of open) outgoing.destroy();
    },
  };
}

function forward(socketPath: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method = 'GET', url: path = '/', rawHeaders: headers } = incoming;
  const onward = request({ socketPath, method, path, headers, setHost: false });
  onward.once('response', (response) => {
    outgoing.writeHead(response.statusCode ?? 502, keptHeaders(response.rawHeaders));
    // A stream of events says nothing for a while.
    outgoing.flushHeaders();
    pipeline(response, outgoing, () => undefined);
  });
  onward.once('error', () => refuse(outgoing, unreachable));
  outgoing.once('close', () => {
    onward.destroy();
    // It may be answered before its end: a client that is still sending can see the answer.
    incoming.unpipe(onward).resume();
  });
  // Not a pipeline, which would cut off the connection of a client that is still sending.
  incoming.pipe(onward);
}

function keptHeaders(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter(
    (_, index) => !ofConnection.has((rawHeaders[index - (index % 2)] ?? '').toLowerCase()),
  );
}

const unreachable = new AdminRefusal(
  503,
  'unavailable',
  'the process that serves the admin API cannot be reached; it may be stopping',
  { 'Retry-After': '1' },
);

function refuse(outgoing: ServerResponse, error: unknown): void {
  // Too late to say anything: the client sees that the answer is cut off.
  if (outgoing.headersSent) outgoing.destroy();
  else sendRefusal(outgoing, toRefusal(error) ?? unreachable);
}
