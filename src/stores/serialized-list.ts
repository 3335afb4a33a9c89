import { joinSegments } from '../inventory/segments.ts';

/** Entries as JSON by position. */
export interface SerializableEntries {
  readonly length: number;
  toJson(position: number): string;
}

/** Entries that are written anew together when one of them has changed. */
const chunkLength = 32;

// Chunks are sent together, because few writes take less time than many; but the bytes of a whole
// segment are copied when one of its chunks has changed. Both sizes are measured: npm run bench.
const leastChunksPerSegment = 16;
const mostSegments = 512;

/** A list that was read so often without a change is joined for the readers to come, … */
const readsUntilJoined = 64;
/** … if it has at most this many bytes: a longer one gains nothing and would take its room twice. */
const longestJoined = 4 * 2 ** 20;

interface Segment {
  readonly bytes: Uint8Array;
  /** Where each of its chunks ends. */
  readonly ends: readonly number[];
}

const encoder = new TextEncoder();

/**
 * Keeps the JSON text of a list, so that after a change a few entries are written anew and a few
 * bytes are copied. No byte is ever changed in place: what was handed out may still be on its way
 * to a slow reader.
 */
export class SerializedList {
  readonly #entries: SerializableEntries;
  readonly #chunksPerSegment: number;
  readonly #segments: Segment[] = [];
  readonly #staleChunks = new Set<number>();
  /** What is handed out. */
  #list: readonly Uint8Array[];
  #readsWithoutChange = 0;

  constructor(entries: SerializableEntries) {
    this.#entries = entries;
    // An empty list has one chunk too: its brackets.
    const chunks = Math.max(1, Math.ceil(entries.length / chunkLength));
    this.#chunksPerSegment = Math.max(leastChunksPerSegment, Math.ceil(chunks / mostSegments));
    for (let first = 0; first < chunks; first += this.#chunksPerSegment) {
      const count = Math.min(this.#chunksPerSegment, chunks - first);
      const written = Array.from({ length: count }, (_, index) => this.#write(first + index));
      this.#segments.push(toSegment(written));
    }
    this.#list = this.#segments.map(({ bytes }) => bytes);
  }

  /** Notes that an entry has changed. */
  markStale(position: number): void {
    this.#staleChunks.add(Math.floor(position / chunkLength));
  }

  /** The whole list, to be sent one segment after another. */
  toSegments(): readonly Uint8Array[] {
    if (this.#staleChunks.size > 0) {
      this.#refresh();
      this.#list = this.#segments.map(({ bytes }) => bytes);
      this.#readsWithoutChange = 0;
    } else if (this.#readsWithoutChange < readsUntilJoined) {
      this.#readsWithoutChange += 1;
      if (this.#readsWithoutChange === readsUntilJoined) this.#join();
    }
    return this.#list;
  }

  #join(): void {
    const length = this.#list.reduce((sum, bytes) => sum + bytes.length, 0);
    if (length <= longestJoined) this.#list = [joinSegments(this.#list)];
  }

  #refresh(): void {
    const stale = new Set(
      [...this.#staleChunks].map((chunk) => Math.floor(chunk / this.#chunksPerSegment)),
    );
    for (const number of stale) {
      const segment = this.#segments[number];
      if (segment !== undefined) this.#segments[number] = this.#rewrite(segment, number);
    }
    this.#staleChunks.clear();
  }

  #rewrite({ bytes, ends }: Segment, number: number): Segment {
    let start = 0;
    const chunks = ends.map((end, index) => {
      const chunk = number * this.#chunksPerSegment + index;
      const kept = bytes.subarray(start, end);
      start = end;
      return this.#staleChunks.has(chunk) ? this.#write(chunk) : kept;
    });
    return toSegment(chunks);
  }

  /** The entries of one chunk as JSON, with what stands in front of them and behind the last. */
  #write(chunk: number): Uint8Array {
    const { length } = this.#entries;
    const start = chunk * chunkLength;
    const end = Math.min(start + chunkLength, length);
    let text = chunk === 0 ? '[' : '';
    for (let position = start; position < end; position += 1) {
      text += position === 0 ? this.#entries.toJson(0) : `,${this.#entries.toJson(position)}`;
    }
    return encoder.encode(end === length ? `${text}]` : text);
  }
}

function toSegment(chunks: readonly Uint8Array[]): Segment {
  let end = 0;
  return { bytes: joinSegments(chunks), ends: chunks.map(({ length }) => (end += length)) };
}
