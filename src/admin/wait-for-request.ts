import { cutText } from '../json/cut-text.ts';
import type { JournalEntry, JournalPage, JournalQuery } from './admin-api.ts';
import { AdminError } from './admin-error.ts';
import type { AdminCall, AdminHttp, RequestOptions } from './admin-http.ts';
import { toDigits } from './admin-json.ts';

/** What exchanges are asked for. What is left out is not asked. */
export interface JournalFilter extends Omit<JournalQuery, 'petId' | 'wait'> {
  readonly petId?: number | bigint;
}

export interface WaitOptions extends RequestOptions {
  /** How long to wait, in milliseconds, from 0 to 2^31 - 1 (24 days). Left out: 5,000. */
  readonly timeoutMs?: number;
  /** What else the exchange must be like. */
  readonly matching?: (exchange: JournalEntry) => boolean;
}

const defaultTimeoutMs = 5000;
/** No timer of the platforms takes more. */
const longestTimeoutMs = 2 ** 31 - 1;
/** Shorter than what lies between may cut an idle connection after. */
const longestWaitSeconds = 20;
const shownExchanges = 5;
const largestPage = 1000;

/** Where a journal is, and whose it is. */
export interface JournalPlace {
  readonly http: AdminHttp;
  readonly sandbox: string;
}

/** Reads a journal once; `wait` is in whole seconds. */
export function readJournal(
  { http, sandbox }: JournalPlace,
  filter: JournalFilter & { readonly wait?: number },
  signal?: AbortSignal,
): Promise<JournalPage> {
  return http.json<JournalPage>(toCall(sandbox, filter, signal));
}

function toCall(
  sandbox: string,
  { petId, ...filter }: JournalFilter & { readonly wait?: number },
  signal?: AbortSignal,
): AdminCall {
  return {
    method: 'GET',
    path: ['sandboxes', sandbox, 'journal'],
    query: { ...filter, petId: petId === undefined ? undefined : toDigits('petId', petId) },
    moreTime: (filter.wait ?? 0) * 1000,
    signal,
  };
}

/** Waits for an exchange; see `SandboxHandle.waitForRequest`. */
export async function waitForRequest(
  place: JournalPlace,
  filter: JournalFilter,
  options: WaitOptions,
): Promise<JournalEntry> {
  const { timeoutMs = defaultTimeoutMs, matching, signal } = options;
  if (!(timeoutMs >= 0 && timeoutMs <= longestTimeoutMs)) {
    throw new RangeError(
      `timeoutMs must be a number of milliseconds from 0 to ${longestTimeoutMs}; got ${timeoutMs}`,
    );
  }
  const deadline = performance.now() + timeoutMs;
  const isOver = AbortSignal.timeout(timeoutMs);
  const stop = signal === undefined ? isOver : AbortSignal.any([signal, isOver]);
  let { after = 0 } = filter;
  const find = (page: JournalPage | undefined): JournalEntry | undefined =>
    page?.exchanges.find((exchange) => matching?.(exchange) ?? true);
  let wasPartial = false;
  for (let wait = 0; ; wait = toWait(deadline)) {
    // The first look is not cut short: what has happened already is found in no time at all.
    const until = wait === 0 ? signal : stop;
    const page = await readUntil(
      place,
      { ...filter, after, limit: largestPage, wait },
      until,
      isOver,
    );
    const found = find(page);
    if (found !== undefined) return found;
    wasPartial ||= page?.isPartial === true;
    if (page === undefined || performance.now() >= deadline) break;
    // Of a full page, more may lie behind its last exchange.
    const isFull = page.exchanges.length === largestPage;
    after = Math.max(after, (isFull ? page.exchanges.at(-1)?.sequence : undefined) ?? page.last);
  }
  // What was missing lies before what was seen.
  const { after: first = 0 } = filter;
  const found = wasPartial
    ? find(await readJournal(place, { ...filter, after: first, limit: largestPage }, signal))
    : undefined;
  if (found !== undefined) return found;
  throw await toNotSeen(place, filter, { ...options, timeoutMs });
}

function toWait(deadline: number): number {
  const seconds = Math.ceil((deadline - performance.now()) / 1000);
  return Math.min(Math.max(seconds, 1), longestWaitSeconds);
}

/** `undefined`: the time was over. */
async function readUntil(
  place: JournalPlace,
  filter: JournalFilter & { readonly wait: number },
  stop: AbortSignal | undefined,
  isOver: AbortSignal,
): Promise<JournalPage | undefined> {
  try {
    return await readJournal(place, filter, stop);
  } catch (error) {
    if (isOver.aborted && error === isOver.reason) return undefined;
    throw error;
  }
}

async function toNotSeen(
  place: JournalPlace,
  filter: JournalFilter,
  { timeoutMs, matching, signal }: WaitOptions,
): Promise<AdminError> {
  const { exchanges, isPartial } = await readJournal(place, { limit: shownExchanges }, signal);
  const { http, sandbox } = place;
  const seen =
    exchanges.length === 0
      ? `it has seen none at all: does the client under test send the key of the sandbox to ${http.baseUrl}?`
      : `the last it has seen:\n${exchanges.map(describeExchange).join('\n')}`;
  const alsoWanted = matching === undefined ? '' : ' for which matching is true';
  const missing = isPartial === true ? `${partOfJournal}; ` : '';
  const message = `no request${describeFilter(filter)}${alsoWanted} came to sandbox ${sandbox} within ${timeoutMs} ms; ${missing}${seen}`;
  const call = toCall(sandbox, filter);
  return new AdminError(message, {
    method: call.method,
    url: http.urlOf(call),
    code: 'request_not_seen',
  });
}

function describeFilter(filter: JournalFilter): string {
  const wanted = Object.entries(filter).flatMap(([name, value]) =>
    value === undefined ? [] : `${name} ${value}`,
  );
  return wanted.length === 0 ? '' : ` with ${wanted.join(', ')}`;
}

/** What is said of a journal where a server that it is asked for did not answer. */
export const partOfJournal =
  'part of the journal is missing: a server over the same Redis did not answer';

/** An exchange in a line. What would end the line, or command the terminal, is a space. */
export function describeExchange({ sequence, request, response, fault }: JournalEntry): string {
  const text = cutText(request.body.text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim(), 80);
  const body = text === '' ? '' : ` ${text}`;
  const answer = response.status === 0 ? 'no answer' : response.status;
  const spoiled = fault === undefined ? '' : ` (fault ${fault.kind})`;
  return `  ${sequence}. ${request.method} ${request.path}${body} → ${answer}${spoiled}`;
}
