import {
  describeJson,
  isJsonObject,
  maximumIntegerDigits,
  NumberLiteral,
  parseExactJson,
  readInteger,
  type ExactJson,
  type ExactJsonObject,
} from '../json/exact-json.ts';
import { quoteText } from '../json/cut-text.ts';

/** What may stand in an update, beyond what the spec says. */
export interface UpdateRules {
  /** Inclusive bounds; left out: none. */
  readonly quantityRange: { readonly minimum?: bigint; readonly maximum?: bigint };
  /** Whether `1.0` and `1e2` are integers. */
  readonly acceptsIntegerNotations: boolean;
  readonly acceptsUnknownFields: boolean;
}

export type ParsedUpdate =
  | { readonly ok: true; readonly quantity: bigint }
  /** What was wrong, where, and what was expected. */
  | { readonly ok: false; readonly message: string };

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

// What nearly every body looks like: there is nothing in it that needs the exact parser, which takes
// a fifth of the time of the whole update.
const plainUpdate =
  /^[ \t\r\n]*\{[ \t\r\n]*"quantity"[ \t\r\n]*:[ \t\r\n]*(0|-?[1-9]\d{0,17})[ \t\r\n]*\}[ \t\r\n]*$/;

const example = '{"quantity": 5}';

const refused = (message: string): ParsedUpdate => ({ ok: false, message });

/** Reads an InventoryUpdate (spec, section 2) from the bytes of a request body. */
export function parseUpdate(body: Uint8Array, rules: UpdateRules): ParsedUpdate {
  if (body.length === 0) {
    return refused(`the request has no body; expected a JSON object such as ${example}`);
  }
  let text: string;
  try {
    text = decoder.decode(body);
  } catch {
    return refused('the body is not valid JSON: its bytes are not UTF-8');
  }
  const plain = plainUpdate.exec(text)?.[1];
  if (plain !== undefined) return toQuantity(BigInt(plain), rules);
  if (text.startsWith('\uFEFF')) {
    return refused(
      'the body is not valid JSON: it begins with a byte order mark, which JSON must not (RFC 8259, section 8.1)',
    );
  }
  const parsed = parseExactJson(text);
  if (!parsed.ok) return refused(`the body is not valid JSON: ${parsed.problem}`);
  if (!isJsonObject(parsed.value)) {
    return refused(
      `the body must be a JSON object such as ${example}; got ${describeJson(parsed.value)}`,
    );
  }
  return readQuantity(parsed.value, rules);
}

function readQuantity(update: ExactJsonObject, rules: UpdateRules): ParsedUpdate {
  if (!Object.hasOwn(update, 'quantity')) return refused(describeMissing(Object.keys(update)));
  const quantity = toQuantity(update['quantity'], rules);
  if (quantity.ok && !rules.acceptsUnknownFields) {
    const unknown = Object.keys(update).find((name) => name !== 'quantity');
    if (unknown !== undefined) {
      return refused(`the field ${quoteText(unknown)} is unknown; expected quantity alone`);
    }
  }
  return quantity;
}

function toQuantity(value: ExactJson | undefined, rules: UpdateRules): ParsedUpdate {
  const refuse = (expected: string): ParsedUpdate =>
    refused(`quantity must ${expected}; got ${describeJson(value)}`);
  if (typeof value !== 'bigint' && !(value instanceof NumberLiteral)) {
    return refuse('be an integer');
  }
  const reading = readInteger(value);
  if (reading.kind === 'fraction') return refuse('be an integer');
  if (reading.kind === 'too-long') return refuse(`have at most ${maximumIntegerDigits} digits`);
  if (!reading.plain && !rules.acceptsIntegerNotations) {
    return refuse('be written as a plain integer, such as 5');
  }
  const { minimum, maximum } = rules.quantityRange;
  if (minimum !== undefined && reading.value < minimum) return refuse(`be at least ${minimum}`);
  if (maximum !== undefined && reading.value > maximum) return refuse(`be at most ${maximum}`);
  return { ok: true, quantity: reading.value };
}

function describeMissing(names: readonly string[]): string {
  const lookalike = names.find((name) => name.trim().toLowerCase() === 'quantity');
  if (lookalike !== undefined) {
    return `quantity is missing; got ${quoteText(lookalike)}, which is another name`;
  }
  const [first] = names;
  const got = first === undefined ? 'an empty object' : `an object with ${quoteText(first)}`;
  return `quantity is missing; expected an object such as ${example}, got ${got}`;
}
