import type { Connection, ScriptCall } from './connection.ts';
import type { OnLoss } from './link.ts';

/** What to call, made for the server that is asked: what one knows of another may not hold there. */
export type MakeCall = (connection: Connection) => ScriptCall;

/** The servers of a Redis, however many they are. */
export interface RedisNodes {
  /** Opens the connections. Rejects where there is no Redis to be used. */
  open(): Promise<void>;
  /**
   * Calls a script where the keys of a slot are. Nothing is ever called twice; a server that answers
   * that the keys are elsewhere has not called it.
   *
   * @throws {StoreUnavailableError}
   */
  call(slot: number, make: MakeCall): Promise<unknown>;
  /** Asks every server for an answer. Rejects with what is wrong. */
  probe(): Promise<void>;
  /** The server that the events of a slot come from, as an address; `undefined` while unknown. */
  addressOf(slot: number): string | undefined;
  /** Opens a connection of its own to the server of an address, for subscriptions. */
  connectForEvents(address: string): Promise<Connection>;
  /** Another one whenever a connection is new: what was learnt before may not hold any more. */
  readonly epoch: number;
  /** Is told whenever {@link addressOf} may have changed. */
  onChange: (() => void) | undefined;
  /** Is told whenever a connection was lost that calls are made by. */
  onLoss: OnLoss | undefined;
  close(): void;
}
