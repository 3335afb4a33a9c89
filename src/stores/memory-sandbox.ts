import { toItemTable } from '../inventory/item-table.ts';
import type { InventoryItem } from '../inventory/item.ts';
import type { SnapshotEntry, StoredSandbox } from '../inventory/sandbox-storage.ts';
import type { StockChange, Store, UpdatedItem } from '../inventory/store.ts';
import { Overlay } from './memory-overlay.ts';
import { OwnInventory } from './memory-own.ts';
import type { SharedSeed } from './memory-seed.ts';

interface Snapshot {
  readonly createdAt: number;
  readonly inventory: Overlay | OwnInventory;
}

/** The inventory of one sandbox, with its snapshots. It copies what it writes to, not before. */
export class SandboxStore implements Store {
  readonly seed: SharedSeed;
  #inventory: Overlay | OwnInventory;
  #snapshots: Map<string, Snapshot> | undefined;

  constructor(seed: SharedSeed) {
    this.seed = seed;
    this.#inventory = new Overlay(seed);
  }

  list(): readonly Uint8Array[] {
    return this.#inventory.list();
  }

  get(petId: bigint): InventoryItem | undefined {
    return this.#inventory.get(petId);
  }

  update(petId: bigint, change: StockChange): UpdatedItem | undefined {
    const inventory = this.#inventory;
    const updated = inventory.update(petId, change);
    if (inventory instanceof Overlay && inventory.isOutgrown) {
      this.#inventory = OwnInventory.from(inventory);
    }
    return updated;
  }

  items(): Iterable<InventoryItem> {
    return readOnly(this.#inventory);
  }

  count(): number {
    return this.#inventory.length;
  }

  replace(items: Iterable<InventoryItem>): void {
    this.#inventory = new OwnInventory(toItemTable(items));
  }

  reset(): void {
    this.#inventory = new Overlay(this.seed);
  }

  get snapshots(): readonly SnapshotEntry[] {
    return [...(this.#snapshots ?? [])].map(([name, { createdAt }]) => ({ name, createdAt }));
  }

  takeSnapshot(name: string, createdAt: number): void {
    this.#snapshots ??= new Map();
    // One that is taken again moves to the end.
    this.#snapshots.delete(name);
    this.#snapshots.set(name, { createdAt, inventory: this.#inventory.copy() });
  }

  restoreSnapshot(name: string): boolean {
    const snapshot = this.#snapshots?.get(name);
    if (snapshot !== undefined) this.#inventory = snapshot.inventory.copy();
    return snapshot !== undefined;
  }

  deleteSnapshot(name: string): boolean {
    return this.#snapshots?.delete(name) ?? false;
  }

  snapshotItems(name: string): Iterable<InventoryItem> | undefined {
    const snapshot = this.#snapshots?.get(name);
    return snapshot && readOnly(snapshot.inventory);
  }
}

interface Fields {
  readonly id: string;
  readonly settings: string;
  readonly expiresAt: number | undefined;
}

/** A sandbox as it is told to others. It never changes: another one takes its place. */
export class MemorySandbox implements StoredSandbox {
  readonly id: string;
  readonly settings: string;
  declare readonly expiresAt?: number;
  readonly store: SandboxStore;

  constructor({ id, settings, expiresAt }: Fields, store: SandboxStore) {
    this.id = id;
    this.settings = settings;
    if (expiresAt !== undefined) this.expiresAt = expiresAt;
    this.store = store;
  }

  seed(): Iterable<InventoryItem> {
    return this.store.seed;
  }

  reset(): void {
    this.store.reset();
  }

  snapshots(): readonly SnapshotEntry[] {
    return this.store.snapshots;
  }

  takeSnapshot(name: string, createdAt: number): void {
    this.store.takeSnapshot(name, createdAt);
  }

  restoreSnapshot(name: string): boolean {
    return this.store.restoreSnapshot(name);
  }

  deleteSnapshot(name: string): boolean {
    return this.store.deleteSnapshot(name);
  }

  snapshotItems(name: string): Iterable<InventoryItem> | undefined {
    return this.store.snapshotItems(name);
  }
}

/** Hides the means to write, which whoever is given the items could find. */
function readOnly(items: Iterable<InventoryItem>): Iterable<InventoryItem> {
  return { [Symbol.iterator]: () => items[Symbol.iterator]() };
}
