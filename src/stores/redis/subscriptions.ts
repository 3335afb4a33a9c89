import type { StorageEvent } from '../../inventory/sandbox-storage.ts';
import { parseRow } from './base.ts';
import type { Connection } from './connection.ts';
import { slotOf, type RedisKeys } from './keys.ts';
import { Link } from './link.ts';
import type { RedisNodes } from './nodes.ts';

/** After so many milliseconds a subscription that failed is tried again. */
const retryPause = 500;

/** After so many new sandboxes the list of all is read again, because expired ones never say so. */
const mostNew = 1000;

interface Subscriber {
  readonly listener: (event: StorageEvent) => void;
  /** Left out: it is told of all. */
  readonly sandbox: string | undefined;
}

/** Where other processes leave messages. */
interface Box {
  readonly listener: (message: string) => void;
  /** Is told when it is heard. */
  readonly opened: () => void;
}

/** A connection that only listens, and what it listens to. */
interface Ear {
  readonly link: Link;
  readonly channels: Set<string>;
}

/**
 * Listens for what other processes change: on a channel for each sandbox, at the server that has its
 * keys, so that a change costs nothing elsewhere. Opens connections only while somebody listens. Boxes
 * of the message board are channels beside those.
 */
export class Subscriptions {
  readonly #nodes: RedisNodes;
  readonly #keys: RedisKeys;
  readonly #readIds: () => Promise<readonly string[]>;
  readonly #subscribers = new Set<Subscriber>();
  /** By channel. */
  readonly #boxes = new Map<string, Box>();
  /** By address. */
  readonly #ears = new Map<string, Ear>();
  /** All sandboxes, where somebody is to be told of all; left out: not read yet. */
  #all: Set<string> | undefined;
  #newSandboxes = 0;
  #isListOutdated = false;
  /** Those that are listened to, and those that came since: a gap may lie behind them. */
  readonly #gaps = new Set<string>();
  #isWorking = false;
  #isOutdated = false;
  #isClosed = false;

  constructor(nodes: RedisNodes, keys: RedisKeys, readIds: () => Promise<readonly string[]>) {
    this.#nodes = nodes;
    this.#keys = keys;
    this.#readIds = readIds;
    nodes.onChange = () => this.#update();
  }

  add(listener: (event: StorageEvent) => void, sandbox: string | undefined): () => void {
    const subscriber = { listener, sandbox };
    this.#subscribers.add(subscriber);
    this.#update();
    return () => {
      this.#subscribers.delete(subscriber);
      this.#update();
    };
  }

