import { StoreUnavailableError } from '../../inventory/store.ts';
import { assertUsable, type Connector } from './connect.ts';
import { toTroubleError } from './connect-trouble.ts';
import { isReply, retryAfterSeconds, type Connection } from './connection.ts';
import { toStoreError } from './errors.ts';
import { slotCount } from './keys.ts';
import type { OnLoss } from './link.ts';
import { NodeLinks } from './node-links.ts';
import type { MakeCall, RedisNodes } from './nodes.ts';
import { toAddressName, type RedisAddress } from './redis-url.ts';
import { gatherTroubles, TroubleError } from './trouble.ts';

/** How often the cluster is asked who has which slots while a master is missing, in milliseconds. */
const watchInterval = 200;

/** How often a call is sent on to another node before it is given up. */
const mostRedirections = 4;

/**
 * The masters of a Redis Cluster. A call goes to the master of its slot at once or fails at once;
 * where the cluster says that the slot is elsewhere, it goes there.
 */
export class ClusterNodes implements RedisNodes {
  onChange: (() => void) | undefined;
  onLoss: OnLoss | undefined;
  readonly #connector: Connector;
  readonly #name: string;
  /** By address. */
  readonly #nodes = new Map<string, NodeLinks>();
  /** The address of the master of every slot. */
  readonly #owners: (string | undefined)[] = Array.from({ length: slotCount });
  #isRefreshing = false;
  #epoch = 0;
  /** Whether the owners are known to be wrong. */
  #isStale = false;
  #watch: NodeJS.Timeout | undefined;

  constructor(connector: Connector) {
    this.#connector = connector;
    this.#name = connector.target.name;
  }

  get epoch(): number {
    return this.#epoch;
  }

