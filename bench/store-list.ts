import { basename, join } from 'node:path';
import type { SandboxStorage } from '../src/inventory/sandbox-storage.ts';
import type { MaybePromise } from '../src/inventory/store.ts';
import { MemorySandboxes } from '../src/stores/memory-sandboxes.ts';
import { openRedisSandboxes } from '../src/stores/redis.ts';
import { openSqliteSandboxes } from '../src/stores/sqlite.ts';

export interface MeasuredStorage {
  readonly name: string;
  /** @param folder where files may be kept; nothing is in it */
  readonly open: (folder: string) => MaybePromise<SandboxStorage>;
  /** What `--store` says of it. */
  readonly toStore: (folder: string) => string;
}

/** The first is what the others are compared with. Another storage is another entry. */
export const measuredStorages: readonly MeasuredStorage[] = [
  { name: 'memory', open: () => new MemorySandboxes(), toStore: () => 'memory' },
  {
    name: 'sqlite',
    open: (folder) => openSqliteSandboxes({ file: join(folder, 'stock.db') }),
    toStore: (folder) => `sqlite:${join(folder, 'stock.db')}`,
  },
  {
    name: 'redis',
    open: (folder) => openRedisSandboxes({ url: toRedisUrl(folder) }),
    toStore: toRedisUrl,
  },
];

/** The name of the environment variable that says on which port of this machine a Redis is. */
export const redisPort = 'STOCKCHECK_BENCH_REDIS_PORT';

/** Each folder has keys of its own. */
function toRedisUrl(folder: string): string {
  return `redis://127.0.0.1:${process.env[redisPort]}?prefix=${basename(folder)}`;
}
