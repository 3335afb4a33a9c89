import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreUnavailableError } from '../../inventory/store.ts';
import type { RedisClient } from './redis-client.ts';
import type { RedisTarget } from './redis-url.ts';
import type { Script } from './scripts.ts';

/** What a script is called with. */
export interface ScriptCall {
  readonly script: Script;
  readonly keys: readonly string[];
  readonly args: readonly string[];
}

export interface ConnectionOptions extends Pick<RedisTarget, 'timeout' | 'wait' | 'waitTimeout'> {
  /** What the server is called in messages. */
  readonly name: string;
  /** Whether an error of the client is an answer of the server. */
  readonly isReply: (error: unknown) => boolean;
}

/** How often a connection without traffic is tried, in milliseconds. */
const pingInterval = 1000;

/** After so many seconds it is worth trying again. */
export const retryAfterSeconds = 1;

/**
 * One connection to one server, until it is lost. Whatever is asked of it is answered or fails
 * within the timeout, and nothing is ever sent twice.
 */
export class Connection {
  readonly address: string;
  /** Resolves with the reason when the connection is lost. */
  readonly lost: Promise<Error>;
  readonly #client: RedisClient;
  readonly #options: ConnectionOptions;
  readonly #lose: (reason: Error) => void;
  #isLost = false;
  #lastAnswer = Date.now();
  readonly #pinging: NodeJS.Timeout;
  /** The acknowledgement that a write can still join, … */
  #joining: Promise<void> | undefined;
  /** … and the one that the server is busy with. */
  #waiting: Promise<void> | undefined;

  constructor(client: RedisClient, address: string, options: ConnectionOptions) {
    this.#client = client;
    this.address = address;
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<Error>();
    this.lost = promise;
    this.#lose = resolve;
    client.on('error', (error) => this.drop(toError(error)));
    client.on('end', () => this.drop(new Error('it closed the connection')));
    this.#pinging = setInterval(() => this.#ping(), pingInterval).unref();
  }

  /** What the server is called in messages. */
  get server(): string {
    return this.#options.name;
  }

  get client(): RedisClient {
    return this.#client;
  }

  /** Gives the connection up; what is under way on it fails. */
  drop(reason: Error): void {
    if (this.#isLost) return;
    this.#isLost = true;
    clearInterval(this.#pinging);
    this.#lose(reason);
    this.#client.destroy();
  }

  /** Sends a command as it is. */
  send(args: readonly string[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const { timeout, name } = this.#options;
        const late = new TimeoutError(name, timeout);
        reject(late);
        // Whoever comes next is not to wait as long.
        this.drop(late);
      }, this.#options.timeout);
      const answer = (reply: unknown): void => {
        clearTimeout(timer);
        this.#lastAnswer = Date.now();
        resolve(reply);
      };
      const fail = (error: unknown): void => {
        clearTimeout(timer);
        const cause = toError(error);
        const reply = this.#options.isReply(error)
          ? new ReplyError(cause.message, this.#options.name)
          : undefined;
        reject(reply ?? cause);
        // It is a replica now: the name that led here may lead to the master by now, and what was
        // learnt here holds no longer.
        if (isReply(reply, 'READONLY')) this.drop(reply);
      };
      this.#client.sendCommand(args).then(answer, fail);
    });
  }

  /**
   * Runs a script in one round trip, two where the server does not know it yet. A script that writes
   * is answered when the replicas that are asked for have the write.
   *
   * @throws {StoreUnavailableError} where too few replicas have acknowledged it in time
   */
  async run({ script, keys, args }: ScriptCall, isAsking = false): Promise<unknown> {
    const { text, sha1, writes, isOrdered } = script;
    const rest = [String(keys.length), ...keys, ...args];
    if (isOrdered !== true) {
      try {
        return await this.#evaluate(['EVALSHA', sha1, ...rest], writes, isAsking);
      } catch (error) {
        if (!isReply(error, 'NOSCRIPT')) throw error;
      }
    }
    return this.#evaluate(['EVAL', text, ...rest], writes, isAsking);
  }

  async #evaluate(
    command: readonly string[],
    writes: boolean,
    isAsking: boolean,
  ): Promise<unknown> {
    // Before the command, so that both go out together.
    const acknowledgement =
      writes && this.#options.wait > 0 ? (this.#joining ??= this.#acknowledge()) : undefined;
    // No other command comes in between.
    if (isAsking) this.send(['ASKING']).catch(() => {});
    const writing = this.send(command);
    if (acknowledgement === undefined) return writing;
    // It is heard of below, unless the write fails first.
    acknowledgement.catch(() => {});
    const written = await writing;
    await acknowledgement;
    return written;
  }

  /**
   * One acknowledgement for all that is written until it is asked for, and one at a time: the server
   * answers nothing else on the connection meanwhile.
   */
  async #acknowledge(): Promise<void> {
    await (this.#waiting ?? nextTurn());
    this.#joining = undefined;
    const waiting = this.#wait();
    const settled = waiting.catch(() => {});
    this.#waiting = settled;
    try {
      await waiting;
    } finally {
      if (this.#waiting === settled) this.#waiting = undefined;
    }
  }

  async #wait(): Promise<void> {
    const { wait, waitTimeout, name } = this.#options;
    const known = await this.send(['WAIT', String(wait), String(waitTimeout)]).then(
      (replicas) => {
        if (Number(replicas) >= wait) return undefined;
        return `${String(replicas)} of ${wait} replicas have acknowledged the write within ${waitTimeout} ms`;
      },
      (error: unknown) => {
        // As when the server becomes a replica just now, or the user has no right to ask.
        if (error instanceof ReplyError) return `no replica can be waited for (${error.message})`;
        throw error;
      },
    );
    if (known === undefined) return;
    throw new StoreUnavailableError(
      `${name}: ${known}; it was made, but a fail-over may undo it`,
      retryAfterSeconds,
    );
  }

  #ping(): void {
    if (Date.now() - this.#lastAnswer < pingInterval) return;
    // Where there is no answer, sending drops the connection.
    this.send(['PING']).catch(() => {});
  }
}

/** There was no answer in time: what became of the command is unknown. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
  /** Without the name of the server. */
  readonly what: string;

  constructor(server: string, milliseconds: number) {
    const what = `has not answered within ${milliseconds} ms`;
    super(`${server} ${what}`);
    this.what = `it ${what}`;
  }
}

/** The server has answered with an error. */
export class ReplyError extends Error {
  override readonly name = 'ReplyError';
  /** What the server is called in messages. */
  readonly server: string;

  constructor(message: string, server: string) {
    super(message);
    this.server = server;
  }
}

/** Whether the server has answered with this error. */
export function isReply(error: unknown, code: string): error is ReplyError {
  return error instanceof ReplyError && error.message.startsWith(`${code} `);
}

export function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
