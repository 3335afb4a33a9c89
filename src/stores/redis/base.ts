import { petStatuses, type PetStatus } from '../../../contracts/pet-status.ts';
import type { InventoryItem } from '../../inventory/item.ts';
import { ItemTable, type FixedTable } from '../../inventory/item-table.ts';
import { SerializedList } from '../serialized-list.ts';

/** A whole inventory that never changes. Sandboxes keep only what differs from it. */
export class Base {
  readonly table: FixedTable;
  #list: SerializedList | undefined;

  constructor(table: FixedTable) {
    this.table = table;
  }

  get list(): SerializedList {
    this.#list ??= new SerializedList(this.table);
    return this.#list;
  }

  /** The row of a pet, or `''` where there is no such pet. */
  rowOf(petId: bigint): string {
    const position = this.table.positionOf(petId);
    return position === undefined ? '' : toRow(this.table.at(position));
  }
}

/** What of an entry changes, as Redis keeps it: `12 available`. */
export function toRow({ quantity, status }: Omit<InventoryItem, 'petId'>): string {
  return `${quantity} ${status}`;
}

/** @throws {Error} for what {@link toRow} does not write */
export function parseRow(row: string): Omit<InventoryItem, 'petId'> {
  const space = row.indexOf(' ');
  const status = row.slice(space + 1);
  if (space < 1 || !isStatus(status)) {
    throw new Error(`Redis holds the row "${row.slice(0, 100)}", which is not "quantity status"`);
  }
  return { quantity: BigInt(row.slice(0, space)), status };
}

/** A table of items, and the text that Redis keeps it as: a line `petId quantity status` for each. */
export function toContent(items: Iterable<InventoryItem>): {
  readonly table: ItemTable;
  readonly content: string;
} {
  const table = new ItemTable();
  let content = '';
  for (const item of items) {
    if (!table.add(item)) {
      throw new RangeError(`petId ${item.petId} stands twice in the inventory`);
    }
    content += `${item.petId} ${toRow(item)}\n`;
  }
  return { table, content };
}

export function parseContent(content: string): ItemTable {
  const table = new ItemTable();
  let start = 0;
  for (;;) {
    const end = content.indexOf('\n', start);
    if (end === -1) return table;
    const space = content.indexOf(' ', start);
    const petId = BigInt(content.slice(start, space));
    table.add({ petId, ...parseRow(content.slice(space + 1, end)) });
    start = end + 1;
  }
}

function isStatus(text: string): text is PetStatus {
  return petStatuses.some((status) => status === text);
}
