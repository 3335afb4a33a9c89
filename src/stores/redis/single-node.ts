import type { Connect } from './link.ts';
import type { Connection } from './connection.ts';
import { assertUsable, type Connector } from './connect.ts';
import { explain, toStoreError } from './errors.ts';
import { NodeLinks } from './node-links.ts';
import type { MakeCall, RedisNodes } from './nodes.ts';
import type { RedisAddress } from './redis-url.ts';
import { toError } from './connection.ts';

/** One server, or the one of several that the sentinels call the master. */
export class SingleNode implements RedisNodes {
  onChange: (() => void) | undefined;
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
    const [role] = (await connection.send(['ROLE'])) as readonly unknown[];
    if (role === 'master') return connection;
    const notYet = new Error(`${connection.address} is not the master (yet)`);
    connection.drop(notYet);
    throw notYet;
  };

  async #askSentinels(): Promise<RedisAddress> {
    const reasons: string[] = [];
    for (const address of this.#connector.target.addresses) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- the next one only where this one fails
        return await this.#askSentinel(address);
      } catch (error) {
        reasons.push(explain(toError(error)));
      }
    }
    throw new Error(`no sentinel knows the master: ${reasons.join('; ')}`);
  }

  async #askSentinel(address: RedisAddress): Promise<RedisAddress> {
    const { masterName = '' } = this.#connector.target;
    const sentinel = await this.#connector.connectToSentinel(address);
    try {
      const command = ['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', masterName];
      const reply = (await sentinel.send(command)) as readonly [string, string] | null;
      if (reply === null) {
        throw new Error(`${sentinel.address} knows no master "${masterName}"`);
      }
      return { host: reply[0], port: Number(reply[1]) };
    } finally {
      sentinel.drop(new Error('it was asked'));
    }
  }
}
