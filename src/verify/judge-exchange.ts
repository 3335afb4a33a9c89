import {
  toCaseRequest,
  type Answer,
  type Case,
  type CaseFacts,
  type RequestTemplate,
} from '../../contracts/case.ts';
import type { ClauseId } from '../../contracts/clauses.ts';
import { judgeResponse } from '../../contracts/judge.ts';
import { describeViolation, type Violation } from '../../contracts/violation.ts';
import type { ExactJson } from '../json/exact-json.ts';
import { toCurl } from './curl.ts';
import type { Reply, Response, Trouble } from './http-client.ts';
import { cutTo, decodePrintable, toPrintable } from './printable.ts';
import type { Redact } from './redact.ts';
import type { Evidence, Finding } from './report.ts';

/** A request that was sent and what became of it. */
export interface Exchange {
  readonly subject: Case;
  readonly petId: bigint | undefined;
  /** The ids that were listed when it was sent. */
  readonly listed?: ReadonlySet<bigint>;
  readonly reply: Reply;
}

export interface JudgedExchange extends Exchange {
  /** The legal answer that was given, or `undefined` where none of them was. */
  readonly answer: Answer | undefined;
  readonly findings: readonly Finding[];
  /** The body, where it is JSON and the status is a legal one. */
  readonly value: ExactJson | undefined;
}

/** What turns what happened into what may be told. */
export interface Telling {
  readonly baseUrl: URL;
  readonly redact: Redact;
}

/** Judges what came back by the case that was sent. */
export function judgeExchange(exchange: Exchange, telling: Telling): JudgedExchange {
  const { subject, petId, reply } = exchange;
  if (reply.kind === 'trouble') {
    return {
      ...exchange,
      answer: undefined,
      findings: [toTroubleFinding(exchange, telling)],
      value: undefined,
    };
  }
  const { answer, violations, value } = judgeResponse(subject, reply, petId);
  const encoding = findEncoding(reply);
  const found =
    encoding === undefined
      ? violations
      : [...violations.filter(({ at }) => !at.startsWith('$')), encoding];
  return {
    ...exchange,
    answer,
    findings: found
      .slice(0, findingLimit)
      .map((violation) => toFinding(violation, exchange, reply, telling)),
    value,
  };
}

/** A list in which every entry is wrong shows what is wrong with the first ones. */
const findingLimit = 100;

/** Nobody asked for an encoding (`Accept-Encoding: identity`), so the bytes must be the JSON. */
function findEncoding(response: Response): Violation | undefined {
  const encoding = response.header('content-encoding')?.trim();
  if (encoding === undefined || encoding === '' || encoding.toLowerCase() === 'identity') {
    return undefined;
  }
  return {
    clause: '4/json-bodies',
    at: 'header content-encoding',
    expected: 'no encoding, as Accept-Encoding: identity asked',
    received: encoding,
  };
}

function toFinding(
  violation: Violation,
  exchange: Exchange,
  response: Response,
  telling: Telling,
): Finding {
  const { clause, at } = violation;
  const expected = violation.expected;
  const received = tell(violation.received, telling);
  return {
    verdict: 'fail',
    clause,
    message: describeViolation({ at, expected, received }, explainStatus(response, telling)),
    at,
    expected,
    received,
    evidence: toEvidence(exchange, telling),
  };
}

function explainStatus(response: Response, telling: Telling): string {
  const location = response.header('location');
  if (response.status >= 300 && response.status < 400 && location !== undefined) {
    return ` (a redirect to ${tell(location, telling)}, which is not followed; if the API is there, give that address)`;
  }
  if (response.status === 429) {
    return ' (the specification documents no rate limit; lift it for this run, or answer with Retry-After)';
  }
  return '';
}

const troubleClauses: { readonly [Kind in Trouble['trouble']]?: ClauseId } = {
  truncated: '4/json-bodies',
  unfinished: '4/json-bodies',
  'too-large': '4/json-bodies',
};

function toTroubleFinding(exchange: Exchange, telling: Telling): Finding {
  const { subject, reply } = exchange;
  const { trouble, sentence } = reply as Trouble;
  const evidence = toEvidence(exchange, telling);
  const message = tell(sentence, telling);
  // Where nobody was asked, nobody answered wrongly.
  if (trouble === 'unreachable') return { verdict: 'inconclusive', message, evidence };
  const statuses = [...new Set(subject.answers.map(({ status }) => status))].join(' or ');
  return {
    verdict: 'fail',
    clause: troubleClauses[trouble] ?? subject.clauses[0],
    message,
    at: 'response',
    expected: `a whole response with status ${statuses}`,
    received: message,
    evidence,
  };
}

/** The request's template with the petIds filled in; the key stays a placeholder. */
export function toTemplate(
  exchange: Pick<Exchange, 'subject' | 'petId' | 'listed'>,
): RequestTemplate {
  const { request } = exchange.subject;
  const filled = toCaseRequest(exchange.subject, toFacts('key', exchange));
  if (filled === undefined) return request;
  const { method, headers } = request;
  const [, query] = request.path.split('?', 2);
  const path = filled.path.split('?', 1)[0] ?? filled.path;
  return {
    method,
    headers,
    // A key stands behind the question mark only.
    path: query === undefined ? path : `${path}?${query}`,
    ...(filled.body === undefined ? {} : { body: filled.body }),
  };
}

export function toFacts(
  apiKey: string,
  { petId, listed }: Pick<Exchange, 'petId' | 'listed'>,
): CaseFacts {
  return {
    apiKey,
    ...(petId === undefined ? {} : { petId }),
    ...(listed === undefined ? {} : { listed }),
  };
}

/** The others say nothing about the contract. */
const tellingHeaders: ReadonlySet<string> = new Set([
  'content-type',
  'content-encoding',
  'location',
  'retry-after',
  'server',
  'transfer-encoding',
  'www-authenticate',
]);

const bodyLimit = 1200;
const headerLimit = 300;

export function toEvidence(exchange: Exchange, telling: Telling): Evidence {
  const { reply } = exchange;
  const curl = toCurl(telling.baseUrl, toTemplate(exchange));
  if (reply.kind === 'trouble') {
    return { curl, received: tell(reply.sentence, telling), headers: [], body: '' };
  }
  // More than can be shown, so that a key at the cut is still taken out as a whole.
  const start = reply.body.subarray(0, bodyLimit * 4);
  return {
    curl,
    received: tell(`HTTP ${reply.status} ${reply.statusText}`.trimEnd(), telling),
    headers: reply.headers
      .filter(([name]) => tellingHeaders.has(name.toLowerCase()))
      .map(
        ([name, value]) => [tell(name, telling), cutTo(headerLimit, tell(value, telling))] as const,
      ),
    body: cutBody(telling.redact(decodePrintable(start)), reply.body.length),
  };
}

function cutBody(text: string, bytes: number): string {
  if (text.length <= bodyLimit && bytes <= bodyLimit * 4) return text;
  return `${text.slice(0, bodyLimit)}… (${bytes} bytes in all)`;
}

function tell(text: string, { redact }: Telling): string {
  return toPrintable(redact(text)).replaceAll('\n', String.raw`\n`);
}
