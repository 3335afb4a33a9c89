import { hash } from 'node:crypto';
import { toSandboxId, type Random } from '../../inventory/random.ts';
import type {
  NewSandbox,
  Readiness,
  SandboxConfiguration,
  SandboxStorage,
  StoredSandbox,
} from '../../inventory/sandbox-storage.ts';
import { whenReady, type MaybePromise } from '../../inventory/store.ts';
import type { SqliteConnection } from './connection.ts';
import { SandboxFile } from './sandbox-file.ts';
import type { SandboxRow } from './sandbox-table.ts';
import { SqliteSandbox } from './sqlite-sandbox.ts';

/** What was found, and the file's data version at which it was. */
interface Lookup {
  readonly dataVersion: number;
  readonly sandbox: StoredSandbox | undefined;
}

/** Sandboxes and lookups that are remembered; beyond that, all are forgotten and made anew. */
const mostRemembered = 20_000;

/** More draws than any number of sandboxes makes necessary. */
const mostDraws = 100;

/** All sandboxes of a file. */
export class SqliteSandboxes implements SandboxStorage {
  readonly #connection: SqliteConnection;
  readonly #file: SandboxFile;
  readonly #now: () => number;
  readonly #random: Random;
  /** By the digest of a key, and by id: what is found, and that there is nothing to be found. */
  readonly #byKey = new Map<string, Lookup>();
  readonly #byId = new Map<string, Lookup>();
  /** By id: who asks again gets the same object as long as its row is the same. */
  readonly #sandboxes = new Map<string, { readonly row: SandboxRow; sandbox: StoredSandbox }>();

  /**
   * @param now milliseconds since the epoch
   * @param random what ids are made from
   */
  constructor(connection: SqliteConnection, now: () => number, random: Random) {
    this.#connection = connection;
    this.#file = new SandboxFile(connection);
    this.#now = now;
    this.#random = random;
  }

