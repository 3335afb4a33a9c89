import { spawn, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { InventoryItem } from '../src/inventory/item.ts';
import {
  SandboxGoneError,
  type SandboxStorage,
  type StoredSandbox,
} from '../src/inventory/sandbox-storage.ts';
import { StoreUnavailableError, type Store } from '../src/inventory/store.ts';
import { stringifyExactJson } from '../src/json/exact-json.ts';
import { generateInventory } from '../src/mock/generate-inventory.ts';
import { openSqliteSandboxes, type SqliteOptions } from '../src/stores/sqlite.ts';
import { openDatabase } from '../src/stores/sqlite/open-database.ts';
import { migrations } from '../src/stores/sqlite/schema.ts';
import { perform, SandboxModel, type SandboxStep } from './sandbox-model.ts';
import type { OpenReport } from './sqlite/open-file.ts';

const items: readonly InventoryItem[] = [
  { petId: 5n, quantity: 1n, status: 'available' },
  { petId: -1n, quantity: 0n, status: 'pending' },
  { petId: 9_007_199_254_740_993n, quantity: 10n ** 30n, status: 'sold' },
];

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'stockcheck-sqlite-'));
  onTestFinished(async () => {
    await chmod(folder, 0o700);
    await rm(folder, { recursive: true });
  });
  return folder;
}

const makeFile = async (): Promise<string> => join(await makeFolder(), 'stock.db');

/** Opens a storage that is closed at the end of the test, if not before. */
async function openStorage(options: SqliteOptions): Promise<SandboxStorage> {
  const storage = await openSqliteSandboxes(options);
  onTestFinished(async () => {
    try {
      await storage.close?.();
    } catch {
      // The test has closed it.
    }
  });
  return storage;
}

async function create(
  storage: SandboxStorage,
  options: Partial<Parameters<SandboxStorage['create']>[0]> = {},
): Promise<StoredSandbox> {
  const sandbox = await storage.create({ settings: '', seed: items, ...options });
  if (sandbox === 'taken') throw new Error('the id or the key is taken');
  return sandbox;
}

/** A sandbox that must be there. */
async function get(storage: SandboxStorage, id: string): Promise<StoredSandbox> {
  const sandbox = await storage.get(id);
  if (sandbox === undefined) throw new Error(`there is no sandbox ${id}`);
  return sandbox;
}

const textOf = async (store: Store): Promise<string> =>
  Buffer.concat([...(await store.list())]).toString();

const quantityOf = async (store: Store, petId: bigint): Promise<bigint | undefined> =>
  (await store.get(petId))?.quantity;

/** The bytes of all files in a folder, by name. */
async function readFiles(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const names = (await readdir(folder)).toSorted();
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, await readFile(join(folder, name))] as const),
    ),
  );
}

/** How many rows each table has. */
function countRows(file: string): Readonly<Record<string, number>> {
  const database = new DatabaseSync(file, { readOnly: true });
  const tables = [
    'sandboxes',
    'snapshots',
    'inventories',
    'changes',
    'seeds',
    'seed_items',
    'counters',
  ];
  const counts = tables.map((table) => {
    const row = database.prepare(`SELECT count(*) AS count FROM ${table}`).get();
    return [table, Number(row?.['count'])] as const;
  });
  database.close();
  return Object.fromEntries(counts);
}

const pathTo = (script: string): string =>
  fileURLToPath(new URL(`sqlite/${script}`, import.meta.url));

/** Opens a file in a process of its own, which may have fewer rights, and fills it. */
async function openInProcess(
  prefix: readonly string[],
  ...args: readonly string[]
): Promise<OpenReport> {
  const [command = '', ...rest] = [
    ...prefix,
    process.execPath,
    '--import',
    'tsx',
    pathTo('open-file.ts'),
    ...args,
  ];
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  return JSON.parse(await text(child.stdout)) as OpenReport;
}

/** Rights bind root only where it gives up its own. */
const withoutPrivileges =
  process.getuid?.() === 0 ? ['setpriv', '--inh-caps=-all', '--bounding-set=-all'] : [];

