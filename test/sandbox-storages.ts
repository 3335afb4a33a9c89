import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll } from 'vitest';
import type { SandboxStorage } from '../src/inventory/sandbox-storage.ts';
import type { MaybePromise } from '../src/inventory/store.ts';
import { MemorySandboxes } from '../src/stores/memory-sandboxes.ts';
import { openRedisSandboxes } from '../src/stores/redis.ts';
import { openSqliteSandboxes } from '../src/stores/sqlite.ts';
import { startRedis, startRedisCluster } from './redis-processes.ts';

/** A storage without sandboxes, for one test. */
export interface OpenStorage {
  readonly storage: SandboxStorage;
  /** The time by which its sandboxes expire, in milliseconds since the epoch. */
  readonly now: () => number;
  /** Lets time pass: moves the clock, or waits. In milliseconds. */
  readonly pass: (milliseconds: number) => MaybePromise<void>;
  /** Gives up what the storage holds, and what it has kept. */
  readonly dispose: () => MaybePromise<void>;
}

/** Every storage passes the same tests. A new one is one file and one line here. */
export const sandboxStorages: readonly {
  readonly name: string;
  readonly open: () => MaybePromise<OpenStorage>;
}[] = [
  { name: 'memory', open: openMemory },
  { name: 'SQLite', open: openSqlite },
  { name: 'Redis', open: () => openRedis(redis()) },
  { name: 'Redis Cluster', open: () => openRedis(redisCluster()) },
];

function openMemory(): OpenStorage {
  let time = Date.UTC(2026, 0, 1);
  const now = (): number => time;
  return {
    storage: new MemorySandboxes({ now }),
    now,
    pass(milliseconds) {
      time += milliseconds;
    },
    dispose() {},
  };
}

async function openSqlite(): Promise<OpenStorage> {
  let time = Date.UTC(2026, 0, 1);
  const now = (): number => time;
  const folder = await mkdtemp(join(tmpdir(), 'stockcheck-sqlite-'));
  const storage = await openSqliteSandboxes({ file: join(folder, 'stock.db'), now });
  return {
    storage,
    now,
    pass(milliseconds) {
      time += milliseconds;
    },
    async dispose() {
      await storage.close?.();
      await rm(folder, { recursive: true });
    },
  };
}

/** One server for all tests of a file; each test has keys of its own. */
const redis = once(startRedis);
const redisCluster = once(startRedisCluster);

async function openRedis(starting: Promise<{ readonly url: string }>): Promise<OpenStorage> {
  const { url } = await starting;
  const storage = await openRedisSandboxes({ url: `${url}?prefix=${randomUUID()}` });
  return {
    storage,
    now: Date.now,
    pass: (milliseconds) => sleep(milliseconds),
    dispose: () => storage.close(),
  };
}

/** Starts something when it is first asked for, and stops it when the tests of the file are over. */
function once<T extends { stop(): Promise<void> }>(start: () => Promise<T>): () => Promise<T> {
  let started: Promise<T> | undefined;
  afterAll(async () => {
    await (await started)?.stop();
  });
  return () => (started ??= start());
}
