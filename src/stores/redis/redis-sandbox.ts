import type { InventoryItem } from '../../inventory/item.ts';
import type { SnapshotEntry, StoredSandbox } from '../../inventory/sandbox-storage.ts';
import { RedisStore, type RedisContext } from './redis-store.ts';
import type { SandboxState } from './sandbox-state.ts';
import {
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
  readonly #channel: string;

  constructor(state: SandboxState, context: RedisContext) {
    const { settings, expiresAt } = state.description;
    this.id = state.id;
    this.settings = settings;
    if (expiresAt !== undefined) this.expiresAt = expiresAt;
    this.store = new RedisStore(state, context);
    this.#channel = state.channel;
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
