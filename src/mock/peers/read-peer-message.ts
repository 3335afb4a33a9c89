import { petStatuses } from '../../../contracts/pet-status.ts';
import {
  isJsonObject,
  NumberLiteral,
  parseExactJson,
  type ExactJson,
  type ExactJsonObject,
} from '../../json/exact-json.ts';
import type { ChangedItem } from '../diff.ts';
import type { BodyView, ExchangeVerdict, JournalEntry } from '../journal-entry.ts';
import { parseJournalQuery } from '../journal-query.ts';
import { messageVersion, type JournalOf, type PeerMessage, type Sender } from './peer-message.ts';
import { serverNumbers } from './sequence-clock.ts';

/** Longer messages are nobody's of ours, in characters. */
const longestMessage = 4_194_304;

/** Longer lists and short texts are none either. */
const longestList = 1000;
const longestName = 200;
const longestText = 65_536;

/**
 * Reads what another process tells. It may be of another version, or be no process of ours at all.
 *
 * @returns `undefined` for what cannot be understood
 */
export function readPeerMessage(
  text: string,
): { readonly sender: Sender; readonly message: PeerMessage } | undefined {
  if (text.length > longestMessage) return undefined;
  const parsed = parseExactJson(text);
  if (!parsed.ok) return undefined;
  try {
    const fields = toFields(parsed.value);
    if (toNumber(fields['version']) !== messageVersion) return undefined;
    const sender = {
      from: toMatch(fields['from'], /^[a-z0-9-]{1,64}$/),
      server: toNumber(fields['server'], serverNumbers - 1),
    };
    return { sender, message: toMessage(fields) };
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined;
    throw error;
  }
}

class NotUnderstood extends Error {}

function toMessage(fields: ExactJsonObject): PeerMessage {
  const kind = fields['kind'];
  switch (kind) {
    case 'hello':
      return { kind };
    case 'question':
      return {
        ...toJournalOf(fields),
        kind,
        id: toNumber(fields['id']),
        query: toQuery(fields['query']),
        mark: toNumber(fields['mark']),
        ...optional('upTo', fields['upTo'], toNumber),
      };
    case 'answer':
      return {
        kind,
        id: toNumber(fields['id']),
        exchanges: toList(fields['exchanges'], toEntry),
        last: toNumber(fields['last']),
        isLastPart: toBoolean(fields['isLastPart']),
      };
    case 'clear':
      return { ...toJournalOf(fields), kind, id: toNumber(fields['id']) };
    case 'watch':
      return {
        ...toJournalOf(fields),
        kind,
        id: toNumber(fields['id']),
        query: toQuery(fields['query']),
      };
    case 'unwatch':
    case 'seen':
      return { kind, id: toNumber(fields['id']) };
    case 'follow':
      return {
        kind,
        ...optional('sandboxes', fields['sandboxes'], (ids) => toList(ids, toSandboxId)),
      };
    case 'exchanges':
      return {
        kind,
        exchanges: toList(fields['exchanges'], (part) => {
          const { sandbox, exchange } = toFields(part);
          return { sandbox: toSandboxId(sandbox), exchange: toEntry(exchange) };
        }),
        dropped: toNumber(fields['dropped']),
      };
    case 'deleted':
      return { kind, sandbox: toSandboxId(fields['sandbox']) };
    default:
      throw new NotUnderstood();
  }
}

function toJournalOf({ sandbox, createdAt }: ExactJsonObject): JournalOf {
  return { sandbox: toSandboxId(sandbox), createdAt: toNumber(createdAt) };
}

