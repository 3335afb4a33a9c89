/** Keeps what was used last, as much as it has room for; the very last in any case. */
export class RecentlyUsed<K, V> {
  readonly #room: number;
  /** In the order of their last use. */
  readonly #entries = new Map<K, { readonly value: V; readonly size: number }>();
  #size = 0;

  /** @param room the most that the sizes of all entries add up to */
  constructor(room: number) {
    this.#room = room;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: K, value: V, size: number): void {
    this.delete(key);
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#room || oldest === key) break;
      this.delete(oldest);
    }
  }

  delete(key: K): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#size -= entry.size;
  }
}
