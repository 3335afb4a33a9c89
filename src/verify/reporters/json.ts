import { stringifyExactJson } from '../../json/exact-json.ts';
import type { ReporterKind } from '../reporter.ts';

/** The whole report as JSON; integers have all their digits. */
export const jsonReporter: ReporterKind = {
  name: 'json',
  description: 'the whole report as JSON',
  create: (output) => ({
    onEnd: (report) => output.write(`${stringifyExactJson(report, 2)}\n`),
  }),
};
