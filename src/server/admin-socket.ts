import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAdmin } from './admin/admin.ts';
import { makeAdminToken } from './admin/admin-token.ts';
import { isLoopback } from './foreign-request.ts';
import { serveAlone, type SandboxServerOptions } from './http-server.ts';
import { listenOnSocket } from './listen.ts';

export interface AdminSocketOptions extends Pick<
  SandboxServerOptions,
  'sandboxes' | 'consoleFiles' | 'verify' | 'onBug' | 'adminToken'
> {
  /** The address that the processes listen on who pass requests on to this one. */
  readonly host: string;
  /** Is waited for before an answer about what was exchanged. */
  readonly gather: () => Promise<void>;
}

/** The admin API on a socket that other processes of this user pass requests on to. */
export interface AdminSocket {
  /** The path of the socket. */
  readonly path: string;
  /** What requests must carry. Left out: nothing. */
  readonly adminToken: string | undefined;
  close(): Promise<void>;
}

/** Journals, and sandboxes with their faults, which count. */
const aboutRequests = /\/(?:journal|faults|sandboxes(?:\/[^/?]*)?)(?:\?|$)/;

/** Serves the admin API on a socket of this machine that nobody but this user can reach. */
export async function startAdminSocket(options: AdminSocketOptions): Promise<AdminSocket> {
  const { sandboxes, host, consoleFiles, verify, onBug = () => undefined } = options;
  const onLoopback = isLoopback(host);
  const token = options.adminToken ?? (onLoopback ? undefined : makeAdminToken());
  const guard = { onLoopback, token };
  const admin = createAdmin({
    sandboxes,
    guard,
    consoleFiles,
    verify,
    serveAlone,
    onBug,
    isForwarded: true,
  });
  // Only this user may enter it: `mkdtemp` makes it with mode 0700.
  const folder = await mkdtemp(join(tmpdir(), 'stockcheck-'));
  const path =
    process.platform === 'win32'
      ? `\\\\.\\pipe\\stockcheck-${randomUUID()}`
      : join(folder, 'admin.sock');
  // A request without Host is refused by the guard, in the form that every refusal has.
  const server = createServer({ requireHostHeader: false });
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const isAboutRequests = aboutRequests.test(incoming.url ?? '');
    const gathered = isAboutRequests ? options.gather() : Promise.resolve();
    gathered.then(() => admin.serve(incoming, outgoing)).catch(onBug);
  };
  server.on('request', onRequest);
  // As where requests come to the server itself.
  server.on('checkExpectation', onRequest);
  await listenOnSocket(server, path);
  return {
    path,
    adminToken: token,
    async close() {
      admin.close();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      await rm(folder, { recursive: true, force: true });
    },
  };
}
