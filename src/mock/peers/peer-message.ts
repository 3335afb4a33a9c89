import { stringifyExactJson } from '../../json/exact-json.ts';
import type { JournalEntry, JournalQuery } from '../journal-entry.ts';

/** Whose journal a message is about. */
export interface JournalOf {
  readonly sandbox: string;
  /** A sandbox that was made later with the same key has the same id. */
  readonly createdAt: number;
}

/** Asks everybody for the exchanges that match. */
export interface JournalQuestion extends JournalOf {
  readonly kind: 'question';
  readonly id: number;
  readonly query: JournalQuery;
  /** Whoever has read this makes only higher sequences. */
  readonly mark: number;
  /** Only exchanges with at most this sequence. Left out: all. */
  readonly upTo?: number;
}

/** A part of an answer to a question, to whoever asked it. */
export interface JournalAnswer {
  readonly kind: 'answer';
  readonly id: number;
  readonly exchanges: readonly JournalEntry[];
  /** The sequence of the last exchange, 0 where there is none. */
  readonly last: number;
  readonly isLastPart: boolean;
}

/** What processes on one storage tell each other. */
export type PeerMessage =
  /** Somebody is new. */
  | { readonly kind: 'hello' }
  | JournalQuestion
  | JournalAnswer
  /** Asks everybody to forget their exchanges; what it is answered with is empty. */
  | (JournalOf & { readonly kind: 'clear'; readonly id: number })
  /** Asks to be told, once, when an exchange matches. Lapses unless it is repeated. */
  | (JournalOf & { readonly kind: 'watch'; readonly id: number; readonly query: JournalQuery })
  | { readonly kind: 'unwatch'; readonly id: number }
  /** Tells whoever watches. */
  | { readonly kind: 'seen'; readonly id: number }
  /** Asks for the exchanges of some sandboxes as they happen. Lapses unless it is repeated. */
  | {
      readonly kind: 'follow';
      /** Empty: of none any more. Left out: of all. */
      readonly sandboxes?: readonly string[];
    }
  /** Tells whoever follows. */
  | {
      readonly kind: 'exchanges';
      readonly exchanges: readonly SandboxExchange[];
      /** How many are missing, because there were too many. */
      readonly dropped: number;
    }
  | { readonly kind: 'deleted'; readonly sandbox: string };

export interface SandboxExchange {
  readonly sandbox: string;
  readonly exchange: JournalEntry;
}

/** Who tells it. */
export interface Sender {
  /** The name of its box. */
  readonly from: string;
  /** The number that its sequences end with. */
  readonly server: number;
}

/** Messages of another version are not understood, and dropped. */
export const messageVersion = 1;

/** Writes a message as JSON. */
export function writePeerMessage({ from, server }: Sender, message: PeerMessage): string {
  const query = 'query' in message ? { query: writeQuery(message.query) } : {};
  return stringifyExactJson({ version: messageVersion, from, server, ...message, ...query });
}

/** About how many characters an exchange has, without writing it. Escapes may make it six times as many. */
export function estimateLength({ request, response }: JournalEntry): number {
  return 1000 + request.path.length + request.body.text.length + response.body.text.length;
}

/** As in a URL, so that it is read as one is. */
function writeQuery(query: JournalQuery): string {
  return new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  ).toString();
}
