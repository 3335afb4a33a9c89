import type { Answer } from '../case.ts';
import { petStatuses } from '../pet-status.ts';
import type { StateItem } from '../provider-states.ts';
import type {
  Matcher,
  MatcherList,
  MatcherTable,
  PactBody,
  PactResponse,
} from './pact-document.ts';

const all = (...matchers: readonly Matcher[]): MatcherList => ({ combine: 'AND', matchers });

const regex = (pattern: string): Matcher => ({ match: 'regex', regex: pattern });

const json = (content: unknown): PactBody => ({
  content,
  contentType: 'application/json',
  encoded: false,
});

const anyString = all({ match: 'type' });

/**
 * Not Pact's matcher `integer`: it refuses 1.0, which is an integer (decision `integer-notation`).
 * A verifier compares the number as it prints it, and prints what 64 bits cannot hold with an
 * exponent.
 */
const anyInteger = all({ match: 'number' }, regex(String.raw`^(-?\d+(\.0)?|-?\d(\.\d+)?e\+?\d+)$`));

const anyStatus = all(regex(`^(${petStatuses.join('|')})$`));

/** One of some integers, by value. */
function integerAmong(values: readonly bigint[]): MatcherList {
  const patterns = values.map(toPrintedPattern).join('|');
  return all({ match: 'number' }, regex(String.raw`^(${patterns})(\.0)?$`));
}

const uint64Maximum = 2n ** 64n - 1n;
const int64Minimum = -(2n ** 63n);

/** How a verifier prints an integer. Beyond 64 bits it keeps only what a double can hold. */
function toPrintedPattern(value: bigint): string {
  return value >= int64Minimum && value <= uint64Maximum
    ? `${value}`
    : `${Number(value)}`.replace('.', String.raw`\.`).replace('+', String.raw`\+?`);
}

const headers = { 'Content-Type': ['application/json'] };

const header: MatcherTable = {
  'Content-Type': all(regex(String.raw`(?i)^application/json\s*(;.*)?$`)),
};

/** A list in which every entry has the shape of an item. There must be one at least. */
export function expectList(example: readonly StateItem[]): PactResponse {
  return {
    status: 200,
    headers,
    body: json(example.slice(0, 1)),
    matchingRules: {
      header,
      body: {
        $: all({ match: 'type', min: 1 }),
        '$[*].petId': anyInteger,
        '$[*].quantity': anyInteger,
        '$[*].status': anyStatus,
      },
    },
  };
}

/** A list that has these items, in any order and among any others. */
export function expectListWith(items: readonly StateItem[]): PactResponse {
  const variants = items.map(({ petId, quantity }, index) => ({
    index,
    rules: {
      '$.petId': integerAmong([petId]),
      '$.quantity': integerAmong([quantity]),
      '$.status': anyStatus,
    },
  }));
  return {
    status: 200,
    headers,
    body: json(items),
    matchingRules: { header, body: { $: all({ match: 'arrayContains', variants }) } },
  };
}

export const expectEmptyList: PactResponse = {
  status: 200,
  headers,
  body: json([]),
  matchingRules: { header },
};

/** The entry of the pet that was updated: its petId and quantity are known, its status is not. */
export function expectItem(item: StateItem): PactResponse {
  return {
    status: 200,
    headers,
    body: json(item),
    matchingRules: {
      header,
      body: {
        '$.petId': integerAmong([item.petId]),
        '$.quantity': integerAmong([item.quantity]),
        '$.status': anyStatus,
      },
    },
  };
}

/** An error with one of these statuses, which its body repeats. */
export function expectError([first, ...others]: readonly [
  Answer['status'],
  ...Answer['status'][],
]): PactResponse {
  const statuses = [first, ...others];
  return {
    status: first,
    headers,
    body: json({ code: 'error_code', message: 'What was wrong.', status: first }),
    matchingRules: {
      ...(others.length === 0
        ? {}
        : { status: { $: all({ match: 'statusCode', status: statuses }) } }),
      header,
      body: {
        '$.code': anyString,
        '$.message': anyString,
        '$.status': integerAmong(statuses.map(BigInt)),
      },
    },
  };
}
