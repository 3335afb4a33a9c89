import { describeChange } from '../blame.ts';
import {
  concludeReport,
  countVerdicts,
  describeRun,
  explainResult,
  groupAlike,
  groupLeftOut,
  nameSome,
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
    toFailures(report, paint),
    toInconclusive(report, paint),
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

function toFailures({ results }: Report, paint: Paint): readonly string[] {
  const groups = groupAlike(results.filter(({ verdict }) => verdict === 'fail'));
  const others = groups.slice(explainedLimit).flat();
  const lines = groups
    .slice(0, explainedLimit)
    .flatMap((group, index) => [...(index === 0 ? [] : ['']), ...toFailure(group, paint)]);
  if (others.length > 0) {
    lines.push('', `and ${others.length} more (--reporter json tells all of them):`);
    lines.push(...others.map(({ id }) => `  ${id}`));
  }
  return lines;
}

function toFailure(group: readonly Result[], paint: Paint): readonly string[] {
  const [first, ...others] = group;
  if (first === undefined) return [];
  const ids = nameSome(
    others.map(({ id }) => id),
    6,
  );
  return [
    `${paint('fail', `✗ ${first.id}`)} ${first.title}`,
    ...explainResult(first).map((line, row) => `    ${row === 0 ? paint('bold', line) : line}`),
    ...(others.length === 0 ? [] : [paint('dim', `    the same with ${ids}`)]),
  ];
}

/** What is inconclusive for one reason is told once. */
function toInconclusive({ results }: Report, paint: Paint): readonly string[] {
  const groups = groupAlike(results.filter(({ verdict }) => verdict === 'inconclusive'));
  return groups.flatMap((group) => [
    paint(
      'inconclusive',
      `? ${group.length} could not be judged: ${group[0]?.findings[0]?.message}`,
    ),
    paint(
      'dim',
      `    ${nameSome(
        group.map(({ id }) => id),
        6,
      )}`,
    ),
  ]);
}

function toAdvice({ advice }: Report, paint: Paint): readonly string[] {
  return advice.map(
    ({ message, cases }) =>
      `${paint('advice', '! advice:')} ${message}${paint('dim', ` (${nameSome(cases, 1)})`)}`,
  );
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
    paint('dim', `left out: ${reason} (${nameSome(ids, 1)})`),
  );
  for (const change of report.footprint.notRestored) {
    lines.push(paint('inconclusive', `not restored: ${describeChange(change)}; ${change.reason}`));
  }
  return lines;
}

function describeCounts({ results }: Report, paint: Paint): readonly string[] {
  if (results.length === 0) return [];
  const counts = countVerdicts(results);
  const { fail, inconclusive, advice, pass } = counts;
  const parts = [
    ...(fail === 0 ? [] : [paint('fail', `${fail} failed`)]),
    ...(inconclusive === 0 ? [] : [paint('inconclusive', `${inconclusive} inconclusive`)]),
    ...(pass + advice === 0 ? [] : [paint('pass', `${pass + advice} passed`)]),
    ...(advice === 0 ? [] : [paint('advice', `${advice} of them with advice`)]),
  ];
  return [parts.join(', ')];
}