  async open(): Promise<void> {
    await this.#learnFromRoots();
    await Promise.all([...this.#nodes.values()].map((node) => node.connected()));
    this.#watch = setInterval(() => {
      if (this.#isStale || !this.#isComplete()) this.#refresh();
    }, watchInterval).unref();
  }

  async call(slot: number, make: MakeCall): Promise<unknown> {
    let address = this.#owners[slot];
    let isAsking = false;
    for (let redirections = 0; redirections <= mostRedirections; redirections += 1) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- from one node to the next
        return await this.#nodeOf(slot, address).call(make, isAsking);
      } catch (error) {
        const target = this.#redirect(slot, error, address);
        if (target === undefined) throw this.#fail(error);
        ({ address, isAsking } = target);
        // oxlint-disable-next-line no-await-in-loop -- a node may be new
        await this.#meet(address);
      }
    }
    throw this.#fail(
      new StoreUnavailableError(
        `${this.#name} sent a command on more than ${mostRedirections} times; nothing was changed`,
        retryAfterSeconds,
      ),
    );
  }

  async probe(): Promise<void> {
    const orphan = this.#owners.indexOf(undefined);
    if (orphan !== -1) this.#nodeOf(orphan, undefined);
    await Promise.all(this.#masters().map((node) => node.probe()));
  }

  addressOf(slot: number): string | undefined {
    return this.#owners[slot];
  }

  connectForEvents(address: string): Promise<Connection> {
    return this.#connector.connect(parseAddress(address));
  }

  close(): void {
    clearInterval(this.#watch);
    for (const node of this.#nodes.values()) node.close();
  }

  #nodeOf(slot: number, address: string | undefined): NodeLinks {
    const node = address === undefined ? undefined : this.#nodes.get(address);
    if (node !== undefined) return node;
    throw new StoreUnavailableError(
      `${this.#name} has no master for slot ${slot}; nothing was changed`,
      retryAfterSeconds,
    );
  }

  /** Where a node sends a call to; `undefined` where the error is no redirection. */
  #redirect(
    slot: number,
    error: unknown,
    asked = '',
  ): { readonly address: string; readonly isAsking: boolean } | undefined {
    const isMoved = isReply(error, 'MOVED');
    if (!isMoved && !isReply(error, 'ASK')) return undefined;
    const [, , named = ''] = error.message.split(' ');
    // A node that does not know addresses leaves the host out: it is the one that we asked.
    const address = named.startsWith(':') ? `${parseAddress(asked).host}${named}` : named;
    if (isMoved) {
      this.#owners[slot] = address;
      this.#isStale = true;
      this.#refresh();
    }
    return { address, isAsking: !isMoved };
  }

  #fail(error: unknown): Error {
    // The node may have been replaced: ask now, not when the next interval is over.
    if (!isReply(error, 'NOPERM')) this.#refresh();
    if (isReply(error, 'CLUSTERDOWN')) this.#isStale = true;
    return toStoreError(error, this.#name);
  }

  async #meet(address: string): Promise<void> {
    try {
      await this.#node(address).connected();
    } catch (error) {
      throw this.#fail(error);
    }
  }

  #node(address: string): NodeLinks {
    const known = this.#nodes.get(address);
    if (known !== undefined) return known;
    const { wait } = this.#connector.target;
    const connect = (): Promise<Connection> => this.#connector.connect(parseAddress(address));
    const node = new NodeLinks(
      connect,
      wait > 0,
      this.#name,
      () => {
        this.#epoch += 1;
      },
      (server, reason) => this.onLoss?.(server, reason),
    );
    this.#nodes.set(address, node);
    return node;
  }

  #masters(): readonly NodeLinks[] {
    return [...new Set(this.#owners)].flatMap((address) => {
      const node = address === undefined ? undefined : this.#nodes.get(address);
      return node === undefined ? [] : [node];
    });
  }

  #isComplete(): boolean {
    return (
      !this.#owners.includes(undefined) && this.#masters().every(({ isConnected }) => isConnected)
    );
  }

  /** Asks who has which slots, once at a time. It never fails: the next one may do better. */
  #refresh(): void {
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    const done = (isStale: boolean): void => {
      this.#isRefreshing = false;
      this.#isStale &&= isStale;
    };
    this.#learn().then(
      () => done(false),
      () => done(true),
    );
  }

  async #learn(): Promise<void> {
    for (const { connection } of shuffle([...this.#nodes.values()])) {
      if (connection !== undefined) {
        try {
          // oxlint-disable-next-line no-await-in-loop -- the next one only where this one fails
          this.#apply(await askSlots(connection));
          return;
        } catch {
          // The next node may know.
        }
      }
    }
    await this.#learnFromRoots();
  }

  async #learnFromRoots(): Promise<void> {
    const { target } = this.#connector;
    const troubles: TroubleError[] = [];
    for (const address of target.addresses) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- the next one only where this one fails
        this.#apply(await this.#askRoot(address));
        return;
      } catch (error) {
        if (error instanceof UnusableError) throw error;
        const name = toAddressName(address);
        troubles.push(toTroubleError(error, { name, target, isSentinel: false }));
      }
    }
    throw gatherTroubles('none of its nodes can be asked', troubles);
  }

  async #askRoot(address: RedisAddress): Promise<ReadonlyMap<number, string>> {
    const connection = await this.#connector.connect(address);
    try {
      await assertUsable(connection, this.#connector.target).catch((error: unknown) => {
        throw error instanceof TroubleError ? new UnusableError(error.trouble) : error;
      });
      return await askSlots(connection);
    } finally {
      connection.drop(new Error('it was asked'));
    }
  }

  #apply(owners: ReadonlyMap<number, string>): void {
    for (let slot = 0; slot < slotCount; slot += 1) this.#owners[slot] = owners.get(slot);
    const masters = new Set(owners.values());
    for (const address of masters) this.#node(address);
    for (const [address, node] of this.#nodes) {
      if (!masters.has(address)) {
        this.#nodes.delete(address);
        node.close();
      }
    }
    this.onChange?.();
  }
}

/** It answers, but is not what we can use: another node will not be either. */
class UnusableError extends TroubleError {}

async function askSlots(connection: Connection): Promise<ReadonlyMap<number, string>> {
  const ranges = (await connection.send(['CLUSTER', 'SLOTS'])) as readonly (readonly [
    first: number,
    last: number,
    master: readonly [host: string | null, port: number],
  ])[];
  const owners = new Map<number, string>();
  for (const [first, last, [host, port]] of ranges) {
    // A node that does not know its own address leaves it out: it is the one that we asked.
    const address = toAddressName({ host: host || parseAddress(connection.address).host, port });
    for (let slot = first; slot <= last; slot += 1) owners.set(slot, address);
  }
  if (owners.size === 0) {
    throw new TroubleError({
      what: `${connection.address} belongs to a cluster that has no slots yet`,
      remedy: 'Make the nodes a cluster: redis-cli --cluster create',
    });
  }
  return owners;
}

/** Reads what Redis writes: `host:port`, and the host may hold colons too. */
function parseAddress(address: string): RedisAddress {
  const colon = address.lastIndexOf(':');
  return { host: address.slice(0, colon), port: Number(address.slice(colon + 1)) };
}

function shuffle<T>(values: T[]): T[] {
  return values
    .map((value) => ({ value, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ value }) => value);
}
