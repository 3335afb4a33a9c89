import { createHash } from 'node:crypto';
import { sentenceOf } from '../../../contracts/clauses.ts';
import { describeChange } from '../blame.ts';
import {
  concludeReport,
  countVerdicts,
  describeAll,
  describeRun,
  groupAlike,
  groupLeftOut,
  nameSome,
  toMatrix,
  toScenes,
  type Scene,
} from '../explain.ts';
import type { Evidence, Finding, Report, Result, Verdict } from '../report.ts';
import type { ReporterKind } from '../reporter.ts';
import { style } from './html-style.ts';

/** A page of its own: one file without scripts that loads nothing. */
export const htmlReporter: ReporterKind = {
  name: 'html',
  description: 'a page of its own, to keep or to send',
  create: (output) => ({ onEnd: (report) => output.write(toPage(report)) }),
};

/** Markup that is ready to stand in a page. */
type Markup = string;

function toPage(report: Report): Markup {
  const hash = createHash('sha256').update(style).digest('base64');
  // Whatever a provider sends, nothing but this style sheet can take effect.
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const mark = report.exitCode === 1 ? 'fail' : report.verdict;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escape(concludeReport(report))} – stockcheck verify</title>
<style>${style}</style>
</head>
<body>
<main>
<header class="${mark}">
<p class="product">Stockcheck · Pet Store Inventory API 1.0.0</p>
<h1>${escape(concludeReport(report))}</h1>
<p class="facts"><code>${escape(report.baseUrl)}</code> · <time datetime="${report.startedAt}">${escape(toDate(report.startedAt))}</time></p>
</header>
${toTiles(report)}
${toMatrixSection(report)}
${toResultSection('Failed', 'fail', report)}
${toResultSection('Could not be judged', 'inconclusive', report)}
${toAdviceSection(report)}
${toClauseSection(report)}
${toChoiceSection(report)}
${toLeftOutSection(report)}
<footer>${escape(describeRun(report))}</footer>
</main>
</body>
</html>
`;
}

function toDate(startedAt: string): string {
  return `${startedAt.slice(0, 10)} ${startedAt.slice(11, 19)} UTC`;
}

const verdictNames: { readonly [V in Verdict]: string } = {
  fail: 'failed',
  inconclusive: 'inconclusive',
  advice: 'with advice',
  pass: 'passed',
};

function toTiles({ results }: Report): Markup {
  const counts = countVerdicts(results);
  const tiles = (['fail', 'inconclusive', 'advice', 'pass'] as const).map(
    (verdict) =>
      `<div class="tile ${verdict}${counts[verdict] > 0 ? ' some' : ''}"><dt>${verdictNames[verdict]}</dt><dd>${counts[verdict]}</dd></div>`,
  );
  return `<dl class="tiles">${tiles.join('')}</dl>`;
}

function toSection(title: string, note: string, content: Markup): Markup {
  const small = note === '' ? '' : ` <small>${escape(note)}</small>`;
  return `<section>\n<h2>${escape(title)}${small}</h2>\n<div class="card scroll">${content}</div>\n</section>`;
}

function toMatrixSection({ results }: Report): Markup {
  if (results.length === 0) return '';
  const { statuses, rows } = toMatrix(results);
  const head = statuses.map((status) => `<th scope="col">${status}</th>`).join('');
  const body = rows.map(
    ({ operation, cells }) =>
      `<tr><th scope="row">${escape(operation)}</th>${cells.map(toCell).join('')}</tr>`,
  );
  return toSection(
    'Coverage',
    'cases by operation and expected status',
    `<table class="matrix"><thead><tr><th scope="col">operation</th>${head}</tr></thead><tbody>${body.join('')}</tbody></table>`,
  );
}

function toCell(results: readonly Result[]): Markup {
  if (results.length === 0) return '<td class="none"><span class="pill">–</span></td>';
  const { fail, inconclusive, advice, pass } = countVerdicts(results);
  if (fail > 0) return toPillCell('fail', `${fail} of ${results.length} failed`);
  if (inconclusive > 0) {
    return toPillCell('inconclusive', `${inconclusive} of ${results.length} inconclusive`);
  }
  return toPillCell(advice > 0 ? 'advice' : 'pass', `${pass + advice} passed`);
}

function toPillCell(verdict: Verdict, text: string): Markup {
  return `<td class="${verdict}"><span class="pill">${escape(text)}</span></td>`;
}

function toResultSection(
  title: string,
  verdict: 'fail' | 'inconclusive',
  { results }: Report,
): Markup {
  const chosen = results.filter((result) => result.verdict === verdict);
  if (chosen.length === 0) return '';
  const entries = groupAlike(chosen).map((group, index) =>
    toDetails(group, verdict, index === 0 && verdict === 'fail'),
  );
  return toSection(title, String(chosen.length), entries.join('\n'));
}

function toDetails(group: readonly Result[], verdict: Verdict, isOpen: boolean): Markup {
  const [first, ...others] = group;
  if (first === undefined) return '';
  const more = others.length === 0 ? '' : ` <span class="pill">and ${others.length} alike</span>`;
  const alike =
    others.length === 0
      ? ''
      : `<div class="finding">${toBlock('The same with', others.map(({ id }) => escape(id)).join('\n'))}</div>`;
  return `<details class="${verdict}"${isOpen ? ' open' : ''}><summary><strong><code>${escape(first.id)}</code>${more}</strong><span>${escape(first.title)}</span></summary>${toScenes(first.findings).map(toScene).join('')}${alike}</details>`;
}

function toScene({ findings, evidence, steps }: Scene): Markup {
  const parts = findings.map(toFinding);
  if (steps !== undefined) {
    parts.push(toBlock('Sent, one after another', steps.map(escape).join('\n')));
  } else if (evidence !== undefined) {
    parts.push(toBlock('Sent', escape(evidence.curl)));
  }
  if (evidence !== undefined) parts.push(toBlock('Came back', toResponse(evidence)));
  return `<div class="finding">${parts.join('')}</div>`;
}

function toFinding({ clause, message, changes = [] }: Finding): Markup {
  const named =
    clause === undefined
      ? ''
      : `<p><code>${escape(clause)}</code> ${escape(sentenceOf(clause))}</p>`;
  const listed =
    changes.length > 1
      ? toBlock('In the inventory', describeAll(changes).map(escape).join('\n'))
      : '';
  return `<p class="message">${escape(message)}</p>${named}${listed}`;
}

function toBlock(title: string, content: Markup): Markup {
  return `<h3>${escape(title)}</h3><pre>${content}</pre>`;
}

function toResponse({ received, headers, body }: Evidence): Markup {
  const lines = headers.map(([name, value]) => escape(`${name}: ${value}`));
  return [`<b>${escape(received)}</b>`, ...lines, ...(body === '' ? [] : ['', escape(body)])].join(
    '\n',
  );
}

function toAdviceSection({ advice }: Report): Markup {
  if (advice.length === 0) return '';
  const entries = advice.map(
    ({ message, cases }) =>
      `<li>${escape(message)} <small>(${escape(nameSome(cases, 1))})</small></li>`,
  );
  return toSection('Advice', 'legal, but worth knowing', `<ul>${entries.join('')}</ul>`);
}

function toClauseSection({ clauses }: Report): Markup {
  const rows = clauses.map(({ id, sentence, verdict, cases, failed }) => {
    const pill =
      verdict === undefined
        ? '<td class="none"><span class="pill">not judged</span></td>'
        : toPillCell(verdict, verdict === 'fail' ? 'broken' : clauseNames[verdict]);
    const count = failed === 0 ? `${cases}` : `${failed} of ${cases}`;
    return `<tr><td><code>${escape(id)}</code><br>${escape(sentence)}</td>${pill}<td class="number">${count}</td></tr>`;
  });
  return toSection(
    'Clauses',
    'what the specification says, and whether it holds',
    `<table><thead><tr><th scope="col">clause</th><th scope="col">verdict</th><th scope="col" class="number">cases</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`,
  );
}

const clauseNames: { readonly [V in Exclude<Verdict, 'fail'>]: string } = {
  pass: 'kept',
  advice: 'kept',
  inconclusive: 'inconclusive',
};

function toChoiceSection({ choices }: Report): Markup {
  if (choices.length === 0) return '';
  const rows = choices.map(
    ({ decision, question, choices: chosen }) =>
      `<tr><td><code>${escape(decision)}</code><br>${escape(question)}</td><td>${escape(chosen.join(', sometimes '))}</td></tr>`,
  );
  return toSection(
    'Choices',
    'how it answers what the specification leaves open',
    `<table><thead><tr><th scope="col">question</th><th scope="col">answer</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`,
  );
}

function toLeftOutSection(report: Report): Markup {
  const reasons = [...groupLeftOut(report)].map(
    ([reason, ids]) => `<li>${escape(reason)} <small>(${escape(nameSome(ids))})</small></li>`,
  );
  const notRestored = report.footprint.notRestored.map(
    (change) =>
      `<li>Not restored: ${escape(describeChange(change))}; ${escape(change.reason)}</li>`,
  );
  const entries = [...notRestored, ...reasons];
  return entries.length === 0 ? '' : toSection('Left out', '', `<ul>${entries.join('')}</ul>`);
}

function escape(text: string): Markup {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
