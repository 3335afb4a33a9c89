import { describeChange } from '../blame.ts';
import {
  concludeReport,
  countVerdicts,
  describeRun,
  explainFinding,
  groupLeftOut,
  toMatrix,
} from '../explain.ts';
import type { Report, Result, Verdict } from '../report.ts';
import type { Reporter, ReporterKind, ReporterOutput } from '../reporter.ts';

/** So many results are explained in full; the others are named. */
const explainedLimit = 20;

/** For people: progress while it runs, then failures explained, the matrix and the conclusion. */
export const terminalReporter: ReporterKind = {
  name: 'terminal',
  description: 'for people: failures explained, operation × status',
  create: createTerminalReporter,
};

function createTerminalReporter(output: ReporterOutput): Reporter {
  const paint = createPainter(output.hasColours);
  let judged = 0;
  let failed = 0;
  let subjects = 0;
  return {
    onStart(start) {
      subjects = start.subjects;
      output.write(`Verifying ${start.baseUrl}\n`);
    },
    onResult(result) {
      judged += 1;
      if (result.verdict === 'fail') failed += 1;
      if (!output.isTerminal) return;
      const failures = failed === 0 ? '' : paint('fail', `, ${failed} failed`);
      output.write(`\r\u001B[K${judged} of ${subjects}${failures}`);
    },
    onEnd(report) {
      if (output.isTerminal) output.write('\r\u001B[K');
      output.write(toText(report, paint));
    },
  };
}

type Paint = (style: Verdict | 'dim' | 'bold', text: string) => string;

const codes = { pass: 32, fail: 31, inconclusive: 33, advice: 36, dim: 2, bold: 1 } as const;

function createPainter(hasColours: boolean): Paint {
  return (style, text) => (hasColours ? `\u001B[${codes[style]}m${text}\u001B[0m` : text);
}

function toText(report: Report, paint: Paint): string {
  const sections = [
    toFailures(report, 'fail', paint),
    toFailures(report, 'inconclusive', paint),
    toAdvice(report, paint),
    toMatrixText(report, paint),
    toNotes(report, paint),
    [
      ...describeCounts(report, paint),
      paint('dim', describeRun(report)),
      paint(report.exitCode === 1 ? 'fail' : report.verdict, concludeReport(report)),
    ],
  ];
  return `\n${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n')}`;
}

function toFailures(
  report: Report,
  verdict: 'fail' | 'inconclusive',
  paint: Paint,
): readonly string[] {
  const results = report.results.filter((result) => result.verdict === verdict);
  const explained = results.slice(0, explainedLimit);
  const others = results.slice(explainedLimit);
  const lines = toExplained(explained, verdict, paint);
  return others.length === 0
    ? lines
    : [
        ...lines,
        '',
        `and ${others.length} more (--reporter json tells all of them):`,
        ...others.map(({ id }) => `  ${id}`),
      ];
}

/** What is inconclusive for one reason is told once. */
function toExplained(
  results: readonly Result[],
  verdict: 'fail' | 'inconclusive',
  paint: Paint,
): readonly string[] {
  const mark = verdict === 'fail' ? '✗' : '?';
  if (verdict === 'inconclusive') {
    const reasons = Map.groupBy(results, ({ findings }) => findings[0]?.message ?? '');
    return [...reasons].flatMap(([reason, group]) => [
      paint(verdict, `${mark} ${group.length} could not be judged: ${reason}`),
      ...group.map(({ id }) => paint('dim', `    ${id}`)),
    ]);
  }
  return results.flatMap(({ id, title, findings }, index) => [
    ...(index === 0 ? [] : ['']),
    `${paint(verdict, `${mark} ${id}`)} ${title}`,
    ...findings.flatMap((finding) =>
      explainFinding(finding).map((line, row) => `    ${row === 0 ? paint('bold', line) : line}`),
    ),
  ]);
}

function toAdvice({ advice }: Report, paint: Paint): readonly string[] {
  return advice.map(
    ({ message, cases }) =>
      `${paint('advice', '! advice:')} ${message}${paint('dim', ` (${describeCases(cases)})`)}`,
  );
}

function describeCases(cases: readonly string[]): string {
  return cases.length === 1 ? (cases[0] ?? '') : `${cases[0]} and ${cases.length - 1} more`;
}

function toMatrixText({ results }: Report, paint: Paint): readonly string[] {
  if (results.length === 0) return [];
  const matrix = toMatrix(results);
  const width = 16;
  const head = ['', ...matrix.statuses.map(String)].map((cell) => cell.padEnd(width)).join('');
  return [
    paint('bold', head.trimEnd()),
    ...matrix.rows.map(({ operation, cells }) =>
      (
        operation.padEnd(width) + cells.map((cell) => toCell(cell, width, paint)).join('')
      ).trimEnd(),
    ),
  ];
}

function toCell(results: readonly Result[], width: number, paint: Paint): string {
  if (results.length === 0) return paint('dim', '–'.padEnd(width));
  const { fail, inconclusive, advice, pass } = countVerdicts(results);
  if (fail > 0) return paint('fail', `✗ ${fail} of ${results.length}`.padEnd(width));
  if (inconclusive > 0) {
    return paint('inconclusive', `? ${inconclusive} of ${results.length}`.padEnd(width));
  }
  return paint(advice > 0 ? 'advice' : 'pass', `✓ ${pass + advice}`.padEnd(width));
}

function toNotes(report: Report, paint: Paint): readonly string[] {
  const lines = [...groupLeftOut(report)].map(([reason, ids]) =>
    paint('dim', `left out: ${reason} (${describeCases(ids)})`),
  );
  for (const change of report.footprint.notRestored) {
    lines.push(paint('inconclusive', `not restored: ${describeChange(change)}; ${change.reason}`));
  }
  return lines;
}

function describeCounts({ results }: Report, paint: Paint): readonly string[] {
  if (results.length === 0) return [];
  const counts = countVerdicts(results);
  const names = {
    fail: 'failed',
    inconclusive: 'inconclusive',
    advice: 'with advice',
    pass: 'passed',
  };
  const parts = (['fail', 'inconclusive', 'advice', 'pass'] as const)
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => paint(verdict, `${counts[verdict]} ${names[verdict]}`));
  return [parts.join(', ')];
}
