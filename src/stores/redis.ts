import type {
  MessageBoard,
  Readiness,
  SandboxStorage,
  StorageEvent,
} from '../inventory/sandbox-storage.ts';
import { ClusterNodes } from './redis/cluster-nodes.ts';
import { Connector } from './redis/connect.ts';
import { toError } from './redis/connection.ts';
import { RedisKeys } from './redis/keys.ts';
import type { RedisNodes } from './redis/nodes.ts';
import type { Availability } from './redis/outage.ts';
import { loadRedis } from './redis/redis-client.ts';
import { RedisSandboxes } from './redis/redis-sandboxes.ts';
import { parseRedisUrl, type RedisTarget } from './redis/redis-url.ts';
import { SingleNode } from './redis/single-node.ts';

export interface RedisSandboxesOptions {
  /**
   * `redis://`, `rediss://` for TLS, `redis+sentinel://` or `redis+cluster://`, as docs/redis.md
   * describes them. With `?wait=1` a write is acknowledged when a replica has it.
   */
  readonly url: string;
  /** Is told when the Redis is lost and when it is back, once each. */
  readonly onAvailability?: (change: Availability) => void;
}

export type { Availability } from './redis/outage.ts';

/** What a storage in Redis has, whatever the port leaves open. */
export interface RedisStorage extends SandboxStorage {
  ready(): Promise<Readiness>;
  subscribe(listener: (event: StorageEvent) => void, sandbox?: string): () => void;
  readonly board: MessageBoard;
  close(): void;
}

/**
 * Opens the sandboxes in a Redis (7.0 or later) or Valkey, which any number of processes may share.
 * A connection that is lost later comes back by itself; until then every operation fails at once
 * with `StoreUnavailableError`.
 *
 * @throws {RedisUrlError} for a wrong URL
 * @throws {Error} where the package `redis` is missing, and where the Redis cannot be reached or
 * used now; the message says why, and holds no password
 * @example
 * const storage = await openRedisSandboxes({ url: 'redis://127.0.0.1:6379' });
 */
export async function openRedisSandboxes({
  url,
  onAvailability,
}: RedisSandboxesOptions): Promise<RedisStorage> {
  const target = parseRedisUrl(url);
  const connector = new Connector(target, await loadRedis());
  const nodes = toNodes(target, connector);
  try {
    await nodes.open();
  } catch (error) {
    nodes.close();
    throw new Error(`${target.name} cannot be used: ${toError(error).message}`, { cause: error });
  }
  const sandboxes = new RedisSandboxes(nodes, new RedisKeys(target.prefix));
  if (onAvailability !== undefined) sandboxes.watch(target.name, onAvailability);
  return sandboxes;
}

function toNodes({ kind }: RedisTarget, connector: Connector): RedisNodes {
  return kind === 'cluster' ? new ClusterNodes(connector) : new SingleNode(connector);
}
