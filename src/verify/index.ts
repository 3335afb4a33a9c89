export { verify } from './verify.ts';
export type { VerifyOptions } from './verify-options.ts';
export {
  registerConformanceTests,
  type ConformanceTestOptions,
  type RegisterTest,
} from './register-conformance-tests.ts';
export type {
  Advice,
  Change,
  ClauseResult,
  Entry,
  Evidence,
  Finding,
  Footprint,
  LeftOut,
  ObservedChoice,
  Report,
  Result,
  Verdict,
} from './report.ts';
