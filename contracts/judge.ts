import {
  describeJson,
  isJsonObject,
  parseExactJson,
  toInteger,
  type ExactJson,
} from '../src/json/exact-json.ts';
import type { Answer, Case } from './case.ts';
import { checkError, checkItem, checkList } from './shapes.ts';
import type { Violation } from './violation.ts';

/** What a provider answered, byte by byte. */
export interface ReceivedResponse {
  readonly status: number;
  /** The value of a header, its name in lower case. */
  header(name: string): string | undefined;
  readonly body: Uint8Array;
}

export interface Judgement {
  /** The legal answer that was given, or `undefined` where the status is none of the legal ones. */
  readonly answer: Answer | undefined;
  /** Empty where the response keeps the contract. */
  readonly violations: readonly Violation[];
  /** The body, where the status is a legal one and the body is JSON. */
  readonly value?: ExactJson;
}

/** What a response is judged by: the legal answers, and the clauses of which a wrong status breaks the first. */
export type JudgedBy = Pick<Case, 'answers' | 'clauses'>;

/**
 * Judges one response to the request of a case.
 *
 * @param petId the pet that the request named; an updated entry must be that pet's
 */
export function judgeResponse(
  subject: JudgedBy,
  received: ReceivedResponse,
  petId: bigint | undefined,
): Judgement {
  const { answer, violations } = judgeHead(subject, received);
  if (answer === undefined) return { answer, violations };
  const parsed = parseBody(received.body);
  if ('problem' in parsed) {
    return {
      answer,
      violations: [
        ...violations,
        {
          clause: answer.body === 'error' ? '7/error-body' : '4/json-bodies',
          at: '$',
          expected: 'JSON in UTF-8',
          received: parsed.problem,
        },
      ],
    };
  }
  // Not spread into push: a list may have more violations than a call may have arguments.
  const found = violations.concat(checkBody(answer, parsed.value, petId));
  return { answer, violations: found, value: parsed.value };
}

/** Judges the status and the media type, and not the body. */
export function judgeHead(
  subject: JudgedBy,
  received: Pick<ReceivedResponse, 'status' | 'header'>,
): Pick<Judgement, 'answer' | 'violations'> {
  const answer = subject.answers.find(({ status }) => status === received.status);
  if (answer === undefined) {
    const legal = [...new Set(subject.answers.map(({ status }) => status))].join(' or ');
    return {
      answer,
      violations: [
        {
          clause: subject.clauses[0],
          at: 'status',
          expected: legal,
          received: `${received.status}`,
        },
      ],
    };
  }

  const violations: Violation[] = [];
  const contentType = received.header('content-type');
  if (mediaTypeOf(contentType) !== 'application/json') {
    violations.push({
      clause: '4/json-bodies',
      at: 'header content-type',
      expected: 'application/json',
      received: contentType ?? 'no such header',
    });
  }
  return { answer, violations };
}

function checkBody(answer: Answer, value: ExactJson, petId: bigint | undefined): Violation[] {
  switch (answer.body) {
    case 'list':
      return checkList(value);
    case 'error':
      return checkError(value, answer.status);
    case 'item': {
      const found = checkItem(value);
      if (found.length > 0 || !isJsonObject(value)) return found;
      if (petId !== undefined && toInteger(value['petId']) !== petId) {
        found.push(notTheUpdated('$.petId', petId, value['petId']));
      }
      if (toInteger(value['quantity']) !== answer.quantity) {
        found.push(notTheUpdated('$.quantity', answer.quantity, value['quantity']));
      }
      return found;
    }
  }
}

function notTheUpdated(at: string, expected: bigint, received: ExactJson | undefined): Violation {
  return {
    clause: '4.2/answers-the-updated-entry',
    at,
    expected: `${expected}`,
    received: describeJson(received),
  };
}

function mediaTypeOf(contentType: string | undefined): string | undefined {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase();
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function parseBody(body: Uint8Array): { value: ExactJson } | { problem: string } {
  let text: string;
  try {
    text = decoder.decode(body);
  } catch {
    return { problem: 'bytes that are not UTF-8' };
  }
  if (text === '') return { problem: 'an empty body' };
  const parsed = parseExactJson(text);
  return parsed.ok
    ? { value: parsed.value }
    : { problem: `text that is not JSON: ${parsed.problem}` };
}
