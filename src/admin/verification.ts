import type { OperationId } from '../../contracts/case.ts';
import { AdminError } from './admin-error.ts';
import type { AdminCall, AdminHttp, RequestOptions } from './admin-http.ts';
import { readAdminJson } from './admin-json.ts';

/** What is verified. Every field may be left out. */
export interface VerificationRequest {
  /** A service's address, which ends in `/v1`. Left out: this mock, on a sandbox of its own. */
  readonly baseUrl?: string;
  /** What opens that service. */
  readonly apiKey?: string;
  /** The sandbox of this mock whose copy is verified. Left out: `default`. */
  readonly sandbox?: string;
  /** Sends nothing but GET. */
  readonly readOnly?: boolean;
}

/** What a verification tells as it goes on; the last is `end`. An `error` in its place is thrown. */
export type VerificationEvent =
  /** How many cases and checks there are. */
  | { readonly type: 'start'; readonly subjects: number }
  | { readonly type: 'result'; readonly result: VerificationResult }
  /** The report as `stockcheck verify --reporter json` writes it. */
  | { readonly type: 'end'; readonly report: VerificationReport };

/** Comes in place of the end, where the verifier itself failed; it is thrown. */
interface VerificationFailure {
  readonly type: 'error';
  readonly error: { readonly code: string; readonly message: string; readonly status: number };
}

export type VerificationVerdict = 'pass' | 'fail' | 'inconclusive' | 'advice';

/** What became of one case or check. */
export interface VerificationResult {
  readonly id: string;
  readonly title: string;
  readonly operation: OperationId;
  /** The status that is expected in the first place. */
  readonly status: number;
  readonly clauses: readonly string[];
  readonly verdict: VerificationVerdict;
  readonly findings: readonly {
    readonly verdict: VerificationVerdict;
    readonly clause?: string;
    readonly message: string;
  }[];
}

export interface VerificationReport {
  readonly baseUrl: string;
  readonly verdict: VerificationVerdict;
  /** Why the whole run could not be judged, or what made all of it fail. */
  readonly reason?: string;
  readonly results: readonly VerificationResult[];
}

/** Runs the verifier on the server, and tells what it finds as it finds it. */
export async function* streamVerification(
  http: AdminHttp,
  body: VerificationRequest,
  { signal }: RequestOptions = {},
): AsyncGenerator<VerificationEvent, void> {
  const call: AdminCall = { method: 'POST', path: ['verifications'], body, signal };
  let isOver = false;
  for await (const line of readLines(await http.stream(call))) {
    const event = toEvent(line, http.urlOf(call));
    isOver = event.type === 'end';
    yield event;
  }
  signal?.throwIfAborted();
  if (!isOver) throw unexpected(http.urlOf(call), 'broke off before its end; did the server stop?');
}

/** The whole lines of a stream, until it ends or breaks. */
async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const bytes = await readBytes(reader);
      if (bytes === undefined) return;
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

async function readBytes(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<Uint8Array | undefined> {
  try {
    const { value } = await reader.read();
    return value;
  } catch {
    return undefined;
  }
}

function toEvent(line: string, url: string): VerificationEvent {
  const read = readAdminJson(line);
  if (!read.ok) throw unexpected(url, `sent a line that is not JSON: ${read.problem}`);
  const event = read.value as VerificationEvent | VerificationFailure;
  if (event.type !== 'error') return event;
  const { message, ...facts } = event.error;
  throw new AdminError(`POST ${url} failed: ${message}`, { ...facts, method: 'POST', url });
}

function unexpected(url: string, why: string): AdminError {
  return new AdminError(`POST ${url} ${why}`, { method: 'POST', url, code: 'unexpected_answer' });
}
