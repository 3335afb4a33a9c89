import type { InventoryItem } from '../../inventory/item.ts';
import { SandboxGoneError, SettingsChangedError } from '../../inventory/sandbox-storage.ts';
import {
  StoreUnavailableError,
  type StockChange,
  type Store,
  type UpdatedItem,
} from '../../inventory/store.ts';
import { parseRow, toContent, type Base } from './base.ts';
import type { Bases } from './bases.ts';
import { retryAfterSeconds } from './connection.ts';
import { digestOf, slotOf, type RedisKeys } from './keys.ts';
import type { RedisNodes } from './nodes.ts';
import { Replica } from './replica.ts';
import { parseDescription, type SandboxState } from './sandbox-state.ts';
import {
  baseScript,
  gone,
  ownBaseScript,
  readScript,
  replaceScript,
  resetScript,
  seedScript,
  unchanged,
  updateScript,
  type Script,
} from './scripts.ts';

/** How often an operation starts again because the inventory was replaced meanwhile. */
const mostAttempts = 10;

/** What the sandboxes of a storage share. */
export interface RedisContext {
  readonly nodes: RedisNodes;
  readonly keys: RedisKeys;
  readonly bases: Bases;
  /** Is told that a sandbox is no more, and that one has a replica. */
  forget(id: string): void;
  noteReplica(state: SandboxState): void;
}

/**
 * The inventory of a sandbox in Redis. An operation is one script, so one round trip; another one
 * loads an inventory that this process does not know yet.
 */
export class RedisStore implements Store {
  readonly #state: SandboxState;
  readonly #context: RedisContext;
  readonly #settings: string | undefined;

  /** @param settings those that lists and updates need the sandbox to have. Left out: any */
  constructor(state: SandboxState, context: RedisContext, settings?: string) {
    this.#state = state;
    this.#context = context;
    this.#settings = settings;
  }

