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
  const groups = groupAlike(failed);
  const lines = groups.slice(0, annotationLimit - 2).map(toAnnotation);
  if (groups.length > lines.length) {
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

function toAnnotation(group: readonly Result[]): string {
  const [first, ...others] = group;
  if (first === undefined) return '';
  const also = others.length === 0 ? [] : [`the same with ${nameSome(others.map(({ id }) => id))}`];
  return toCommand('error', first.id, [...explainResult(first), ...also].join('\n'));
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
    ...groupAlike(failed).flatMap(toDetails),
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

function toDetails(group: readonly Result[]): readonly string[] {
  const [first, ...others] = group;
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` (and ${others.length} alike)`;
  return [
    `<details><summary><code>${escapeMarkup(first.id)}</code> ${escapeMarkup(first.title + more)}</summary>`,
    '',
    // Escaped text in an element: no run of backticks in a body can end it.
    `<pre>${escapeMarkup(explainResult(first).join('\n'))}</pre>`,
    ...(others.length === 0
      ? []
      : [
          '',
          `Alike: ${escapeMarkdown(
            nameSome(
              others.map(({ id }) => id),
              20,
            ),
          )}`,
        ]),
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
