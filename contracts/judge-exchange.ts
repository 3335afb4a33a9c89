import { parseExactJson } from '../src/json/exact-json.ts';
import type { Answer } from './case.ts';
import { sentenceOf, type ClauseId } from './clauses.ts';
import {
  expectFor,
  type ExchangeFacts,
  type Expectation,
  type LegalAnswer,
  type ObservedRequest,
} from './expectation.ts';
import { judgeHead, judgeResponse, type JudgedBy, type ReceivedResponse } from './judge.ts';
import { checkList } from './shapes.ts';
import { describeViolation, type Violation } from './violation.ts';

/** What was answered, as far as it was kept. */
export interface ObservedResponse extends ReceivedResponse {
  /** Whether the body was longer than what is here. */
  readonly bodyIsCut?: boolean;
  /** Whether the response ended before its time. */
  readonly brokeOff?: boolean;
}

/** What the contract says of an exchange that anybody had with anybody. */
export interface ExchangeJudgement {
  /** `inconclusive`: what was kept of it breaks nothing, and does not show enough to pass. */
  readonly verdict: 'pass' | 'fail' | 'inconclusive';
  /** What the exchange is about, broken ones first. Empty: the specification does not cover it. */
  readonly clauses: readonly ClauseId[];
  /** What is broken. */
  readonly findings: readonly ExchangeFinding[];
  /** Why it is inconclusive, or that it is not covered. */
  readonly reason?: string;
}

/** One way in which an exchange departs from a clause. */
export interface ExchangeFinding extends Violation {
  /** The same in sentences, with that of the clause. */
  readonly message: string;
}

/** A list in which every entry is wrong shows what is wrong with the first ones. */
const findingLimit = 20;

/**
 * Judges an exchange by the specification and its decisions, without knowing what it was for. An
 * answer that a decision allows is never a failure. Where no answer came, the operation did not
 * give one of its documented responses: that is a failure, as it is for the verifier.
 *
 * @param response `undefined` where the request arrived and nothing was answered
 */
export function judgeExchange(
  request: ObservedRequest,
  response: ObservedResponse | undefined,
  facts: ExchangeFacts = {},
): ExchangeJudgement {
  const expectation = expectFor(request, facts);
  if (expectation === undefined) {
    return uncovered('the specification does not cover this request');
  }
  if (response === undefined) return unanswered(expectation);
  if (response.status === 413 && expectation.mayBeTooLarge) {
    return uncovered('the specification does not say how large a body may be');
  }
  const legal = expectation.legal.filter(({ answer }) => answer.status === response.status);
  const [given] = legal;
  const judgedBy = toJudgedBy(expectation);
  const about =
    given === undefined
      ? expectation.clauses
      : [...new Set(legal.flatMap(({ clauses }) => clauses))];
  const violations =
    given === undefined
      ? judgeHead(judgedBy, response).violations
      : judgeAnswer(given, judgedBy, response, expectation.petId);
  if (violations.length > 0) return fail(about, violations);
  const reason = given === undefined ? undefined : findDoubt(given.answer, legal, response);
  return reason === undefined
    ? { verdict: 'pass', clauses: about, findings: [] }
    : { verdict: 'inconclusive', clauses: about, findings: [], reason };
}

const uncovered = (reason: string): ExchangeJudgement => ({
  verdict: 'pass',
  clauses: [],
  findings: [],
  reason,
});

function toJudgedBy({ legal, clauses }: Expectation): JudgedBy {
  const [first, ...others] = legal.map(({ answer }) => answer);
  if (first === undefined) throw new RangeError('an expectation allows at least one answer');
  return { clauses, answers: [first, ...others] };
}

function unanswered(expectation: Expectation): ExchangeJudgement {
  return fail(expectation.clauses, [
    {
      clause: expectation.clauses[0],
      at: 'response',
      expected: `a whole response with status ${listStatuses(expectation)}`,
      received: 'missing: nothing was answered',
    },
  ]);
}

function listStatuses({ legal }: Expectation): string {
  return [...new Set(legal.map(({ answer }) => answer.status))].join(' or ');
}

function fail(about: readonly ClauseId[], violations: readonly Violation[]): ExchangeJudgement {
  const told = violations.slice(0, findingLimit);
  return {
    verdict: 'fail',
    clauses: [...new Set([...told.map(({ clause }) => clause), ...about])],
    findings: told.map((violation) => ({
      ...violation,
      message: `${describeViolation(violation)}. Clause ${violation.clause}: ${sentenceOf(violation.clause)}`,
    })),
  };
}

/** Judges an answer with a legal status, as far as there is one. */
function judgeAnswer(
  { answer, anyQuantity }: LegalAnswer,
  judgedBy: JudgedBy,
  response: ObservedResponse,
  petId: bigint | undefined,
): readonly Violation[] {
  if (response.brokeOff === true) return [...judgeHead(judgedBy, response).violations, brokeOff];
  if (isEncoded(response)) return judgeHead(judgedBy, response).violations;
  if (response.bodyIsCut === true) {
    const { violations } = judgeHead(judgedBy, response);
    return [...violations, ...judgeBeginning(answer.body, response.body)];
  }
  const { violations } = judgeResponse(judgedBy, response, petId);
  return anyQuantity === true
    ? violations.filter(({ at, clause }) => !(at === '$.quantity' && clause === echoClause))
    : violations;
}

const echoClause: ClauseId = '4.2/answers-the-updated-entry';

const brokeOff: Violation = {
  clause: '4/json-bodies',
  at: 'response',
  expected: 'a whole body',
  received: 'not whole: it broke off',
};

const notAList: Violation = {
  clause: '4.1/lists-an-array',
  at: '$',
  expected: 'an array',
  received: 'no array',
};

const notAnObject: Violation = {
  clause: '4/json-bodies',
  at: '$',
  expected: 'an object',
  received: 'no object',
};

/** Judges the first character, and the entries of a list that are there and can be told apart. */
function judgeBeginning(body: Answer['body'], bytes: Uint8Array): readonly Violation[] {
  const text = new TextDecoder().decode(bytes).replace(/^[ \t\r\n]+/, '');
  // All that was kept is white space.
  if (text === '') return [];
  if (body !== 'list') return text.startsWith('{') ? [] : [notAnObject];
  if (!text.startsWith('[')) return [notAList];
  const end = text.lastIndexOf('},');
  const parsed = parseExactJson(end === -1 ? '' : `${text.slice(0, end + 1)}]`);
  // What is cut within an entry that nests is not judged at all.
  return parsed.ok ? checkList(parsed.value) : [];
}

function isEncoded(response: ObservedResponse): boolean {
  const encoding = response.header('content-encoding')?.trim().toLowerCase() ?? '';
  return encoding !== '' && encoding !== 'identity';
}

/** Why what was kept does not show that the contract is kept. */
function findDoubt(
  { body }: Answer,
  legal: readonly LegalAnswer[],
  response: ObservedResponse,
): string | undefined {
  if (legal.every(({ isUncertain }) => isUncertain)) {
    return `only the beginning of the request's body was kept, so it is not known whether ${response.status} is right`;
  }
  if (isEncoded(response)) return 'the body of the response is encoded, so it was not judged';
  if (response.bodyIsCut === true) {
    return `only the beginning of the response's body was kept${body === 'list' ? '; the entries in it are right' : ''}`;
  }
  return undefined;
}