  async list(): Promise<readonly Uint8Array[]> {
    return (await this.#sync()).list();
  }

  async get(petId: bigint): Promise<InventoryItem | undefined> {
    return (await this.#sync()).get(petId);
  }

  async items(): Promise<readonly InventoryItem[]> {
    return (await this.#sync()).items();
  }

  async count(): Promise<number> {
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      // oxlint-disable-next-line no-await-in-loop -- again only where the inventory was replaced
      const base = await this.#base(String(await this.call(baseScript, [])));
      if (base !== undefined) return base.table.length;
    }
    throw this.#tooBusy();
  }

  async update(petId: bigint, change: StockChange): Promise<UpdatedItem | undefined> {
    const { quantity, status = '' } = change;
    const written = [String(petId), String(quantity), status];
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      this.#checkSettings();
      const { channel, description } = this.#state;
      const { base, version } = description;
      // oxlint-disable-next-line no-await-in-loop -- again only where the inventory was replaced
      const known = await this.#base(base);
      // Where this process cannot tell which pets there are, no base is the right one.
      const [named, row] = known === undefined ? ['', ''] : [base, known.rowOf(petId)];
      const strict = this.#settings === undefined ? [] : ['1'];
      const args = [channel, named, version, ...written, row, ...strict];
      // oxlint-disable-next-line no-await-in-loop -- as above
      const reply = await this.call(updateScript, args);
      const [outcome, changed] = Array.isArray(reply) ? (reply as readonly unknown[]) : [reply];
      if (changed === undefined) this.#state.confirm();
      else this.#state.learn(parseDescription(changed));
      if (outcome === 1) return undefined;
      if (typeof outcome === 'string') return toUpdated(petId, change, outcome);
    }
    throw this.#tooBusy();
  }

  async replace(items: Iterable<InventoryItem>): Promise<void> {
    const { table, content } = toContent(items);
    const digest = digestOf(content);
    const { channel, description } = this.#state;
    const place = digest === description.seed ? [`seed:${digest}`] : [`own:${digest}`, content];
    this.#context.bases.add(digest, table);
    await this.call(replaceScript, [channel, ...place]);
  }

  async reset(): Promise<void> {
    await this.call(resetScript, [this.#state.channel]);
  }

  async seed(): Promise<readonly InventoryItem[]> {
    const base = await this.#base(`seed:${this.#state.description.seed}`);
    return [...(base?.table ?? [])];
  }

  /** Items from what they differ from, and how. */
  async itemsOf(base: string, rows: readonly string[]): Promise<readonly InventoryItem[]> {
    const found = await this.#base(base);
    if (found === undefined) throw this.#tooBusy();
    return new Replica(found, this, 0, rows).items();
  }

  /**
   * Calls a script on the keys of the sandbox.
   *
   * @throws {SandboxGoneError}
   */
  async call(script: Script, args: readonly string[]): Promise<unknown> {
    const { slot, keys } = this.#state;
    const reply = await this.#context.nodes.call(slot, () => ({ script, keys, args }));
    this.#check(reply);
    return reply;
  }

  async #sync(): Promise<Replica> {
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      // oxlint-disable-next-line no-await-in-loop -- again only where the inventory was replaced
      const replica = await this.#read();
      this.#checkSettings();
      if (replica !== undefined) return replica;
    }
    throw this.#tooBusy();
  }

  /** The inventory as it is; `undefined` where it was replaced before it was read as a whole. */
  async #read(): Promise<Replica | undefined> {
    const state = this.#state;
    let source: object = state;
    let known: Replica | undefined;
    const reply = await this.#context.nodes.call(state.slot, (connection) => {
      source = connection;
      known = state.replica?.source === connection ? state.replica : undefined;
      const revision = known === undefined ? '' : String(known.revision);
      return { script: readScript, keys: state.keys, args: [state.description.version, revision] };
    });
    this.#check(reply);
    if (reply === unchanged) {
      state.confirm();
      return known;
    }
    const [described, revision, isDelta, rows] = reply as [unknown, string, number, string[]];
    state.learn(parseDescription(described));
    if (isDelta === 1 && known !== undefined) {
      known.apply(Number(revision), rows);
      return known;
    }
    const base = await this.#base(state.description.base);
    if (base === undefined) return undefined;
    const replica = new Replica(base, source, Number(revision), rows);
    this.#keep(replica);
    return replica;
  }

  #keep(replica: Replica): void {
    const state = this.#state;
    // Meanwhile another request may have learnt more.
    const isNewer =
      state.replica?.source !== replica.source || state.replica.revision < replica.revision;
    if (isNewer) state.replica = replica;
    this.#context.noteReplica(state);
  }

  /** @returns `undefined` where the sandbox does not have that base any more */
  async #base(reference: string): Promise<Base | undefined> {
    const { bases } = this.#context;
    const [kind, digest = ''] = reference.split(':');
    const known = bases.get(digest);
    if (known !== undefined) return known;
    return bases.load(digest, () =>
      kind === 'own' ? this.#readOwn(digest) : this.#readSeed(digest),
    );
  }

  async #readOwn(digest: string): Promise<string | undefined> {
    const { slot, keys } = this.#state;
    const make = (): { script: Script; keys: readonly string[]; args: readonly string[] } => ({
      script: ownBaseScript,
      keys,
      args: [digest],
    });
    return ((await this.#context.nodes.call(slot, make)) as string | null) ?? undefined;
  }

  async #readSeed(digest: string): Promise<string> {
    const { nodes, keys } = this.#context;
    const key = keys.seed(digest);
    const content = (await nodes.call(slotOf(digest), () => ({
      script: seedScript,
      keys: [key],
      args: [],
    }))) as string | null;
    if (content !== null) return content;
    throw new StoreUnavailableError(
      `${key} is gone, which sandbox ${this.#state.id} is made from: was it deleted by hand, or does Redis evict keys? Its maxmemory-policy must be noeviction`,
      retryAfterSeconds,
    );
  }

  #check(reply: unknown): void {
    if (reply !== gone) return;
    this.#context.forget(this.#state.id);
    throw new SandboxGoneError(this.#state.id);
  }

  #checkSettings(): void {
    if (this.#settings !== undefined && this.#settings !== this.#state.description.settings) {
      throw new SettingsChangedError(this.#state.id);
    }
  }

  #tooBusy(): Error {
    return new StoreUnavailableError(
      `the inventory of sandbox ${this.#state.id} was replaced ${mostAttempts} times while it was asked for; nothing was changed`,
      retryAfterSeconds,
    );
  }
}

function toUpdated(petId: bigint, change: StockChange, row: string): UpdatedItem {
  const previous = parseRow(row);
  return {
    petId,
    quantity: change.quantity,
    status: change.status ?? previous.status,
    previous,
  };
}
