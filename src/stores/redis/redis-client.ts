import type * as Redis from 'redis';
import type { RedisAddress, RedisTarget } from './redis-url.ts';

/** What we use of a client of the package `redis`. */
export interface RedisClient {
  connect(): Promise<unknown>;
  /** Drops the connection; what is under way is rejected. */
  destroy(): void;
  sendCommand(args: readonly string[]): Promise<unknown>;
  sSubscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  sUnsubscribe(channel: string): Promise<unknown>;
  on(
    event: 'error' | 'end' | 'sharded-channel-moved',
    listener: (error?: unknown) => void,
  ): unknown;
}

/** What we use of the package `redis`. */
export interface RedisPackage {
  /** Makes a client for a server. It is not connected, and does not connect again by itself. */
  createClient(address: RedisAddress, options: ClientOptions): RedisClient;
  /** Whether an error is an answer of the server. */
  isReply(error: unknown): boolean;
}

/** What TLS is to be spoken with, in PEM. */
export interface Certificates {
  /** Those who sign certificates of servers. Left out: those that Node.js trusts. */
  readonly ca?: Buffer;
  /** Our own, for servers that ask for one. */
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

export interface ClientOptions extends Pick<RedisTarget, 'timeout'> {
  /** Left out: it does not speak TLS. */
  readonly certificates?: Certificates;
  readonly username?: string;
  readonly password?: string;
  readonly database: number;
}

/**
 * Loads the package `redis`, which is needed by those who keep sandboxes there only.
 *
 * @throws {Error} that says what to install
 */
export async function loadRedis(): Promise<RedisPackage> {
  const { createClient, ErrorReply } = await importRedis();
  return {
    createClient: (address, options) => createClient(toClientOptions(address, options)),
    isReply: (error) => error instanceof ErrorReply,
  };
}

function toClientOptions(
  { host, port }: RedisAddress,
  { certificates, timeout, username, password, database }: ClientOptions,
): Redis.RedisClientOptions {
  return {
    socket: {
      host,
      port,
      ...(certificates === undefined ? {} : { tls: true as const, ...certificates }),
      connectTimeout: timeout,
      // Connecting again is ours: with Sentinel, the master may be another one by then.
      reconnectStrategy: false,
    },
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    database,
    disableOfflineQueue: true,
    // Ours covers the time until the answer; the client's only that until the command is sent.
    commandOptions: { timeout: 0 },
    maintNotifications: 'disabled',
  };
}

async function importRedis(): Promise<typeof Redis> {
  try {
    return await import('redis');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error(
      'sandboxes in Redis need the package redis, which is not installed; run: npm install redis',
      { cause: error },
    );
  }
}
