import { expect, onTestFinished, test } from 'vitest';
import type { InventoryItem } from '../src/inventory/item.ts';
import type { SandboxStorage } from '../src/inventory/sandbox-storage.ts';
import { seedSandbox } from '../src/inventory/seed-sandbox.ts';
import { sandboxStorages } from './sandbox-storages.ts';

const item: InventoryItem = { petId: 1n, quantity: 1n, status: 'available' };

for (const { name, open } of sandboxStorages) {
  const openForTest = async (): Promise<SandboxStorage> => {
    const { storage, dispose } = await open();
    onTestFinished(dispose);
    return storage;
  };

  test(`${name}: seeds a sandbox only when it is new`, async () => {
    const storage = await openForTest();
    const made = await seedSandbox(storage, { id: 'default', settings: 'first', seed: [item] });
    await made.store.update(1n, { quantity: 2n });
    const kept = await seedSandbox(storage, { id: 'default', settings: 'second', seed: [] });
    expect(kept.settings).toBe('first');
    expect([...(await kept.store.items())]).toEqual([{ ...item, quantity: 2n }]);
  });

  test(`${name}: starts a sandbox over`, async () => {
    const storage = await openForTest();
    const old = await seedSandbox(storage, { id: 'default', settings: 'first', seed: [] });
    await old.takeSnapshot('old', 1);
    const made = await seedSandbox(
      storage,
      { id: 'default', settings: 'second', seed: [item] },
      true,
    );
    expect(made.settings).toBe('second');
    expect([...(await made.store.items())]).toEqual([item]);
    expect(await made.snapshots()).toEqual([]);
  });

  test(`${name}: makes one sandbox for many who seed it at once`, async () => {
    const storage = await openForTest();
    const seed = { id: 'default', apiKey: 'key', settings: '', seed: [item] };
    const made = await Promise.all(Array.from({ length: 10 }, () => seedSandbox(storage, seed)));
    expect(new Set(made.map(({ id }) => id))).toEqual(new Set(['default']));
    expect(await storage.count()).toBe(1);
    await expect(seedSandbox(storage, { ...seed, id: 'other' })).rejects.toThrow(
      'the sandbox other cannot be made: its key opens another one',
    );
  });
}
