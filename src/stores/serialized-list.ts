import { joinSegments } from '../inventory/segments.ts';

/** Entries as JSON by position. */
export interface SerializableEntries {
  readonly length: number;
  toJson(position: number): string;
}

/** Entries that are written anew together when one of them has changed. */
export const chunkLength = 32;

// Chunks are sent together, because few writes take less time than many; but the bytes of a whole
// segment are copied when one of its chunks has changed. Both sizes are measured: npm run bench.
const leastChunksPerSegment = 16;
const mostSegments = 512;

/** A list that was read so often without a change is joined for the readers to come, … */
const readsUntilJoined = 64;
/** … if it has at most this many bytes: a longer one gains nothing and would take its room twice. */
export const longestJoined: number = 4 * 2 ** 20;

/** A part of the text that is sent in one piece. */
export interface Segment {
  readonly bytes: Uint8Array;
  /** Where each of its chunks ends. */
  readonly ends: readonly number[];
}

const unwritten: Segment = { bytes: new Uint8Array(), ends: [] };

const encoder = new TextEncoder();

/**
 * Keeps the JSON text of a list, so that after a change a few entries are written anew and a few
 * bytes are copied. No byte is ever changed in place: what was handed out may still be on its way
 * to a slow reader.
 */
export class SerializedList {
  readonly #entries: SerializableEntries;
  readonly #chunks: number;
  readonly #chunksPerSegment: number;
  readonly #segments: Segment[];
  readonly #staleChunks = new Set<number>();
  /** What is handed out. */
  #list: readonly Uint8Array[] = [];
  #readsWithoutChange = 0;

  /**
   * @param written the segments of a list of as many entries, to start from; which entries differ is
   * to be marked. Left out: everything is written anew
   */
  constructor(entries: SerializableEntries, written?: readonly Segment[]) {
    this.#entries = entries;
    // An empty list has one chunk too: its brackets.
    this.#chunks = Math.ceil(entries.length / chunkLength) || 1;
    this.#chunksPerSegment = Math.max(
      leastChunksPerSegment,
      Math.ceil(this.#chunks / mostSegments),
    );
    this.#segments = [...(written ?? [])];
    if (written === undefined) {
      for (let chunk = 0; chunk < this.#chunks; chunk += 1) this.#staleChunks.add(chunk);
    }
    this.#refresh();
  }

  /** The whole list, for another one of the same length to start from. */
  get segments(): readonly Segment[] {
    this.toSegments();
    return this.#segments;
  }

  /** Notes that an entry has changed. */
  markStale(position: number): void {
    this.#staleChunks.add(Math.floor(position / chunkLength));
  }

  /** The whole list, to be sent one segment after another. */
  toSegments(): readonly Uint8Array[] {
    if (this.#staleChunks.size > 0) this.#refresh();
    else if (this.#readsWithoutChange < readsUntilJoined) {
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
    for (const number of stale) this.#segments[number] = this.#rewrite(number);
    this.#staleChunks.clear();
    this.#list = this.#segments.map(({ bytes }) => bytes);
    this.#readsWithoutChange = 0;
  }

  #rewrite(number: number): Segment {
    const { bytes, ends } = this.#segments[number] ?? unwritten;
    const first = number * this.#chunksPerSegment;
    const next = Math.min(first + this.#chunksPerSegment, this.#chunks);
    const chunks: Uint8Array[] = [];
    for (let chunk = first; chunk < next; chunk += 1) {
      chunks.push(
        this.#staleChunks.has(chunk)
          ? writeChunk(this.#entries, chunk)
          : bytes.subarray(ends[chunk - first - 1] ?? 0, ends[chunk - first]),
      );
    }
    let end = 0;
    return { bytes: joinSegments(chunks), ends: chunks.map(({ length }) => (end += length)) };
  }
}

/**
 * The entries of one chunk as JSON, with what stands in front of them and behind the last. The
 * chunks of a list one after another are the whole of its text.
 */
export function writeChunk(entries: SerializableEntries, chunk: number): Uint8Array {
  const { length } = entries;
  const start = chunk * chunkLength;
  const end = Math.min(start + chunkLength, length);
  let text = chunk === 0 ? '[' : '';
  for (let position = start; position < end; position += 1) {
    text += position === 0 ? entries.toJson(0) : `,${entries.toJson(position)}`;
  }
  return encoder.encode(end === length ? `${text}]` : text);
}
