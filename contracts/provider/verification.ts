import { redactEveryForm } from './api-key.ts';
import type { PactCoreAnswer } from './pact-core-process.ts';

/** What became of one interaction. */
export interface InteractionResult {
  readonly consumer: string;
  /** The id of the case; empty in pacts of others. */
  readonly key: string;
  readonly description: string;
  readonly verdict: 'pass' | 'fail';
  /** It failed, but the broker says that it does not count yet. */
  readonly pending: boolean;
  /** What differs, a sentence each; empty where it passed. */
  readonly problems: readonly string[];
}

/** What became of a verification. */
export interface PactVerification {
  /**
   * `pass`: every interaction was verified; `fail`: one at least differs, or a state could not be
   * set; `inconclusive`: nothing can be said. Only `pass` is a pass.
   */
  readonly verdict: 'pass' | 'fail' | 'inconclusive';
  readonly interactions: readonly InteractionResult[];
  /** What went wrong as a whole: no answer, states that were not set, pacts that were not found. */
  readonly problems: readonly string[];
}

/** A verification that could not be made. */
export function inconclusive(problem: string): PactVerification {
  return { verdict: 'inconclusive', interactions: [], problems: [problem] };
}

/** Writes a verification for people: what failed and why, then one line that sums it up. */
export function formatVerification({ verdict, interactions, problems }: PactVerification): string {
  const failed = interactions.filter((interaction) => interaction.verdict === 'fail');
  const passed = interactions.length - failed.length;
  return [
    ...failed.flatMap(({ consumer, description, pending, problems: differences }) => [
      `${pending ? 'pending' : 'failed'}: ${consumer}: ${description}`,
      ...differences.map((difference) => `  ${difference}`),
    ]),
    ...problems,
    `${verdict}: ${passed} of ${interactions.length} interactions passed`,
  ].join('\n');
}

export interface VerificationFacts {
  /** The keys of the interactions that must have been verified. */
  readonly expected: readonly string[];
  readonly problems: readonly string[];
  readonly apiKey: string;
}

/** Reads what Pact's verifier says. */
export function toVerification(
  answer: PactCoreAnswer,
  { expected, problems, apiKey }: VerificationFacts,
): PactVerification {
  const redact = (text: string): string => redactEveryForm(text, apiKey);
  if (answer.kind === 'failed') return inconclusive(redact(firstLine(answer.message)));
  const { interactionResults = [], errors = [], result } = JSON.parse(answer.results) as Results;
  const interactions = interactionResults.map((it) => toInteractionResult(it, redact));
  const general = [...problems, ...errors.flatMap(toGeneralProblem)].map(redact);

  const verified = new Set(interactions.map(({ key }) => key));
  const left = expected.filter((key) => !verified.has(key));
  if (interactions.length === 0 || left.length > 0) {
    const unverified = left.length === 0 ? 'no interaction' : `not verified: ${left.join(', ')}`;
    return {
      verdict: 'inconclusive',
      interactions,
      problems: [...general, `Pact's verifier left interactions out: ${unverified}`],
    };
  }
  return { verdict: toVerdict(interactions, result), interactions, problems: general };
}

function toVerdict(
  interactions: readonly InteractionResult[],
  result: boolean,
): PactVerification['verdict'] {
  if (interactions.some(({ verdict, pending }) => verdict === 'fail' && !pending)) return 'fail';
  // All that was verified passed, but a pact could not be loaded.
  return result ? 'pass' : 'inconclusive';
}

/** The results of pact-core, as far as they are read. */
interface Results {
  readonly result: boolean;
  readonly interactionResults?: readonly PactCoreResult[];
  readonly errors?: readonly {
    readonly interaction: string;
    readonly mismatch: PactCoreMismatch;
  }[];
}

interface PactCoreResult {
  readonly consumer?: string;
  readonly interactionKey?: string;
  readonly description?: string;
  readonly interactionDescription?: string;
  readonly pending?: boolean;
  readonly result: string;
  readonly mismatch?: PactCoreMismatch;
}

interface PactCoreMismatch {
  readonly message?: string;
  readonly mismatches?: readonly {
    readonly type: string;
    readonly path?: string;
    readonly key?: string;
    readonly mismatch?: string;
  }[];
}

function toInteractionResult(
  subject: PactCoreResult,
  redact: (text: string) => string,
): InteractionResult {
  return {
    consumer: subject.consumer ?? '',
    key: subject.interactionKey ?? '',
    description: subject.interactionDescription ?? subject.description ?? '',
    verdict: subject.result === 'OK' ? 'pass' : 'fail',
    pending: subject.pending ?? false,
    problems: toProblems(subject.mismatch).map(redact),
  };
}

function toProblems({ message, mismatches = [] }: PactCoreMismatch = {}): string[] {
  return [
    ...(message === undefined ? [] : [message]),
    ...mismatches.map(({ type, path, key, mismatch }) => {
      const at = path ?? key;
      return `${at === undefined ? '' : `${at}: `}${mismatch ?? type}`;
    }),
  ];
}

/** An error of the run itself; those of the interactions are among their results. */
function toGeneralProblem(error: NonNullable<Results['errors']>[number]): string[] {
  return error.interaction.startsWith('Verifying a pact between') ? [] : toProblems(error.mismatch);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}
