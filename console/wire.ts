import { NumberLiteral, parseExactJson } from '../src/json/exact-json.ts';
import type { AdminItem, FaultView } from '../src/admin/admin-api.ts';

/** What the admin API sends beyond `src/admin/admin-api.ts`, and how its JSON is read. */

export type PetStatus = AdminItem['status'];

export const petStatuses: readonly PetStatus[] = ['available', 'pending', 'sold'];

/** `GET /_stockcheck/fixtures`: something that a sandbox can be seeded from. */
export interface FixtureView {
  readonly name: string;
  readonly pets?: number;
  readonly scenarios: readonly string[];
}

export interface DecisionView {
  readonly id: string;
  readonly question: string;
  /** The name of the answer that a mock gives unless it is told otherwise. */
  readonly default: string;
  readonly choices: readonly { readonly name: string; readonly meaning?: string }[];
}

export interface CaseView {
  readonly id: string;
  readonly title: string;
  readonly operation: string;
  readonly status: number;
  readonly clauses: readonly string[];
}

/** `GET /_stockcheck/contract`. */
export interface ContractView {
  readonly clauses: readonly { readonly id: string; readonly sentence: string }[];
  readonly decisions: readonly DecisionView[];
  readonly cases: readonly CaseView[];
}

export type Verdict = 'pass' | 'fail' | 'inconclusive' | 'advice';

export interface FindingView {
  readonly verdict: Exclude<Verdict, 'pass'>;
  readonly clause?: string;
  readonly message: string;
  readonly at?: string;
  readonly expected?: string;
  readonly received?: string;
  readonly evidence?: {
    readonly curl: string;
    readonly received: string;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body: string;
  };
  readonly steps?: readonly string[];
}

/** What became of one case or check of a verification. */
export interface ResultView {
  readonly id: string;
  readonly title: string;
  readonly operation: string;
  readonly status: number;
  readonly clauses: readonly string[];
  readonly verdict: Verdict;
  readonly findings: readonly FindingView[];
}

export interface ReportView {
  readonly baseUrl: string;
  readonly durationMs: number;
  readonly requests: number;
  readonly verdict: Verdict;
  readonly isPartial: boolean;
  readonly reason?: string;
  readonly results: readonly ResultView[];
  readonly leftOut: readonly { readonly id: string; readonly reason: string }[];
  readonly advice: readonly { readonly message: string; readonly cases: readonly string[] }[];
  readonly choices: readonly {
    readonly decision: string;
    readonly question: string;
    readonly choices: readonly string[];
  }[];
  readonly footprint: { readonly writes: number; readonly restored: number };
}

/** `POST /_stockcheck/verifications`. */
export interface VerificationRequest {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly sandbox?: string;
  readonly readOnly?: boolean;
}

/** A line of the stream that it answers with. */
export type VerificationLine =
  | { readonly type: 'start'; readonly subjects: number }
  | { readonly type: 'result'; readonly result: ResultView }
  | { readonly type: 'end'; readonly report: ReportView }
  | { readonly type: 'error'; readonly error: { readonly message: string } };

export interface FaultList {
  readonly faults: readonly FaultView[];
}

/** Fields that hold integers of any size; every other number of the admin API is a small one. */
const exactFields = new Set(['petId', 'quantity', 'minimum', 'maximum']);

/**
 * Reads an answer of the admin API: `petId` and `quantity` are `bigint`, other numbers are not.
 *
 * @throws {SyntaxError} where the text is no JSON
 */
export function parseWire(text: string): unknown {
  const parsed = parseExactJson(text);
  if (!parsed.ok) throw new SyntaxError(parsed.problem);
  return toPlain(parsed.value, '');
}

function toPlain(value: unknown, name: string): unknown {
  if (typeof value === 'bigint') return exactFields.has(name) ? value : Number(value);
  if (value instanceof NumberLiteral) return Number(value.source);
  if (typeof value !== 'object' || value === null) return value;
  // In place: ten thousand items need no second copy.
  if (Array.isArray(value)) {
    const parts = value as unknown[];
    for (let index = 0; index < parts.length; index += 1)
      parts[index] = toPlain(parts[index], name);
    return parts;
  }
  const fields = value as Record<string, unknown>;
  for (const key of Object.keys(fields)) fields[key] = toPlain(fields[key], key);
  return fields;
}
