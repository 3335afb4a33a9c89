import { sentenceOf } from '../../../contracts/clauses.ts';
import {
  concludeReport,
  countVerdicts,
  describeRun,
  explainFinding,
  groupLeftOut,
  toMatrix,
} from '../explain.ts';
import type { Report, Result } from '../report.ts';
import type { ReporterKind } from '../reporter.ts';

/** GitHub shows no more annotations of a step than this. */
const annotationLimit = 10;

/** Annotations of a GitHub Actions step, and its summary page. */
export const githubReporter: ReporterKind = {
  name: 'github',
  description: 'annotations and step summary of GitHub Actions',
  create: (output) => ({
    onEnd(report) {
      output.write(toAnnotations(report));
      output.addSummary?.(toMarkdown(report));
    },
  }),
};

function toAnnotations(report: Report): string {
  const failed = report.results.filter(({ verdict }) => verdict === 'fail');
  const lines = failed.slice(0, annotationLimit - 2).map(toAnnotation);
  if (failed.length > lines.length) {
    lines.push(toCommand('error', 'stockcheck', `${failed.length} cases fail in all`));
  }
  const level = report.strict ? 'error' : 'notice';
  lines.push(
    ...report.advice.map(({ message }) => toCommand(level, 'stockcheck: advice', message)),
  );
  if (report.verdict === 'inconclusive') {
    lines.push(toCommand('error', 'stockcheck', concludeReport(report)));
  }
  return lines.map((line) => `${line}\n`).join('');
}

function toAnnotation({ id, findings }: Result): string {
  const text = findings.map((finding) => explainFinding(finding).join('\n')).join('\n\n');
  return toCommand('error', id, text);
}

/** A workflow command; the escapes are those that the runner undoes. */
function toCommand(level: 'error' | 'notice', title: string, message: string): string {
  const escapedTitle = escapeData(title).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${level} title=${escapedTitle}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function toMarkdown(report: Report): string {
  const failed = report.results.filter(({ verdict }) => verdict === 'fail');
  return [
    `## stockcheck verify`,
    '',
    `**${escapeMarkdown(concludeReport(report))}** ${escapeMarkdown(describeRun(report))}`,
    '',
    ...toMarkdownMatrix(report.results),
    ...failed.flatMap(toDetails),
    ...toList(
      'Advice',
      report.advice.map(({ message }) => message),
    ),
    ...toList(
      'Left out',
      [...groupLeftOut(report)].map(([reason, ids]) => `${reason} (${ids.length})`),
    ),
    '',
  ].join('\n');
}

function toMarkdownMatrix(results: readonly Result[]): readonly string[] {
  if (results.length === 0) return [];
  const { statuses, rows } = toMatrix(results);
  return [
    `| operation | ${statuses.join(' | ')} |`,
    `| --- | ${statuses.map(() => '---').join(' | ')} |`,
    ...rows.map(({ operation, cells }) => `| ${operation} | ${cells.map(toCell).join(' | ')} |`),
    '',
  ];
}

function toCell(results: readonly Result[]): string {
  if (results.length === 0) return '–';
  const { fail, inconclusive, advice, pass } = countVerdicts(results);
  if (fail > 0) return `❌ ${fail} of ${results.length}`;
  if (inconclusive > 0) return `❔ ${inconclusive} of ${results.length}`;
  return `✅ ${pass + advice}`;
}

function toDetails({ id, title, findings }: Result): readonly string[] {
  const clauses = [...new Set(findings.map(({ clause }) => clause))].flatMap((clause) =>
    clause === undefined ? [] : [`- \`${clause}\`: ${escapeMarkdown(sentenceOf(clause))}`],
  );
  const text = findings.map((finding) => explainFinding(finding).join('\n')).join('\n\n');
  return [
    `<details><summary><code>${escapeMarkdown(id)}</code> ${escapeMarkdown(title)}</summary>`,
    '',
    ...clauses,
    '',
    // Escaped text in an element: no run of backticks in a body can end it.
    `<pre>${escapeMarkup(text)}</pre>`,
    '',
    '</details>',
    '',
  ];
}

function toList(title: string, entries: readonly string[]): readonly string[] {
  return entries.length === 0
    ? []
    : [`### ${title}`, '', ...entries.map((entry) => `- ${escapeMarkdown(entry)}`), ''];
}

/** A blank line would end the element, and what follows would be read as Markdown again. */
function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/\n(?=\n)/g, '\n&#8203;');
}

function escapeMarkdown(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_[\]|~#@!]/g, (character) => `\\${character}`)
    .replaceAll('\n', ' ');
}
