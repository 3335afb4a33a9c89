import { setTimeout as sleep } from 'node:timers/promises';
import { toError, type Connection } from './connection.ts';

const shortestPause = 50;
const longestPause = 1000;

/** Opens a connection, to whatever server it is just now. */
export type Connect = () => Promise<Connection>;

/** Is told which server was lost, and why. */
export type OnLoss = (server: string, reason: Error) => void;

/** A connection that comes back by itself when it is lost, with growing pauses between attempts. */
export class Link {
  readonly #connect: Connect;
  readonly #onConnection: (connection: Connection) => void;
  readonly #onLoss: OnLoss;
  readonly #closing = new AbortController();
  #connection: Connection | undefined;
  #failure: Error = new Error('the connection is not open yet');
  /** Settled with the outcome of the attempt that is under way. */
  #attempt: Promise<Connection>;

  constructor(
    connect: Connect,
    onConnection: (connection: Connection) => void = () => {},
    onLoss: OnLoss = () => {},
  ) {
    this.#connect = connect;
    this.#onConnection = onConnection;
    this.#onLoss = onLoss;
    this.#attempt = this.#try();
    void this.#keep();
  }

  /** `undefined` while there is none. */
  get connection(): Connection | undefined {
    return this.#connection;
  }

  /** Why there is no connection. */
  get failure(): Error {
    return this.#failure;
  }

  /** The connection, or the outcome of the attempt that is under way. */
  async connected(): Promise<Connection> {
    return this.#connection ?? this.#attempt;
  }

  close(): void {
    this.#closing.abort();
    this.#connection?.drop(new Error('the storage was closed'));
  }

  async #keep(): Promise<void> {
    let pause = shortestPause;
    while (!this.#closing.signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one attempt after another
      const connection = await this.#attempt.catch(() => undefined);
      if (connection !== undefined) {
        pause = shortestPause;
        // oxlint-disable-next-line no-await-in-loop -- as long as it holds
        this.#failure = await connection.lost;
        this.#connection = undefined;
        if (!this.#closing.signal.aborted) this.#onLoss(connection.server, this.#failure);
      }
      // oxlint-disable-next-line no-await-in-loop -- a server that is down is not to be stormed
      await this.#rest(pause);
      pause = Math.min(pause * 2, longestPause);
      if (!this.#closing.signal.aborted) this.#attempt = this.#try();
    }
  }

  #try(): Promise<Connection> {
    const attempt = this.#open();
    // It is looked at later, or by nobody.
    attempt.catch(() => {});
    return attempt;
  }

  async #open(): Promise<Connection> {
    try {
      const connection = await this.#connect();
      if (this.#closing.signal.aborted) {
        connection.drop(new Error('the storage was closed'));
        throw new Error('the storage was closed');
      }
      this.#connection = connection;
      this.#onConnection(connection);
      return connection;
    } catch (error) {
      this.#failure = toError(error);
      throw error;
    }
  }

  async #rest(milliseconds: number): Promise<void> {
    // Not all at the same moment, when many servers have lost the same Redis.
    const pause = milliseconds * (0.5 + Math.random() / 2);
    await sleep(pause, undefined, { signal: this.#closing.signal, ref: false }).catch(() => {});
  }
}
