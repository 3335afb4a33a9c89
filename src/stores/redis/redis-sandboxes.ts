import { randomUUID } from 'node:crypto';
import type { InventoryItem } from '../../inventory/item.ts';
import { createSecureRandom, toSandboxId } from '../../inventory/random.ts';
import type {
  NewSandbox,
  Readiness,
  SandboxConfiguration,
  SandboxStorage,
  StorageEvent,
} from '../../inventory/sandbox-storage.ts';
import type { MaybePromise } from '../../inventory/store.ts';
import { toContent } from './base.ts';
import { Bases } from './bases.ts';
import { toError } from './connection.ts';
import { KnownSandboxes } from './known-sandboxes.ts';
import { digestOf, idOfKey, slotOf, type RedisKeys } from './keys.ts';
import type { RedisNodes } from './nodes.ts';
import { Outage, type Availability } from './outage.ts';
import type { RedisSandbox } from './redis-sandbox.ts';
import type { RedisContext } from './redis-store.ts';
import { RedisBoard } from './redis-board.ts';
import { SandboxIndex, toText } from './sandbox-index.ts';
import { parseDescription, SandboxState } from './sandbox-state.ts';
import {
  claimAliasScript,
  configureScript,
  createScript,
  deleteScript,
  describeScript,
  gone,
  keepSeedScript,
  releaseAliasScript,
  releaseSeedScript,
  unchanged,
  type Script,
} from './scripts.ts';
import { Subscriptions } from './subscriptions.ts';
import { explainLoss } from './trouble.ts';

/** How much longer than its sandboxes a seed lives, in milliseconds. */
const seedMargin = 60_000;

/** Sandboxes in Redis. Several processes may use the same ones. */
export class RedisSandboxes implements SandboxStorage {
  readonly board: RedisBoard;
  readonly #nodes: RedisNodes;
  readonly #keys: RedisKeys;
  readonly #bases = new Bases();
  readonly #known = new KnownSandboxes();
  readonly #index: SandboxIndex;
  readonly #subscriptions: Subscriptions;
  readonly #context: RedisContext;
  readonly #random = createSecureRandom();
  /** The ids of sandboxes by the hash of their key, where these are not the same. */
  readonly #aliases = new Map<string, string>();
  /** The digests of seeds that were stored already. */
  readonly #digests = new WeakMap<Iterable<InventoryItem>, string>();
  #outage: Outage | undefined;

  constructor(nodes: RedisNodes, keys: RedisKeys) {
    this.#nodes = nodes;
    this.#keys = keys;
    this.#index = new SandboxIndex(nodes, keys);
    this.#subscriptions = new Subscriptions(nodes, keys, () => this.#index.ids());
    this.board = new RedisBoard(nodes, keys, this.#subscriptions);
    this.#context = {
      nodes,
      keys,
      bases: this.#bases,
      forget: (id) => this.#known.delete(id),
      noteReplica: (state) => this.#known.notePets(state),
    };
  }

  find(apiKey: string): MaybePromise<RedisSandbox | undefined> {
    const hash = idOfKey(apiKey);
    const known = this.#known.get(this.#aliases.get(hash) ?? hash);
    // Without a round trip where that is safe: the operation that follows makes one.
    return known !== undefined && this.#opens(hash, known.state) && known.state.isTrusted
      ? this.#known.sandboxOf(known, this.#context)
      : this.#look(hash);
  }

  recall(id: string): MaybePromise<RedisSandbox | undefined> {
    const known = this.#known.get(id);
    return known?.state.isTrusted === true
      ? this.#known.sandboxOf(known, this.#context)
      : this.get(id);
  }

  async get(id: string): Promise<RedisSandbox | undefined> {
    if (!isId(id)) return undefined;
    const reply = await this.#call(id, describeScript, [], this.#keys.alias(id));
    // An alias in place of the sandbox: the id is the hash of a key that opens another one.
    return Array.isArray(reply) ? this.#learn(id, reply) : this.#forget(id);
  }

