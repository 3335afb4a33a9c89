import { joinSegments } from '../inventory/segments.ts';

/** Entries as JSON by position. */
export interface SerializableEntries {
  readonly length: number;
  toJson(position: number): string;
}

/** Entries that are written anew together when one of them has changed. */
const chunkLength = 64;

/** Chunks that are sent together: a few large buffers are sent faster than many small ones. */
const chunksPerSegment = 32;

interface Segment {
  readonly bytes: Uint8Array;
  /** Where each of its chunks ends. */
  readonly ends: readonly number[];
}

const encoder = new TextEncoder();

/**
 * Keeps the JSON text of a list, so that after a change only some entries beside it are written
 * anew, and some segments' bytes are copied. No byte is ever changed in place: what was handed out
 * may still be on its way to a slow reader.
 */
export class SerializedList {
  readonly #entries: SerializableEntries;
  readonly #staleChunks = new Set<number>();
  readonly #segments: Segment[] = [];
  #bytes: readonly Uint8Array[];

  constructor(entries: SerializableEntries) {
    this.#entries = entries;
    // An empty list has one chunk too: its brackets.
    const chunks = Math.max(1, Math.ceil(entries.length / chunkLength));
    for (let first = 0; first < chunks; first += chunksPerSegment) {
      const count = Math.min(chunksPerSegment, chunks - first);
      const texts = Array.from({ length: count }, (_, index) => this.#write(first + index));
      this.#segments.push(toSegment(texts));
    }
    this.#bytes = this.#segments.map(({ bytes }) => bytes);
  }

  /** Notes that an entry has changed. */
  markStale(position: number): void {
    this.#staleChunks.add(Math.floor(position / chunkLength));
  }

  /** The whole list, to be sent one segment after another. */
  toSegments(): readonly Uint8Array[] {
    if (this.#staleChunks.size > 0) {
      this.#refresh();
      this.#bytes = this.#segments.map(({ bytes }) => bytes);
    }
    return this.#bytes;
  }

  #refresh(): void {
    const stale = new Set([...this.#staleChunks].map((it) => Math.floor(it / chunksPerSegment)));
    for (const number of stale) {
      const segment = this.#segments[number];
      if (segment !== undefined) this.#segments[number] = this.#rewrite(segment, number);
    }
    this.#staleChunks.clear();
  }

  #rewrite({ bytes, ends }: Segment, number: number): Segment {
    let start = 0;
    const chunks = ends.map((end, index) => {
      const chunk = number * chunksPerSegment + index;
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
