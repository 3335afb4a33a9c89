import { isJsonObject, NumberLiteral, type ExactJson } from '../json/exact-json.ts';
import type { Answer, Case, Choice } from '../../contracts/case.ts';
import type { JudgedExchange } from './judge-exchange.ts';

/** Choices that clients may stumble over, and why. The others are as good as the mock's. */
const surprising: { readonly [choice: string]: string } = {
  'integer-notation=refuse':
    'integers written as 1.0 or 1e2 are refused; JSON Schema counts them as integers, and some clients write them',
  'unknown-fields=refuse':
    'fields that the specification does not name are refused; a client that sends more breaks',
  'error-precedence=404-first':
    'an invalid body for a pet that does not exist is answered with 404, so the client does not learn that its body is wrong',
  'pet-id-syntax=400':
    'a petId that is not a canonical int64 is answered with 400, which the specification documents for bodies',
  'content-type=415':
    'a body that is not declared as application/json is answered with 415, a status that the specification does not document',
  'content-type=ignore':
    'a body counts whatever Content-Type declares it; a page of any origin can then send updates without a preflight (with text/plain)',
  'scheme-case=exact':
    'the scheme "bearer" is told from "Bearer"; RFC 9110, section 11.1, says that the case of a scheme does not matter',
};

/**
 * What is legal about an answer, but worth knowing. The same sentence stands for the same thing,
 * wherever it is seen.
 */
export function adviseOn(exchange: JudgedExchange): readonly string[] {
  const { subject, reply, answer, value } = exchange;
  if (reply.kind === 'trouble' || answer === undefined) return [];
  const advice: string[] = [];
  const choice = findChoice(subject, answer);
  if (choice !== undefined) {
    const sentence = surprising[toName(choice)];
    if (sentence !== undefined) advice.push(sentence);
  } else if (
    answer.choice === undefined &&
    answer !== subject.answers[0] &&
    isAboutContentType(subject)
  ) {
    advice.push(
      'a Content-Type with a parameter or in another case is refused; RFC 9110, section 8.3.1, calls them equal to application/json',
    );
  }
  if (reply.status === 401 && reply.header('www-authenticate') === undefined) {
    advice.push(
      '401 comes without the header WWW-Authenticate, which RFC 9110, section 15.5.2, asks for',
    );
  }
  if (value !== undefined) advice.push(...adviseOnBody(value));
  return advice;
}

function isAboutContentType({ clauses }: Case): boolean {
  return clauses.includes('5/json-content-type');
}

/** The choice that an answer shows; none where another choice would have given the same status. */
export function findChoice({ answers }: Case, answer: Answer): Choice | undefined {
  const alike = answers.filter(({ status }) => status === answer.status);
  return alike.length === 1 ? answer.choice : undefined;
}

function toName({ decision, choice }: Choice): string {
  return `${decision}=${choice}`;
}

const known = new Set(['petId', 'quantity', 'status', 'code', 'message']);

function adviseOnBody(value: ExactJson): string[] {
  const parts = Array.isArray(value) ? (value as readonly ExactJson[]) : [value];
  let hasMore = false;
  let hasNotations = false;
  for (const part of parts) {
    if (!isJsonObject(part)) continue;
    for (const name of Object.keys(part)) {
      hasMore ||= !known.has(name);
      hasNotations ||= part[name] instanceof NumberLiteral;
    }
  }
  const advice: string[] = [];
  if (hasMore) {
    advice.push(
      'bodies have fields that the specification does not name; clients may come to depend on them',
    );
  }
  if (hasNotations) {
    advice.push('integers are written with a fraction or an exponent, which some clients refuse');
  }
  return advice;
}
