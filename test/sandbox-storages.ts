import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxStorage } from '../src/inventory/sandbox-storage.ts';
import type { MaybePromise } from '../src/inventory/store.ts';
import { MemorySandboxes } from '../src/stores/memory-sandboxes.ts';
import { openSqliteSandboxes } from '../src/stores/sqlite.ts';

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
