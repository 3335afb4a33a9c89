import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { MessageBoard } from '../src/inventory/sandbox-storage.ts';
import { openRedisSandboxes } from '../src/stores/redis.ts';
import { redisCommand, startRedis, startRedisCluster } from './redis-processes.ts';

/** Every storage that several machines can share has a board. */
const servers = [
  { name: 'Redis', start: startRedis },
  { name: 'Redis Cluster', start: startRedisCluster },
].map(({ name, start }) => ({ name, server: start() }));

afterAll(async () => {
  for (const { server } of servers) await (await server).stop();
});

async function openBoards(server: Promise<{ readonly url: string }>): Promise<{
  readonly one: MessageBoard;
  readonly other: MessageBoard;
}> {
  const url = `${(await server).url}?prefix=${randomUUID()}`;
  const open = async (): Promise<MessageBoard> => {
    const storage = await openRedisSandboxes({ url });
    onTestFinished(() => storage.close());
    return storage.board;
  };
  return { one: await open(), other: await open() };
}

test.for(servers)('$name: all who listen to a box hear it, in order', async ({ server }) => {
  const { one, other } = await openBoards(server);
  const heard: string[] = [];
  await one.listen('all', (message) => heard.push(`one ${message}`));
  await other.listen('all', (message) => heard.push(`other ${message}`));
  await other.listen('own', (message) => heard.push(`own ${message}`));
  expect(await one.post('all', 'é 1')).toBe(2);
  expect(await one.post('own', '2')).toBe(1);
  expect(await one.post('nobody', '3')).toBe(0);
  await one.post('own', '4');
  await expect.poll(() => heard.at(-1)).toBe('own 4');
  expect(heard.filter((message) => !message.startsWith('one'))).toEqual([
    'other é 1',
    'own 2',
    'own 4',
  ]);
  await expect.poll(() => heard).toContain('one é 1');
});

test('messages stay in order where Redis has lost its scripts', async () => {
  const [single] = servers;
  if (single === undefined) throw new Error('there is no Redis');
  const { url } = await single.server;
  const { one, other } = await openBoards(single.server);
  const heard: number[] = [];
  await one.listen('all', (message) => heard.push(Number(message)));
  const posted: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    await redisCommand(Number(new URL(url).port), 'SCRIPT', 'FLUSH');
    for (let index = 0; index < 100; index += 1) {
      posted.push(posted.length);
      void other.post('all', String(posted.length - 1));
      await setImmediate();
    }
  }
  await expect.poll(() => heard).toHaveLength(posted.length);
  expect(heard).toEqual(posted);
});

test('installations with other prefixes do not hear it', async () => {
  const [single] = servers;
  if (single === undefined) throw new Error('there is no Redis');
  const { one } = await openBoards(single.server);
  const { other } = await openBoards(single.server);
  await one.listen('all', () => undefined);
  expect(await other.post('all', '1')).toBe(0);
});
