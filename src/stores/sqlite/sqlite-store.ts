import type { InventoryItem } from '../../inventory/item.ts';
import {
  whenReady,
  type MaybePromise,
  type StockChange,
  type Store,
  type UpdatedItem,
} from '../../inventory/store.ts';
import type { KnownInventory, Written } from './inventories.ts';
import type { SandboxFile } from './sandbox-file.ts';
import { toSeed } from './seeds.ts';

/** The inventory of one sandbox. */
export class SqliteStore implements Store {
  readonly #file: SandboxFile;
  readonly #sandboxId: string;
  #number: number;

  constructor(file: SandboxFile, sandboxId: string, number: number) {
    this.#file = file;
    this.#sandboxId = sandboxId;
    this.#number = number;
  }

  list(): MaybePromise<readonly Uint8Array[]> {
    const current = this.#read();
    return current instanceof Promise ? current.then(toSegments) : toSegments(current);
  }

  get(petId: bigint): MaybePromise<InventoryItem | undefined> {
    return whenReady(this.#read(), ({ store }) => store.get(petId));
  }

  async update(petId: bigint, change: StockChange): Promise<UpdatedItem | undefined> {
    const written = await this.#file.connection.write(
      () => this.#write(petId, change),
      (kept) => {
        if (kept !== undefined) this.#file.inventories.note(kept);
      },
    );
    if (written === undefined) return undefined;
    const { stock, previous } = written;
    return { petId, quantity: stock.quantity, status: stock.status, previous };
  }

  items(): MaybePromise<Iterable<InventoryItem>> {
    return whenReady(this.#read(), ({ store }) => store.items());
  }

  count(): MaybePromise<number> {
    const { connection, inventories } = this.#file;
    return connection.read(() =>
      connection.together(
        () => inventories.count(this.#number) ?? inventories.count(this.#find()) ?? missing(),
      ),
    );
  }

  /** @throws {RangeError} where a petId stands twice */
  async replace(items: Iterable<InventoryItem>): Promise<void> {
    const { connection, inventories, seeds } = this.#file;
    const seed = toSeed(items);
    await connection.write(() => inventories.startFrom(this.#find(), seeds.put(seed)));
  }

  #read(): MaybePromise<KnownInventory> {
    const { connection, inventories } = this.#file;
    return connection.read(() => {
      const known = inventories.peek(this.#number);
      return known ?? connection.together(() => this.#load());
    });
  }

  /** Part of a read. */
  #load(): KnownInventory {
    const { inventories } = this.#file;
    return inventories.read(this.#number) ?? inventories.read(this.#find()) ?? missing();
  }

  #write(petId: bigint, { quantity, status }: StockChange): Written | undefined {
    const { inventories } = this.#file;
    let written = inventories.write(this.#number, petId, quantity, status);
    if (written === 'missing') {
      written = inventories.write(this.#find(), petId, quantity, status);
    }
    return written === 'missing' ? missing() : written;
  }

  /**
   * The number of its inventory: another than before where somebody has deleted the sandbox and
   * made it anew. Part of a read or a write.
   */
  #find(): number {
    this.#number = this.#file.require(this.#sandboxId).inventory;
    return this.#number;
  }
}

function toSegments({ store }: KnownInventory): readonly Uint8Array[] {
  return store.list();
}

function missing(): never {
  throw new Error('a sandbox of the file has no inventory');
}
