import type { ReporterKind } from './reporter.ts';
import { githubReporter } from './reporters/github.ts';
import { htmlReporter } from './reporters/html.ts';
import { jsonReporter } from './reporters/json.ts';
import { junitReporter } from './reporters/junit.ts';
import { terminalReporter } from './reporters/terminal.ts';

/** Every way in which a run can be told. The first is the default. `reporter-names.ts` has their names. */
export const reporters: readonly ReporterKind[] = [
  terminalReporter,
  jsonReporter,
  junitReporter,
  githubReporter,
  htmlReporter,
];
