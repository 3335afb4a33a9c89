import type { InventoryItem } from '../src/inventory/item.ts';
import type { StoredSandbox } from '../src/inventory/sandbox-storage.ts';

/** Something that is done to a sandbox. */
export type SandboxStep =
  | { readonly kind: 'update'; readonly petId: bigint; readonly quantity: bigint }
  | { readonly kind: 'takeSnapshot' | 'restoreSnapshot' | 'deleteSnapshot'; readonly name: string }
  /** Drops the first pet, and turns the order of the others. */
  | { readonly kind: 'replace' }
  | { readonly kind: 'reset' };

const turn = (items: Iterable<InventoryItem>): readonly InventoryItem[] =>
  [...items].slice(1).toReversed();

/** Does a step, and says what came of it. */
export async function perform(step: SandboxStep, sandbox: StoredSandbox): Promise<unknown> {
  switch (step.kind) {
    case 'update':
      return (await sandbox.store.update(step.petId, step))?.previous.quantity;
    case 'takeSnapshot':
      return sandbox.takeSnapshot(step.name, 1);
    case 'restoreSnapshot':
      return sandbox.restoreSnapshot(step.name);
    case 'deleteSnapshot':
      return sandbox.deleteSnapshot(step.name);
    case 'replace':
      return sandbox.store.replace(turn(await sandbox.store.items()));
    case 'reset':
      return sandbox.reset();
  }
}

/** A sandbox as simple as can be. */
export class SandboxModel {
  readonly #seed: readonly InventoryItem[];
  items: readonly InventoryItem[];
  readonly snapshots: Map<string, readonly InventoryItem[]> = new Map();

  constructor(seed: readonly InventoryItem[]) {
    this.#seed = seed;
    this.items = seed;
  }

  /** Does a step, and says what is to come of it. */
  perform(step: SandboxStep): unknown {
    switch (step.kind) {
      case 'update':
        return this.#update(step.petId, step.quantity);
      case 'takeSnapshot':
        this.snapshots.set(step.name, this.items);
        return undefined;
      case 'restoreSnapshot':
        this.items = this.snapshots.get(step.name) ?? this.items;
        return this.snapshots.has(step.name);
      case 'deleteSnapshot':
        return this.snapshots.delete(step.name);
      case 'replace':
        this.items = turn(this.items);
        return undefined;
      case 'reset':
        this.items = this.#seed;
        return undefined;
    }
  }

  #update(petId: bigint, quantity: bigint): bigint | undefined {
    const position = this.items.findIndex((item) => item.petId === petId);
    const item = this.items[position];
    if (item !== undefined) this.items = this.items.with(position, { ...item, quantity });
    return item?.quantity;
  }
}
