import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { StoreUnavailableError } from '../src/inventory/store.ts';
import { createSandboxes, type Sandboxes } from '../src/mock/sandboxes.ts';
import { startAdminSocket } from '../src/server/admin-socket.ts';
import { startServer } from '../src/server/http-server.ts';

const gatherNothing = (): Promise<void> => Promise.resolve();

/** A server that passes requests to the admin API on to another, here in the same process. */
async function start(
  change: (sandboxes: Sandboxes) => Sandboxes = (same) => same,
): Promise<number> {
  const bugs: unknown[] = [];
  const onBug = (error: unknown): void => void bugs.push(error);
  const sandboxes = await createSandboxes({ onBug });
  const socket = await startAdminSocket({
    sandboxes,
    host: '127.0.0.1',
    gather: gatherNothing,
    onBug,
  });
  const server = await startServer({
    sandboxes: change(sandboxes),
    port: 0,
    adminSocket: socket.path,
  });
  onTestFinished(async () => {
    await server.close(0);
    await socket.close();
    expect(bugs).toEqual([]);
  });
  return server.port;
}

/** What a connection brings until it ends. */
async function exchange(port: number, ...requests: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(requests.join(''));
  return text(socket);
}

const host = 'Host: localhost\r\n';
const last = 'Connection: close\r\n';
const json = 'Content-Type: application/json\r\n';

const statusesOf = (received: string): readonly string[] =>
  Array.from(received.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status = '']) => status);

test('passes on a request with an expectation that nobody knows', async () => {
  const port = await start();
  const expectation = 'Expect: something\r\nContent-Length: 2\r\n';
  const received = await exchange(
    port,
    `POST /_stockcheck/sandboxes HTTP/1.1\r\n${host}${last}${json}${expectation}\r\n{}`,
  );
  expect(statusesOf(received)).toEqual(['201']);
});

test('asks this process whether it is ready, also at a whole address', async () => {
  const port = await start(
    (sandboxes) =>
      new Proxy(sandboxes, {
        get: (target, name) =>
          name === 'ready'
            ? () => Promise.reject(new StoreUnavailableError('the store is away', 1))
            : (Reflect.get(target, name) as unknown),
      }),
  );
  for (const target of [
    '/_stockcheck/ready',
    'http://localhost/_stockcheck/ready',
    'http://localhost/_stockcheck/ready?x=1',
  ]) {
    const received = await exchange(port, `GET ${target} HTTP/1.1\r\n${host}${last}\r\n`);
    expect(statusesOf(received), target).toEqual(['503']);
    expect(received).toContain('the store is away');
  }
});

test('goes on with a connection behind a body that is too large', async () => {
  const port = await start();
  const large = 'x'.repeat(1_200_000);
  const length = `Content-Length: ${large.length}\r\n`;
  const received = await exchange(
    port,
    `PATCH /_stockcheck/sandboxes/default HTTP/1.1\r\n${host}${json}${length}\r\n${large}`,
    `GET /_stockcheck/live HTTP/1.1\r\n${host}${last}\r\n`,
  );
  expect(statusesOf(received)).toEqual(['413', '200']);
});

test.for([
  'Host: inventory.example\r\n',
  `${host}Origin: http://inventory.example\r\n`,
  `${host}Sec-Fetch-Site: cross-site\r\n`,
  'Host: inventory.example\r\nConnection: host, origin, sec-fetch-site\r\n',
  `${host}Host: inventory.example\r\n`,
])('lets no page of another origin through that sends %j', async (sent) => {
  const port = await start();
  const received = await exchange(
    port,
    `GET /_stockcheck/sandboxes HTTP/1.1\r\n${sent}${last}\r\n`,
  );
  expect(statusesOf(received)).toEqual(['403']);
});