  /** Listens to a box of the message board. Resolves when it is heard for the first time. */
  openBox(name: string, listener: (message: string) => void): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#boxes.set(this.#keys.box(name).channel, { listener, opened: resolve });
    this.#update();
    return promise;
  }

  /** Whether all boxes that are listened to are heard now. */
  hearsBoxes(): boolean {
    const ears = [...this.#ears.values()].filter(({ link }) => link.connection !== undefined);
    return this.#boxes.keys().every((box) => ears.some(({ channels }) => channels.has(box)));
  }

  close(): void {
    this.#isClosed = true;
    this.#subscribers.clear();
    this.#boxes.clear();
    for (const { link } of this.#ears.values()) link.close();
    this.#ears.clear();
  }

  /** Makes the subscriptions what they should be: one pass at a time, and another where it is late. */
  #update(): void {
    this.#isOutdated = true;
    if (this.#isWorking || this.#isClosed) return;
    this.#isWorking = true;
    void this.#work().finally(() => {
      this.#isWorking = false;
    });
  }

  async #work(): Promise<void> {
    while (this.#isOutdated && !this.#isClosed) {
      this.#isOutdated = false;
      try {
        // oxlint-disable-next-line no-await-in-loop -- one pass after another
        await this.#pass();
      } catch {
        // The connection is gone, or the slot has moved: a later pass will find it.
        setTimeout(() => this.#update(), retryPause).unref();
      }
    }
  }

  async #pass(): Promise<void> {
    const wanted = await this.#wanted();
    if (this.#isClosed) return;
    const addresses = new Set<string>();
    const missing: Promise<void>[] = [];
    for (const [channel, tag] of wanted) {
      const address = this.#nodes.addressOf(slotOf(tag));
      // Not known for the moment: what there is stays.
      if (address === undefined) return;
      addresses.add(address);
      const { link, channels } = this.#ear(address);
      if (link.connection !== undefined && !channels.has(channel)) {
        missing.push(this.#listen(channel, tag, link.connection, channels));
      }
    }
    await Promise.all(missing);
    for (const [address, ear] of this.#ears) {
      if (addresses.has(address)) this.#unlisten(ear, wanted);
      else {
        this.#ears.delete(address);
        ear.link.close();
      }
    }
    const tags = new Set(wanted.values());
    for (const tag of this.#gaps) if (!tags.has(tag)) this.#gaps.delete(tag);
  }

  /** The channels to listen to, with their tags. */
  async #wanted(): Promise<ReadonlyMap<string, string>> {
    const ids = new Set<string>();
    for (const { sandbox } of this.#subscribers) if (sandbox !== undefined) ids.add(sandbox);
    const wantsAll = [...this.#subscribers].some(({ sandbox }) => sandbox === undefined);
    if (!wantsAll) this.#all = undefined;
    else if (this.#all === undefined || this.#isListOutdated) await this.#readAll();
    for (const id of this.#all ?? []) ids.add(id);
    const wanted = new Map([...ids].map((id) => [this.#keys.channel(id), id]));
    const index = this.#keys.index();
    if (wantsAll) wanted.set(index.channel, index.tag);
    for (const box of this.#boxes.keys()) wanted.set(box, this.#keys.box('').tag);
    return wanted;
  }

  #ear(address: string): Ear {
    const known = this.#ears.get(address);
    if (known !== undefined) return known;
    const channels = new Set<string>();
    const link = new Link(
      () => this.#nodes.connectForEvents(address),
      (connection) => {
        channels.clear();
        connection.client.on('sharded-channel-moved', (channel) => {
          channels.delete(String(channel));
          setTimeout(() => this.#update(), retryPause).unref();
        });
        this.#update();
      },
    );
    const ear = { link, channels };
    this.#ears.set(address, ear);
    return ear;
  }

  async #listen(
    channel: string,
    tag: string,
    { client }: Connection,
    channels: Set<string>,
  ): Promise<void> {
    const box = this.#boxes.get(channel);
    if (box !== undefined) {
      await client.sSubscribe(channel, (message) => queueMicrotask(() => box.listener(message)));
      channels.add(channel);
      box.opened();
      return;
    }
    const isIndex = channel === this.#keys.index().channel;
    await client.sSubscribe(channel, (message) => {
      if (isIndex) this.#hearOfIndex(message);
      else this.#hear(tag, message);
    });
    channels.add(channel);
    // Until now it was not heard what changed there.
    if (isIndex) this.#readAgain();
    else if (this.#gaps.has(tag) || this.#isAskedFor(tag)) {
      this.#tell({ kind: 'replaced', sandbox: tag });
    }
    this.#gaps.add(tag);
  }

  #isAskedFor(tag: string): boolean {
    return [...this.#subscribers].some(({ sandbox }) => sandbox === tag);
  }

  #unlisten({ link, channels }: Ear, wanted: ReadonlyMap<string, string>): void {
    for (const channel of channels) {
      if (!wanted.has(channel)) {
        channels.delete(channel);
        link.connection?.client.sUnsubscribe(channel).catch(() => {});
      }
    }
  }

  /** Reads which sandboxes there are, and tells of those that have come and gone unheard. */
  async #readAll(): Promise<void> {
    this.#isListOutdated = false;
    this.#newSandboxes = 0;
    const ids = new Set(await this.#readIds());
    const before = this.#all;
    this.#all = ids;
    if (before === undefined) return;
    for (const sandbox of ids) {
      if (!before.has(sandbox)) {
        this.#gaps.add(sandbox);
        this.#tellAll({ kind: 'created', sandbox });
      }
    }
    for (const sandbox of before) {
      if (!ids.has(sandbox)) {
        this.#gaps.delete(sandbox);
        this.#tellAll({ kind: 'deleted', sandbox });
      }
    }
  }

  #readAgain(): void {
    this.#isListOutdated = true;
    this.#update();
  }

  #hearOfIndex(message: string): void {
    const [kind, sandbox = ''] = message.split(' ');
    if (kind === 'deleted') {
      this.#all?.delete(sandbox);
      this.#gaps.delete(sandbox);
      this.#tellAll({ kind, sandbox });
    } else if (kind === 'created') {
      this.#all?.add(sandbox);
      this.#gaps.add(sandbox);
      this.#newSandboxes += 1;
      this.#tellAll({ kind, sandbox });
    }
    if (this.#newSandboxes >= mostNew) this.#readAgain();
    else this.#update();
  }

  #hear(sandbox: string, message: string): void {
    const [kind, ...words] = message.split(' ');
    if (kind === 'change') this.#tell({ kind, sandbox, item: parseChange(words) });
    if (kind === 'replaced' || kind === 'settings' || kind === 'snapshots') {
      this.#tell({ kind, sandbox });
    }
    // Those who listen to all hear it from the index.
    if (kind === 'deleted') this.#tell({ kind, sandbox }, false);
  }

  #tell(event: StorageEvent, includesAll = true): void {
    for (const { listener, sandbox } of this.#subscribers) {
      if (sandbox === event.sandbox || (sandbox === undefined && includesAll)) {
        notify(listener, event);
      }
    }
  }

  #tellAll(event: StorageEvent): void {
    for (const { listener, sandbox } of this.#subscribers) {
      if (sandbox === undefined) notify(listener, event);
    }
  }
}

/** The client must not meet the listener's errors. */
function notify(listener: (event: StorageEvent) => void, event: StorageEvent): void {
  queueMicrotask(() => listener(event));
}

function parseChange([petId = '', quantity, status, was, had]: readonly string[]): Extract<
  StorageEvent,
  { kind: 'change' }
>['item'] {
  return {
    petId: BigInt(petId),
    ...parseRow(`${quantity} ${status}`),
    previous: parseRow(`${was} ${had}`),
  };
}
