import type { Connection, ScriptCall } from './connection.ts';
import { toStoreError, toUnreachable } from './errors.ts';
import { Link, type Connect, type OnLoss } from './link.ts';

/** The connections to one server. */
export class NodeLinks {
  readonly #reading: Link;
  /** One of its own where writes wait for replicas: the server reads nothing on it meanwhile. */
  readonly #writing: Link;
  readonly #name: string;

  constructor(
    connect: Connect,
    waits: boolean,
    name: string,
    onConnection?: () => void,
    onLoss?: OnLoss,
  ) {
    this.#name = name;
    this.#reading = new Link(connect, onConnection, onLoss);
    this.#writing = waits ? new Link(connect, onConnection, onLoss) : this.#reading;
  }

  get isConnected(): boolean {
    return this.#reading.connection !== undefined && this.#writing.connection !== undefined;
  }

  /** A connection for what only reads. */
  get connection(): Connection | undefined {
    return this.#reading.connection;
  }

  /** Resolves when it is connected; rejects where the attempt that is under way fails. */
  async connected(): Promise<void> {
    await Promise.all([this.#reading.connected(), this.#writing.connected()]);
  }

  /**
   * Calls a script at once, or not at all.
   *
   * @throws {StoreUnavailableError} where there is no connection
   * @throws what the connection throws otherwise
   */
  call(make: (connection: Connection) => ScriptCall, isAsking = false): Promise<unknown> {
    const connection = this.#reading.connection;
    if (connection === undefined) throw toUnreachable(this.#reading.failure, this.#name);
    const call = make(connection);
    if (!call.script.writes) return connection.run(call, isAsking);
    const writing = this.#writing.connection;
    if (writing === undefined) throw toUnreachable(this.#writing.failure, this.#name);
    return writing.run(call, isAsking);
  }

  async probe(): Promise<void> {
    for (const link of new Set([this.#reading, this.#writing])) {
      const { connection } = link;
      if (connection === undefined) throw toUnreachable(link.failure, this.#name);
      try {
        // oxlint-disable-next-line no-await-in-loop -- two at most
        await connection.send(['PING']);
      } catch (error) {
        throw toStoreError(error, this.#name);
      }
    }
  }

  close(): void {
    this.#reading.close();
    this.#writing.close();
  }
}