function toEntry(value: ExactJson | undefined): JournalEntry {
  const fields = toFields(value);
  const request = toFields(fields['request']);
  const response = toFields(fields['response']);
  return {
    sequence: toNumber(fields['sequence']),
    at: toMatch(fields['at'], /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    // A clock that was set back makes it negative.
    duration: toFinite(fields['duration']),
    ...optional('operation', fields['operation'], (name) =>
      toOneOf(name, ['listInventory', 'updateInventory'] as const),
    ),
    ...optional('petId', fields['petId'], toInteger),
    request: {
      method: toText(request['method']),
      path: toText(request['path']),
      headers: toList(request['headers'], toHeader),
      body: toBodyView(request['body']),
    },
    response: {
      status: toNumber(response['status'], 999),
      headers: toList(response['headers'], toHeader),
      body: toBodyView(response['body']),
    },
    verdict: toVerdict(fields['verdict']),
    ...optional('refusal', fields['refusal'], toText),
    ...optional('change', fields['change'], toChange),
    ...optional('fault', fields['fault'], (fault) => {
      const { id, kind } = toFields(fault);
      return { id: toText(id, longestName), kind: toText(kind, longestName) };
    }),
  };
}

function toHeader(value: ExactJson | undefined): readonly [string, string] {
  const [name, text, ...others] = toList(value, toText);
  if (name === undefined || text === undefined || others.length > 0) throw new NotUnderstood();
  return [name, text];
}

function toBodyView(value: ExactJson | undefined): BodyView {
  const { length, text, isCut } = toFields(value);
  return { length: toNumber(length), text: toText(text), isCut: toBoolean(isCut) };
}

function toVerdict(value: ExactJson | undefined): ExchangeVerdict {
  const { verdict, clauses, findings } = toFields(value);
  return {
    verdict: toOneOf(verdict, ['pass', 'fail', 'inconclusive'] as const),
    clauses: toList(clauses, toText),
    findings: toList(findings, toText),
  };
}

function toChange(value: ExactJson | undefined): ChangedItem {
  const { petId, before, after } = toFields(value);
  return { petId: toInteger(petId), before: toStock(before), after: toStock(after) };
}

function toStock(value: ExactJson | undefined): ChangedItem['before'] {
  const { quantity, status } = toFields(value);
  return { quantity: toInteger(quantity), status: toOneOf(status, petStatuses) };
}

function toQuery(value: ExactJson | undefined): PeerQuery {
  const parsed = parseJournalQuery(new URLSearchParams(toText(value)));
  if (!parsed.ok) throw new NotUnderstood();
  return parsed.query;
}

type PeerQuery = Extract<ReturnType<typeof parseJournalQuery>, { readonly ok: true }>['query'];

function optional<Name extends string, T>(
  name: Name,
  value: ExactJson | undefined,
  convert: (value: ExactJson) => T,
): { readonly [name in Name]?: T } {
  // A computed name is any text to the type checker.
  return (value === undefined ? {} : { [name]: convert(value) }) as { readonly [name in Name]?: T };
}

function toFields(value: ExactJson | undefined): ExactJsonObject {
  if (value === undefined || !isJsonObject(value)) throw new NotUnderstood();
  return value;
}

function toList<T>(
  value: ExactJson | undefined,
  convert: (part: ExactJson | undefined) => T,
): readonly T[] {
  if (!Array.isArray(value) || value.length > longestList) throw new NotUnderstood();
  return (value as readonly ExactJson[]).map((part) => convert(part));
}

function toText(value: ExactJson | undefined, longest: number = longestText): string {
  if (typeof value !== 'string' || value.length > longest) throw new NotUnderstood();
  return value;
}

function toMatch(value: ExactJson | undefined, pattern: RegExp): string {
  const text = toText(value, longestName);
  if (!pattern.test(text)) throw new NotUnderstood();
  return text;
}

const toSandboxId = (value: ExactJson | undefined): string => toMatch(value, /^[a-z0-9-]{1,64}$/);

function toOneOf<T extends string>(value: ExactJson | undefined, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new NotUnderstood();
  return found;
}

function toBoolean(value: ExactJson | undefined): boolean {
  if (typeof value !== 'boolean') throw new NotUnderstood();
  return value;
}

function toInteger(value: ExactJson | undefined): bigint {
  if (typeof value !== 'bigint') throw new NotUnderstood();
  return value;
}

function toFinite(value: ExactJson | undefined): number {
  const number = value instanceof NumberLiteral ? Number(value.source) : value;
  if (typeof number !== 'number' && typeof number !== 'bigint') throw new NotUnderstood();
  if (!Number.isFinite(Number(number))) throw new NotUnderstood();
  return Number(number);
}

/** A number from 0 to a most. */
function toNumber(value: ExactJson | undefined, most: number = Number.MAX_SAFE_INTEGER): number {
  const number = toFinite(value);
  if (number < 0 || number > most) throw new NotUnderstood();
  return number;
}
