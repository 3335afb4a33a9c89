import { sentenceOf } from '../../contracts/clauses.ts';
import { describeChange } from './blame.ts';
import { plainIds } from './plain-ids.ts';
import type { Change, Evidence, Finding, Report, Result, Verdict } from './report.ts';

/** Findings about one exchange, so that it is told once. */
export interface Scene {
  readonly findings: readonly Finding[];
  readonly evidence: Evidence | undefined;
  readonly steps: readonly string[] | undefined;
}

export function toScenes(findings: readonly Finding[]): readonly Scene[] {
  const byExchange = Map.groupBy(findings, ({ evidence, steps }) =>
    JSON.stringify([evidence, steps]),
  );
  return [...byExchange.values()].map((group) => ({
    findings: group,
    evidence: group[0]?.evidence,
    steps: group[0]?.steps,
  }));
}

/**
 * Explains what was found about a case in lines of plain text: what is wrong, the clause, what was
 * sent and what came back.
 */
export function explainResult({ findings }: Pick<Result, 'findings'>): readonly string[] {
  return toScenes(findings).flatMap((scene) => [
    ...scene.findings.flatMap(explainFinding),
    ...explainExchange(scene),
  ]);
}

function explainFinding({ message, clause, changes = [] }: Finding): readonly string[] {
  return [
    message,
    ...(clause === undefined ? [] : [`clause ${clause}: ${sentenceOf(clause)}`]),
    ...(changes.length > 1 ? ['in the inventory:', ...indent(describeAll(changes))] : []),
  ];
}

/** One line for each change, as far as there is room for. */
export function describeAll(changes: readonly Change[]): readonly string[] {
  const more = changes.length - changeLimit;
  const lines = changes.slice(0, changeLimit).map(describeChange);
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

const changeLimit = 8;

function explainExchange({ evidence, steps }: Scene): readonly string[] {
  const sent = steps ?? (evidence === undefined ? [] : [evidence.curl]);
  const lines = sent.length === 0 ? [] : [`sent${steps ? ', one after another' : ''}:`];
  lines.push(...indent(sent));
  if (evidence === undefined) return lines;
  const { received, headers, body } = evidence;
  return [
    ...lines,
    'came back:',
    ...indent([received, ...headers.map(([name, value]) => `${name}: ${value}`)]),
    ...(body === '' ? [] : indent(body.split('\n'))),
  ];
}

function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

/** Puts results together that say the same, so that one cause is explained once. */
export function groupAlike(results: readonly Result[]): readonly (readonly Result[])[] {
  const groups = Map.groupBy(results, ({ id, findings }) =>
    findings
      // What should have been refused and was not has a cause of its own each time.
      .map(({ at, clause, message, received }) =>
        at === 'status' && received === '200' ? id : `${clause} ${message}`,
      )
      .join('\n'),
  );
  return [...groups.values()].map((group) =>
    group.toSorted((one, other) => rankOf(one) - rankOf(other)),
  );
}

/** A plain request shows a cause best, a check over many requests shows it worst. */
function rankOf({ id }: Result): number {
  if (Object.values<string>(plainIds).includes(id)) return 0;
  return id.startsWith('check/') ? 2 : 1;
}

/** "listInventory/401/empty, listInventory/401/basic and 12 more". */
export function nameSome(ids: readonly string[], limit = 3): string {
  const more = ids.length - limit;
  return ids.slice(0, limit).join(', ') + (more > 0 ? ` and ${more} more` : '');
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
  const sentence = concludeVerdict(report);
  const lost = describeNotRestored(report);
  return lost === '' ? sentence : `${sentence} Mind: ${lost}.`;
}

function concludeVerdict(report: Report): string {
  const { verdict, reason, strict } = report;
  const scope = describeScope(report);
  const because = reason === undefined ? '' : `: ${reason}`;
  switch (verdict) {
    case 'pass':
      return `The provider conforms${scope}.`;
    case 'advice':
      return strict
        ? 'The provider conforms, but not without advice, which --strict counts as failure.'
        : `The provider conforms${scope}. There is advice.`;
    case 'inconclusive':
      return endSentence(`Inconclusive: ${reason ?? findMainObstacle(report.results)}`);
    case 'fail':
      return endSentence(`The provider does not conform${because}`);
  }
}

const endSentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);

function describeScope({ leftOut, isPartial }: Report): string {
  // What needs a state-change URL is left out of most runs.
  if (leftOut.length > 1) {
    return ` in all that was judged; ${leftOut.length} cases and checks were left out`;
  }
  return isPartial ? ' in all that was judged' : '';
}

/** What kept most of those that are inconclusive from being judged. */
function findMainObstacle(results: readonly Result[]): string {
  const messages = results
    .filter(({ verdict }) => verdict === 'inconclusive')
    .map(({ findings }) => findings[0]?.message ?? 'not everything could be judged');
  const groups = [...Map.groupBy(messages, (message) => message).values()];
  const [main] = groups.toSorted((a, b) => b.length - a.length);
  return main?.[0] ?? 'nothing could be judged';
}

/** "2 statuses NOT restored", or nothing. */
function describeNotRestored({ footprint: { notRestored } }: Report): string {
  const statuses = notRestored.filter(
    ({ expected, received }) => expected !== undefined && expected.quantity === received?.quantity,
  ).length;
  const entries = notRestored.length - statuses;
  return [
    ...(statuses === 0 ? [] : [`${countOf(statuses, 'status', 'statuses')} NOT restored`]),
    ...(entries === 0 ? [] : [`${countOf(entries, 'entry', 'entries')} NOT restored`]),
  ].join(', ');
}

const countOf = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

/** What the run was and did, in one line. */
export function describeRun(report: Report): string {
  const { requests, durationMs, seed, footprint } = report;
  const { writes, restored } = footprint;
  const lost = describeNotRestored(report);
  const facts = [
    `${countOf(requests, 'request', 'requests')} in ${(durationMs / 1000).toFixed(2)} s`,
    countOf(writes, 'write', 'writes'),
    `${countOf(restored, 'quantity', 'quantities')} restored`,
    ...(lost === '' ? [] : [lost]),
  ];
  return `${facts.join(', ')}; --seed ${seed} repeats it`;
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
