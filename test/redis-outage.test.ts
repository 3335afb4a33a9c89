import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openRedisSandboxes, type Availability } from '../src/stores/redis.ts';
import { startRedis, startRedisCluster, untilTrue, type RedisServer } from './redis-processes.ts';
import { startServe } from './served-process.ts';

async function startForTest(): Promise<RedisServer> {
  const server = await startRedis();
  onTestFinished(() => server.stop());
  return server;
}

/** Hangs up on so many who try to connect where a Redis was. */
async function refuseOften(port: number, times: number): Promise<void> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.destroy();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  await untilTrue(() => count >= times);
  server.close();
  await once(server, 'close');
}

const listed = async (url: string): Promise<number> => {
  const response = await fetch(`${url}/inventory`, {
    headers: { Authorization: 'Bearer demo-key' },
  });
  await response.arrayBuffer();
  return response.status;
};

test.for([
  { how: 'alone', more: [] },
  { how: 'with workers', more: ['--workers', '3'] },
])('a server $how says once that Redis is lost, and once that it is back', async ({ more }) => {
  const redis = await startForTest();
  const server = await startServe(['--store', redis.url, ...more]);
  for (let round = 1; round <= 2; round += 1) {
    await redis.kill();
    await untilTrue(() => server.errors().split('\n').length === 2 * round);
    expect(await listed(server.url)).toBe(503);
    await refuseOften(redis.port, 5);
    await redis.start();
    await untilTrue(() => server.errors().split('\n').length === 2 * round + 1);
    await untilTrue(async () => (await listed(server.url)) === 200);
  }
  await server.end();
  const lost = `${redis.url} is lost: it closed the connection; what needs it is answered with 503`;
  // At its end it may say that it waits for connections.
  const lines = server.errors().match(/.* is (?:lost:|back) .*/g) ?? [];
  expect(lines.map((line) => line.replace(/after [0-9]+\.[0-9] s/, 'after TIME'))).toEqual([
    lost,
    `${redis.url} is back after TIME`,
    lost,
    `${redis.url} is back after TIME`,
  ]);
});

async function watch(url: string): Promise<readonly Availability[]> {
  const changes: Availability[] = [];
  const storage = await openRedisSandboxes({
    url,
    onAvailability: (change) => changes.push(change),
  });
  onTestFinished(() => storage.close());
  return changes;
}

test('a Redis that does not answer is lost as well', async () => {
  const redis = await startForTest();
  const changes = await watch(redis.url);
  redis.signal('SIGSTOP');
  await untilTrue(() => changes.length > 0);
  redis.signal('SIGCONT');
  await untilTrue(() => changes.length > 1);
  expect(changes).toEqual([
    { isAway: true, server: redis.url, reason: 'it has not answered within 2000 ms' },
    { isAway: false, server: redis.url, milliseconds: expect.any(Number) },
  ]);
});

test('a storage that is closed has not lost anything', async () => {
  const redis = await startForTest();
  const changes: Availability[] = [];
  const storage = await openRedisSandboxes({
    url: redis.url,
    onAvailability: (change) => changes.push(change),
  });
  storage.close();
  await redis.kill();
  expect(changes).toEqual([]);
});

test('a cluster is told to be back when a replica has taken over', async () => {
  const cluster = await startRedisCluster();
  onTestFinished(() => cluster.stop());
  const changes = await watch(cluster.url);
  const [master] = cluster.nodes;
  await master?.kill();
  await untilTrue(() => changes.length > 1);
  const name = `127.0.0.1:${master?.port} of ${cluster.url}`;
  expect(changes).toEqual([
    { isAway: true, server: name, reason: 'it closed the connection' },
    { isAway: false, server: cluster.url, milliseconds: expect.any(Number) },
  ]);
});
