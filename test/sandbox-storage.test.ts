import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { InventoryItem } from '../src/inventory/item.ts';
import { SandboxGoneError, type StoredSandbox } from '../src/inventory/sandbox-storage.ts';
import { stringifyExactJson } from '../src/json/exact-json.ts';
import { generateInventory } from '../src/mock/generate-inventory.ts';
import { perform, SandboxModel, type SandboxStep } from './sandbox-model.ts';
import { sandboxStorages, type OpenStorage } from './sandbox-storages.ts';

const items: readonly InventoryItem[] = [
  { petId: 5n, quantity: 1n, status: 'available' },
  { petId: -1n, quantity: 0n, status: 'pending' },
  { petId: 9_007_199_254_740_993n, quantity: 10n ** 30n, status: 'sold' },
];

/** Longer than a test takes. */
const hour = 3_600_000;

const textOf = async ({ store }: StoredSandbox): Promise<string> =>
  Buffer.concat([...(await store.list())]).toString();

const itemsOf = async ({ store }: StoredSandbox): Promise<readonly InventoryItem[]> => [
  ...(await store.items()),
];

async function expectInventory(
  sandbox: StoredSandbox,
  expected: Iterable<InventoryItem>,
): Promise<void> {
  const all = [...expected];
  expect((await textOf(sandbox)) === stringifyExactJson(all), 'the list is as expected').toBe(true);
  expect(await itemsOf(sandbox)).toEqual(all);
  expect(await sandbox.store.count?.()).toBe(all.length);
}

async function create(
  { storage }: OpenStorage,
  options: Partial<Parameters<typeof storage.create>[0]> = {},
): Promise<StoredSandbox> {
  const sandbox = await storage.create({ settings: '', seed: items, ...options });
  if (sandbox === 'taken') throw new Error('the id or the key is taken');
  return sandbox;
}

/** What may be done to a sandbox of a seed. */
function toStep(seed: readonly InventoryItem[]): fc.Arbitrary<SandboxStep> {
  const petIds = seed.map(({ petId }) => petId);
  const snapshot = fc.constantFrom('a', 'b', 'c');
  const update = fc.record({
    kind: fc.constant('update' as const),
    // Few pets in few places leave an inventory mostly as it was; all of them do not.
    petId: fc.oneof(fc.constantFrom(...petIds.slice(0, 20)), fc.constantFrom(...petIds)),
    quantity: fc.bigInt(),
  });
  return fc.oneof(
    { weight: 4, arbitrary: update },
    fc.record({
      kind: fc.constantFrom('takeSnapshot' as const, 'restoreSnapshot', 'deleteSnapshot'),
      name: snapshot,
    }),
    fc.record({ kind: fc.constantFrom('reset' as const, 'replace') }),
  );
}

