import type { OperationId } from '../../contracts/case.ts';
import { parsePetId } from '../inventory/pet-id.ts';
import { quoteText } from '../json/cut-text.ts';
import type { ExchangeVerdict, JournalQuery } from './journal-entry.ts';

export type ParsedJournalQuery =
  | { readonly ok: true; readonly query: JournalQuery }
  /** What is wrong, and what was expected, in a sentence. */
  | { readonly ok: false; readonly problem: string };

/** How long one may wait for an exchange, in seconds. */
export const longestWait = 60;
/** How many exchanges one may ask for at once. */
export const largestPage = 1000;

const operations: readonly OperationId[] = ['listInventory', 'updateInventory'];
const verdicts: readonly ExchangeVerdict['verdict'][] = ['pass', 'fail', 'inconclusive'];

interface Parameter {
  readonly expected: string;
  /** `undefined` where the value is wrong. */
  parse(text: string): JournalQuery[keyof JournalQuery];
}

const integer = (text: string, minimum: number, maximum: number): number | undefined => {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return value >= minimum && value <= maximum ? value : undefined;
};

const parameters: { readonly [Name in keyof JournalQuery]-?: Parameter } = {
  operation: {
    expected: operations.join(' or '),
    parse: (text) => operations.find((known) => known === text),
  },
  petId: { expected: 'an int64 in its shortest decimal form', parse: parsePetId },
  method: {
    // Methods are case-sensitive (RFC 9110, section 9.1), and those that match are in capitals.
    expected: 'a method in capitals, such as PATCH',
    parse: (text) => (/^[A-Z\d!#$%&'*+.^_`|~-]+$/.test(text) ? text : undefined),
  },
  status: {
    expected: 'a status from 100 to 599, or 0 where nothing was answered',
    parse: (text) => (text === '0' ? 0 : integer(text, 100, 599)),
  },
  verdict: {
    expected: verdicts.join(' or '),
    parse: (text) => verdicts.find((known) => known === text),
  },
  after: {
    expected: 'the sequence of an exchange, an integer from 0 up',
    parse: (text) => integer(text, 0, Number.MAX_SAFE_INTEGER),
  },
  limit: {
    expected: `an integer from 1 to ${largestPage}`,
    parse: (text) => integer(text, 1, largestPage),
  },
  wait: {
    expected: `a number of seconds from 0 to ${longestWait}`,
    parse: (text) =>
      /^\d{1,2}(?:\.\d{1,9})?$/.test(text) && Number(text) <= longestWait
        ? Number(text)
        : undefined,
  },
};

/** Reads what a journal is asked for: `operation=updateInventory&petId=12&wait=5`. */
export function parseJournalQuery(search: URLSearchParams): ParsedJournalQuery {
  const query: Record<string, unknown> = {};
  for (const [name, text] of search) {
    if (!isParameter(name)) {
      const names = Object.keys(parameters).join(', ');
      return refuse(`there is no parameter ${quoteText(name)}; the parameters are ${names}`);
    }
    if (Object.hasOwn(query, name)) return refuse(`${name} must stand once; it stands twice`);
    const parameter = parameters[name];
    const value = parameter.parse(text);
    if (value === undefined) {
      return refuse(`${name} must be ${parameter.expected}; got ${quoteText(text)}`);
    }
    query[name] = value;
  }
  return { ok: true, query };
}

const isParameter = (name: string): name is keyof JournalQuery => Object.hasOwn(parameters, name);

const refuse = (problem: string): ParsedJournalQuery => ({ ok: false, problem });