test('finds everything again in a file that is opened anew', async () => {
  const file = await makeFile();
  const before = await openStorage({ file });
  const expiresAt = Date.now() + 3_600_000;
  const first = await create(before, { id: 'first', apiKey: 'key-1', settings: '{"ü":1}' });
  await create(before, { id: 'another', apiKey: 'key-2', expiresAt });
  await first.store.update(5n, { quantity: -(10n ** 25n), status: 'sold' });
  await first.takeSnapshot('kept', 1234);
  await first.store.replace([...items.slice(1), { petId: 7n, quantity: 3n, status: 'pending' }]);
  await first.store.update(7n, { quantity: 2n ** 63n });
  const list = await textOf(first.store);
  await before.close?.();

  const after = await openStorage({ file });
  expect((await after.list()).map(({ id }) => id)).toEqual(['first', 'another']);
  expect((await after.find('key-2'))?.expiresAt).toBe(expiresAt);
  const again = await after.find('key-1');
  expect(again?.settings).toBe('{"ü":1}');
  expect(again && (await textOf(again.store))).toBe(list);
  expect(again && [...(await again.seed())]).toEqual(items);
  expect(await again?.snapshots()).toEqual([{ name: 'kept', createdAt: 1234 }]);
  await again?.restoreSnapshot('kept');
  const restored = { ...items[0], quantity: -(10n ** 25n), status: 'sold' };
  expect([...((await again?.store.items()) ?? [])]).toEqual([restored, ...items.slice(1)]);
});

test('keeps what another storage on the same file finds at once', async () => {
  const file = await makeFile();
  const [here, there] = [await openStorage({ file }), await openStorage({ file })];
  expect(await there.find('key')).toBeUndefined();
  await create(here, { id: 'shared', apiKey: 'key', settings: 'old' });
  const mine = await get(here, 'shared');
  const theirs = await get(there, 'shared');
  expect((await there.find('key'))?.id).toBe('shared');
  expect(await textOf(theirs.store)).toBe(await textOf(mine.store));

  await mine.store.update(5n, { quantity: 7n });
  expect(await quantityOf(theirs.store, 5n)).toBe(7n);
  // Each has read the list, and each writes to it.
  await theirs.store.update(-1n, { quantity: 8n, status: 'sold' });
  await mine.store.update(5n, { quantity: 9n });
  expect(await textOf(mine.store)).toBe(await textOf(theirs.store));
  expect(await quantityOf(mine.store, -1n)).toBe(8n);

  await theirs.takeSnapshot('two', 1);
  await mine.store.replace(items.slice(1));
  expect([...(await theirs.store.items())]).toEqual(items.slice(1));
  expect(await theirs.store.update(5n, { quantity: 1n })).toBeUndefined();
  await mine.restoreSnapshot('two');
  expect(await quantityOf(theirs.store, 5n)).toBe(9n);
  await theirs.reset();
  expect([...(await mine.store.items())]).toEqual(items);

  await there.configure('shared', { settings: 'new' });
  expect((await here.find('key'))?.settings).toBe('new');
  await here.delete('shared');
  expect(await there.find('key')).toBeUndefined();
  for (const operation of [
    () => theirs.store.list(),
    () => theirs.store.count?.(),
    () => theirs.store.update(5n, { quantity: 1n }),
    () => theirs.takeSnapshot('three', 1),
    () => theirs.seed(),
  ]) {
    await expect(async () => operation()).rejects.toThrow(SandboxGoneError);
  }
  // Who still holds it meets the one that takes its place.
  await create(here, { id: 'shared', seed: items.slice(1) });
  expect([...(await theirs.store.items())]).toEqual(items.slice(1));
  await theirs.store.update(-1n, { quantity: 4n });
  expect(await quantityOf((await get(here, 'shared')).store, -1n)).toBe(4n);
});

/** Some steps at once, by one of two processes. */
const toTurn = (petIds: readonly bigint[]): fc.Arbitrary<Turn> => {
  const kind = fc.constantFrom('takeSnapshot' as const, 'restoreSnapshot');
  const step: fc.Arbitrary<SandboxStep> = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('update' as const),
        petId: fc.constantFrom(...petIds, 0n),
        quantity: fc.bigInt(),
      }),
    },
    fc.record({ kind, name: fc.constantFrom('a', 'b') }),
    fc.constant({ kind: 'reset' as const }),
  );
  return fc.record({
    isHere: fc.boolean(),
    steps: fc.array(step, { minLength: 1, maxLength: 5 }),
    isRead: fc.boolean(),
  });
};

