import { Connection, toError, type ConnectionOptions } from './connection.ts';
import { explain } from './errors.ts';
import type { RedisPackage } from './redis-client.ts';
import { toAddressName, type RedisAddress, type RedisTarget } from './redis-url.ts';

/** The oldest Redis that has all that we use: sharded publish and subscribe, flags of scripts. */
const oldestMajor = 7;

/** Opens connections as a URL says. */
export class Connector {
  readonly target: RedisTarget;
  readonly #redis: RedisPackage;
  readonly #options: ConnectionOptions;

  constructor(target: RedisTarget, redis: RedisPackage) {
    this.target = target;
    this.#redis = redis;
    this.#options = { ...target, isReply: (error) => redis.isReply(error) };
  }

  /** A connection to a server that keeps data. */
  connect(address: RedisAddress): Promise<Connection> {
    const { username, password, database } = this.target;
    return this.#open(address, {
      database,
      ...(username === undefined ? {} : { username }),
      ...(password === undefined ? {} : { password }),
    });
  }

  /** A connection to a sentinel. */
  connectToSentinel(address: RedisAddress): Promise<Connection> {
    const { sentinelUsername: username, sentinelPassword: password } = this.target;
    return this.#open(address, {
      database: 0,
      ...(username === undefined ? {} : { username }),
      ...(password === undefined ? {} : { password }),
    });
  }

  async #open(
    address: RedisAddress,
    login: { readonly database: number; readonly username?: string; readonly password?: string },
  ): Promise<Connection> {
    const { isEncrypted, timeout } = this.target;
    const client = this.#redis.createClient(address, { isEncrypted, timeout, ...login });
    // Errors come by the rejection; an event that nobody listens to would end the process.
    client.on('error', () => {});
    const timer = setTimeout(() => client.destroy(), timeout);
    try {
      await client.connect();
    } catch (error) {
      client.destroy();
      const reason = explain(toError(error));
      throw new Error(`${toAddressName(address)}: ${reason}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
    return new Connection(client, toAddressName(address), this.#options);
  }
}

/**
 * Makes sure that a server is one that we can use.
 *
 * @throws {Error} that says what to do
 */
export async function assertUsable(connection: Connection, target: RedisTarget): Promise<void> {
  const info = String(await connection.send(['INFO', 'server']));
  const version = /^redis_version:(\S+)/m.exec(info)?.[1];
  if (version !== undefined && Number.parseInt(version, 10) < oldestMajor) {
    throw new Error(
      `${target.name} is Redis ${version}; sandboxes need Redis ${oldestMajor}.0 or later, or Valkey`,
    );
  }
  const isCluster = /^redis_mode:cluster/m.test(info);
  if (isCluster && target.kind !== 'cluster') {
    throw new Error(
      `${target.name} is a node of a Redis Cluster; write ${target.isEncrypted ? 'rediss' : 'redis'}+cluster://…`,
    );
  }
  if (!isCluster && target.kind === 'cluster') {
    throw new Error(`${target.name} is no Redis Cluster; write redis://… for a single server`);
  }
}
