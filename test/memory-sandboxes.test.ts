import { expect, test } from 'vitest';
import { toItemTable } from '../src/inventory/item-table.ts';
import type { InventoryItem } from '../src/inventory/item.ts';
import type { NewSandbox } from '../src/inventory/sandbox-storage.ts';
import { generateInventory } from '../src/mock/generate-inventory.ts';
import type { MemorySandbox } from '../src/stores/memory-sandbox.ts';
import { MemorySandboxes } from '../src/stores/memory-sandboxes.ts';

const seed: readonly InventoryItem[] = [...generateInventory(10_000, 7)];

function create(storage: MemorySandboxes, options: Partial<NewSandbox> = {}): MemorySandbox {
  const sandbox = storage.create({ settings: '', seed, ...options });
  if (sandbox === 'taken') throw new Error('the id or the key is taken');
  return sandbox;
}

/** The memory that a list is held in. */
const memoryOf = ({ store }: MemorySandbox): Set<ArrayBufferLike> =>
  new Set(store.list().map(({ buffer }) => buffer));

const bytesOwnedBy = (sandbox: MemorySandbox, other: MemorySandbox): number =>
  [...memoryOf(sandbox).difference(memoryOf(other))].reduce(
    (sum, buffer) => sum + buffer.byteLength,
    0,
  );

const update = ({ store }: MemorySandbox, position: number, quantity: bigint): void => {
  store.update(seed[position]?.petId ?? 0n, { quantity });
};

for (const [kind, items] of [
  ['an array', seed],
  ['a table', toItemTable(seed)],
] as const) {
  test(`holds the text of ${kind} once for all sandboxes of it`, () => {
    const storage = new MemorySandboxes();
    const one = create(storage, { seed: items });
    const other = create(storage, { seed: items });
    expect(bytesOwnedBy(one, other)).toBe(0);
    update(one, 5000, 1_000_000n);
    expect(bytesOwnedBy(one, other)).toBeLessThan(2500);
    one.reset();
    expect(bytesOwnedBy(one, other)).toBe(0);
  });
}

test('shares the seed of a sandbox that another one is made from', () => {
  const storage = new MemorySandboxes();
  const one = create(storage);
  const other = create(storage, { seed: one.seed() });
  expect(bytesOwnedBy(one, other)).toBe(0);
});

test('copies what is written to alone, also where much is written and snapshots are taken', () => {
  const storage = new MemorySandboxes();
  const sandbox = create(storage);
  const untouched = create(storage);
  // The first half of the pets, all over the threshold of an overlay.
  for (let position = 0; position < 5000; position += 10) update(sandbox, position, 1_000_000n);
  const whole = Buffer.concat(untouched.store.list()).length;
  expect(bytesOwnedBy(sandbox, untouched)).toBeGreaterThan(whole * 0.45);
  expect(bytesOwnedBy(sandbox, untouched)).toBeLessThan(whole * 0.6);
  sandbox.takeSnapshot('half', 1);
  update(sandbox, 0, 7n);
  const changed = memoryOf(sandbox);
  sandbox.restoreSnapshot('half');
  expect(memoryOf(sandbox).difference(changed).size).toBe(1);
});

test('sends a small list in one piece, whatever was written', () => {
  const sandbox = create(new MemorySandboxes(), { seed: seed.slice(0, 100) });
  update(sandbox, 50, 5n);
  expect(sandbox.store.list()).toHaveLength(1);
});

test('keeps a list of many megabytes true', () => {
  const many = [...generateInventory(150_000, 1)];
  const sandbox = create(new MemorySandboxes(), { seed: many });
  expect(Buffer.concat(sandbox.store.list()).length).toBeGreaterThan(4 * 2 ** 20);
  const { petId = 0n } = many[75_000] ?? {};
  sandbox.store.update(petId, { quantity: 987_654_321n });
  const [kept, changed] = [create(new MemorySandboxes(), { seed: many }), sandbox].map(
    ({ store }) => Buffer.concat(store.list()).toString(),
  );
  const { quantity, status } = many[75_000] ?? {};
  const item = (count: bigint | undefined): string =>
    `{"petId":${petId},"quantity":${count},"status":"${status}"}`;
  expect(kept?.replace(item(quantity), item(987_654_321n)) === changed).toBe(true);
});

test('finds each of thousands of keys, and none of those deleted', () => {
  const storage = new MemorySandboxes();
  const keys = Array.from({ length: 5000 }, (_, number) => `key-${number}`);
  const ids = keys.map((apiKey) => create(storage, { apiKey }).id);
  expect(keys.map((key) => storage.find(key)?.id)).toEqual(ids);
  for (const id of ids.slice(0, 2500)) storage.delete(id);
  expect(keys.filter((key) => storage.find(key) !== undefined)).toEqual(keys.slice(2500));
});

test('finds keys that share a bucket', () => {
  // The worst source of random numbers makes the hash so weak that the order of letters is lost.
  const storage = new MemorySandboxes({ random: () => 0 });
  create(storage, { id: 'one', apiKey: 'abc' });
  create(storage, { id: 'two', apiKey: 'cba' });
  expect([storage.find('abc')?.id, storage.find('cba')?.id, storage.find('bca')]).toEqual([
    'one',
    'two',
    undefined,
  ]);
  storage.delete('one');
  expect([storage.find('abc'), storage.find('cba')?.id]).toEqual([undefined, 'two']);
});

test('says so where random numbers repeat themselves, instead of drawing for ever', () => {
  const storage = new MemorySandboxes({ random: () => 0 });
  expect(create(storage).id).toBe('aaaaaaaaaa');
  expect(() => create(storage)).toThrow('repeats itself');
});

test('makes the same ids from the same random numbers', () => {
  const ids = [0, 1].map(() => {
    let next = 0;
    const storage = new MemorySandboxes({ random: () => (next = (next + 0.137) % 1) });
    return [create(storage).id, create(storage).id];
  });
  expect(ids[0]).toEqual(ids[1]);
});

test('keeps the object of a sandbox until it is configured', () => {
  const storage = new MemorySandboxes();
  const sandbox = create(storage, { id: 'one', apiKey: 'key' });
  update(sandbox, 0, 1n);
  expect(storage.find('key')).toBe(sandbox);
  expect(storage.get('one')).toBe(sandbox);
  const configured = storage.configure('one', { settings: 'new' });
  expect(storage.find('key')).toBe(configured);
  expect(sandbox.settings).toBe('');
});

test('gives up thousands that have expired, though nobody asks for them by name', () => {
  let time = 0;
  const storage = new MemorySandboxes({ now: () => time });
  for (let count = 0; count < 3000; count += 1) {
    create(storage, { apiKey: `key-${count}`, expiresAt: 1 + (count % 1000) });
  }
  time = 600;
  expect(storage.count()).toBe(1200);
  time = 1100;
  create(storage);
  expect(storage.count()).toBe(1);
});

test('goes on expiring after its clock was put back', () => {
  let time = 10_000;
  const storage = new MemorySandboxes({ now: () => time });
  create(storage, { expiresAt: 9000 });
  expect(storage.count()).toBe(0);
  time = 100;
  create(storage, { expiresAt: 200 });
  time = 300;
  expect(storage.count()).toBe(0);
});