interface Turn {
  readonly isHere: boolean;
  readonly steps: readonly SandboxStep[];
  /** Whether the one who does not write reads the list afterwards. */
  readonly isRead: boolean;
}

test('does what two storages on one file do as a plain array would', async () => {
  const file = await makeFile();
  const [here, there] = [await openStorage({ file }), await openStorage({ file })];
  const seed = [...generateInventory(40, 3)];
  const petIds = seed.map(({ petId }) => petId);
  await fc.assert(
    fc.asyncProperty(fc.array(toTurn(petIds), { maxLength: 30 }), async (turns) => {
      const { id } = await create(here, { seed });
      const [mine, theirs] = [await get(here, id), await get(there, id)];
      const model = new SandboxModel(seed);
      for (const { isHere, steps, isRead } of turns) {
        const [writer, reader] = isHere ? [mine, theirs] : [theirs, mine];
        // Not one after another: they share a transaction.
        const results = await Promise.all(steps.map(async (step) => perform(step, writer)));
        expect(results).toEqual(steps.map((step) => model.perform(step)));
        for (const { store } of isRead ? [writer, reader] : [writer]) {
          expect(await textOf(store)).toBe(stringifyExactJson(model.items));
        }
      }
      expect(await textOf(mine.store)).toBe(await textOf(theirs.store));
      await there.delete(id);
    }),
    { numRuns: 50, seed: 1 },
  );
});

test('does what comes at once in the order in which it came', async () => {
  const storage = await openStorage({ file: await makeFile() });
  const { store } = await create(storage);
  const [before, , after, none] = await Promise.all([
    store.update(-1n, { quantity: 7n }),
    store.replace(items.slice(1)),
    store.update(-1n, { quantity: 8n }),
    store.update(5n, { quantity: 9n }),
  ]);
  expect([before?.previous.quantity, after?.previous.quantity, none]).toEqual([0n, 0n, undefined]);
  expect([...(await store.items())]).toEqual([{ ...items[1], quantity: 8n }, items[2]]);
});

