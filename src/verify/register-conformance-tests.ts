import { cases } from '../../contracts/cases.ts';
import { checks } from './checks.ts';
import { concludeReport, explainResult } from './explain.ts';
import type { LeftOut, Report, Result } from './report.ts';
import { verify } from './verify.ts';
import type { VerifyOptions } from './verify-options.ts';

/** What a test runner hands to a test; only a way to skip is used, where there is one. */
interface TestContext {
  readonly skip?: (reason?: string) => unknown;
}

/** `test` of Vitest, Jest or node:test. */
export type RegisterTest = (
  name: string,
  body: (...context: readonly TestContext[]) => Promise<void>,
) => unknown;

export interface ConformanceTestOptions extends Omit<
  VerifyOptions,
  'baseUrl' | 'onResult' | 'onLeftOut'
> {
  readonly test: RegisterTest;
  /** The address that ends in `/v1`, or a function that tells it once the provider runs. */
  readonly baseUrl: string | URL | (() => string | URL);
}

/**
 * Registers a test for each case and check in the provider's own suite. The first test that runs
 * verifies the provider; every test tells its own result as soon as it is there.
 *
 * @example
 * import { test } from 'vitest';
 * registerConformanceTests({ test, baseUrl: () => server.url, apiKey: 'demo-key' });
 */
export function registerConformanceTests(options: ConformanceTestOptions): void {
  const { test, baseUrl, selects = () => true, ...others } = options;
  let run: ConformanceRun | undefined;
  const start = (): ConformanceRun => {
    run ??= startRun({
      ...others,
      selects,
      baseUrl: typeof baseUrl === 'function' ? baseUrl() : baseUrl,
    });
    return run;
  };
  const selected = [...cases, ...checks].filter(({ id }) => selects(id));
  for (const { id, title } of selected) {
    // Without a parameter of its own: Jest would wait for the callback that it takes it for.
    test(`${id}: ${title}`, async (...context) => {
      const outcome = await start().outcomeOf(id);
      if ('reason' in outcome) skip(context[0], outcome);
      else throwUnlessKept(outcome, options.strict ?? false);
    });
  }
  test('the provider is left as it was, and nothing else was found', async () => {
    const report = await start().report;
    throwUnlessClean(report, new Set(selected.map(({ id }) => id)));
  });
}

interface ConformanceRun {
  readonly report: Promise<Report>;
  outcomeOf(id: string): Promise<Result | LeftOut>;
}

function startRun(options: VerifyOptions): ConformanceRun {
  const outcomes = new Map<string, Result | LeftOut>();
  const waiting = new Map<string, (outcome: Result | LeftOut) => void>();
  const settle = (outcome: Result | LeftOut): void => {
    outcomes.set(outcome.id, outcome);
    waiting.get(outcome.id)?.(outcome);
  };
  const report = verify({ ...options, onResult: settle, onLeftOut: settle });
  return {
    report,
    async outcomeOf(id) {
      const known = outcomes.get(id);
      if (known !== undefined) return known;
      const later = new Promise<Result | LeftOut>((resolve) => {
        waiting.set(id, resolve);
      });
      const whole = report.then((ended): Result | LeftOut => {
        throw new Error(`${id} was not judged. ${concludeReport(ended)}`);
      });
      return Promise.race([later, whole]);
    },
  };
}

function skip(context: TestContext | undefined, { reason }: LeftOut): void {
  context?.skip?.(reason);
}

function throwUnlessKept({ id, verdict, findings }: Result, strict: boolean): void {
  if (verdict === 'pass' || (verdict === 'advice' && !strict)) return;
  const text = explainResult({ findings }).join('\n');
  throw new Error(text === '' ? `${id} is kept, but not without advice` : text);
}

/** What belongs to no case, and what could not be restored. */
function throwUnlessClean({ results, footprint, reason }: Report, told: ReadonlySet<string>): void {
  for (const result of results) if (!told.has(result.id)) throwUnlessKept(result, false);
  if (reason !== undefined) throw new Error(reason);
  if (footprint.notRestored.length > 0) {
    const petIds = footprint.notRestored.map(({ petId }) => petId).join(', ');
    throw new Error(`pets that are not as they were: ${petIds}`);
  }
}
