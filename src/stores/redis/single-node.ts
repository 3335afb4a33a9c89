import type { Connect, OnLoss } from './link.ts';
import type { Connection } from './connection.ts';
import { assertUsable, type Connector } from './connect.ts';
import { toTroubleError } from './connect-trouble.ts';
import { toStoreError } from './errors.ts';
import { NodeLinks } from './node-links.ts';
import type { MakeCall, RedisNodes } from './nodes.ts';
import { toAddressName, type RedisAddress } from './redis-url.ts';
import { gatherTroubles, TroubleError } from './trouble.ts';

/** One server, or the one of several that the sentinels call the master. */
export class SingleNode implements RedisNodes {
  onChange: (() => void) | undefined;
  onLoss: OnLoss | undefined;
  readonly #connector: Connector;
  readonly #links: NodeLinks;
  #epoch = 0;

  constructor(connector: Connector) {
    this.#connector = connector;
    const { wait, name } = connector.target;
    this.#links = new NodeLinks(
      () => this.#connect(),
      wait > 0,
      name,
      () => {
        this.#epoch += 1;
        this.onChange?.();
      },
      (server, reason) => this.onLoss?.(server, reason),
    );
  }

  get epoch(): number {
    return this.#epoch;
  }

  async open(): Promise<void> {
    await this.#links.connected();
    const { connection } = this.#links;
    if (connection !== undefined) await assertUsable(connection, this.#connector.target);
  }

  async call(_slot: number, make: MakeCall): Promise<unknown> {
    try {
      return await this.#links.call(make);
    } catch (error) {
      throw toStoreError(error, this.#connector.target.name);
    }
  }

  probe(): Promise<void> {
    return this.#links.probe();
  }

  addressOf(): string | undefined {
    return this.#links.connection?.address;
  }

  connectForEvents(): Promise<Connection> {
    return this.#connect();
  }

  close(): void {
    this.#links.close();
  }

  readonly #connect: Connect = async () => {
    const { kind, addresses } = this.#connector.target;
    const [address] = addresses;
    if (kind === 'single' && address !== undefined) return this.#connector.connect(address);
    const connection = await this.#connector.connect(await this.#askSentinels());
    // Sentinels may still name the one that was the master a moment ago.
    const trouble = await this.#findNoMaster(connection);
    if (trouble === undefined) return connection;
    connection.drop(trouble);
    throw trouble;
  };

  async #findNoMaster(connection: Connection): Promise<TroubleError | undefined> {
    const { address: name } = connection;
    try {
      const [role] = (await connection.send(['ROLE'])) as readonly unknown[];
      if (role === 'master') return undefined;
    } catch (error) {
      return toTroubleError(error, {
        name,
        target: this.#connector.target,
        isSentinel: false,
      });
    }
    return new TroubleError({ what: `${name}, which the sentinels name, is not the master yet` });
  }

  async #askSentinels(): Promise<RedisAddress> {
    const troubles: TroubleError[] = [];
    for (const address of this.#connector.target.addresses) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- the next one only where this one fails
        return await this.#askSentinel(address);
      } catch (error) {
        const { target } = this.#connector;
        const name = toAddressName(address);
        troubles.push(toTroubleError(error, { name, target, isSentinel: true }));
      }
    }
    throw gatherTroubles('no sentinel knows the master', troubles);
  }

  async #askSentinel(address: RedisAddress): Promise<RedisAddress> {
    const { masterName = '' } = this.#connector.target;
    const sentinel = await this.#connector.connectToSentinel(address);
    try {
      const command = ['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', masterName];
      const reply = (await sentinel.send(command)) as readonly [string, string] | null;
      if (reply === null) {
        throw new TroubleError({
          what: `${sentinel.address} knows no master "${masterName}"`,
          remedy: 'Write the name that "sentinel monitor" gives it behind the last /',
        });
      }
      return { host: reply[0], port: Number(reply[1]) };
    } finally {
      sentinel.drop(new Error('it was asked'));
    }
  }
}
