import type { ReporterKind } from '../reporter.ts';

/** A page of its own that needs nothing else. */
export const htmlReporter: ReporterKind = {
  name: 'html',
  description: 'a self-contained page',
  create: (output) => ({ onEnd: (report) => output.write(report.baseUrl) }),
};
