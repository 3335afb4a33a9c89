import { slotOf, type RedisKeys } from './keys.ts';
import type { RedisNodes } from './nodes.ts';
import {
  countScript,
  idsScript,
  indexExpiryScript,
  indexScript,
  unindexScript,
  type Script,
} from './scripts.ts';

/** In microseconds. */
const oldEntry = 60_000_000;

/**
 * The list of all sandboxes, in a slot of its own. It is written before a sandbox is created and
 * after it is deleted, so it may name one that is not there; expired ones go when it is read.
 */
export class SandboxIndex {
  readonly #nodes: RedisNodes;
  readonly #keys: readonly string[];
  readonly #slot: number;
  readonly #channel: string;

  constructor(nodes: RedisNodes, keys: RedisKeys) {
    const index = keys.index();
    this.#nodes = nodes;
    this.#keys = index.keys;
    this.#slot = slotOf(index.tag);
    this.#channel = index.channel;
  }

  /** In the order the sandboxes were created. */
  async ids(): Promise<readonly string[]> {
    return (await this.#call(idsScript)) as readonly string[];
  }

  async count(): Promise<number> {
    return Number(await this.#call(countScript));
  }

  /** Lists a sandbox that is about to be created. @returns whether it was not in the list */
  async add(id: string, expiresAt: number | undefined): Promise<boolean> {
    return (await this.#call(indexScript, id, toText(expiresAt))) === 1;
  }

  /** Makes sure that a sandbox that was created is in the list, and tells all processes of it. */
  async confirm(id: string, expiresAt: number | undefined): Promise<void> {
    await this.#call(indexScript, id, toText(expiresAt), this.#channel, `created ${id}`);
  }

  async setExpiry(id: string, expiresAt: number | undefined): Promise<void> {
    await this.#call(indexExpiryScript, id, toText(expiresAt));
  }

  /** Takes a sandbox that was deleted from the list, and tells all processes of it. */
  async remove(id: string): Promise<void> {
    await this.#call(unindexScript, id, '0', this.#channel, `deleted ${id}`);
  }

  /**
   * Removes the entry of a sandbox that was not found.
   *
   * @param leastAge entries that are younger stay, because their sandbox may be about to come
   */
  async removeMissing(id: string, leastAge: number = oldEntry): Promise<void> {
    await this.#call(unindexScript, id, String(leastAge));
  }

  #call(script: Script, ...args: readonly string[]): Promise<unknown> {
    return this.#nodes.call(this.#slot, () => ({ script, keys: this.#keys, args }));
  }
}

/** A time as scripts take it: whole milliseconds, or `''` for never. */
export function toText(expiresAt: number | undefined): string {
  return expiresAt === undefined ? '' : String(Math.ceil(expiresAt));
}
