import { parse } from 'junit2json';
import { expect, test } from 'vitest';
import { isJsonObject, parseExactJson, stringifyExactJson } from '../../src/json/exact-json.ts';
import { concludeReport, describeRun, groupAlike } from '../../src/verify/explain.ts';
import type { Report, Result } from '../../src/verify/report.ts';
import type { ReporterOutput } from '../../src/verify/reporter.ts';
import { reporterNames } from '../../src/verify/reporter-names.ts';
import { reporters } from '../../src/verify/reporters.ts';
import { verify } from '../../src/verify/verify.ts';
import type { VerifyOptions } from '../../src/verify/verify-options.ts';
import { apiKey } from '../mock-under-test.ts';
import { sendJson, startProvider } from './provider.ts';

/** Runs the verifier and has one reporter tell of it. */
async function tell(
  name: string,
  options: VerifyOptions,
  output: Partial<ReporterOutput> = {},
): Promise<{ text: string; summary: string; report: Report }> {
  let text = '';
  let summary = '';
  const kind = reporters.find((one) => one.name === name);
  if (kind === undefined) throw new Error(`there is no reporter ${name}`);
  const reporter = kind.create({
    write: (part) => (text += part),
    isTerminal: false,
    hasColours: false,
    addSummary: (markdown) => (summary += markdown),
    ...output,
  });
  reporter.onStart?.({ baseUrl: String(options.baseUrl), subjects: 1 });
  const report = await verify({
    ...options,
    onResult: (result: Result) => reporter.onResult?.(result),
  });
  reporter.onEnd?.(report);
  return { text, summary, report };
}

const secret = 'S3cret-<Key>&"1"';

/** What gets out of a report that does not escape it. */
const poison = `</pre><script>alert(1)</script> ]]> \u001B[2J\u0000\uFFFE\u202E \r::error::x %0A \`\`\` | & '"`;

/** A provider that sends everything back that it was sent, and poison. */
async function startEcho(): Promise<VerifyOptions> {
  const { url } = await startProvider({
    intercept: ({ headers, path, number }, response) => {
      const seen = `${headers.authorization} ${headers.authorization?.toLowerCase()} ${path} ${secret} ${encodeURIComponent(secret)} ${btoa(`${secret}:`)}`;
      if (number === 1) {
        return sendJson(
          response,
          200,
          '[{"petId":9007199254740993,"quantity":3,"status":"available"}]',
        );
      }
      response.writeHead(500, { Location: `/${secret}`, Server: headers.authorization ?? secret });
      response.end(poison + JSON.stringify({ code: secret, [secret]: [seen, poison] }));
      return true;
    },
  });
  return { baseUrl: url, apiKey: secret };
}

for (const { name } of reporters) {
  test(`${name} never tells the key, whatever comes back`, async () => {
    const { text, summary, report } = await tell(name, await startEcho(), {
      isTerminal: true,
      hasColours: true,
    });
    expect(report.exitCode).toBe(1);
    expect(text).toContain('$API_KEY');
    expect(text + summary).not.toMatch(/3cret/i);
    expect(text + summary).not.toContain(btoa(`${secret}:`).slice(0, 16));
  });
}

test('terminal prints no control character of the provider', async () => {
  const { text } = await tell('terminal', await startEcho());
  expect(text).not.toMatch(/[^\P{C}\n]/u);
  expect(text).toContain(String.raw`\x1b[2J`);
});

test('terminal explains what failed, and shows operation × status', async () => {
  const provider = await startProvider({
    intercept: ({ body }, response) =>
      body.toString() === '{"quantity":true}' &&
      sendJson(response, 422, '{"code":"invalid","message":"no","status":422}'),
  });
  const { text } = await tell('terminal', { baseUrl: provider.url, apiKey });
  expect(text).toContain('✗ updateInventory/400/quantity-true refuses a quantity of true\n');
  expect(text).toContain('    it answered 422; expected 400\n');
  expect(text).toContain(`--data-binary '{"quantity":true}'\n`);
  expect(text).toMatch(/^updateInventory +✓ \d+ +✗ 1 of \d+ +✓ \d+ +✓ \d+$/m);
  expect(text).toMatch(/^1 failed, \d+ passed\n.*--seed \d+ repeats it\nThe provider does not/m);
});

test('terminal shows progress and colours to a person only', async () => {
  const { url: baseUrl } = await startProvider();
  const person = { isTerminal: true, hasColours: true };
  expect((await tell('terminal', { baseUrl, apiKey }, person)).text).toContain('\u001B[');
  expect((await tell('terminal', { baseUrl, apiKey })).text).not.toContain('\u001B');
});

