import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { StoreUnavailableError } from '../src/inventory/store.ts';
import { openRedisSandboxes, type RedisStorage } from '../src/stores/redis.ts';
import {
  redisCommand,
  startRedis,
  startSentinel,
  untilTrue,
  type RedisServer,
} from './redis-processes.ts';
import { runServe, startServe } from './served-process.ts';

let plain: RedisServer;

beforeAll(async () => {
  plain = await startRedis();
});

afterAll(() => plain.stop());

async function startForTest(...options: readonly string[]): Promise<RedisServer> {
  const server = await startRedis(...options);
  onTestFinished(() => server.stop());
  return server;
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A server that says it is of another version than it is. */
async function startOlder(version: string): Promise<number> {
  const pipe = (from: Socket): void => {
    const to = connect(plain.port, '127.0.0.1');
    from.pipe(to);
    to.on('data', (bytes: Buffer) => {
      // The length of the text stays as it is.
      const text = bytes.toString('latin1').replace(/(redis_version:)[0-9]+/, `$1${version}`);
      from.write(text, 'latin1');
    });
    for (const socket of [from, to]) {
      socket.on('error', () => undefined).on('close', () => void (from.destroy(), to.destroy()));
    }
  };
  return portOf(createServer(pipe));
}

async function setUser(name: string, ...rights: readonly string[]): Promise<void> {
  await redisCommand(plain.port, 'ACL', 'SETUSER', name, 'reset', 'on', '>secret', ...rights);
}

async function startNode(): Promise<RedisServer> {
  return startForTest('--cluster-enabled', 'yes');
}

interface Trouble {
  readonly what: string;
  /** Makes the trouble. @returns the port that the message names, and the URL */
  readonly make: () => Promise<{ readonly port: number; readonly url: string }>;
  /** What is said behind the URL; AT stands for host and port. */
  readonly message: string;
}

const troubles: readonly Trouble[] = [
  {
    what: 'nothing listens',
    make: async () => ({ port: 1, url: 'redis://:secret@127.0.0.1:1' }),
    message: 'nothing listens on AT. Start Redis there, or correct host and port',
  },
  {
    what: 'the host has no address',
    make: async () => ({ port: 6379, url: 'redis://:secret@no-such-host.invalid' }),
    message:
      'there is no address for the host no-such-host.invalid. Correct the host, or look at what resolves its name (DNS)',
  },
  {
    what: 'a password is missing',
    make: async () => {
      const { port } = await startForTest('--requirepass', 'secret');
      return { port, url: `redis://127.0.0.1:${port}` };
    },
    message:
      'AT asks for a password. Write it into the URL, as user:password@ or :password@ before the host',
  },
  {
    what: 'a password is wrong',
    make: async () => {
      const { port } = await startForTest('--requirepass', 'right-secret');
      return { port, url: `redis://:wrong-secret@127.0.0.1:${port}` };
    },
    message:
      'AT does not know the user or the password, or does not let the user in. Correct user:password@ in the URL',
  },
  {
    what: 'a user is switched off',
    make: async () => {
      await setUser('off', 'off');
      return { port: plain.port, url: `redis://off:secret@127.0.0.1:${plain.port}` };
    },
    message:
      'AT does not know the user or the password, or does not let the user in. Correct user:password@ in the URL',
  },
  {
    what: 'a user may not run a command that the start needs',
    make: async () => {
      await setUser('blind', '~*', '&*', '+@all', '-info');
      return { port: plain.port, url: `redis://blind:secret@127.0.0.1:${plain.port}` };
    },
    message:
      "AT does not let the user do this (NOPERM this user has no permissions to run the 'info' command). Give the user the rights that docs/redis.md lists",
  },
  {
    what: 'there is no such database',
    make: async () => ({ port: plain.port, url: `redis://:secret@127.0.0.1:${plain.port}/99` }),
    message: 'AT has no database 99. Name another one, or raise "databases" in its configuration',
  },
  {
    what: 'a node of a cluster is taken for a single server',
    make: async () => {
      const { port, url } = await startNode();
      return { port, url };
    },
    message: 'AT is a node of a Redis Cluster. Write redis+cluster://…',
  },
  {
    what: 'a database of a cluster is asked for',
    make: async () => {
      const { port, url } = await startNode();
      return { port, url: `${url}/1` };
    },
    message: 'AT is a node of a Redis Cluster. Write redis+cluster://…',
  },
  {
    what: 'a single server is taken for a cluster',
    make: async () => ({ port: plain.port, url: `redis+cluster://127.0.0.1:${plain.port}` }),
    message: 'AT is not a node of a Redis Cluster. Write redis://… for a single server',
  },
  {
    what: 'a node belongs to no cluster yet',
    make: async () => {
      const { port } = await startNode();
      return { port, url: `redis+cluster://127.0.0.1:${port}` };
    },
    message:
      'none of its nodes can be asked: AT belongs to a cluster that has no slots yet. Make the nodes a cluster: redis-cli --cluster create',
  },
  {
    what: 'no node of a cluster is there',
    make: async () => ({ port: 1, url: 'redis+cluster://:secret@127.0.0.1:1,127.0.0.1:2' }),
    message:
      'none of its nodes can be asked: nothing listens on AT; nothing listens on 127.0.0.1:2. Start Redis there, or correct host and port',
  },
  {
    what: 'a single server is taken for a sentinel',
    make: async () => ({ port: plain.port, url: `redis+sentinel://127.0.0.1:${plain.port}/stock` }),
    message:
      'no sentinel knows the master: AT is not a sentinel. Name sentinels, whose port is 26379 by default, or write redis://… for a single server',
  },
  {
    what: 'sentinels know no such master',
    make: async () => {
      const { port } = await startSentinelForTest();
      return { port, url: `redis+sentinel://127.0.0.1:${port}/other` };
    },
    message:
      'no sentinel knows the master: AT knows no master "other". Write the name that "sentinel monitor" gives it behind the last /',
  },
  {
    what: 'a sentinel asks for a password of its own',
    make: async () => {
      const { port } = await startSentinelForTest();
      await redisCommand(port, 'ACL', 'SETUSER', 'default', 'resetpass', '>secret');
      return { port, url: `redis+sentinel://:secret@127.0.0.1:${port}/stock` };
    },
    message:
      'no sentinel knows the master: AT asks for a password. Sentinels are given sentinelUser and sentinelPassword, which are parameters of the URL',
  },
  {
    what: 'a sentinel is taken for a single server',
    make: async () => {
      const { port, url } = await startSentinelForTest();
      return { port, url };
    },
    message: 'AT is a sentinel. Write redis+sentinel://host:port/master-name',
  },
  {
    what: 'the server is a replica',
    make: async () => {
      const { port, url } = await startForTest();
      await redisCommand(port, 'REPLICAOF', '127.0.0.1', String(plain.port));
      return { port, url };
    },
    message:
      'AT is a replica, which can only be read. Name its master, or write redis+sentinel://… where sentinels know which one it is',
  },
  {
    what: 'Redis is too old',
    make: async () => {
      const port = await startOlder('6');
      return { port, url: `redis://127.0.0.1:${port}` };
    },
    message: expect.stringMatching(
      /^AT is Redis 6\.\S+\. Sandboxes need Redis 7\.0 or later, or Valkey$/,
    ),
  },
  {
    // It repeats the command that it does not know, the password included.
    what: 'Redis is older than its own login',
    make: async () => {
      const { port } = await startForTest('--rename-command', 'HELLO', '');
      return { port, url: `redis://:secret@127.0.0.1:${port}` };
    },
    message: 'AT is older than Redis 6. Sandboxes need Redis 7.0 or later, or Valkey',
  },
  {
    what: 'there are too many clients',
    make: async () => {
      const { port, url } = await startForTest();
      await redisCommand(port, 'CONFIG', 'SET', 'maxclients', '1');
      const other = connect(port, '127.0.0.1');
      onTestFinished(() => void other.destroy());
      other.write('PING\r\n');
      await once(other, 'data');
      return { port, url };
    },
    message:
      'AT has as many clients as it may have (ERR max number of clients reached). Raise its maxclients, or close connections of others',
  },
  {
    what: 'the server answers nothing',
    make: async () => {
      const port = await portOf(createServer());
      return { port, url: `redis://:secret@127.0.0.1:${port}?timeout=200` };
    },
    message:
      'AT has not answered within 200 ms. Look at host, port and firewall, and whether it is a Redis',
  },
  {
    what: 'the server hangs up',
    make: async () => {
      const port = await portOf(createServer((socket) => socket.destroy()));
      return { port, url: `redis://:secret@127.0.0.1:${port}` };
    },
    message:
      'AT closed the connection at once. Write rediss:// where it speaks TLS; else look whether it is a Redis',
  },
  {
    what: 'the server speaks no TLS',
    make: async () => ({
      port: plain.port,
      url: `rediss://:secret@127.0.0.1:${plain.port}?timeout=200`,
    }),
    message:
      'AT has not answered within 200 ms. Write redis:// where it speaks no TLS; else look at host, port and firewall',
  },
];

async function startSentinelForTest(): Promise<RedisServer> {
  const sentinel = await startSentinel(plain.port, 'stock');
  onTestFinished(() => sentinel.stop());
  return sentinel;
}

async function refusalOf(operation: () => unknown): Promise<Error> {
  try {
    await operation();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('it was not refused');
}

test.for(troubles)('says at the start, with what to do, that $what', async ({ make, message }) => {
  const { port, url } = await make();
  const refusal = await refusalOf(() => openRedisSandboxes({ url }));
  const shown = url.replace(/\/\/.*@/, '//').replace(/\?.*/, '');
  const [before, ...rest] = refusal.message.split(' cannot be used: ');
  expect(before).toBe(shown);
  const said = rest.join('').replaceAll(`127.0.0.1:${port}`, 'AT');
  expect(said).toEqual(message);
  for (let error: unknown = refusal; error instanceof Error; error = error.cause) {
    expect(`${error.message} ${error.stack}`).not.toContain('secret');
  }
});

/** Another address of this machine than loopback. */
const outside = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

test('says that a Redis without a password serves its own machine only', async ({ skip }) => {
  skip(outside === undefined, 'this machine has no address but loopback');
  const { port } = await startForTest();
  await redisCommand(port, 'CONFIG', 'SET', 'bind', '0.0.0.0');
  const url = `redis://${outside}:${port}`;
  const { message } = await refusalOf(() => openRedisSandboxes({ url }));
  expect(message).toMatch(
    /: \S+ serves only its own machine while it has no password \(DENIED .{193}…\)\. Give it a password, and write that into the URL$/,
  );
});

async function open(url: string): Promise<RedisStorage> {
  const storage = await openRedisSandboxes({ url });
  onTestFinished(() => storage.close());
  return storage;
}

const seed = [{ petId: 1n, quantity: 12n, status: 'available' }] as const;

interface LaterTrouble {
  readonly what: string;
  /** Makes the trouble in a server that is used. @returns undoes it */
  readonly make: (server: RedisServer) => Promise<() => Promise<unknown>>;
  /** What an update is answered with, behind the URL of the server. */
  readonly message: string;
  readonly retryAfterSeconds: number;
  /** Whether a list is answered meanwhile. */
  readonly isRead: boolean;
}

const set = async (server: RedisServer, name: string, value: string): Promise<void> => {
  await redisCommand(server.port, 'CONFIG', 'SET', name, value);
};

/** The first user of all, whom a connection without a name has. */
const limit = async (server: RedisServer, right: string): Promise<() => Promise<string>> => {
  await redisCommand(server.port, 'ACL', 'SETUSER', 'default', ...right.split(' '));
  return () => redisCommand(server.port, 'ACL', 'SETUSER', 'default', '~*', '&*', '+@all');
};

const rightsAreListed = 'Give the user the rights that docs/redis.md lists';

const laterTroubles: readonly LaterTrouble[] = [
  {
    what: 'it is out of memory',
    make: async (server) => {
      await set(server, 'maxmemory', '1');
      return () => set(server, 'maxmemory', '0');
    },
    message:
      "it is out of memory (OOM command not allowed when used memory > 'maxmemory'.); nothing was changed. Raise its maxmemory, or delete sandboxes",
    retryAfterSeconds: 5,
    isRead: true,
  },
  {
    what: 'it cannot write to its disk',
    make: async (server) => {
      const [, folder = ''] = (await redisCommand(server.port, 'CONFIG', 'GET', 'dir')).split('\n');
      await rm(folder, { recursive: true });
      await set(server, 'save', '3600 1');
      await redisCommand(server.port, 'BGSAVE');
      await untilTrue(async () =>
        (await redisCommand(server.port, 'INFO', 'persistence')).includes('bgsave_status:err'),
      );
      return () => set(server, 'save', '');
    },
    message: expect.stringMatching(
      /^it cannot write to its disk \(MISCONF .*\); nothing was changed\. Look at its log and its disk$/,
    ),
    retryAfterSeconds: 5,
    isRead: false,
  },
  {
    what: 'it has too few replicas',
    make: async (server) => {
      await set(server, 'min-replicas-to-write', '1');
      return () => set(server, 'min-replicas-to-write', '0');
    },
    message:
      'it has fewer replicas than it is to have for writing (NOREPLICAS Not enough good replicas to write.); nothing was changed',
    retryAfterSeconds: 1,
    isRead: false,
  },
  {
    what: 'it has become a replica',
    make: async (server) => {
      // A master that is not there: it keeps what it has.
      await redisCommand(server.port, 'REPLICAOF', '127.0.0.1', '1');
      return () => redisCommand(server.port, 'REPLICAOF', 'NO', 'ONE');
    },
    message:
      "it is a replica, which can only be read (READONLY You can't write against a read only replica.); nothing was changed",
    retryAfterSeconds: 1,
    isRead: false,
  },
  {
    what: 'it is loading its data',
    make: async (server) => {
      await redisCommand(server.port, 'DEBUG', 'POPULATE', '2000', 'other', '1000');
      // In microseconds for each key.
      await set(server, 'key-load-delay', '5000');
      const loaded = redisCommand(server.port, 'DEBUG', 'RELOAD');
      await untilTrue(async () =>
        (await redisCommand(server.port, 'INFO', 'persistence')).includes('\nloading:1'),
      );
      return async () => {
        await set(server, 'key-load-delay', '0');
        await loaded;
      };
    },
    message:
      'it is still loading its data (LOADING Redis is loading the dataset in memory); nothing was changed',
    retryAfterSeconds: 1,
    isRead: false,
  },
  {
    what: 'the user may run no scripts',
    make: (server) => limit(server, '-evalsha -eval'),
    message: `it does not let the user do this (NOPERM this user has no permissions to run the 'evalsha' command); nothing was changed. ${rightsAreListed}`,
    retryAfterSeconds: 5,
    isRead: false,
  },
  {
    what: 'the keys are not for the user',
    make: (server) => limit(server, 'resetkeys ~other:*'),
    message: `it does not let the user do this (NOPERM this user has no permissions to access one of the keys used as arguments); nothing was changed. ${rightsAreListed}`,
    retryAfterSeconds: 5,
    isRead: false,
  },
  {
    what: 'the user may not run what a script runs',
    make: (server) => limit(server, '-hset'),
    message: expect.stringMatching(
      /^it does not let the user do this \(ERR .*\); whether a write was made is unknown\. Give the user the rights that docs\/redis\.md lists$/,
    ),
    retryAfterSeconds: 5,
    isRead: true,
  },
  {
    what: 'the channels are not for the user',
    make: (server) => limit(server, 'resetchannels'),
    message: expect.stringMatching(
      /^it does not let the user do this \(ERR .*\); whether a write was made is unknown\. Give the user the rights that docs\/redis\.md lists$/,
    ),
    retryAfterSeconds: 5,
    isRead: true,
  },
];

test.for(laterTroubles)(
  'answers an update with what is wrong, later on, where $what',
  async ({ make, message, retryAfterSeconds, isRead }) => {
    const server = await startForTest(
      '--enable-debug-command',
      'yes',
      '--loading-process-events-interval-bytes',
      '1024',
    );
    const storage = await open(server.url);
    const sandbox = await storage.create({ settings: '{}', seed });
    if (sandbox === 'taken') throw new Error('the id is taken');
    const undo = await make(server);
    const refusal = await refusalOf(() => sandbox.store.update(1n, { quantity: 5n }));
    expect(refusal).toBeInstanceOf(StoreUnavailableError);
    const [before, ...rest] = refusal.message.split(' refuses: ');
    expect(before).toBe(server.url);
    expect(rest.join('')).toEqual(message);
    expect(refusal).toMatchObject({ retryAfterSeconds });
    const list = await Promise.resolve(sandbox.store.list()).catch((error: unknown) => error);
    expect(Array.isArray(list)).toBe(isRead);
    await undo();
    await untilTrue(async () => (await storage.ready()).ready);
    await sandbox.store.update(1n, { quantity: 7n });
  },
);

test('the server of the command line ends with the reason, and tells no password', async () => {
  const store = 'redis://user:secret@127.0.0.1:1/3?prefix=mine';
  const { code, output, errors } = await runServe([], { STOCKCHECK_STORE: store });
  expect(errors).toBe(
    'error: STOCKCHECK_STORE: redis://127.0.0.1:1/3 cannot be used: nothing listens on 127.0.0.1:1. Start Redis there, or correct host and port\n',
  );
  expect(output).toBe('');
  expect(code).toBe(2);
});

test('a right that is missing is an answer of the API, and no bug', async () => {
  const store = `redis://narrow:secret@127.0.0.1:${plain.port}?prefix=narrow`;
  await setUser('narrow', '~narrow:*', '&narrow:*', '+@all');
  const server = await startServe([], { STOCKCHECK_STORE: store });
  await redisCommand(plain.port, 'ACL', 'SETUSER', 'narrow', '-spublish');
  const answer = await fetch(`${server.url}/inventory/1`, {
    method: 'PATCH',
    headers: { Authorization: 'Bearer demo-key', 'Content-Type': 'application/json' },
    body: '{"quantity":5}',
  });
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('5');
  expect(await answer.json()).toMatchObject({ message: expect.stringContaining(rightsAreListed) });
  expect(server.errors()).not.toContain('bug');
});
