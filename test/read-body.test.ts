import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { readBody } from '../src/server/read-body.ts';

const pieces = 300_000;

test('a body in pieces of one byte takes little more memory than its bytes', async () => {
  setFlagsFromString('--expose_gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  const [incoming] = (await once(server, 'request')) as [IncomingMessage];
  const body = new Promise<Uint8Array>((resolve) => readBody(incoming, 1_000_000, resolve));
  await new Promise<void>((resolve) => {
    let arrived = 0;
    incoming.on('data', () => {
      arrived += 1;
      if (arrived === pieces) resolve();
    });
    const thousand = '1\r\nx\r\n'.repeat(1000);
    for (let sent = 0; sent < pieces; sent += 1000) socket.write(thousand);
  });
  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
  socket.end('2\r\nyz\r\n0\r\n\r\n');
  expect(Buffer.from(await body).toString()).toBe(`${'x'.repeat(pieces)}yz`);
});
