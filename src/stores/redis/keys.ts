import { createHash } from 'node:crypto';

/** How many hash slots a Redis Cluster has. */
export const slotCount = 16_384;

/** The names of the keys of one installation. All keys of a sandbox lie in one hash slot. */
export class RedisKeys {
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** In the order that every script expects them in. */
  ofSandbox(id: string): readonly string[] {
    const tagged = `${this.#prefix}:{${id}}`;
    return [
      `${tagged}:sandbox`,
      `${tagged}:items`,
      `${tagged}:log`,
      `${tagged}:snapshots`,
      `${tagged}:snapshot-rows`,
      `${tagged}:bases`,
      `${tagged}:counters`,
    ];
  }

  /** Says which sandbox a key opens, where that does not follow from the key. */
  alias(hash: string): string {
    return `${this.#prefix}:{${hash}}:alias`;
  }

  /** The channel that tells what happens in a sandbox. */
  channel(id: string): string {
    return `${this.#prefix}:{${id}}:events`;
  }

  /** The channel of a box of the message board. All boxes have one tag. */
  box(name: string): { readonly channel: string; readonly tag: string } {
    // No id, as that of the index.
    const tag = 'BOARD';
    return { channel: `${this.#prefix}:{${tag}}:${name}`, tag };
  }

  seed(digest: string): string {
    return `${this.#prefix}:seed:{${digest}}`;
  }

  /** Says who needs a seed. */
  holders(digest: string): string {
    return `${this.seed(digest)}:holders`;
  }

  /** All sandboxes by their creation, and by their expiry; the channel of their coming and going. */
  index(): { readonly keys: readonly string[]; readonly channel: string; readonly tag: string } {
    // A tag that is no id: those have no upper-case letters.
    const tag = 'INDEX';
    const tagged = `${this.#prefix}:{${tag}}`;
    return { keys: [`${tagged}:created`, `${tagged}:expiry`], channel: `${tagged}:events`, tag };
  }
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/**
 * The id of the sandbox that an API key opens: so a key leads to its sandbox in one step, and is
 * itself nowhere stored. 110 bits of SHA-256.
 */
export function idOfKey(apiKey: string): string {
  return digestOf(apiKey).slice(0, 22);
}

/** SHA-256 of a text in base 32, in lower case. */
export function digestOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest();
  let digest = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      digest += alphabet[(value >>> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return digest;
}

// CRC-16/XMODEM, as the Cluster specification asks.
const crcTable = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  return crc;
});

/** The hash slot of the keys with a tag: of what stands between their braces. */
export function slotOf(tag: string): number {
  let crc = 0;
  for (const byte of Buffer.from(tag)) {
    crc = ((crc << 8) ^ (crcTable[((crc >> 8) ^ byte) & 0xff] ?? 0)) & 0xffff;
  }
  return crc % slotCount;
}
