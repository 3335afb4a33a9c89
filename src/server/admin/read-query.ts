import { quoteText } from '../../json/cut-text.ts';
import { AdminRefusal } from './admin-answer.ts';

/** A query that is wrong: 400. */
export function refuseQuery(name: string, expected: string, value: string): AdminRefusal {
  const message = `the query ${name}: expected ${expected}; got ${quoteText(value)}`;
  return new AdminRefusal(400, 'invalid_request', message);
}

/** Refuses names that the operation does not have: a typing error must not be ignored. */
export function checkQuery(query: URLSearchParams, names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of query.keys()) {
    if (!names.includes(name)) {
      const known = names.length === 0 ? 'the operation has none' : `there are ${names.join(', ')}`;
      throw new AdminRefusal(
        400,
        'invalid_request',
        `the query ${quoteText(name)}: there is no such parameter; ${known}`,
      );
    }
    if (seen.has(name)) {
      throw new AdminRefusal(400, 'invalid_request', `the query ${name}: expected it once only`);
    }
    seen.add(name);
  }
}

export function readIntegerOf(
  query: URLSearchParams,
  name: string,
  minimum: number,
  maximum: number,
): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  throw refuseQuery(name, `an integer from ${minimum} to ${maximum}`, text);
}

export function readChoiceOf<T extends string>(
  query: URLSearchParams,
  name: string,
  choices: readonly T[],
): T | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const choice = choices.find((known) => known === text);
  if (choice === undefined) throw refuseQuery(name, `one of ${choices.join(', ')}`, text);
  return choice;
}
