import type { MessageBoard } from '../../inventory/sandbox-storage.ts';
import { StoreUnavailableError } from '../../inventory/store.ts';
import { retryAfterSeconds } from './connection.ts';
import { slotOf, type RedisKeys } from './keys.ts';
import type { RedisNodes } from './nodes.ts';
import { postScript } from './scripts.ts';
import type { Subscriptions } from './subscriptions.ts';

/** Messages by publish and subscribe: every box is a channel, all of them in one hash slot. */
export class RedisBoard implements MessageBoard {
  readonly #nodes: RedisNodes;
  readonly #keys: RedisKeys;
  readonly #subscriptions: Subscriptions;

  constructor(nodes: RedisNodes, keys: RedisKeys, subscriptions: Subscriptions) {
    this.#nodes = nodes;
    this.#keys = keys;
    this.#subscriptions = subscriptions;
  }

  listen(box: string, listener: (message: string) => void): Promise<void> {
    return this.#subscriptions.openBox(box, listener);
  }

  async post(box: string, message: string): Promise<number> {
    if (!this.#subscriptions.hearsBoxes()) {
      throw new StoreUnavailableError('the board is not listened to just now', retryAfterSeconds);
    }
    const { channel, tag } = this.#keys.box(box);
    const call = { script: postScript, keys: [channel], args: [message] };
    return Number(await this.#nodes.call(slotOf(tag), () => call));
  }
}
