import {
  isJsonObject,
  NumberLiteral,
  parseExactJson,
  readInteger,
  type ExactJson,
  type ExactJsonObject,
} from '../src/json/exact-json.ts';
import type { ClauseId } from './clauses.ts';

/** What the contract says of the body of an update. */
export type UpdateReading =
  /** It must be refused. */
  | { readonly kind: 'invalid'; readonly clause: ClauseId }
  /** It may be applied. */
  | {
      readonly kind: 'valid';
      /** Left out: it cannot be told, so any integer will do. */
      readonly quantity?: bigint;
      /** The clauses behind decisions that allow a refusal as well. Left out: it must be applied. */
      readonly refusable?: readonly ClauseId[];
    };

const invalid = (clause: ClauseId): UpdateReading => ({ kind: 'invalid', clause });

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Reads the body of an update as the specification and its decisions do. Not with the parser of the
 * mock: who judges the mock must not share its mistakes.
 */
export function readUpdate(body: Uint8Array): UpdateReading {
  let text: string;
  try {
    text = strict.decode(body);
  } catch {
    // Some decoders put U+FFFD for what is no UTF-8: what can be read then may be applied.
    return refusable(readText(lenient.decode(body)), '4/json-bodies');
  }
  // RFC 8259, section 8.1: a parser may ignore a byte order mark, and need not.
  if (text.startsWith('\uFEFF')) return refusable(readText(text.slice(1)), '4/json-bodies');
  return readText(text);
}

/** A body that may be refused, whatever else is right with it. */
function refusable(reading: UpdateReading, clause: ClauseId): UpdateReading {
  return reading.kind === 'invalid'
    ? invalid(clause)
    : { ...reading, refusable: [clause, ...(reading.refusable ?? [])] };
}

function readText(text: string): UpdateReading {
  if (/^[ \t\r\n]*$/.test(text)) return invalid('4.2/body-required');
  const parsed = parseExactJson(text);
  if (!parsed.ok) {
    // JSON that only our parser cannot read, since it is nested too deeply.
    return isJson(text)
      ? { kind: 'valid', refusable: ['2/update-quantity-required'] }
      : invalid('4/json-bodies');
  }
  if (!isJsonObject(parsed.value)) return invalid('4.2/body-is-an-object');
  return readFields(parsed.value, text);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function readFields(fields: ExactJsonObject, text: string): UpdateReading {
  // RFC 8259, section 4: what a repeated name means is not predictable.
  if (repeatsQuantity(text)) return { kind: 'valid', refusable: ['2/update-quantity-required'] };
  if (!Object.hasOwn(fields, 'quantity')) return invalid('2/update-quantity-required');
  const reading = readQuantity(fields['quantity']);
  return reading.kind === 'valid' && Object.keys(fields).length > 1
    ? refusable(reading, '2/update-quantity-required')
    : reading;
}

const highestCertain = 2_147_483_647n;

function readQuantity(value: ExactJson | undefined): UpdateReading {
  if (typeof value !== 'bigint' && !(value instanceof NumberLiteral)) {
    return invalid('2/update-quantity-integer');
  }
  const reading = readInteger(value);
  if (reading.kind === 'fraction') return invalid('2/update-quantity-integer');
  // More digits than we read.
  if (reading.kind === 'too-long') return { kind: 'valid', refusable: ['2/quantity-integer'] };
  const { value: quantity, plain } = reading;
  const isCertain = plain && quantity >= 0n && quantity <= highestCertain;
  return isCertain
    ? { kind: 'valid', quantity }
    : { kind: 'valid', quantity, refusable: ['2/update-quantity-integer', '2/quantity-integer'] };
}

/** Whether the name quantity stands twice, at any depth: that is seldom enough to ask no further. */
function repeatsQuantity(text: string): boolean {
  let count = 0;
  // Every string, so that none is looked into, and then only the names.
  for (const [, string = '', colon] of text.matchAll(/"((?:[^"\\]|\\.)*)"([ \t\r\n]*:)?/g)) {
    if (colon !== undefined && unescape(string) === 'quantity') count += 1;
  }
  return count > 1;
}

function unescape(string: string): unknown {
  return string.includes('\\') ? JSON.parse(`"${string}"`) : string;
}
