import { slotOf, type RedisKeys } from './keys.ts';
import type { RedisNodes } from './nodes.ts';
import type { Replica } from './replica.ts';

/**
 * For so long, in milliseconds, what a process knows of a sandbox is taken for true without a word
 * from Redis. Every operation on its inventory checks it again.
 */
const trusted = 1000;

/** What Redis says of a sandbox. */
export interface Description {
  /** The digest of what it started with. */
  readonly seed: string;
  /** What its rows differ from: `seed:<digest>` or `own:<digest>`. */
  readonly base: string;
  /** Another one whenever the settings or the expiry change. */
  readonly version: string;
  readonly settings: string;
  /** In milliseconds since the epoch. */
  readonly expiresAt: number | undefined;
  /** The hash of the key that opens it, where that is not its id. */
  readonly alias: string;
}

export function parseDescription(reply: unknown): Description {
  const [seed = '', base = '', version = '', settings = '', expiresAt = '', alias = ''] =
    reply as readonly string[];
  return {
    seed,
    base,
    version,
    settings,
    expiresAt: expiresAt === '' ? undefined : Number(expiresAt),
    alias,
  };
}

/** What this process knows of a sandbox. Every answer of Redis may correct it. */
export class SandboxState {
  readonly id: string;
  readonly slot: number;
  readonly keys: readonly string[];
  readonly channel: string;
  /** The copy of the inventory that this process has. */
  replica: Replica | undefined;
  readonly #nodes: RedisNodes;
  #description: Description;
  #confirmedAt = 0;
  /** On which connections it was confirmed. */
  #epoch = 0;

  constructor(id: string, keys: RedisKeys, description: Description, nodes: RedisNodes) {
    this.id = id;
    this.slot = slotOf(id);
    this.keys = keys.ofSandbox(id);
    this.channel = keys.channel(id);
    this.#nodes = nodes;
    this.#description = description;
    this.confirm();
  }

  get description(): Description {
    return this.#description;
  }

  /** Whether Redis has confirmed it a moment ago, and nothing speaks against it. */
  get isTrusted(): boolean {
    const { expiresAt = Infinity } = this.#description;
    return (
      performance.now() - this.#confirmedAt <= trusted &&
      this.#epoch === this.#nodes.epoch &&
      Date.now() < expiresAt
    );
  }

  confirm(): void {
    this.#confirmedAt = performance.now();
    this.#epoch = this.#nodes.epoch;
  }

  learn(description: Description): void {
    this.#description = description;
    this.confirm();
  }
}
