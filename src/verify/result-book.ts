import type { Case, OperationId } from '../../contracts/case.ts';
import { sentenceOf, clauses, type ClauseId } from '../../contracts/clauses.ts';
import { decisions, type DecisionId } from '../../contracts/decisions.ts';
import { adviseOn } from './advice.ts';
import type { JudgedExchange } from './judge-exchange.ts';
import { listCase, updateCase } from './plain-cases.ts';
import {
  worstOf,
  type Advice,
  type ClauseResult,
  type Finding,
  type LeftOut,
  type ObservedChoice,
  type Result,
} from './report.ts';

/** What a result is about: a case of the table, or a check of the verifier's own. */
export interface Subject {
  readonly id: string;
  readonly title: string;
  readonly operation: OperationId;
  readonly status: number;
  readonly clauses: readonly ClauseId[];
}

export function toSubject(subject: Case): Subject {
  const { id, title, operation, clauses: named, answers } = subject;
  return { id, title, operation, status: answers[0].status, clauses: named };
}

/** The most findings of one subject that are kept; the others say the same again. */
const findingLimit = 5;

/** Collects what a run finds. */
export class ResultBook {
  readonly #results: Result[] = [];
  readonly #leftOut: LeftOut[] = [];
  readonly #choices = new Map<DecisionId, Set<string>>();
  readonly #advice = new Map<string, Set<string>>();
  /** Findings about plain lists and updates, which every case needs, by the id of their case. */
  readonly #background = new Map<string, Finding[]>();
  readonly #onResult: (result: Result) => void;
  readonly #onLeftOut: (leftOut: LeftOut) => void;

  constructor(onResult: (result: Result) => void, onLeftOut: (leftOut: LeftOut) => void) {
    this.#onResult = onResult;
    this.#onLeftOut = onLeftOut;
  }

  get results(): readonly Result[] {
    return this.#results;
  }

  get leftOut(): readonly LeftOut[] {
    return this.#leftOut;
  }

  /** Notes how an exchange answers what the spec leaves open. */
  observe(exchange: JudgedExchange): void {
    const { subject, answer, findings } = exchange;
    if (findings.length > 0) {
      if (subject.id !== listCase.id && subject.id !== updateCase.id) return;
      for (const finding of findings) this.note(subject.id, finding);
      return;
    }
    for (const message of adviseOn(exchange)) {
      const cases = this.#advice.get(message) ?? new Set();
      this.#advice.set(message, cases.add(subject.id));
    }
    if (answer === undefined) return;
    // A subject with one choice to make has made it, even where it took the first answer.
    const open = new Set(subject.answers.flatMap(({ choice: other }) => other?.decision ?? []));
    const [decision] = open;
    if (decision === undefined || open.size > 1) return;
    const first = decisions.find(({ id }) => id === decision)?.choices[0]?.name;
    const name = answer.choice === undefined ? first : answer.choice.choice;
    const seen = this.#choices.get(decision) ?? new Set();
    this.#choices.set(decision, seen.add(name ?? ''));
  }

  /** Adds a finding about a plain list or update. */
  note(id: string, finding: Finding): void {
    const noted = this.#background.get(id) ?? [];
    noted.push(finding);
    this.#background.set(id, noted);
  }

  /** The findings so far about every exchange of a case, whoever sent it. */
  findingsOf(id: string): readonly Finding[] {
    return this.#background.get(id) ?? [];
  }

  add(subject: Subject, findings: readonly Finding[]): void {
    const { id, title, operation, status, clauses: named } = subject;
    const distinct = withoutRepetition(findings);
    const advised = [...this.#advice.values()].some((cases) => cases.has(id));
    const verdict = worstOf([
      ...distinct.map((finding) => finding.verdict),
      advised ? 'advice' : 'pass',
    ]);
    const result: Result = {
      id,
      title,
      operation,
      status,
      clauses: named,
      verdict,
      findings: distinct,
    };
    this.#results.push(result);
    this.#onResult(result);
  }

  leaveOut(id: string, reason: string): void {
    const leftOut = { id, reason };
    this.#leftOut.push(leftOut);
    this.#onLeftOut(leftOut);
  }

  toAdvice(): readonly Advice[] {
    return [...this.#advice].map(([message, cases]) => ({ message, cases: [...cases] }));
  }

  toChoices(): readonly ObservedChoice[] {
    return decisions.flatMap(({ id, question }) => {
      const choices = this.#choices.get(id);
      return choices === undefined ? [] : [{ decision: id, question, choices: [...choices] }];
    });
  }

  toClauseResults(): readonly ClauseResult[] {
    return clauses.map(({ id }) => {
      const naming = this.#results.filter(
        (result) =>
          result.clauses.includes(id) || result.findings.some(({ clause }) => clause === id),
      );
      const breaking = naming.filter(({ findings }) =>
        findings.some(({ verdict, clause }) => verdict === 'fail' && clause === id),
      );
      const keeping = naming.filter((result) => result.verdict !== 'fail');
      const verdict =
        breaking.length > 0
          ? 'fail'
          : naming.length === 0
            ? undefined
            : keeping.length === 0
              ? 'inconclusive'
              : worstOf(keeping.map((result) => result.verdict));
      return {
        id,
        sentence: sentenceOf(id),
        ...(verdict === undefined ? {} : { verdict }),
        cases: naming.length,
        failed: breaking.length,
      };
    });
  }
}

/** The same thing at another index of the list, or in another round, is said once. */
function withoutRepetition(findings: readonly Finding[]): readonly Finding[] {
  const byKind = new Map<string, Finding>();
  for (const finding of findings) {
    const at = finding.at?.replace(/\[\d+\]/g, '[]') ?? '';
    const kind = [finding.verdict, finding.clause, at, at === 'inventory' ? finding.message : ''];
    const key = kind.join(' ');
    if (!byKind.has(key)) byKind.set(key, finding);
  }
  return [...byKind.values()].slice(0, findingLimit);
}