  find(apiKey: string): MaybePromise<StoredSandbox | undefined> {
    // The digest is what is looked up: how long that takes tells nothing about the keys.
    const digest = digestOf(apiKey);
    return this.#look(this.#byKey, digest, () =>
      this.#file.sandboxes.findByKey(Buffer.from(digest, 'hex')),
    );
  }

  get(id: string): MaybePromise<StoredSandbox | undefined> {
    return this.#look(this.#byId, id, () => this.#file.sandboxes.find(id));
  }

  list(): MaybePromise<readonly StoredSandbox[]> {
    const rows = this.#connection.read(() => this.#file.sandboxes.all());
    return whenReady(rows, (all) => {
      const alive = all.filter((row) => !this.#isExpired(row.expiresAt));
      if (alive.length < all.length) this.#removeExpired();
      return alive.map((row) => this.#toSandbox(row));
    });
  }

  count(): MaybePromise<number> {
    return this.#connection.read(() => this.#file.sandboxes.count(this.#now()));
  }

  async create(sandbox: NewSandbox): Promise<StoredSandbox | 'taken'> {
    const { seeds, inventories, sandboxes } = this.#file;
    const { settings, apiKey, expiresAt = null } = sandbox;
    const keyDigest = apiKey === undefined ? undefined : Buffer.from(digestOf(apiKey), 'hex');
    const prepared = seeds.remember(sandbox.seed);
    const created = await this.#write(() => {
      const id = sandbox.id ?? this.#makeId();
      this.#deleteExpired();
      const isKeyTaken = keyDigest !== undefined && sandboxes.findByKey(keyDigest) !== undefined;
      if (isKeyTaken || sandboxes.find(id) !== undefined) return 'taken';
      const seed = seeds.put(prepared);
      const inventory = inventories.create(seed);
      return sandboxes.insert({ id, settings, expiresAt, seed, inventory }, keyDigest);
    });
    return created === 'taken' ? created : this.#toSandbox(created);
  }

  async configure(
    id: string,
    changes: SandboxConfiguration,
  ): Promise<StoredSandbox | 'changed' | undefined> {
    const { settings, before, expiresAt = null, counters = [] } = changes;
    const configured = await this.#write(() => {
      const row = this.#findAlive(id);
      if (row === undefined) return undefined;
      if (before !== undefined && row.settings !== before) return 'changed';
      this.#file.sandboxes.configure(row.number, settings, expiresAt);
      this.#file.counters.keep(row.number, counters);
      return { ...row, settings, expiresAt };
    });
    return typeof configured === 'object' ? this.#toSandbox(configured) : configured;
  }

  delete(id: string): Promise<boolean> {
    return this.#write(() => {
      const row = this.#findAlive(id);
      if (row !== undefined) this.#file.delete(row);
      return row !== undefined;
    });
  }

  /** Takes the lock of the file, as every write does, and writes nothing. */
  async ready(): Promise<Readiness> {
    try {
      await this.#connection.write(() => this.#file.sandboxes.count(this.#now()));
      return { ready: true };
    } catch (error) {
      return { ready: false, reason: (error as Error).message };
    }
  }

  /** Waits for what is being written, and closes the file. */
  close(): Promise<void> {
    return this.#connection.close();
  }

  #write<T>(work: () => T): Promise<T> {
    return this.#connection.write(work, () => {
      this.#byKey.clear();
      this.#byId.clear();
    });
  }

  #look(
    lookups: Map<string, Lookup>,
    key: string,
    select: () => SandboxRow | undefined,
  ): MaybePromise<StoredSandbox | undefined> {
    const found = this.#connection.read(() => {
      // First of all: what is committed from here on is seen as a change.
      const dataVersion = this.#connection.dataVersion();
      const known = lookups.get(key);
      if (known !== undefined && known.dataVersion === dataVersion) return known.sandbox;
      const row = select();
      const sandbox = row && this.#toSandbox(row);
      if (lookups.size >= mostRemembered) lookups.clear();
      lookups.set(key, { dataVersion, sandbox });
      return sandbox;
    });
    return found instanceof Promise
      ? found.then((sandbox) => this.#unlessExpired(sandbox))
      : this.#unlessExpired(found);
  }

  #unlessExpired(sandbox: StoredSandbox | undefined): StoredSandbox | undefined {
    if (sandbox === undefined || !this.#isExpired(sandbox.expiresAt)) return sandbox;
    this.#removeExpired();
    return undefined;
  }

  #isExpired(expiresAt: number | null | undefined): boolean {
    return typeof expiresAt === 'number' && expiresAt <= this.#now();
  }

  /** Part of a write. */
  #findAlive(id: string): SandboxRow | undefined {
    const row = this.#file.sandboxes.find(id);
    return row === undefined || this.#isExpired(row.expiresAt) ? undefined : row;
  }

  #removeExpired(): void {
    // Who cannot, because the disk is full or somebody else writes, leaves it to the next.
    this.#write(() => this.#deleteExpired()).catch(() => undefined);
  }

  /** Part of a write. */
  #deleteExpired(): void {
    for (const row of this.#file.sandboxes.expired(this.#now())) this.#file.delete(row);
  }

  /** Part of a write. */
  #makeId(): string {
    for (let draw = 0; draw < mostDraws; draw += 1) {
      const id = toSandboxId(this.#random);
      if (this.#file.sandboxes.find(id) === undefined) return id;
    }
    throw new Error('the source of random numbers makes ids that are all taken');
  }

  #toSandbox(row: SandboxRow): StoredSandbox {
    const known = this.#sandboxes.get(row.id);
    if (known !== undefined && isSame(known.row, row)) return known.sandbox;
    const sandbox = new SqliteSandbox(this.#file, row);
    if (this.#sandboxes.size >= mostRemembered) this.#sandboxes.clear();
    this.#sandboxes.set(row.id, { row, sandbox });
    return sandbox;
  }
}

/** SHA-256 in hexadecimal. */
function digestOf(apiKey: string): string {
  return hash('sha256', apiKey);
}

function isSame(one: SandboxRow, other: SandboxRow): boolean {
  return (
    one.number === other.number &&
    one.inventory === other.inventory &&
    one.settings === other.settings &&
    one.expiresAt === other.expiresAt
  );
}
