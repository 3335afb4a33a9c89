import type { OperationId } from '../../contracts/case.ts';
import type { ExchangeFacts, ObservedRequest } from '../../contracts/expectation.ts';
import { judgeExchange, type ObservedResponse } from '../../contracts/judge-exchange.ts';
import { parsePetId } from '../inventory/pet-id.ts';
import type { UpdatedItem } from '../inventory/store.ts';
import type { ChangedItem } from './diff.ts';
import type { BodyView, ExchangeVerdict, JournalEntry } from './journal-entry.ts';
import {
  requestBodyOf,
  responseBodyOf,
  updatedOf,
  updatePath,
  type KeptExchange,
} from './kept-exchange.ts';
import { basePath } from './mock.ts';

/**
 * Makes an entry of what was kept. This is the work that the hot path leaves for later.
 *
 * @param bodyBytes how many bytes of a body are shown
 */
export function toEntry(kept: KeptExchange, bodyBytes: number): JournalEntry {
  const operation = operationOf(kept);
  const petId = petIdOf(kept);
  const { fault, isHidden } = kept;
  const updated = updatedOf(kept);
  return {
    sequence: kept.sequence,
    at: new Date(kept.at).toISOString(),
    duration: kept.duration,
    ...(operation === undefined ? {} : { operation }),
    ...(petId === undefined ? {} : { petId }),
    request: {
      method: kept.method,
      path: isHidden ? hidden : pathOf(kept),
      headers: toRequestHeaders(kept),
      body: toBodyView(requestBodyOf(kept), kept.requestLength, bodyBytes, isHidden),
    },
    response: {
      status: kept.status,
      headers: toPairs(kept.headers),
      body: toBodyView(responseBodyOf(kept), kept.responseLength, bodyBytes, isHidden),
    },
    verdict: judge(kept),
    ...(kept.refusal === undefined ? {} : { refusal: isHidden ? notShown : kept.refusal }),
    ...(updated === undefined || isHidden || isSame(updated) ? {} : { change: toChange(updated) }),
    ...(fault === undefined ? {} : { fault }),
  };
}

const hidden = '(hidden)';
const notShown = 'not shown: the request repeats an API key';

/** The operation that it was addressed to. */
export function operationOf({ kind }: KeptExchange): OperationId | undefined {
  return kind === 'listInventory' || kind === 'updateInventory' ? kind : undefined;
}

/** The pet that its path names; not where it may be a key. */
export function petIdOf({
  segment,
  isCompact,
  petId,
  updated,
  isHidden,
}: KeptExchange): bigint | undefined {
  if (isHidden) return undefined;
  if (isCompact) return BigInt(petId);
  return updated?.petId ?? (segment === undefined ? undefined : parsePetId(segment));
}

const pathOf = ({ path, segment, isCompact, petId, updated }: KeptExchange): string =>
  path ?? `${updatePath}${segment ?? (isCompact ? petId : updated?.petId)}`;

function toRequestHeaders(kept: KeptExchange): JournalEntry['request']['headers'] {
  const { contentType, prefer, isHidden } = kept;
  return [['Content-Type', contentType] as const, ['Prefer', prefer] as const].flatMap(
    ([name, value]) => {
      if (value === undefined) return [];
      return [[name, isHidden && value !== 'application/json' ? hidden : value] as const];
    },
  );
}

function toPairs(headers: readonly string[]): JournalEntry['response']['headers'] {
  return Array.from(
    { length: Math.floor(headers.length / 2) },
    (_, index) => [headers[index * 2] ?? '', headers[index * 2 + 1] ?? ''] as const,
  );
}

function toBodyView(
  bytes: Uint8Array,
  length: number,
  bodyBytes: number,
  isHidden: boolean,
): BodyView {
  const whole = length === -1 ? bytes.length : length;
  const isCut = whole > bodyBytes;
  const text = isHidden && whole > 0 ? hidden : decode(bytes.subarray(0, bodyBytes), isCut);
  return { length: whole, text, isCut };
}

/** As the beginning of a stream where it is cut: a character that is cut as well is left out. */
function decode(bytes: Uint8Array, isCut: boolean): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: isCut });
}

const isSame = ({ quantity, status, previous }: UpdatedItem): boolean =>
  quantity === previous.quantity && status === previous.status;

function toChange({ petId, quantity, status, previous }: UpdatedItem): ChangedItem {
  return { petId, before: previous, after: { quantity, status } };
}

/** Judges it by the contract, which knows nothing of the engine. */
export function judge(kept: KeptExchange): ExchangeVerdict {
  const { verdict, clauses, findings, reason } = judgeExchange(
    toObservedRequest(kept),
    isUnanswered(kept) ? undefined : toObservedResponse(kept),
    toFacts(kept),
  );
  const doubt = verdict === 'inconclusive' && reason !== undefined ? [reason] : [];
  const told = [...findings.map(({ message }) => message), ...doubt];
  return {
    verdict,
    clauses,
    findings: kept.isHidden && told.length > 0 ? [notShown] : told,
  };
}

function toObservedRequest(kept: KeptExchange): ObservedRequest {
  const path = pathOf(kept);
  const body = requestBodyOf(kept);
  return {
    method: kept.method,
    // What lies elsewhere is no path of the service.
    path: path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : '',
    header: (name) => (name === 'content-type' ? kept.contentType : undefined),
    body,
    bodyIsCut: kept.requestLength > body.length,
  };
}

function toObservedResponse(kept: KeptExchange): ObservedResponse {
  const { status, headers, fault } = kept;
  const body = responseBodyOf(kept);
  return {
    status,
    header: (name) => toPairs(headers).find(([known]) => known.toLowerCase() === name)?.[1],
    body,
    bodyIsCut: kept.responseLength > body.length,
    brokeOff: fault?.kind === 'truncate',
  };
}

/** Faults after which nothing comes. */
const silent: ReadonlySet<string> = new Set(['reset', 'hang', 'empty-reply']);

const isUnanswered = ({ status, fault }: KeptExchange): boolean =>
  status === 0 || (fault !== undefined && silent.has(fault.kind));

/**
 * That a pet exists is known from what an update found. That it does not is only the engine's word,
 * which is what is judged.
 */
function toFacts({ credentials, isCompact, updated }: KeptExchange): ExchangeFacts {
  return { credentials, ...(isCompact || updated !== undefined ? { petExists: true } : {}) };
}