  async list(): Promise<readonly RedisSandbox[]> {
    const ids = await this.#index.ids();
    const sandboxes = await Promise.all(ids.map((id) => this.get(id)));
    const missing = ids.filter((_, position) => sandboxes[position] === undefined);
    await Promise.all(missing.map((id) => this.#index.removeMissing(id)));
    return sandboxes.filter((sandbox) => sandbox !== undefined);
  }

  count(): Promise<number> {
    return this.#index.count();
  }

  async create(sandbox: NewSandbox): Promise<RedisSandbox | 'taken'> {
    const { apiKey, settings, expiresAt } = sandbox;
    const hash = apiKey === undefined ? undefined : idOfKey(apiKey);
    const id = sandbox.id ?? hash ?? toSandboxId(this.#random);
    if (!isId(id)) throw new RangeError(`the id of a sandbox must be ${idForm}; got "${id}"`);
    const alias = hash === undefined || hash === id ? '' : hash;
    const holder = toHolder(expiresAt);
    const seed = await this.#storeSeed(sandbox.seed, expiresAt, holder);
    const isFree = alias === '' || (await this.#claim(alias, id, expiresAt));
    const args = [seed, settings, toText(expiresAt), alias, holder];
    const created = isFree ? await this.#insert(id, expiresAt, alias, args) : 'taken';
    if (created === 'taken') await this.#releaseSeed(seed, holder);
    return created;
  }

  async #insert(
    id: string,
    expiresAt: number | undefined,
    alias: string,
    args: readonly string[],
  ): Promise<RedisSandbox | 'taken'> {
    // First the index: a sandbox that is in no list could not be found to be deleted.
    const isAdded = await this.#index.add(id, expiresAt);
    const reply = await this.#call(id, createScript, args, this.#keys.alias(id));
    if (reply === gone) {
      const other = await this.get(id);
      if (alias !== '') await this.#giveBack(alias, id);
      if (isAdded && other === undefined) await this.#index.removeMissing(id, 0);
      return 'taken';
    }
    await this.#index.confirm(id, expiresAt);
    return this.#learn(id, reply);
  }

  async configure(
    id: string,
    { settings, before, expiresAt, counters = [] }: SandboxConfiguration,
  ): Promise<RedisSandbox | 'changed' | undefined> {
    const sandbox = await this.get(id);
    const state = this.#known.get(id)?.state;
    if (sandbox === undefined || state === undefined) return undefined;
    const { seed, alias, version, settings: current } = state.description;
    if (before !== undefined && current !== before) return 'changed';
    const holder = toHolder(expiresAt);
    if (!(await this.#keepSeed(seed, expiresAt, holder))) {
      // It was deleted by hand, but this process may know it.
      await this.#keepSeed(seed, expiresAt, holder, toContent(await sandbox.seed()).content);
    }
    if (alias !== '') await this.#claim(alias, id, expiresAt);
    const from = before === undefined ? '' : version;
    const args = [this.#keys.channel(id), settings, toText(expiresAt), holder, from, ...counters];
    const reply = await this.#call(id, configureScript, args);
    if (reply === gone || reply === unchanged) {
      await this.#releaseSeed(seed, holder);
      return reply === gone ? this.#forget(id) : 'changed';
    }
    const [description, holderBefore] = reply as readonly [unknown, string];
    await this.#releaseSeed(seed, holderBefore);
    await this.#index.setExpiry(id, expiresAt);
    return this.#learn(id, description);
  }

  async delete(id: string): Promise<boolean> {
    if (!isId(id)) return false;
    const reply = await this.#call(id, deleteScript, [this.#keys.channel(id)]);
    this.#forget(id);
    if (reply === gone) return false;
    const [alias, seed, holder] = reply as readonly [string, string, string];
    if (alias !== '') await this.#release(alias, id);
    await this.#index.remove(id);
    await this.#releaseSeed(seed, holder);
    return true;
  }

  async ready(): Promise<Readiness> {
    try {
      await this.#nodes.probe();
      // Whether scripts run as well: they do not on a replica, or where the disk is full.
      await this.#index.count();
      return { ready: true };
    } catch (error) {
      return { ready: false, reason: toError(error).message };
    }
  }

  subscribe(listener: (event: StorageEvent) => void, sandbox?: string): () => void {
    return this.#subscriptions.add(listener, sandbox);
  }

  /**
   * Tells when the Redis is lost and when it is back, until this is closed.
   *
   * @param name the whole Redis, in messages
   */
  watch(name: string, tell: (change: Availability) => void): void {
    const isReady = async (): Promise<boolean> => (await this.ready()).ready;
    const outage = new Outage({ name, isReady, tell });
    this.#nodes.onLoss = (server, reason) => outage.note(server, explainLoss(reason));
    this.#outage = outage;
  }

  close(): void {
    this.#outage?.close();
    this.#subscriptions.close();
    this.#nodes.close();
  }

  /** Asks Redis for the sandbox that a key opens. */
  async #look(hash: string): Promise<RedisSandbox | undefined> {
    const reply = await this.#call(hash, describeScript, [], this.#keys.alias(hash));
    if (Array.isArray(reply)) return this.#learn(hash, reply);
    this.#forget(hash);
    if (typeof reply !== 'string') return undefined;
    const sandbox = await this.get(reply);
    const state = this.#known.get(reply)?.state;
    // An alias may have outlived its sandbox, and another one may have the id by now.
    if (sandbox === undefined || state === undefined || !this.#opens(hash, state)) return undefined;
    if (this.#aliases.size >= 10_000) this.#aliases.clear();
    this.#aliases.set(hash, reply);
    return sandbox;
  }

  #opens(hash: string, { id, description }: SandboxState): boolean {
    return description.alias === '' ? id === hash : description.alias === hash;
  }

  #learn(id: string, reply: unknown): RedisSandbox {
    const description = parseDescription(reply);
    const known = this.#known.get(id);
    if (known === undefined) {
      return this.#known.add(
        new SandboxState(id, this.#keys, description, this.#nodes),
        this.#context,
      );
    }
    known.state.learn(description);
    return this.#known.sandboxOf(known, this.#context);
  }

  #forget(id: string): undefined {
    this.#known.delete(id);
  }

  #call(
    id: string,
    script: Script,
    args: readonly string[],
    ...more: readonly string[]
  ): Promise<unknown> {
    const keys = [...this.#keys.ofSandbox(id), ...more];
    return this.#nodes.call(slotOf(id), () => ({ script, keys, args }));
  }

  /** Stores a seed where Redis does not have it, and makes it live as long as the sandbox. */
  async #storeSeed(
    items: Iterable<InventoryItem>,
    expiresAt: number | undefined,
    holder: string,
  ): Promise<string> {
    const known = this.#digests.get(items);
    if (known !== undefined && (await this.#keepSeed(known, expiresAt, holder))) return known;
    const { table, content } = toContent(items);
    const digest = digestOf(content);
    this.#digests.set(items, digest);
    this.#bases.add(digest, table);
    if (await this.#keepSeed(digest, expiresAt, holder)) return digest;
    await this.#keepSeed(digest, expiresAt, holder, content);
    return digest;
  }

  async #keepSeed(
    digest: string,
    expiresAt: number | undefined,
    holder: string,
    ...content: readonly [string?]
  ): Promise<boolean> {
    const until = toText(expiresAt === undefined ? undefined : expiresAt + seedMargin);
    const args = [until, holder, ...content.filter((text) => text !== undefined)];
    return (await this.#callSeed(digest, keepSeedScript, args)) === 1;
  }

  /** Lets a seed go that a sandbox needed for ever; the others keep it. */
  async #releaseSeed(digest: string, holder: string): Promise<void> {
    if (holder === '') return;
    await this.#callSeed(digest, releaseSeedScript, [holder, String(seedMargin)]);
  }

  #callSeed(digest: string, script: Script, args: readonly string[]): Promise<unknown> {
    const keys = [this.#keys.seed(digest), this.#keys.holders(digest)];
    return this.#nodes.call(slotOf(digest), () => ({ script, keys, args }));
  }

  /** Makes a key lead to a sandbox whose id does not follow from the key. */
  async #claim(alias: string, id: string, expiresAt: number | undefined): Promise<boolean> {
    const [sandbox = ''] = this.#keys.ofSandbox(alias);
    const claim = (): Promise<unknown> =>
      this.#nodes.call(slotOf(alias), () => ({
        script: claimAliasScript,
        keys: [this.#keys.alias(alias), sandbox],
        args: [id, toText(expiresAt)],
      }));
    const owner = await claim();
    if (owner === id) return true;
    if (typeof owner !== 'string' || owner === '') return false;
    if ((await this.#look(alias)) !== undefined) return false;
    // Its sandbox is gone: the key is free.
    await this.#release(alias, owner);
    return (await claim()) === id;
  }

  /** Undoes the claim of a sandbox that was not created: the key may open one of the same id. */
  async #giveBack(alias: string, id: string): Promise<void> {
    const state = this.#known.get(id)?.state;
    if (state?.description.alias !== alias) await this.#release(alias, id);
    else await this.#claim(alias, id, state.description.expiresAt);
  }

  async #release(alias: string, id: string): Promise<void> {
    await this.#nodes.call(slotOf(alias), () => ({
      script: releaseAliasScript,
      keys: [this.#keys.alias(alias)],
      args: [id],
    }));
  }
}

const idForm = '1 to 64 lower-case letters, digits and hyphens';

/** No other can be part of the name of a key: a brace would move it to another slot. */
function isId(id: string): boolean {
  return /^[a-z0-9-]{1,64}$/.test(id);
}

/** The name of a sandbox among those that need a seed for ever; `''` where it will expire. */
function toHolder(expiresAt: number | undefined): string {
  return expiresAt === undefined ? randomUUID() : '';
}
