import { readCertificates } from './certificates.ts';
import { findMismatch, toTroubleError } from './connect-trouble.ts';
import {
  Connection,
  ReplyError,
  TimeoutError,
  toError,
  type ConnectionOptions,
} from './connection.ts';
import type { RedisPackage } from './redis-client.ts';
import { toAddressName, type RedisAddress, type RedisTarget } from './redis-url.ts';
import { TroubleError } from './trouble.ts';

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
    return this.#open(address, false, {
      database,
      ...(username === undefined ? {} : { username }),
      ...(password === undefined ? {} : { password }),
    });
  }

  /** A connection to a sentinel. */
  connectToSentinel(address: RedisAddress): Promise<Connection> {
    const { sentinelUsername: username, sentinelPassword: password } = this.target;
    return this.#open(address, true, {
      database: 0,
      ...(username === undefined ? {} : { username }),
      ...(password === undefined ? {} : { password }),
    });
  }

  async #open(
    address: RedisAddress,
    isSentinel: boolean,
    login: { readonly database: number; readonly username?: string; readonly password?: string },
  ): Promise<Connection> {
    const { target } = this;
    const { isEncrypted, timeout, kind } = target;
    const tls = isEncrypted ? { certificates: await readCertificates(target.certificates) } : {};
    const client = this.#redis.createClient(address, { timeout, ...tls, ...login });
    // Errors come by the rejection; an event that nobody listens to would end the process.
    client.on('error', () => {});
    const name = toAddressName(address);
    const server = kind === 'single' ? target.name : `${name} of ${target.name}`;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      client.destroy();
    }, timeout);
    try {
      await client.connect();
    } catch (error) {
      client.destroy();
      throw toTroubleError(this.#judge(error, isLate, server), { name, target, isSentinel });
    } finally {
      clearTimeout(timer);
    }
    return new Connection(client, name, { ...this.#options, name: server });
  }

  #judge(error: unknown, isLate: boolean, server: string): Error {
    const cause = toError(error);
    if (isLate) return new TimeoutError(server, this.target.timeout);
    return this.#redis.isReply(error) ? new ReplyError(cause.message, server) : cause;
  }
}

/**
 * Makes sure that a server is one that we can use.
 *
 * @throws {TroubleError}
 */
export async function assertUsable(connection: Connection, target: RedisTarget): Promise<void> {
  const { address: name } = connection;
  // One section each: a Redis before 7.0 does not know of more.
  const sections = ['server', 'replication'].map((section) => connection.send(['INFO', section]));
  const info = await Promise.all(sections).catch((error: unknown) => {
    throw toTroubleError(error, { name, target, isSentinel: false });
  });
  const mismatch = findMismatch(name, info.join('\n'), target);
  if (mismatch !== undefined) throw new TroubleError(mismatch);
}
