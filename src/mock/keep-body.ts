/** What is kept of a body. */
export interface KeptBody {
  /** The first bytes, perhaps more of them than asked for; a text is whole. */
  readonly kept: string | Uint8Array;
  /** In bytes, whole; -1: that of what is kept. */
  readonly length: number;
  /** How many bytes it takes beyond what is kept already. */
  readonly weight: number;
}

export const noBytes: Uint8Array = new Uint8Array();

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** V8 copies shorter parts of a text; a longer one holds the whole. */
const shortestHolding = 13;

/** Keeps a text, at most so many characters of it, without what it may be a part of. */
export function keepText(text: string, most: number): string {
  if (text.length < shortestHolding) return text;
  return decoder.decode(encoder.encode(text.slice(0, most)));
}

/** Keeps the first bytes: as they are where they hold nothing else, and otherwise a copy. */
export function keepBytes(bytes: Uint8Array, most: number): Uint8Array {
  if (bytes.length <= most && ownsItsBuffer(bytes)) return bytes;
  // Not `slice`: a Buffer of Node has another one.
  return new Uint8Array(bytes.subarray(0, most));
}

const ownsItsBuffer = (bytes: Uint8Array): boolean => bytes.buffer.byteLength === bytes.length;

/** What a buffer takes beside its bytes, and to be found again. */
const bufferWeight = 256;

/**
 * The beginnings of long lists, by the memory that these take: sandboxes of one seed share it, and so
 * they share its beginning. Whoever hands out a segment never changes it.
 */
const beginnings = new WeakMap<ArrayBufferLike, Uint8Array>();

/** Keeps the beginnings of responses, and that of one list once. */
export class BodyKeeper {
  /** How many bytes of a body are kept. */
  readonly most: number;
  /** The last segment that was kept as it is. */
  #last: Uint8Array | undefined;

  constructor(most: number) {
    this.most = most;
  }

  keep(body: string | readonly Uint8Array[]): KeptBody {
    if (typeof body === 'string') return this.#keepText(body);
    const [first = noBytes] = body;
    if (body.length > 1) {
      const length = body.reduce((sum, segment) => sum + segment.length, 0);
      return first.length < this.most ? this.#join(body, length) : this.#begin(first, length);
    }
    // To hold one that is a little too long takes less time than a copy of it.
    return first.length <= 2 * this.most && ownsItsBuffer(first)
      ? this.#hold(first)
      : this.#begin(first, first.length);
  }

  #keepText(text: string): KeptBody {
    // In UTF-8, a character takes three bytes at most.
    if (text.length * 3 <= this.most) return { kept: text, length: -1, weight: text.length };
    const bytes = encoder.encode(text);
    return bytes.length <= this.most
      ? { kept: text, length: -1, weight: bytes.length }
      : { kept: keepBytes(bytes, this.most), length: bytes.length, weight: this.most };
  }

  #hold(segment: Uint8Array): KeptBody {
    const weight = segment === this.#last ? 0 : segment.length;
    this.#last = segment;
    return { kept: segment, length: -1, weight };
  }

  #begin(segment: Uint8Array, length: number): KeptBody {
    const isShared = segment.byteOffset === 0 && segment.length >= this.most;
    const known = isShared ? beginnings.get(segment.buffer) : undefined;
    if (known?.length === this.most) return { kept: known, length, weight: 0 };
    const kept = keepBytes(segment, this.most);
    if (isShared) beginnings.set(segment.buffer, kept);
    return { kept, length, weight: kept.length + bufferWeight };
  }

  /** Several segments, the first of which is short: no store of ours makes them. */
  #join(segments: readonly Uint8Array[], length: number): KeptBody {
    const kept = new Uint8Array(Math.min(length, this.most));
    let offset = 0;
    for (const segment of segments) {
      const part = segment.subarray(0, kept.length - offset);
      kept.set(part, offset);
      offset += part.length;
    }
    return { kept, length, weight: kept.length + bufferWeight };
  }
}
