import type { InventoryItem } from '../inventory/item.ts';
import { createSecureRandom, toSandboxId, type Random } from '../inventory/random.ts';
import type {
  NewSandbox,
  SandboxConfiguration,
  SandboxStorage,
} from '../inventory/sandbox-storage.ts';
import { KeyTable } from './memory-keys.ts';
import { MemorySandbox, SandboxStore } from './memory-sandbox.ts';
import { SharedSeed } from './memory-seed.ts';

export interface MemorySandboxesOptions {
  /** The time in milliseconds since the epoch. Left out: the clock of the machine. */
  readonly now?: () => number;
  /**
   * Numbers from 0 up to, and not including, 1, from which ids are made. Left out: such that nobody
   * can predict.
   */
  readonly random?: Random;
}

/** For each of these, the next search for expired sandboxes waits a millisecond longer. */
const sandboxesPerMillisecondOfRest = 100;

/** More draws than any number of sandboxes makes necessary. */
const mostDraws = 100;

interface Kept {
  sandbox: MemorySandbox;
  readonly apiKey: string | undefined;
}

/**
 * Keeps sandboxes in memory. Those of one seed share it, so one that has written little takes little:
 * a few kilobytes, whatever the size of the seed.
 */
export class MemorySandboxes implements SandboxStorage {
  readonly #now: () => number;
  readonly #random: Random;
  readonly #sandboxes = new Map<string, Kept>();
  readonly #keys: KeyTable<Kept>;
  readonly #seeds = new WeakMap<Iterable<InventoryItem>, SharedSeed>();
  /** None expires before; in milliseconds since the epoch. */
  #soonest = Infinity;
  #sweptAt = 0;

  constructor({ now = Date.now, random = createSecureRandom() }: MemorySandboxesOptions = {}) {
    this.#now = now;
    this.#random = random;
    this.#keys = new KeyTable(random);
  }

  find(apiKey: string): MemorySandbox | undefined {
    return this.#unlessExpired(this.#keys.find(apiKey));
  }

  get(id: string): MemorySandbox | undefined {
    return this.#unlessExpired(this.#sandboxes.get(id));
  }

  list(): readonly MemorySandbox[] {
    this.#sweep();
    return [...this.#sandboxes.values()].map(({ sandbox }) => sandbox);
  }

  count(): number {
    if (this.#isSweepDue()) this.#sweep();
    return this.#sandboxes.size;
  }

  /** @throws {RangeError} where a petId stands twice in the seed */
  create({ id, apiKey, settings, expiresAt, seed }: NewSandbox): MemorySandbox | 'taken' {
    if (this.#isSweepDue()) this.#sweep();
    if (id !== undefined && this.get(id) !== undefined) return 'taken';
    if (apiKey !== undefined && this.find(apiKey) !== undefined) return 'taken';
    const store = new SandboxStore(this.#share(seed));
    const sandbox = new MemorySandbox({ id: id ?? this.#drawId(), settings, expiresAt }, store);
    const kept = { sandbox, apiKey };
    this.#sandboxes.set(sandbox.id, kept);
    if (apiKey !== undefined) this.#keys.add(apiKey, kept);
    this.#noteExpiry(expiresAt);
    return sandbox;
  }

  configure(
    id: string,
    { settings, before, expiresAt }: SandboxConfiguration,
  ): MemorySandbox | 'changed' | undefined {
    const kept = this.#sandboxes.get(id);
    if (kept === undefined || this.#unlessExpired(kept) === undefined) return undefined;
    if (before !== undefined && kept.sandbox.settings !== before) return 'changed';
    kept.sandbox = new MemorySandbox({ id, settings, expiresAt }, kept.sandbox.store);
    this.#noteExpiry(expiresAt);
    return kept.sandbox;
  }

  delete(id: string): boolean {
    if (this.get(id) === undefined) return false;
    this.#forget(id);
    return true;
  }

  #share(items: Iterable<InventoryItem>): SharedSeed {
    if (items instanceof SharedSeed) return items;
    const known = this.#seeds.get(items);
    if (known !== undefined) return known;
    const seed = new SharedSeed(items);
    this.#seeds.set(items, seed);
    return seed;
  }

  #drawId(): string {
    for (let draw = 0; draw < mostDraws; draw += 1) {
      const id = toSandboxId(this.#random);
      if (!this.#sandboxes.has(id)) return id;
    }
    throw new Error(
      `${mostDraws} ids in a row were taken; the source of random numbers repeats itself, give another one`,
    );
  }

  #unlessExpired(kept: Kept | undefined): MemorySandbox | undefined {
    const sandbox = kept?.sandbox;
    if (sandbox?.expiresAt === undefined || sandbox.expiresAt > this.#now()) return sandbox;
    this.#forget(sandbox.id);
    return undefined;
  }

  #forget(id: string): void {
    const apiKey = this.#sandboxes.get(id)?.apiKey;
    if (apiKey !== undefined) this.#keys.delete(apiKey);
    this.#sandboxes.delete(id);
  }

  #noteExpiry(expiresAt = Infinity): void {
    this.#soonest = Math.min(this.#soonest, expiresAt);
  }

  /** Whether some have expired, and the last search was not a moment ago. */
  #isSweepDue(): boolean {
    if (this.#soonest === Infinity) return false;
    const now = this.#now();
    const rest = this.#sandboxes.size / sandboxesPerMillisecondOfRest;
    // Not a plain difference: clocks are put back at times.
    return now >= this.#soonest && Math.abs(now - this.#sweptAt) >= rest;
  }

  /** Gives up those that have expired. */
  #sweep(): void {
    if (this.#soonest === Infinity) return;
    this.#sweptAt = this.#now();
    this.#soonest = Infinity;
    for (const kept of this.#sandboxes.values()) {
      this.#noteExpiry(this.#unlessExpired(kept)?.expiresAt);
    }
  }
}
