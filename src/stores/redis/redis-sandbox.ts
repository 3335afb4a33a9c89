import type { InventoryItem } from '../../inventory/item.ts';
import type { CounterStep, SnapshotEntry, StoredSandbox } from '../../inventory/sandbox-storage.ts';
import { RedisStore, type RedisContext } from './redis-store.ts';
import type { SandboxState } from './sandbox-state.ts';
import {
  advanceScript,
  countersScript,
  deleteSnapshotScript,
  restoreSnapshotScript,
  snapshotItemsScript,
  snapshotsScript,
  takeSnapshotScript,
} from './scripts.ts';

/** What the scripts about one snapshot answer where there is none of that name. */
const noSuchSnapshot = 1;

/** A sandbox in Redis, with its settings as of one version. */
export class RedisSandbox implements StoredSandbox {
  readonly id: string;
  readonly settings: string;
  declare readonly expiresAt?: number;
  readonly store: RedisStore;
  readonly judgedStore: RedisStore;
  readonly #channel: string;
  /** Of the settings. */
  readonly #version: string;

  constructor(state: SandboxState, context: RedisContext) {
    const { settings, expiresAt, version } = state.description;
    this.id = state.id;
    this.settings = settings;
    if (expiresAt !== undefined) this.expiresAt = expiresAt;
    this.store = new RedisStore(state, context);
    this.judgedStore = new RedisStore(state, context, settings);
    this.#channel = state.channel;
    this.#version = version;
  }

  seed(): Promise<readonly InventoryItem[]> {
    return this.store.seed();
  }

  reset(): Promise<void> {
    return this.store.reset();
  }

  async snapshots(): Promise<readonly SnapshotEntry[]> {
    const reply = (await this.store.call(snapshotsScript, [])) as readonly string[];
    return pairs(reply)
      .map(([name, entry]) => ({ name, ...parseEntry(entry) }))
      .toSorted((a, b) => a.order - b.order)
      .map(({ name, createdAt }) => ({ name, createdAt }));
  }

  async takeSnapshot(name: string, createdAt: number): Promise<void> {
    await this.store.call(takeSnapshotScript, [this.#channel, name, String(createdAt)]);
  }

  async restoreSnapshot(name: string): Promise<boolean> {
    const reply = await this.store.call(restoreSnapshotScript, [this.#channel, name]);
    return reply !== noSuchSnapshot;
  }

  async deleteSnapshot(name: string): Promise<boolean> {
    const reply = await this.store.call(deleteSnapshotScript, [this.#channel, name]);
    return reply !== noSuchSnapshot;
  }

  async snapshotItems(name: string): Promise<readonly InventoryItem[] | undefined> {
    const reply = await this.store.call(snapshotItemsScript, [name]);
    if (reply === noSuchSnapshot) return undefined;
    const [entry, rows] = reply as [string, readonly string[]];
    return this.store.itemsOf(parseEntry(entry).base, rows);
  }

  async advance(steps: readonly CounterStep[]): Promise<readonly number[] | undefined> {
    const named = steps.flatMap(([name, by]) => [name, String(by)]);
    const reply = await this.store.call(advanceScript, [this.#version, ...named]);
    return Array.isArray(reply) ? (reply as readonly number[]) : undefined;
  }

  async counters(): Promise<ReadonlyMap<string, number>> {
    const reply = (await this.store.call(countersScript, [])) as readonly string[];
    return new Map(pairs(reply).map(([name, value]) => [name, Number(value)]));
  }
}

function parseEntry(entry: string): {
  readonly order: number;
  readonly createdAt: number;
  readonly base: string;
} {
  const [order = '', createdAt = '', base = ''] = entry.split(' ');
  return { order: Number(order), createdAt: Number(createdAt), base };
}

function pairs(list: readonly string[]): readonly (readonly [string, string])[] {
  return Array.from({ length: list.length / 2 }, (_, index) => [
    list[index * 2] ?? '',
    list[index * 2 + 1] ?? '',
  ]);
}
