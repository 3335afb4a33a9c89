import { concludeReport, explainResult } from '../explain.ts';
import type { Report, Result } from '../report.ts';
import type { ReporterKind } from '../reporter.ts';

/**
 * JUnit's XML: a suite for each operation, a test case for each case. What is inconclusive is an
 * error, since it must not count as passed; what was left out is skipped.
 */
export const junitReporter: ReporterKind = {
  name: 'junit',
  description: 'JUnit XML, for CI servers',
  create: (output) => ({ onEnd: (report) => output.write(toXml(report)) }),
};

interface TestCase {
  readonly suite: string;
  readonly name: string;
  readonly outcome: 'passed' | 'failure' | 'error' | 'skipped';
  readonly element: string;
}

function toXml(report: Report): string {
  const testCases = [
    ...report.results.map((result) => toTestCase(result, report.strict)),
    ...report.leftOut.map(({ id, reason }): TestCase => ({
      suite: id.split('/', 1)[0] ?? id,
      name: id,
      outcome: 'skipped',
      element: `      <skipped message="${escapeXml(reason)}"/>\n`,
    })),
    ...(report.reason === undefined ? [] : [toRunError(report)]),
  ];
  const seconds = (report.durationMs / 1000).toFixed(3);
  const suites = [...Map.groupBy(testCases, ({ suite }) => suite)].map(
    ([name, group], index) =>
      `  <testsuite name="${escapeXml(name)}" ${toCounts(group)} time="${index === 0 ? seconds : '0.000'}" timestamp="${report.startedAt.replace(/\.\d+Z$/, '')}" hostname="${escapeXml(new URL(report.baseUrl).hostname)}">\n${group.map(toElement).join('')}  </testsuite>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="stockcheck verify ${escapeXml(report.baseUrl)}" ${toCounts(testCases, false)} time="${seconds}">\n${suites.join('')}</testsuites>\n`;
}

function toCounts(testCases: readonly TestCase[], withSkipped = true): string {
  const count = (outcome: TestCase['outcome']): number =>
    testCases.filter((testCase) => testCase.outcome === outcome).length;
  // The root element has no attribute for what was skipped.
  const skipped = withSkipped ? ` skipped="${count('skipped')}"` : '';
  return `tests="${testCases.length}" failures="${count('failure')}" errors="${count('error')}"${skipped}`;
}

function toElement({ suite, name, element }: TestCase): string {
  const opening = `    <testcase classname="stockcheck.${escapeXml(suite)}" name="${escapeXml(name)}" time="0.000"`;
  return element === '' ? `${opening}/>\n` : `${opening}>\n${element}    </testcase>\n`;
}

function toTestCase(result: Result, strict: boolean): TestCase {
  const { id, title, verdict, findings } = result;
  const name = `${id}: ${title}`;
  const suite = id.split('/', 1)[0] ?? id;
  const text = explainResult(result).join('\n');
  const message = escapeXml(findings[0]?.message ?? 'there is advice');
  const type = escapeXml(findings[0]?.clause ?? verdict);
  const problem = (element: 'failure' | 'error'): string =>
    `      <${element} message="${message}" type="${type}">${escapeXml(text)}</${element}>\n`;
  if (verdict === 'fail' || (verdict === 'advice' && strict)) {
    return { suite, name, outcome: 'failure', element: problem('failure') };
  }
  if (verdict === 'inconclusive') {
    return { suite, name, outcome: 'error', element: problem('error') };
  }
  return { suite, name, outcome: 'passed', element: '' };
}

function toRunError(report: Report): TestCase {
  const message = escapeXml(concludeReport(report));
  return {
    suite: 'run',
    name: 'the whole run',
    outcome: 'error',
    element: `      <error message="${message}" type="inconclusive">${message}</error>\n`,
  };
}

/** Also takes out the characters that XML 1.0 cannot hold at all. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