for (const { name, open } of sandboxStorages) {
  const openForTest = async (): Promise<OpenStorage> => {
    const opened = await open();
    onTestFinished(() => opened.dispose());
    return opened;
  };

  test(`${name}: counts, each step at once, for each sandbox by itself`, async () => {
    const opened = await openForTest();
    const [one, other] = [await create(opened, { id: 'one' }), await create(opened)];
    // One process alone has the memory: it counts by itself.
    expect(one.advance === undefined).toBe(name === 'memory');
    if (one.advance === undefined || other.advance === undefined) return;
    expect(await one.counters?.()).toEqual(new Map());
    expect(
      await one.advance([
        ['a', 1],
        ['b', 5],
      ]),
    ).toEqual([1, 5]);
    const steps = await Promise.all(
      Array.from({ length: 30 }, async () =>
        one.advance?.([
          ['b', 2],
          ['a', 1],
        ]),
      ),
    );
    const numbers = steps.map((values) => values?.[1]).toSorted((x = 0, y = 0) => x - y);
    expect(numbers).toEqual(Array.from({ length: 30 }, (_, index) => index + 2));
    expect(await other.advance([['a', 1]])).toEqual([1]);
    const again = await opened.storage.get('one');
    expect(await again?.counters?.()).toEqual(
      new Map([
        ['a', 31],
        ['b', 65],
      ]),
    );
    await one.reset();
    expect(await again?.advance?.([['a', 1]])).toEqual([32]);
  });

  test(`${name}: counts on by the settings that it has now, and keeps the counters that are named`, async () => {
    const opened = await openForTest();
    const before = await create(opened, { id: 'one', settings: 'first' });
    if (before.advance === undefined) return;
    await before.advance([
      ['goes', 3],
      ['stays', 4],
    ]);
    await opened.storage.configure('one', {
      settings: 'second',
      counters: ['stays', 'not there'],
    });
    const after = await opened.storage.get('one');
    expect(await before.advance([['goes', 1]])).toBeUndefined();
    expect(await after?.counters?.()).toEqual(new Map([['stays', 4]]));
    expect(await after?.advance?.([['stays', 1]])).toEqual([5]);
    await opened.storage.configure('one', { settings: 'third' });
    expect(await (await opened.storage.get('one'))?.counters?.()).toEqual(new Map());
  });

  test(`${name}: counters go with their sandbox`, async () => {
    const opened = await openForTest();
    const before = await create(opened, { id: 'one', settings: 'same' });
    if (before.advance === undefined) return;
    await before.advance([['a', 7]]);
    await opened.storage.delete('one');
    await expect(before.advance([['a', 1]])).rejects.toThrow(SandboxGoneError);
    await expect((async () => before.counters?.())()).rejects.toThrow(SandboxGoneError);
    const after = await create(opened, { id: 'one', settings: 'same' });
    expect(await after.counters?.()).toEqual(new Map());
    expect(await after.advance?.([['a', 1]])).toEqual([1]);
  });

  test(`${name}: creates a sandbox, and finds it by its key and by its id`, async () => {
    const opened = await openForTest();
    const { storage } = opened;
    const expiresAt = opened.now() + hour;
    const created = { id: 'first', settings: '{"name":"First ✓"}', expiresAt };
    expect(await create(opened, { ...created, apiKey: 'key-1' })).toMatchObject(created);
    await create(opened, { id: 'second', apiKey: 'key-2' });

    for (const found of [await storage.find('key-1'), await storage.get('first')]) {
      expect(found).toMatchObject(created);
      expect(found && (await itemsOf(found))).toEqual(items);
    }
    expect((await storage.find('key-2'))?.id).toBe('second');
    expect((await storage.get('second'))?.expiresAt).toBeUndefined();
  });

  test(`${name}: finds nothing for keys and ids that are not quite those`, async () => {
    const opened = await openForTest();
    const { storage } = opened;
    await create(opened, { id: 'one', apiKey: 'key-1' });
    await create(opened, { id: 'keyless' });
    for (const key of ['', 'key-', 'key-2', 'key-11', 'KEY-1', 'one', 'keyless', '__proto__']) {
      expect(await storage.find(key)).toBeUndefined();
    }
    for (const id of ['', 'on', 'one1', 'key-1', '__proto__']) {
      expect(await storage.get(id)).toBeUndefined();
    }
  });

  test(`${name}: makes an id of ten letters and digits where none is given`, async () => {
    const opened = await openForTest();
    const ids: string[] = [];
    for (let count = 0; count < 100; count += 1) ids.push((await create(opened)).id);
    expect(ids.filter((id) => !/^[a-z0-9]{10}$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(100);
  });

  test(`${name}: lists and counts sandboxes in the order they were created`, async () => {
    const opened = await openForTest();
    const { storage } = opened;
    expect([await storage.list(), await storage.count()]).toEqual([[], 0]);
    const ids = ['z', 'a', '10', '9', 'm'];
    for (const id of ids) await create(opened, { id });
    await storage.configure('a', { settings: 'new' });
    expect((await storage.list()).map(({ id }) => id)).toEqual(ids);
    expect(await storage.count()).toBe(5);
    await storage.delete('10');
    expect((await storage.list()).map(({ id }) => id)).toEqual(['z', 'a', '9', 'm']);
    expect(await storage.count()).toBe(4);
  });

  test(`${name}: refuses an id and a key that are taken, and writes nothing then`, async () => {
    const opened = await openForTest();
    const { storage } = opened;
    await create(opened, { id: 'one', apiKey: 'key-1' });
    const other = { settings: 'other', seed: [] };
    expect(await storage.create({ ...other, id: 'one', apiKey: 'key-2' })).toBe('taken');
    expect(await storage.create({ ...other, id: 'two', apiKey: 'key-1' })).toBe('taken');
    expect(await storage.create({ ...other, apiKey: 'key-1' })).toBe('taken');
    expect(await storage.count()).toBe(1);
    expect(await storage.find('key-2')).toBeUndefined();
    expect(await storage.get('two')).toBeUndefined();
    expect((await storage.find('key-1'))?.settings).toBe('');
    await create(opened, { id: 'two', apiKey: 'key-2' });
  });

  test(`${name}: gives one of many who ask for one key at once the sandbox`, async () => {
    const opened = await openForTest();
    const created = await Promise.all(
      Array.from({ length: 20 }, async () =>
        opened.storage.create({ apiKey: 'wanted', settings: '', seed: items }),
      ),
    );
    expect(created.filter((sandbox) => sandbox !== 'taken')).toHaveLength(1);
    expect(await opened.storage.count()).toBe(1);
  });

  test(`${name}: refuses a seed in which a petId stands twice, and keeps nothing of it`, async () => {
    const opened = await openForTest();
    await expect(create(opened, { id: 'one', seed: [...items, ...items] })).rejects.toThrow(
      'petId 5 stands twice',
    );
    expect(await opened.storage.count()).toBe(0);
    await create(opened, { id: 'one' });
  });

  test(`${name}: changes settings, and nothing else with them`, async () => {
    const opened = await openForTest();
    const { storage } = opened;
    const sandbox = await create(opened, { id: 'one', apiKey: 'key-1', settings: 'old' });
    await sandbox.store.update(5n, { quantity: 9n });
    await sandbox.takeSnapshot('before', 1);
    const configured = await storage.configure('one', { settings: 'new' });
    expect(configured).toMatchObject({ id: 'one', settings: 'new' });
    const found = await storage.find('key-1');
    expect(found?.settings).toBe('new');
    expect(await found?.store.get(5n)).toMatchObject({ quantity: 9n });
    expect(await found?.snapshots()).toEqual([{ name: 'before', createdAt: 1 }]);
    expect(await storage.configure('two', { settings: 'new' })).toBeUndefined();
  });

  test(`${name}: takes no settings that are made from others than it has`, async () => {
    const opened = await openForTest();
    const { storage } = opened;
    await create(opened, { id: 'one', settings: 'first' });
    expect(await storage.configure('one', { settings: 'new', before: 'first' })).toMatchObject({
      settings: 'new',
    });
    const late = { settings: 'late', before: 'first', expiresAt: opened.now() + hour };
    expect(await storage.configure('one', late)).toBe('changed');
    const after = await storage.get('one');
    expect(after?.settings).toBe('new');
    expect(after).not.toHaveProperty('expiresAt');
    const racing = ['a', 'b', 'c'].map(async (settings) =>
      storage.configure('one', { settings, before: 'new' }),
    );
    const answers = await Promise.all(racing);
    expect(answers.filter((answer) => answer === 'changed')).toHaveLength(2);
  });

  test(`${name}: deletes a sandbox, whose id and key are free from then on`, async () => {
    const opened = await openForTest();
    const { storage } = opened;
    const sandbox = await create(opened, { id: 'one', apiKey: 'key-1' });
    await sandbox.store.update(5n, { quantity: 9n });
    await sandbox.takeSnapshot('mine', 1);
    expect(await storage.delete('one')).toBe(true);
    expect(await storage.delete('one')).toBe(false);
    expect(await storage.get('one')).toBeUndefined();
    expect(await storage.find('key-1')).toBeUndefined();

    const again = await create(opened, { id: 'one', apiKey: 'key-1' });
    await expectInventory(again, items);
    expect(await again.snapshots()).toEqual([]);
  });

  test(`${name}: does not find a sandbox that has expired, and frees its id and key`, async () => {
    const opened = await openForTest();
    const { storage } = opened;
    const expiresAt = opened.now() + 100;
    for (let count = 0; count < 10; count += 1) {
      await create(opened, { id: `soon-${count}`, apiKey: `key-${count}`, expiresAt });
      await create(opened, { id: `later-${count}`, expiresAt: opened.now() + hour });
    }
    await create(opened, { id: 'never' });
    await opened.pass(200);
    expect(await storage.find('key-3')).toBeUndefined();
    expect(await storage.get('soon-4')).toBeUndefined();
    expect(await storage.configure('soon-5', { settings: 'new' })).toBeUndefined();
    expect(await storage.delete('soon-6')).toBe(false);
    expect(await storage.count()).toBe(11);
    const expected = [...Array.from({ length: 10 }, (_, count) => `later-${count}`), 'never'];
    expect((await storage.list()).map(({ id }) => id)).toEqual(expected);

    const again = await create(opened, { id: 'soon-1', apiKey: 'key-2' });
    await expectInventory(again, items);
    expect((await storage.find('key-2'))?.id).toBe('soon-1');
  });

  test(`${name}: does not count sandboxes that have expired, though nobody has looked for them`, async () => {
    const opened = await openForTest();
    const expiresAt = opened.now() + 100;
    for (let count = 0; count < 5; count += 1) await create(opened, { expiresAt });
    await create(opened);
    await opened.pass(200);
    expect(await opened.storage.count()).toBe(1);
  });

  test(`${name}: lets an expiry be put off, called off and brought forward`, async () => {
    const opened = await openForTest();
    const { storage } = opened;
    const expiresAt = opened.now() + hour;
    for (const id of ['put-off', 'called-off', 'brought-forward']) {
      await create(opened, { id, apiKey: `key-${id}`, expiresAt });
    }
    const later = opened.now() + 2 * hour;
    expect(await storage.configure('put-off', { settings: '', expiresAt: later })).toMatchObject({
      expiresAt: later,
    });
    await storage.configure('called-off', { settings: '' });
    const soon = opened.now() + 100;
    await storage.configure('brought-forward', { settings: '', expiresAt: soon });
    await opened.pass(200);
    expect((await storage.find('key-put-off'))?.expiresAt).toBe(later);
    expect((await storage.find('key-called-off'))?.expiresAt).toBeUndefined();
    expect(await storage.find('key-brought-forward')).toBeUndefined();
  });

  test(`${name}: keeps 50 sandboxes of one seed apart`, async () => {
    const opened = await openForTest();
    const seed = [...generateInventory(1000, 5)];
    const sandboxes: StoredSandbox[] = [];
    for (let count = 0; count < 50; count += 1) sandboxes.push(await create(opened, { seed }));
    // From few changed entries to nearly all of them.
    await Promise.all(
      sandboxes.map(async ({ store }, number) => {
        for (let step = 0; step < 2 * number; step += 1) {
          const petId = seed[(step * 7919) % seed.length]?.petId ?? 0n;
          await store.update(petId, { quantity: BigInt(number * 1000 + step), status: 'sold' });
          if (step % 10 === 0) await store.list();
        }
      }),
    );
    for (const [number, sandbox] of sandboxes.entries()) {
      const expected = [...seed];
      for (let step = 0; step < 2 * number; step += 1) {
        const position = (step * 7919) % seed.length;
        const petId = seed[position]?.petId ?? 0n;
        expected[position] = { petId, quantity: BigInt(number * 1000 + step), status: 'sold' };
      }
      await expectInventory(sandbox, expected);
    }
    const fresh = await create(opened, { seed });
    await expectInventory(fresh, seed);
    expect([...(await fresh.seed())]).toEqual(seed);
  });

  test(`${name}: shows writes to everybody who has found the sandbox`, async () => {
    const opened = await openForTest();
    const created = await create(opened, { apiKey: 'key' });
    const found = await opened.storage.find('key');
    await created.store.update(5n, { quantity: 7n });
    expect(await found?.store.get(5n)).toMatchObject({ quantity: 7n });
    await found?.reset();
    await expectInventory(created, items);
  });

  test(`${name}: keeps integers exact that no number holds`, async () => {
    const opened = await openForTest();
    const seed: readonly InventoryItem[] = [
      { petId: 2n ** 63n - 1n, quantity: -(10n ** 40n), status: 'available' },
      { petId: -(2n ** 63n), quantity: 2n ** 53n + 1n, status: 'sold' },
      { petId: 2n ** 53n + 1n, quantity: 2n ** 53n, status: 'pending' },
      { petId: 2n ** 53n, quantity: 0n, status: 'pending' },
      ...generateInventory(500, 1),
    ];
    const sandbox = await create(opened, { seed });
    await expectInventory(sandbox, seed);
    const quantity = 12_345_678_901_234_567_890_123n;
    const updated = await sandbox.store.update(2n ** 53n + 1n, { quantity });
    expect(updated).toEqual({
      petId: 2n ** 53n + 1n,
      quantity,
      status: 'pending',
      previous: { quantity: 2n ** 53n, status: 'pending' },
    });
    await sandbox.takeSnapshot('large', 1);
    const expected = seed.with(2, { petId: 2n ** 53n + 1n, quantity, status: 'pending' });
    await expectInventory(sandbox, expected);
    await sandbox.reset();
    await expectInventory(sandbox, seed);
    await sandbox.restoreSnapshot('large');
    await expectInventory(sandbox, expected);
  });

  test(`${name}: goes back to the seed, also after its pets were replaced`, async () => {
    const opened = await openForTest();
    const sandbox = await create(opened);
    await sandbox.store.replace([{ petId: 77n, quantity: 1n, status: 'sold' }]);
    expect(await textOf(sandbox)).toBe('[{"petId":77,"quantity":1,"status":"sold"}]');
    expect(await sandbox.store.update(5n, { quantity: 1n })).toBeUndefined();
    expect(await sandbox.store.update(77n, { quantity: 2n })).toMatchObject({ quantity: 2n });
    expect([...(await sandbox.seed())]).toEqual(items);
    await sandbox.reset();
    await expectInventory(sandbox, items);
    expect(await sandbox.store.get(77n)).toBeUndefined();
    await sandbox.store.replace([]);
    expect(await textOf(sandbox)).toBe('[]');
    await sandbox.store.replace(await sandbox.seed());
    await expectInventory(sandbox, items);
  });

  test(`${name}: counts the pets of a sandbox`, async () => {
    const opened = await openForTest();
    const { id, store } = await create(opened);
    expect(await store.count?.()).toBe(3);
    await store.update(5n, { quantity: 9n });
    expect(await store.count?.()).toBe(3);
    const found = await opened.storage.get(id);
    await found?.takeSnapshot('three', 1);
    await found?.store.replace(generateInventory(70, 1));
    expect(await store.count?.()).toBe(70);
    await store.replace([]);
    expect(await store.count?.()).toBe(0);
    await found?.restoreSnapshot('three');
    expect(await store.count?.()).toBe(3);
  });

  test(`${name}: keeps what it has where a replacement is refused`, async () => {
    const opened = await openForTest();
    const sandbox = await create(opened);
    await sandbox.store.update(5n, { quantity: 9n });
    await expect(async () => sandbox.store.replace([...items, ...items])).rejects.toThrow(
      'petId 5 stands twice',
    );
    expect(await sandbox.store.get(5n)).toMatchObject({ quantity: 9n });
  });

  test(`${name}: takes, restores and deletes snapshots`, async () => {
    const opened = await openForTest();
    const sandbox = await create(opened);
    await sandbox.takeSnapshot('seed', 1000);
    await sandbox.store.update(5n, { quantity: 2n, status: 'sold' });
    await sandbox.takeSnapshot('Größe 2 ✓', 2000);
    const two = await itemsOf(sandbox);
    await sandbox.store.replace(items.slice(2));
    await sandbox.takeSnapshot('one pet', 3000);
    expect(await sandbox.snapshots()).toEqual([
      { name: 'seed', createdAt: 1000 },
      { name: 'Größe 2 ✓', createdAt: 2000 },
      { name: 'one pet', createdAt: 3000 },
    ]);

    expect(await sandbox.restoreSnapshot('Größe 2 ✓')).toBe(true);
    await expectInventory(sandbox, two);
    // A snapshot is not written to through what was restored from it.
    await sandbox.store.update(5n, { quantity: 3n });
    expect([...((await sandbox.snapshotItems('Größe 2 ✓')) ?? [])]).toEqual(two);
    expect(await sandbox.restoreSnapshot('Größe 2 ✓')).toBe(true);
    await expectInventory(sandbox, two);
    expect(await sandbox.restoreSnapshot('one pet')).toBe(true);
    await expectInventory(sandbox, items.slice(2));
    expect(await sandbox.restoreSnapshot('seed')).toBe(true);
    await expectInventory(sandbox, items);

    expect(await sandbox.deleteSnapshot('seed')).toBe(true);
    expect(await sandbox.deleteSnapshot('seed')).toBe(false);
    expect(await sandbox.restoreSnapshot('seed')).toBe(false);
    expect(await sandbox.snapshotItems('seed')).toBeUndefined();
    expect((await sandbox.snapshots()).map((snapshot) => snapshot.name)).toEqual([
      'Größe 2 ✓',
      'one pet',
    ]);
  });

  test(`${name}: replaces a snapshot that is taken again, and keeps snapshots over a reset`, async () => {
    const opened = await openForTest();
    const sandbox = await create(opened);
    await sandbox.takeSnapshot('a', 1);
    await sandbox.takeSnapshot('b', 2);
    await sandbox.store.update(5n, { quantity: 50n });
    await sandbox.takeSnapshot('a', 3);
    await sandbox.reset();
    expect(await sandbox.snapshots()).toEqual([
      { name: 'b', createdAt: 2 },
      { name: 'a', createdAt: 3 },
    ]);
    expect([...((await sandbox.snapshotItems('a')) ?? [])][0]).toMatchObject({ quantity: 50n });
    await sandbox.restoreSnapshot('a');
    expect(await sandbox.store.get(5n)).toMatchObject({ quantity: 50n });
  });

  test(`${name}: keeps the snapshots of two sandboxes apart`, async () => {
    const opened = await openForTest();
    const [one, two] = [await create(opened), await create(opened)];
    await one.store.update(5n, { quantity: 11n });
    await one.takeSnapshot('same name', 1);
    expect(await two.restoreSnapshot('same name')).toBe(false);
    await two.takeSnapshot('same name', 2);
    expect([...((await one.snapshotItems('same name')) ?? [])][0]).toMatchObject({ quantity: 11n });
  });

  test(`${name}: never changes a list that it has handed out`, async () => {
    const opened = await openForTest();
    const seed = [...generateInventory(1000, 2)];
    const sandbox = await create(opened, { seed });
    const handedOut: { list: readonly Uint8Array[]; text: string }[] = [];
    for (let step = 0; step < 30; step += 1) {
      const list = await sandbox.store.list();
      handedOut.push({ list, text: Buffer.concat([...list]).toString() });
      const petId = seed[(step * 331) % seed.length]?.petId ?? 0n;
      await sandbox.store.update(petId, { quantity: BigInt(step) });
      if (step % 10 === 9) await sandbox.reset();
    }
    for (const { list, text } of handedOut) {
      expect(Buffer.concat([...list]).equals(Buffer.from(text))).toBe(true);
    }
  });

  test(`${name}: keeps list and items true through hundreds of updates, few and many`, async () => {
    const opened = await openForTest();
    const seed = [...generateInventory(2000, 11)];
    const sandbox = await create(opened, { seed });
    const expected = [...seed];
    for (let step = 0; step < 400; step += 1) {
      // At first always the same few pets, then more and more of them.
      const position = ((step * 7919) % Math.min(5 + step, 400)) * 5;
      const petId = expected[position]?.petId ?? 0n;
      const quantity = BigInt(step) ** BigInt(step % 9);
      const status = expected[position]?.status ?? 'sold';
      await sandbox.store.update(petId, { quantity });
      expected[position] = { petId, quantity, status };
      expect((await textOf(sandbox)) === stringifyExactJson(expected), `step ${step}`).toBe(true);
    }
    await expectInventory(sandbox, expected);
  });

  test(`${name}: does whatever is done in any order as a plain array would`, async () => {
    const opened = await openForTest();
    const seed = [...generateInventory(800, 13)];
    await fc.assert(
      fc.asyncProperty(fc.array(toStep(seed), { maxLength: 40 }), async (steps) => {
        const sandbox = await create(opened, { seed });
        const model = new SandboxModel(seed);
        for (const step of steps) {
          expect(await perform(step, sandbox)).toBe(model.perform(step));
          const isTrue = (await textOf(sandbox)) === stringifyExactJson(model.items);
          expect(isTrue, `the list after ${step.kind}`).toBe(true);
        }
        await expectInventory(sandbox, model.items);
        for (const [snapshot, kept] of model.snapshots) {
          expect([...((await sandbox.snapshotItems(snapshot)) ?? [])]).toEqual(kept);
        }
        await opened.storage.delete(sandbox.id);
      }),
      { numRuns: 30, seed: 1 },
    );
  });

  test(`${name}: keeps 100,000 pets in one sandbox`, async () => {
    const opened = await openForTest();
    const seed = [...generateInventory(100_000, 3)];
    const sandbox = await create(opened, { seed });
    await sandbox.takeSnapshot('seed', 1);
    const expected = [...seed];
    for (const position of [0, 99_999, 31, 32, 50_000]) {
      const petId = seed[position]?.petId ?? 0n;
      await sandbox.store.update(petId, { quantity: 1_000_000n, status: 'sold' });
      expected[position] = { petId, quantity: 1_000_000n, status: 'sold' };
    }
    expect((await textOf(sandbox)) === stringifyExactJson(expected)).toBe(true);
    await sandbox.restoreSnapshot('seed');
    expect((await textOf(sandbox)) === stringifyExactJson(seed)).toBe(true);
  });
}
