import { equalsInConstantTime } from '../inventory/authorization.ts';
import { toRandomText, type Random } from '../inventory/random.ts';

interface Entry<T> {
  readonly key: string;
  readonly value: T | undefined;
  /** Another key of the same bucket. */
  readonly next: Entry<T> | undefined;
}

/**
 * Finds what belongs to an API key among many, in a time that does not tell how near to a key is what
 * was sent. The hash is seeded, so nobody outside can tell which keys share a bucket, and within one,
 * characters are compared in constant time.
 */
export class KeyTable<T> {
  readonly #start: number;
  readonly #factor: number;
  readonly #buckets = new Map<number, Entry<T>>();
  /** Stands in for a bucket that there is not: as much is compared for a miss as for a hit. */
  readonly #decoy: Entry<T>;

  constructor(random: Random) {
    this.#start = Math.floor(random() * 2 ** 32);
    this.#factor = Math.floor(random() * 2 ** 32) | 1;
    this.#decoy = { key: toRandomText(random, 35), value: undefined, next: undefined };
  }

  find(key: string): T | undefined {
    let entry: Entry<T> | undefined = this.#buckets.get(this.#hash(key)) ?? this.#decoy;
    let found: T | undefined;
    while (entry !== undefined) {
      if (equalsInConstantTime(key, entry.key)) found = entry.value;
      entry = entry.next;
    }
    return found;
  }

  /** @param key one that has no value yet */
  add(key: string, value: T): void {
    const hash = this.#hash(key);
    this.#buckets.set(hash, { key, value, next: this.#buckets.get(hash) });
  }

  delete(key: string): void {
    const hash = this.#hash(key);
    let rest: Entry<T> | undefined;
    for (let entry = this.#buckets.get(hash); entry !== undefined; entry = entry.next) {
      if (entry.key !== key) rest = { ...entry, next: rest };
    }
    if (rest === undefined) this.#buckets.delete(hash);
    else this.#buckets.set(hash, rest);
  }

  #hash(key: string): number {
    let hash = this.#start;
    for (let index = 0; index < key.length; index += 1) {
      hash = Math.imul(hash ^ key.charCodeAt(index), this.#factor);
      hash ^= hash >>> 15;
    }
    // 30 bits: what engines keep without an object of its own.
    return hash & 0x3fffffff;
  }
}
