import type {
  AdminItem,
  CreatedSandbox,
  FaultRuleView,
  FaultView,
  InventoryDiff,
  JournalPage,
  JournalQuery,
  SandboxChanges,
  SandboxRequest,
  SandboxView,
  SnapshotView,
} from '../src/admin/admin-api.ts';
import { stringifyExactJson } from '../src/json/exact-json.ts';
import type { Access } from './access.ts';
import { readLines } from './read-lines.ts';
import {
  parseWire,
  type ContractView,
  type FaultList,
  type FixtureView,
  type PetStatus,
  type VerificationLine,
  type VerificationRequest,
} from './wire.ts';

/** An answer of the admin API that is no success; the message is the server's own sentence. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
  }
}

export interface SandboxPage {
  readonly sandboxes: readonly SandboxView[];
  readonly count: number;
  readonly limit: number;
}

/** No answer came, or only a part of one. */
export class UnreachableError extends Error {
  constructor(cause: unknown) {
    super('the server cannot be reached', { cause });
    this.name = 'UnreachableError';
  }
}

/**
 * The admin API as typed functions. All of them reject with {@link ApiError},
 * {@link UnreachableError}, or an `AbortError` where a signal ends them.
 */
export interface Api {
  /** @param limit how many to read, from 1 to 1000 */
  listSandboxes(limit: number, after?: string): Promise<SandboxPage>;
  createSandbox(request: SandboxRequest): Promise<CreatedSandbox>;
  getSandbox(id: string): Promise<SandboxView>;
  changeSandbox(id: string, changes: SandboxChanges): Promise<SandboxView>;
  deleteSandbox(id: string): Promise<void>;
  listItems(id: string): Promise<readonly AdminItem[]>;
  changeItem(
    id: string,
    petId: bigint,
    changes: { readonly quantity?: bigint; readonly status?: PetStatus },
  ): Promise<AdminItem>;
  reset(id: string): Promise<void>;
  takeSnapshot(id: string, name: string): Promise<SnapshotView>;
  restoreSnapshot(id: string, name: string): Promise<void>;
  deleteSnapshot(id: string, name: string): Promise<void>;
  /** @param snapshot left out: against the seed */
  diff(id: string, snapshot?: string): Promise<InventoryDiff>;
  /** The fixture, as text. */
  exportFixture(id: string): Promise<string>;
  listFaults(id: string): Promise<readonly FaultView[]>;
  addFault(id: string, rule: FaultRuleView): Promise<FaultView>;
  removeFault(id: string, fault: string): Promise<void>;
  readJournal(id: string, query?: JournalQuery): Promise<JournalPage>;
  clearJournal(id: string): Promise<void>;
  listFixtures(): Promise<readonly FixtureView[]>;
  readContract(): Promise<ContractView>;
  /** Runs the case table; ends when the signal is aborted. */
  verify(
    request: VerificationRequest,
    onLine: (line: VerificationLine) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /** Opens the server-sent events of a sandbox. */
  openEvents(id: string, lastEventId: string, signal: AbortSignal): Promise<Response>;
}

/** @param base the address of `/_stockcheck/`, with its slash at the end */
export function createApi(base: string, access: Access): Api {
  const send = async (method: string, path: string, options: RequestOptions = {}) => {
    const url = new URL(path, base);
    // Asked for again where the server wants a token, until it takes the one that was given.
    for (;;) {
      const token = access.token();
      const headers = new Headers(options.headers);
      if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
      if (options.body !== undefined) headers.set('Content-Type', 'application/json');
      const response = await reach(
        fetch(url, {
          method,
          headers,
          ...(options.body === undefined ? {} : { body: stringifyExactJson(options.body) }),
          ...(options.signal === undefined ? {} : { signal: options.signal }),
          cache: 'no-store',
        }),
      );
      if (response.ok) return response;
      if (response.status !== 401) throw await toApiError(response);
      await access.ask(token);
    }
  };
  const read = async <Value>(path: string): Promise<Value> => parse(await send('GET', path));
  const write = async <Value>(method: string, path: string, body?: unknown): Promise<Value> =>
    parse(await send(method, path, body === undefined ? {} : { body }));
  const run = async (method: string, path: string): Promise<void> => {
    await send(method, path);
  };

  return {
    listSandboxes: (limit, after) =>
      read(
        `sandboxes?limit=${limit}${after === undefined ? '' : `&after=${encodeURIComponent(after)}`}`,
      ),
    createSandbox: (request) => write('POST', 'sandboxes', request),
    getSandbox: (id) => read(of(id)),
    changeSandbox: (id, changes) => write('PATCH', of(id), changes),
    deleteSandbox: (id) => run('DELETE', of(id)),
    listItems: (id) => read(of(id, '/inventory')),
    changeItem: (id, petId, changes) => write('PATCH', of(id, `/inventory/${petId}`), changes),
    reset: (id) => run('POST', of(id, '/reset')),
    takeSnapshot: (id, name) => write('PUT', snapshot(id, name)),
    restoreSnapshot: (id, name) => run('POST', `${snapshot(id, name)}/restore`),
    deleteSnapshot: (id, name) => run('DELETE', snapshot(id, name)),
    diff: (id, name) =>
      read(of(id, `/diff${name === undefined ? '' : `?snapshot=${encodeURIComponent(name)}`}`)),
    exportFixture: async (id) => reach((await send('GET', of(id, '/export'))).text()),
    listFaults: async (id) => (await read<FaultList>(of(id, '/faults'))).faults,
    addFault: (id, rule) => write('POST', of(id, '/faults'), rule),
    removeFault: (id, fault) => run('DELETE', of(id, `/faults/${encodeURIComponent(fault)}`)),
    readJournal: (id, query = {}) => {
      const search = Object.entries(query).map(([name, value]) => [name, String(value)]);
      return read(of(id, `/journal?${new URLSearchParams([...search, ['limit', '1000']])}`));
    },
    clearJournal: (id) => run('DELETE', of(id, '/journal')),
    listFixtures: async () =>
      (await read<{ readonly fixtures: readonly FixtureView[] }>('fixtures')).fixtures,
    readContract: () => read('contract'),
    verify: async (request, onLine, signal) => {
      const response = await send('POST', 'verifications', { body: request, signal });
      await reach(
        readLines(response, (line) => {
          if (line !== '') onLine(parseWire(line) as VerificationLine);
        }),
      );
    },
    openEvents: (id, lastEventId, signal) =>
      send('GET', of(id, '/events'), {
        headers: {
          Accept: 'text/event-stream',
          ...(lastEventId === '' ? {} : { 'Last-Event-ID': lastEventId }),
        },
        signal,
      }),
  };
}

function of(id: string, rest = ''): string {
  return `sandboxes/${encodeURIComponent(id)}${rest}`;
}

function snapshot(id: string, name: string): string {
  return of(id, `/snapshots/${encodeURIComponent(name)}`);
}

interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** @throws {UnreachableError} where the connection fails, which the browser calls a `TypeError` */
async function reach<Value>(answer: Promise<Value>): Promise<Value> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof TypeError ? new UnreachableError(error) : error;
  }
}

async function parse<Value>(response: Response): Promise<Value> {
  return parseWire(await reach(response.text())) as Value;
}

async function toApiError(response: Response): Promise<ApiError> {
  const text = await reach(response.text());
  try {
    const { message } = parseWire(text) as { readonly message?: unknown };
    if (typeof message === 'string') return new ApiError(response.status, message);
  } catch {
    // Not an Error body: a proxy may have answered.
  }
  return new ApiError(response.status, `the server answered ${response.status}`);
}

/** What to tell a person about a failure. */
export function toSentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
