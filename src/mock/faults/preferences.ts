import type { OperationId } from '../../../contracts/case.ts';
import { quoteText } from '../../json/cut-text.ts';
import type { MockResponse } from '../exchange.ts';
import { documentedStatuses, type DocumentedStatus } from '../override.ts';

/** What a request asks for in `Prefer` (RFC 7240), as far as the mock knows it. */
export interface Preferences {
  /** `code=404`: the status to answer with; 200 lets the operation run. */
  readonly code?: DocumentedStatus[OperationId];
  /** `wait=2`: how long to wait with the answer, in seconds. */
  readonly wait?: number;
}

export type ParsedPreferences =
  ({ readonly ok: true } & Preferences) | { readonly ok: false; readonly message: string };

/** In seconds. */
const longestWait = 60;

/**
 * Reads a `Prefer` header, its lines joined. Preferences that the mock does not know are ignored, and
 * so are parameters; where one stands twice, the first counts (RFC 7240, section 2).
 */
export function parsePreferences(header: string, operation: OperationId): ParsedPreferences {
  const values = readPreferences(header);
  const [code, wait] = [values.get('code'), values.get('wait')];
  const statuses = documentedStatuses[operation];
  const status = statuses.find((known) => String(known) === code);
  if (code !== undefined && status === undefined) {
    const hint = code === '503' || code === '429' ? `; a fault rule can answer ${code}` : '';
    return {
      ok: false,
      message: `Prefer: code must be one of ${statuses.join(', ')}, the statuses that the specification documents for ${operation}; got ${quoteText(code)}${hint}`,
    };
  }
  if (wait !== undefined && !(/^\d{1,9}$/.test(wait) && Number(wait) <= longestWait)) {
    return {
      ok: false,
      message: `Prefer: wait must be a whole number of seconds from 0 to ${longestWait}; got ${quoteText(wait)}`,
    };
  }
  return {
    ok: true,
    ...(status === undefined ? {} : { code: status }),
    ...(wait === undefined ? {} : { wait: Number(wait) }),
  };
}

/** One preference: a comma in quotes does not end it. */
const preferencePattern = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g;
const tokenPattern = /^\s*([^\s=;"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*)))?/;

/** Names in lower case, with their values; no value is an empty one. */
function readPreferences(header: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [preference] of header.matchAll(preferencePattern)) {
    const [, name, quoted, plain = ''] = tokenPattern.exec(preference) ?? [];
    if (name !== undefined && !values.has(name.toLowerCase())) {
      values.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? plain.trim());
    }
  }
  return values;
}

/** Says in a response which preferences made it what it is. */
export function withPreferencesApplied(
  response: MockResponse,
  { code, wait }: Preferences,
): MockResponse {
  const applied = [
    // Where 200 was asked for, the operation ran, and may have said something else.
    ...(code === response.status ? [`code=${code}`] : []),
    ...(wait === undefined ? [] : [`wait=${wait}`]),
  ];
  if (code === undefined && wait === undefined) return response;
  const headers = [
    ...response.headers,
    'Vary',
    'Prefer',
    ...(applied.length === 0
      ? []
      : [
          'Preference-Applied',
          applied.join(', '),
          'Access-Control-Expose-Headers',
          'Preference-Applied',
        ]),
  ];
  return { ...response, headers };
}
