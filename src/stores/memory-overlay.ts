import { toItemJson, type InventoryItem } from '../inventory/item.ts';
import type { StockChange, UpdatedItem } from '../inventory/store.ts';
import type { SharedSeed } from './memory-seed.ts';
import { chunkLength, writeChunk } from './serialized-list.ts';

/** Stands for the text of a chunk until somebody reads the list. */
const unwritten = new Uint8Array();

type Stock = Omit<InventoryItem, 'petId'>;

/** Up to this many chunks, an overlay takes less room than an inventory of its own, … */
const mostChunks = 32;
/** … and up to this share of all, so that small lists are still sent in one piece. */
const largestShare = 1 / 8;

/** An inventory that differs from its seed in a few entries: it holds these, and their text. */
export class Overlay implements Iterable<InventoryItem> {
  readonly seed: SharedSeed;
  /** By position. */
  readonly #stock = new Map<number, Stock>();
  /** The text of the chunks that differ, by number. */
  readonly #chunks = new Map<number, Uint8Array>();
  #isStale = false;
  #list: readonly Uint8Array[] | undefined;

  constructor(seed: SharedSeed) {
    this.seed = seed;
  }

  get length(): number {
    return this.seed.items.length;
  }

  /** Whether an inventory of its own would be better by now. */
  get isOutgrown(): boolean {
    const { size } = this.#chunks;
    return size > mostChunks || size * chunkLength > this.length * largestShare;
  }

  /** What differs, by position. */
  get changes(): ReadonlyMap<number, StockChange> {
    return this.#stock;
  }

  list(): readonly Uint8Array[] {
    if (this.#isStale) this.#refresh();
    return this.#list ?? this.seed.text.list;
  }

  get(petId: bigint): InventoryItem | undefined {
    const position = this.seed.items.positionOf(petId);
    return position === undefined ? undefined : this.#at(position);
  }

  update(petId: bigint, { quantity, status }: StockChange): UpdatedItem | undefined {
    const position = this.seed.items.positionOf(petId);
    if (position === undefined) return undefined;
    const previous = this.#stockAt(position);
    const stock = { quantity, status: status ?? previous.status };
    this.#stock.set(position, stock);
    this.#chunks.set(Math.floor(position / chunkLength), unwritten);
    this.#isStale = true;
    return { petId, quantity, status: stock.status, previous };
  }

  copy(): Overlay {
    const copy = new Overlay(this.seed);
    for (const [position, stock] of this.#stock) copy.#stock.set(position, stock);
    for (const [chunk, text] of this.#chunks) copy.#chunks.set(chunk, text);
    copy.#isStale = this.#isStale;
    copy.#list = this.#list;
    return copy;
  }

  toJson(position: number): string {
    const stock = this.#stock.get(position);
    if (stock === undefined) return this.seed.items.toJson(position);
    return toItemJson(this.seed.items.at(position).petId, stock.quantity, stock.status);
  }

  *[Symbol.iterator](): Generator<InventoryItem> {
    for (let position = 0; position < this.length; position += 1) yield this.#at(position);
  }

  #at(position: number): InventoryItem {
    return { ...this.seed.items.at(position), ...this.#stock.get(position) };
  }

  #stockAt(position: number): Stock {
    const stock = this.#stock.get(position);
    if (stock !== undefined) return stock;
    const { quantity, status } = this.seed.items.at(position);
    return { quantity, status };
  }

  #refresh(): void {
    for (const [chunk, text] of this.#chunks) {
      if (text === unwritten) this.#chunks.set(chunk, writeChunk(this, chunk));
    }
    this.#list = this.seed.text.replaceChunks(this.#chunks);
    this.#isStale = false;
  }
}
