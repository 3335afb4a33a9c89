import { petStatuses, type PetStatus } from '../../contracts/pet-status.ts';
import { ItemTable } from '../inventory/item-table.ts';
import type { InventoryItem } from '../inventory/item.ts';
import { parseFixture, type Fixture } from './fixture.ts';

/** A fixture whose inventory need not be an array: a million items take less room in a table. */
export interface LoadedFixture extends Omit<Fixture, 'inventory'> {
  /** No two items have the same petId. */
  readonly inventory: Iterable<InventoryItem>;
}

/** Makes a pattern in which each space stands for any white space of JSON, or none. */
function pattern(source: string, flags: string): RegExp {
  return new RegExp(source.replaceAll(' ', String.raw`[ \t\r\n]*`), flags);
}

// What stands in front of the first item: an array, or an object with the inventory first.
const opening = pattern(
  String.raw`^(?: \[| \{ "inventory" : \[| \{ "\$schema" : "[^"\\]*" , "inventory" : \[)`,
  '',
);

// 18 digits always fit into an int64.
const integer = String.raw`(0|-?[1-9]\d{0,17})`;

const plainItem = pattern(
  String.raw` \{ "petId" : ${integer} , "quantity" : ${integer} , "status" : "(${petStatuses.join('|')})" \} ([,\]])`,
  'y',
);

/** More text than this without an item is not plain, or not a fixture. */
const longestRest = 65_536;

/**
 * Reads a fixture piece by piece, where it is written as nearly every large one is: the inventory
 * stands first, its items have their fields in the usual order, and its integers are plain. A
 * million items take a seventh of the time that the exact parser needs, and no more memory than
 * they need afterwards.
 *
 * It never judges: what is not plain, right or wrong, is left to {@link parseFixture}.
 */
export class PlainFixtureReader {
  readonly #inventory = new ItemTable();
  #opening = '';
  /** What is not read yet; behind the last item, the rest of the text. */
  #text = '';
  #part: 'opening' | 'items' | 'rest' = 'opening';

  /** @returns `false` where the fixture is not plain */
  read(piece: string): boolean {
    this.#text += piece;
    if (this.#part === 'opening') this.#readOpening();
    if (this.#part === 'items' && !this.#readItems()) return false;
    return this.#text.length <= longestRest;
  }

  /** @returns `undefined` where the fixture is not plain */
  finish(): LoadedFixture | undefined {
    const rest = this.#opening + this.#text;
    // A second inventory would count instead of the first; its name can be written with escapes.
    if (this.#part !== 'rest' || /"inventory"|\\/.test(this.#text)) return undefined;
    // This character stands where bytes were not UTF-8.
    if (rest.includes('\ufffd')) return undefined;
    const parsed = parseFixture(rest);
    return parsed.ok ? { ...parsed.fixture, inventory: this.#inventory } : undefined;
  }

  #readOpening(): void {
    const found = opening.exec(this.#text)?.[0];
    if (found === undefined) return;
    this.#opening = found;
    this.#text = this.#text.slice(found.length);
    this.#part = 'items';
  }

  #readItems(): boolean {
    let end = 0;
    plainItem.lastIndex = 0;
    while (this.#part === 'items') {
      const [, petId, quantity, status, separator] = plainItem.exec(this.#text) ?? [];
      if (petId === undefined || quantity === undefined) break;
      // A petId that stands twice: the parser says where.
      if (!this.#inventory.add(toItem(petId, quantity, status as PetStatus))) return false;
      end = plainItem.lastIndex;
      if (separator === ']') {
        this.#part = 'rest';
        end -= separator.length;
      }
    }
    this.#text = this.#text.slice(end);
    return true;
  }
}

function toItem(petId: string, quantity: string, status: PetStatus): InventoryItem {
  return { petId: BigInt(petId), quantity: BigInt(quantity), status };
}