test('loses no write of three processes at one file, and shows each the others’', async () => {
  const file = await makeFile();
  const storage = await openStorage({ file });
  const seed = [1n, 2n, 3n, 4n].map((petId) => ({ petId, quantity: 0n, status: 'sold' }) as const);
  const { store } = await create(storage, { id: 'shared', seed });
  const writes = 500;
  /** What stood in the shared pet before, by what was written. */
  const written = new Map<string, string>();
  const note = (before: bigint | string | undefined, after: bigint | string): void => {
    expect(written.has(String(before)), 'two writes met the same').toBe(false);
    written.set(String(before), String(after));
  };
  const startOther = async (pet: bigint, firstNumber: number): Promise<() => Promise<void>> => {
    const args = [file, pet, 1n, firstNumber, writes].map(String);
    const script = pathTo('write-shared.ts');
    const child = spawn(process.execPath, ['--import', 'tsx', script, ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe('ready');
    return async () => {
      child.stdin.end();
      for await (const line of lines) {
        const [count = '', before, after = ''] = line.split(' ');
        const seen = (await quantityOf(store, pet)) ?? -1n;
        expect(seen).toBeGreaterThanOrEqual(BigInt(count));
        note(before, after);
      }
    };
  };
  const runHere = async (): Promise<void> => {
    for (let count = 1n; count <= BigInt(writes); count += 1n) {
      const updated = await store.update(1n, { quantity: 10_000n + count });
      note(updated?.previous.quantity, 10_000n + count);
      await store.update(4n, { quantity: count });
    }
  };
  const others = await Promise.all([startOther(2n, 20_000), startOther(3n, 30_000)]);
  await Promise.all([...others.map((run) => run()), runHere()]);

  const last = BigInt(writes);
  for (const pet of [2n, 3n, 4n]) expect(await quantityOf(store, pet)).toBe(last);
  // Every write met what another one has left: they form one chain.
  let value = '0';
  for (let length = 0; length < 3 * writes; length += 1) value = written.get(value) ?? 'broken';
  expect(await quantityOf(store, 1n)).toBe(BigInt(value));
});

test('lets several processes make a file at once', async () => {
  const file = await makeFile();
  const reports = await Promise.all(
    Array.from({ length: 5 }, () => openInProcess([], file, '100', '0')),
  );
  const others = reports.filter(({ acknowledged }) => acknowledged === undefined);
  expect(others.map(({ refused }) => refused)).toEqual(
    Array(4).fill('Error: the file was filled before'),
  );
  expect(countRows(file)).toMatchObject({ sandboxes: 1, seeds: 1, seed_items: 100 });
});

test('never takes an id for the digest of a key', async () => {
  const storage = await openStorage({ file: await makeFile() });
  const id = hash('sha256', 'key');
  await create(storage, { id, settings: 'another' });
  await create(storage, { apiKey: 'key', settings: 'mine' });
  for (let round = 0; round < 2; round += 1) {
    expect((await storage.get(id))?.settings).toBe('another');
    expect((await storage.find('key'))?.settings).toBe('mine');
  }
});

test('never writes a key to the disk', async () => {
  const folder = await makeFolder();
  const storage = await openStorage({ file: join(folder, 'stock.db') });
  const apiKey = 'sb-0123456789abcdefghijklmnopqrstuv';
  await create(storage, { id: 'one', apiKey });
  await storage.find(apiKey);
  await storage.find('another-key-that-opens-nothing');
  for (const [name, bytes] of await readFiles(folder)) {
    expect(bytes.includes(apiKey), name).toBe(false);
    expect(bytes.includes('opens-nothing'), name).toBe(false);
  }
  expect((await readFiles(folder)).get('stock.db-wal')?.includes('one')).toBe(true);
});

test('keeps a seed once for all sandboxes of the same items, and rows for what differs only', async () => {
  const file = await makeFile();
  const storage = await openStorage({ file });
  const seed = [...generateInventory(10_000, 1)];
  await Promise.all(
    Array.from({ length: 2000 }, async (_, count) =>
      storage.create({ settings: '{}', seed: count % 100 === 0 ? [...seed] : seed }),
    ),
  );
  const [first] = await storage.list();
  await first?.store.update(seed[3]?.petId ?? 0n, { quantity: 1n });
  await first?.takeSnapshot('one', 1);
  await first?.store.replace([...seed]);
  expect(countRows(file)).toEqual({
    sandboxes: 2000,
    snapshots: 1,
    inventories: 2001,
    changes: 1,
    seeds: 1,
    seed_items: 10_000,
    counters: 0,
  });
});

test('leaves nothing of deleted and expired sandboxes', async () => {
  const file = await makeFile();
  let time = 1000;
  const storage = await openStorage({ file, now: () => time });
  for (const id of ['deleted', 'expired', 'met']) {
    const sandbox = await create(storage, { id, apiKey: id, expiresAt: 2000 });
    await sandbox.store.update(5n, { quantity: 2n });
    await sandbox.takeSnapshot('one', 1);
    await sandbox.store.replace([{ petId: BigInt(id.length), quantity: 1n, status: 'sold' }]);
    await sandbox.store.update(BigInt(id.length), { quantity: 3n });
    await sandbox.takeSnapshot('two', 1);
    await sandbox.takeSnapshot('one', 1);
    await sandbox.deleteSnapshot('two');
    await sandbox.advance?.([['a', 1]]);
  }
  expect(countRows(file)['counters']).toBe(3);
  await storage.delete('deleted');
  time = 2000;
  expect(await storage.find('met')).toBeUndefined();
  // The one who meets it removes them all.
  await create(storage, { id: 'last', seed: [] });
  await storage.delete('last');
  expect(Object.values(countRows(file))).toEqual([0, 0, 0, 0, 0, 0, 0]);
});

test('waits while another process holds the lock, and reads meanwhile', async () => {
  const file = await makeFile();
  const storage = await openStorage({ file });
  const { store } = await create(storage);
  const other = new DatabaseSync(file);
  other.exec('BEGIN IMMEDIATE');
  const updates = Promise.all([
    store.update(5n, { quantity: 2n }),
    store.update(-1n, { quantity: 3n }),
  ]);
  expect(await quantityOf(store, 5n)).toBe(1n);
  other.exec('ROLLBACK');
  other.close();
  await updates;
  expect(await quantityOf(store, 5n)).toBe(2n);
});

test('gives up an update when the lock is held for too long, and goes on when it is not', async () => {
  const file = await makeFile();
  const storage = await openStorage({ file, patience: 20 });
  const { store } = await create(storage);
  const other = new DatabaseSync(file);
  other.exec('BEGIN IMMEDIATE');
  const error: unknown = await Promise.resolve(store.update(5n, { quantity: 2n })).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(StoreUnavailableError);
  expect(error).toMatchObject({
    message: expect.stringContaining('another process has locked the file'),
    retryAfterSeconds: expect.any(Number),
  });
  other.exec('ROLLBACK');
  other.close();
  expect(await quantityOf(store, 5n)).toBe(1n);
  await store.update(5n, { quantity: 3n });
  expect(await quantityOf(store, 5n)).toBe(3n);
});

test('acknowledges nothing of a transaction of which one write fails, and keeps nothing of it', async () => {
  const file = await makeFile();
  const storage = await openStorage({ file });
  const { store } = await create(storage);
  await store.list();
  const other = new DatabaseSync(file);
  other.exec(
    `CREATE TRIGGER unlucky BEFORE INSERT ON changes WHEN NEW.quantity = 13
       BEGIN SELECT RAISE(ABORT, 'thirteen'); END`,
  );
  const outcomes = await Promise.allSettled([
    store.update(5n, { quantity: 12n }),
    store.replace(items.slice(1)),
    store.update(-1n, { quantity: 13n }),
    create(storage, { id: 'another' }),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
  expect([...(await store.items())]).toEqual(items);
  expect(await storage.count()).toBe(1);
  other.exec('DROP TRIGGER unlucky');
  other.close();
  await store.update(-1n, { quantity: 13n });
  expect(await textOf(store)).toContain('{"petId":-1,"quantity":13,');
  expect(countRows(file)).toMatchObject({ seeds: 1, inventories: 1, changes: 1 });
});

test.each([
  { what: 'deleted', act: (file: string) => rm(file) },
  { what: 'moved', act: (file: string) => rename(file, `${file}.old`) },
  {
    what: 'replaced',
    act: async (file: string) => {
      await copyFile(file, `${file}.copy`);
      await rename(`${file}.copy`, file);
    },
  },
])('acknowledges nothing that would go to a file that was $what', async ({ act }) => {
  const file = await makeFile();
  const storage = await openStorage({ file });
  const { store } = await create(storage);
  expect(await storage.ready?.()).toEqual({ ready: true });
  await act(file);
  const reason = expect.stringContaining('it was moved, deleted or replaced');
  await expect(store.update(5n, { quantity: 2n })).rejects.toMatchObject({
    name: 'StoreUnavailableError',
    message: reason,
  });
  expect(await storage.ready?.()).toEqual({ ready: false, reason });
  expect(await quantityOf(store, 5n)).toBe(1n);
});

test('acknowledges nothing that would go to a log that was deleted, and keeps what went there', async () => {
  const file = await makeFile();
  const storage = await openStorage({ file });
  const { id, store } = await create(storage);
  await store.update(5n, { quantity: 2n });
  await rm(`${file}-wal`);
  const reason = expect.stringContaining(`${file}-wal was moved, deleted or replaced`);
  await expect(store.update(5n, { quantity: 3n })).rejects.toMatchObject({
    name: 'StoreUnavailableError',
    message: reason,
  });
  expect(await storage.ready?.()).toEqual({ ready: false, reason });
  await storage.close?.();
  const after = await get(await openStorage({ file }), id);
  expect(await quantityOf(after.store, 5n)).toBe(2n);
});

test('is not ready while another process holds the lock for too long', async () => {
  const file = await makeFile();
  const storage = await openStorage({ file, patience: 20 });
  const other = new DatabaseSync(file);
  other.exec('BEGIN IMMEDIATE');
  expect(await storage.ready?.()).toEqual({
    ready: false,
    reason: expect.stringContaining('another process has locked the file'),
  });
  other.exec('ROLLBACK');
  other.close();
  expect(await storage.ready?.()).toEqual({ ready: true });
});

test('keeps quantities of thousands of digits', async () => {
  const file = await makeFile();
  const storage = await openStorage({ file });
  const quantity = -(10n ** 4095n) - 7n;
  const { store } = await create(storage, {
    id: 'one',
    seed: [{ petId: 5n, quantity, status: 'sold' }],
  });
  expect(await textOf(store)).toContain(`"quantity":${quantity},`);
  await store.update(5n, { quantity: -quantity });
  await storage.close?.();
  const again = await get(await openStorage({ file }), 'one');
  expect(await quantityOf(again.store, 5n)).toBe(-quantity);
  expect([...(await again.seed())]).toEqual([{ petId: 5n, quantity, status: 'sold' }]);
});

test('uses the room of what was deleted again, and shortens a log that was long', async () => {
  const file = await makeFile();
  const storage = await openStorage({ file });
  const { store } = await create(storage, { id: 'stays' });
  const sizes: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    await create(storage, { id: 'large', seed: [...generateInventory(200_000, round)] });
    await storage.delete('large');
    // The next write starts the log anew where all of it is in the file.
    for (let count = 0n; count < 3n; count += 1n) await store.update(5n, { quantity: count });
    sizes.push((await stat(file)).size);
    expect((await stat(`${file}-wal`)).size).toBeLessThan(5_000_000);
  }
  expect(sizes.at(-1)).toBeLessThan((sizes[0] ?? 0) * 1.2);
});

test('keeps what it has read of 80 sandboxes of 10,000 pets', async () => {
  const storage = await openStorage({ file: await makeFile() });
  const seed = [...generateInventory(10_000, 1)];
  const petId = seed[5000]?.petId ?? 0n;
  const stores: Store[] = [];
  for (let count = 0n; count < 80n; count += 1n) {
    const { store } = await create(storage, { seed });
    await store.update(petId, { quantity: count });
    stores.push(store);
  }
  const read = async (): Promise<readonly (readonly Uint8Array[])[]> =>
    Promise.all(stores.map(async (store) => store.list()));
  const [first, second] = [await read(), await read()];
  // The same bytes in memory: nothing was read and written again.
  for (const [number, list] of first.entries()) {
    expect(list.every((bytes, index) => second[number]?.[index] === bytes)).toBe(true);
  }
});

test('brings a file of an older version up to date, and loses nothing', async () => {
  const file = await makeFile();
  const storage = await openStorage({ file });
  await create(storage, { id: 'one' });
  await storage.close?.();
  const newer = [...migrations, 'ALTER TABLE sandboxes ADD COLUMN colour TEXT'];
  (await openDatabase(file, 1000, newer)).close();
  const database = await openDatabase(file, 1000, newer);
  const row = database.prepare('SELECT id, colour FROM sandboxes').get();
  expect({ ...row }).toEqual({ id: 'one', colour: null });
  database.close();
});

test('opens a file of the first version, which had no counters', async () => {
  const file = await makeFile();
  const first = await openDatabase(file, 1000, migrations.slice(0, 1));
  first.exec(
    `INSERT INTO seeds VALUES (1, x'00');
     INSERT INTO inventories VALUES (1, 1, 0, 0);
     INSERT INTO sandboxes VALUES (1, 'one', NULL, 'kept', NULL, 1, 1)`,
  );
  first.close();
  const sandbox = await (await openStorage({ file })).get('one');
  expect(sandbox?.settings).toBe('kept');
  expect(await sandbox?.advance?.([['a', 2]])).toEqual([2]);
});

test('brings a file up to date all the way or not at all', async () => {
  const file = await makeFile();
  await (await openStorage({ file })).close?.();
  const broken = [...migrations, 'CREATE TABLE first (a); CREATE TABLE seeds (b)'];
  await expect(openDatabase(file, 1000, broken)).rejects.toThrow('seeds already exists');
  await create(await openStorage({ file }), { id: 'one' });
  const database = new DatabaseSync(file);
  expect(() => database.prepare('SELECT * FROM first')).toThrow('no such table');
  database.close();
});

test.each([
  {
    what: 'a file of a newer version',
    write: async (file: string) => {
      (await openDatabase(file, 1000, [...migrations, 'CREATE TABLE later (a)'])).close();
    },
    problem: 'a newer Stockcheck has written it: it has version 3 of the tables, this one knows 2',
  },
  {
    what: 'a database of another program',
    write: async (file: string) => {
      const database = new DatabaseSync(file);
      database.exec('PRAGMA journal_mode = WAL; CREATE TABLE sandboxes (id)');
      database.close();
    },
    problem: 'it is an SQLite database of another program',
  },
  {
    what: 'a file that is no database',
    write: async (file: string) => writeFile(file, '{"inventory": []}\n'.repeat(100)),
    problem: 'it is not an SQLite database',
  },
  {
    what: 'a short file that is no database',
    write: async (file: string) => writeFile(file, 'SQLite format 3'),
    problem: 'it is not an SQLite database',
  },
  {
    what: 'a file with a damaged page',
    write: async (file: string) => {
      await fill(file);
      const bytes = await readFile(file);
      bytes.fill(0xa5, 20 * 1024, 24 * 1024);
      await writeFile(file, bytes);
    },
    problem: 'the file is damaged (SQLite: ',
  },
  {
    what: 'a file that was cut short',
    write: async (file: string) => {
      await fill(file);
      const bytes = await readFile(file);
      await writeFile(file, bytes.subarray(0, bytes.length / 2));
    },
    problem: 'the file is damaged (SQLite: ',
  },
])('refuses $what, and leaves it as it is', async ({ write, problem }) => {
  const folder = await makeFolder();
  const file = join(folder, 'stock.db');
  await write(file);
  const before = await readFile(file);
  const opening = openSqliteSandboxes({ file });
  await expect(opening).rejects.toThrow(`cannot keep sandboxes in ${file}: ${problem}`);
  await expect(opening).rejects.toMatchObject({ name: 'SqliteFileError' });
  expect((await readFile(file)).equals(before)).toBe(true);
});

async function fill(file: string): Promise<void> {
  const storage = await openStorage({ file });
  await create(storage, { seed: generateInventory(5000, 1) });
  await storage.close?.();
}

test('refuses a damaged file without touching what waits in its log', async () => {
  const folder = await makeFolder();
  const file = join(folder, 'stock.db');
  await fill(file);
  await create(await openStorage({ file }), { id: 'in the log' });
  // What a crash leaves: the file, and a log that is not taken into it.
  const copy = await makeFolder();
  for (const [name, bytes] of await readFiles(folder)) {
    if (name === 'stock.db') bytes.fill(0xa5, 20 * 1024, 24 * 1024);
    if (!name.endsWith('-shm')) await writeFile(join(copy, name), bytes);
  }
  const before = await readFiles(copy);
  expect(before.get('stock.db-wal')?.includes('in the log')).toBe(true);
  await expect(openSqliteSandboxes({ file: join(copy, 'stock.db') })).rejects.toThrow('is damaged');
  const after = await readFiles(copy);
  for (const [name, bytes] of before) expect(after.get(name)?.equals(bytes), name).toBe(true);
});

test('says what is wrong with a place where no file can be', async () => {
  const folder = await makeFolder();
  await expect(openSqliteSandboxes({ file: join(folder, 'none/stock.db') })).rejects.toThrow(
    `there is no folder ${join(folder, 'none')}. Make it, or name another file`,
  );
  await mkdir(join(folder, 'folder.db'));
  await expect(openSqliteSandboxes({ file: join(folder, 'folder.db') })).rejects.toThrow(
    'it is not a file',
  );
});

test('says that a file or its folder is read-only, and leaves it as it is', async () => {
  const folder = await makeFolder();
  const file = join(folder, 'stock.db');
  await fill(file);
  const before = await readFile(file);
  await chmod(file, 0o400);
  const { refused } = await openInProcess(withoutPrivileges, file);
  expect(refused).toMatch(/^SqliteFileError: cannot keep sandboxes in .*: the file is read-only/);
  await chmod(file, 0o600);
  await chmod(folder, 0o500);
  expect((await openInProcess(withoutPrivileges, file)).refused).toContain(
    `the folder ${folder} is read-only`,
  );
  expect((await readFile(file)).equals(before)).toBe(true);
});

test('says which Node.js it needs where there is no node:sqlite', async () => {
  const file = await makeFile();
  const child = spawn(
    process.execPath,
    ['--no-experimental-sqlite', '--import', 'tsx', pathTo('open-file.ts'), file],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  expect(JSON.parse(await text(child.stdout))).toEqual({
    refused: `SqliteFileError: cannot keep sandboxes in a file: this Node.js (${process.version}) has no node:sqlite. Run Node.js 22.13 or later`,
  });
});

/** Checks that a file has all updates that `open-file.ts` has acknowledged, and that it can be used. */
async function expectNothingLost(
  file: string,
  { acknowledged = 0, list }: OpenReport,
): Promise<void> {
  expect(acknowledged).toBeGreaterThan(50);
  const storage = await openStorage({ file });
  const { store } = await get(storage, 'filled');
  expect(await textOf(store)).toBe(list);
  const seed = [...generateInventory(50, 1)];
  for (let count = acknowledged - 50; count < acknowledged; count += 1) {
    const petId = seed[count % 50]?.petId ?? 0n;
    expect(await quantityOf(store, petId)).toBe(BigInt(count));
  }
  await store.update(seed[0]?.petId ?? 0n, { quantity: 5n });
}

test('refuses updates when no more can be written, goes on reading, and loses none', async () => {
  const file = await makeFile();
  // The system refuses to let a file grow: 600 blocks of 512 bytes (POSIX).
  const limit = ['sh', '-c', 'trap "" XFSZ; ulimit -f 600; exec "$0" "$@"'];
  const report = await openInProcess(limit, file, '50', '100000');
  expect(report.failure).toContain('the file that keeps the inventory cannot be used: the disk ');
  expect(report.retryAfterSeconds).toBe(5);
  await expectNothingLost(file, report);
});

/** Mounts a small disk on a folder, runs a command, and copies what is on the disk to another one. */
const onSmallDisk = (size: string, folder: string, copy: string): readonly string[] => [
  'unshare',
  // A user who is not root is one where this is allowed.
  ...(process.getuid?.() === 0 ? [] : ['--map-root-user']),
  '--mount',
  'sh',
  '-c',
  `mount -t tmpfs -o size=${size} none '${folder}' && "$0" "$@" && cp '${folder}'/* '${copy}'`,
];

function canMount(): boolean {
  const [command = '', ...args] = onSmallDisk('1m', '/mnt', '/tmp');
  return spawnSync(command, args.slice(0, -1).concat('mount -t tmpfs none /mnt')).status === 0;
}

test('refuses updates on a disk that is full, goes on reading, and loses none', async ({
  skip,
}) => {
  skip(!canMount(), 'nothing can be mounted here; the test above limits the file instead');
  const [folder, copy] = [await makeFolder(), await makeFolder()];
  const disk = onSmallDisk('300k', folder, copy);
  const report = await openInProcess(disk, join(folder, 'stock.db'), '50', '100000');
  expect(report.failure).toBe(
    'the file that keeps the inventory cannot be used: the disk is full (SQLite: database or disk is full)',
  );
  expect(report.retryAfterSeconds).toBe(5);
  await expectNothingLost(join(copy, 'stock.db'), report);

  const tiny = onSmallDisk('8k', folder, copy);
  const { refused } = await openInProcess(tiny, join(folder, 'stock.db'));
  expect(refused).toBe(
    `SqliteFileError: cannot keep sandboxes in ${folder}/stock.db: the disk is full (SQLite: database or disk is full). Make room there, or name another file`,
  );
});
