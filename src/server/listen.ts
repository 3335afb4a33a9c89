import { createServer, type Server } from 'node:net';

/** The server cannot listen. The message says why and what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** Listens on an address. @throws {ListenError} where it cannot be used */
export function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new ListenError(describeListenError(error, host, port), { cause: error }));
    });
    server.listen(port, host, resolve);
  });
}

/**
 * Sees to it that an address can be listened on, before anything is done that a server does which
 * cannot be started.
 *
 * @throws {ListenError} where it cannot be used
 */
export async function assertFree(host: string, port: number): Promise<void> {
  const server = createServer();
  await listen(server, host, port);
  await new Promise((resolve) => {
    server.close(resolve);
  });
}

/** Listens on a socket of this machine. @throws {ListenError} where it cannot be made */
export function listenOnSocket(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(new ListenError(`cannot listen on ${path}: ${error.message}`, { cause: error }));
    });
    server.listen(path, resolve);
  });
}

function describeListenError(error: NodeJS.ErrnoException, host: string, port: number): string {
  const failed = `cannot listen on ${host}:${port}`;
  switch (error.code) {
    case 'EADDRINUSE':
      return `${failed}: another process uses the port. Stop it, or choose another port with --port; --port 0 picks a free one`;
    case 'EACCES':
      return `${failed}: ports below 1024 need privileges. Choose another port with --port`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${failed}: this machine has no such address. Choose another with --host, such as 127.0.0.1`;
    default:
      return `${failed}: ${error.message}`;
  }
}
