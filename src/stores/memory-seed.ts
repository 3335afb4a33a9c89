import { ItemTable, toItemTable, type FixedTable } from '../inventory/item-table.ts';
import type { InventoryItem } from '../inventory/item.ts';
import { joinSegments } from '../inventory/segments.ts';
import { longestJoined, SerializedList, type Segment } from './serialized-list.ts';

/** What sandboxes start with. Those of one seed share its entries and its text; neither changes. */
export class SharedSeed implements Iterable<InventoryItem> {
  readonly items: FixedTable;
  #text: SharedText | undefined;

  /** @throws {RangeError} where a petId stands twice */
  constructor(items: Iterable<InventoryItem>) {
    this.items = items instanceof ItemTable ? items : toItemTable(items);
  }

  [Symbol.iterator](): Iterator<InventoryItem> {
    return this.items[Symbol.iterator]();
  }

  /** The list as JSON, written when it is first asked for. */
  get text(): SharedText {
    return (this.#text ??= new SharedText(new SerializedList(this.items).segments));
  }
}

/** The text of a list that others differ from in a few chunks. */
export class SharedText {
  /** For a {@link SerializedList} to start from. */
  readonly segments: readonly Segment[];
  readonly list: readonly Uint8Array[];
  /** What is cut where a chunk differs: the longer it is, the fewer pieces are sent. */
  readonly #wholes: readonly Segment[];

  constructor(segments: readonly Segment[]) {
    const length = segments.reduce((sum, { bytes }) => sum + bytes.length, 0);
    const whole = length > longestJoined ? undefined : join(segments);
    this.#wholes = whole === undefined ? segments : [whole];
    this.segments = whole === undefined ? segments : split(whole.bytes, segments);
    this.list = this.#wholes.map(({ bytes }) => bytes);
  }

  /** The same list with some chunks of others. No byte is copied. */
  replaceChunks(chunks: ReadonlyMap<number, Uint8Array>): readonly Uint8Array[] {
    const numbers = [...chunks.keys()].toSorted((a, b) => a - b);
    const list: Uint8Array[] = [];
    let first = 0;
    let next = 0;
    for (const { bytes, ends } of this.#wholes) {
      let kept = 0;
      for (let chunk = numbers[next]; chunk !== undefined; chunk = numbers[next]) {
        const end = ends[chunk - first];
        const replacement = chunks.get(chunk);
        if (end === undefined || replacement === undefined) break;
        const start = ends[chunk - first - 1] ?? 0;
        if (kept < start) list.push(bytes.subarray(kept, start));
        list.push(replacement);
        kept = end;
        next += 1;
      }
      if (kept < bytes.length) list.push(kept === 0 ? bytes : bytes.subarray(kept));
      first += ends.length;
    }
    return list;
  }
}

function join(segments: readonly Segment[]): Segment {
  let start = 0;
  const ends = segments.flatMap((segment) => {
    const moved = segment.ends.map((end) => start + end);
    start += segment.bytes.length;
    return moved;
  });
  return { bytes: joinSegments(segments.map(({ bytes }) => bytes)), ends };
}

/** The same segments as parts of the whole, so that the text is held once. */
function split(whole: Uint8Array, segments: readonly Segment[]): readonly Segment[] {
  let start = 0;
  return segments.map(({ bytes, ends }) => {
    const part = whole.subarray(start, start + bytes.length);
    start += bytes.length;
    return { bytes: part, ends };
  });
}