test('json keeps every digit', async () => {
  const provider = await startProvider({
    intercept: ({ path, method }, response) =>
      method === 'PATCH' &&
      path.endsWith('/9007199254740993') &&
      sendJson(response, 200, '{"petId":9007199254740993,"quantity":1,"status":"available"}'),
  });
  const { text } = await tell('json', { baseUrl: provider.url, apiKey });
  const parsed = parseExactJson(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) throw new Error(`not JSON: ${text}`);
  expect(parsed.value['verdict']).toBe('fail');
  expect(text).toContain('"petId": 9007199254740993');
});

test('junit is read by a parser: failures, errors, skipped and passed', async () => {
  const { text, report } = await tell('junit', await startEcho());
  const suites = await parse(text);
  if (suites === undefined || suites === null || !('testsuite' in suites)) {
    throw new Error('no test suites');
  }
  const testCases = (suites.testsuite ?? []).flatMap(({ testcase }) => testcase ?? []);
  const failed = report.results.filter(({ verdict }) => verdict === 'fail');
  expect(suites.failures).toBe(failed.length);
  expect(testCases.filter(({ failure }) => failure !== undefined)).toHaveLength(failed.length);
  expect(testCases.filter(({ skipped }) => skipped !== undefined)).toHaveLength(
    report.leftOut.length,
  );
  expect(testCases.length).toBe(report.results.length + report.leftOut.length);
  const [first] = testCases;
  expect(first?.failure?.[0]?.message).toContain('it answered 500; expected');
  expect(first?.failure?.[0]?.inner).toContain('curl -isS');
});

test('junit tells what could not be judged as an error, never as passed', async () => {
  const { text } = await tell('junit', { baseUrl: 'http://127.0.0.1:9/v1', apiKey });
  const suites = await parse(text);
  expect(suites).toMatchObject({ tests: 1, errors: 1, failures: 0 });
});

test('github writes one command a line, and its summary as Markdown', async () => {
  const { text, summary } = await tell('github', await startEcho());
  const lines = text.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(10);
  for (const line of lines) expect(line).toMatch(/^::(?:error|notice) title=[^:,]*::[^\r]+$/);
  expect(lines[0]).toContain('%0A');
  expect(summary).toContain('| updateInventory |');
  expect(summary).not.toContain('<script>');
});

test('html is one page that runs and loads nothing', async () => {
  const { text } = await tell('html', await startEcho());
  expect(text).toContain(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'`);
  expect(text).not.toMatch(/<script|<link|<img|<iframe|\son\w+=|url\(|@import/i);
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(text).toContain('The provider does not conform.');
  expect(text).toContain('<th scope="row">updateInventory</th>');
});

test('terminal counts advice among what passed', async () => {
  const { url } = await startProvider({ policy: { challenge: 'none' } });
  const { text } = await tell('terminal', { baseUrl: url, apiKey });
  expect(text).toMatch(/^\d+ passed, \d+ of them with advice$/m);
});

test('the last line tells what is not restored', async () => {
  const { url } = await startProvider();
  const { report } = await tell('terminal', { baseUrl: url, apiKey, readOnly: true });
  const was = { quantity: 1n, status: 'sold' };
  const lost = { petId: 1n, expected: was, received: { ...was, status: 'available' }, reason: '' };
  const footprint = { writes: 1, restored: 1, notRestored: [lost] };
  expect(concludeReport({ ...report, footprint })).toMatch(/Mind: 1 status NOT restored\.$/);
  expect(describeRun({ ...report, footprint, requests: 1, durationMs: 0, seed: 4 })).toBe(
    '1 request in 0.00 s, 1 write, 1 quantity restored, 1 status NOT restored; --seed 4 repeats it',
  );
});

test('a plain case stands for what is alike, and checks come last', async () => {
  const { url } = await startProvider();
  const { report } = await tell('json', { baseUrl: url, apiKey, readOnly: true });
  const ids = ['check/lasting', 'updateInventory/200/zero', 'listInventory/200/all-entries'];
  const [pattern] = report.results;
  if (pattern === undefined) throw new Error('there is no result');
  const [group] = groupAlike(ids.map((id) => ({ ...pattern, id })));
  expect(group?.map(({ id }) => id)).toEqual(ids.toReversed());
});

test('shows no status that a provider makes up: it may hold the key', async () => {
  const provider = await startProvider({
    items: [{ petId: 1n, quantity: 2n, status: 'available' }],
    intercept: ({ method, number }, response) => {
      if (method !== 'GET') return false;
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(`[{"petId":1,"quantity":${number},"status":"${apiKey}\\u001b[31m"}]`);
      return true;
    },
  });
  const report = await verify({ baseUrl: provider.url, apiKey });
  const told = stringifyExactJson(report);
  expect(report.exitCode).toBe(1);
  expect(told).not.toContain(apiKey);
});

test('the command line knows the name of every reporter', () => {
  expect(reporterNames).toEqual(reporters.map(({ name }) => name));
});
