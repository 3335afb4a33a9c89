import { sentenceOf } from '../../contracts/clauses.ts';
import { describeChange } from './blame.ts';
import type { Finding, Report, Result, Verdict } from './report.ts';

/** Explains a finding in lines of plain text: the clause, what is wrong, what was sent and came. */
export function explainFinding(finding: Finding): readonly string[] {
  const { clause, message, evidence, changes = [], steps } = finding;
  const lines = [message];
  if (clause !== undefined) lines.push(`clause ${clause}: ${sentenceOf(clause)}`);
  if (changes.length > 0) {
    lines.push('in the inventory:', ...indent(changes.slice(0, changeLimit).map(describeChange)));
    if (changes.length > changeLimit) lines.push(`  and ${changes.length - changeLimit} more`);
  }
  if (steps !== undefined) lines.push('sent, one after another:', ...indent(steps));
  if (evidence !== undefined) {
    if (steps === undefined) lines.push('sent:', ...indent([evidence.curl]));
    lines.push('came back:', ...indent([evidence.received]));
    lines.push(...indent(evidence.headers.map(([name, value]) => `${name}: ${value}`)));
    if (evidence.body !== '') lines.push(...indent(evidence.body.split('\n')));
  }
  return lines;
}

const changeLimit = 6;

function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

/** How many results have each verdict. */
export function countVerdicts(results: readonly Result[]): { readonly [V in Verdict]: number } {
  const count = (verdict: Verdict): number =>
    results.filter((result) => result.verdict === verdict).length;
  return {
    fail: count('fail'),
    inconclusive: count('inconclusive'),
    advice: count('advice'),
    pass: count('pass'),
  };
}

/** What the run came to, in a sentence. */
export function concludeReport(report: Report): string {
  const { verdict, reason, strict, leftOut } = report;
  // What needs a state-change URL is left out of most runs.
  const scope =
    leftOut.length <= 1
      ? ''
      : ` in all that was judged; ${leftOut.length} cases and checks were left out`;
  const because = reason === undefined ? '' : `: ${reason}`;
  switch (verdict) {
    case 'pass':
      return `The provider conforms${scope}.`;
    case 'advice':
      return strict
        ? 'The provider conforms, but not without advice, which --strict counts as failure.'
        : `The provider conforms${scope}. There is advice.`;
    case 'inconclusive':
      return `Inconclusive${because || ': not everything could be judged'}.`;
    case 'fail':
      return `The provider does not conform${because}.`;
  }
}

/** What the run was and did, in one line. */
export function describeRun(report: Report): string {
  const { requests, durationMs, seed, footprint } = report;
  const { writes, restored, notRestored } = footprint;
  const kept = notRestored.length === 0 ? '' : `, ${notRestored.length} NOT restored`;
  return `${requests} requests in ${(durationMs / 1000).toFixed(2)} s, ${writes} writes, ${restored} quantities restored${kept}; --seed ${seed} repeats it`;
}

/** A row for each operation, a column for each status that is expected. */
export interface Matrix {
  readonly statuses: readonly number[];
  readonly rows: readonly {
    readonly operation: string;
    /** In the order of the columns. */
    readonly cells: readonly (readonly Result[])[];
  }[];
}

export function toMatrix(results: readonly Result[]): Matrix {
  const statuses = [...new Set(results.map(({ status }) => status))].toSorted((a, b) => a - b);
  const operations = [...new Set(results.map(({ operation }) => operation))].toSorted();
  return {
    statuses,
    rows: operations.map((operation) => ({
      operation,
      cells: statuses.map((status) =>
        results.filter((result) => result.operation === operation && result.status === status),
      ),
    })),
  };
}

/** Cases and checks that were left out, together with those that share the reason. */
export function groupLeftOut(report: Report): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...Map.groupBy(report.leftOut, ({ reason }) => reason)].map(([reason, group]) => [
      reason,
      group.map(({ id }) => id),
    ]),
  );
}
