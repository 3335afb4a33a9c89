import type { SandboxRequest } from './admin-api.ts';
import type { AdminClientOptions } from './admin-http.ts';
import { stringifyExactJson } from '../json/exact-json.ts';
import type { SandboxHandle } from './sandbox-client.ts';
import { describeExchange, partOfJournal } from './wait-for-request.ts';

/** Where tests find the server, and what their sandboxes are like. */
export interface StockcheckOptions extends Partial<AdminClientOptions>, SandboxRequest {}

const defaultUrl = 'http://127.0.0.1:4010';
/** An hour: what a killed run leaves behind goes away, and a debugger may pause for long. */
const defaultTimeToLive = 3600;
const longestName = 64;

/** Parts the options of the client from those of every sandbox. */
export function partOptions(options: StockcheckOptions): {
  readonly client: AdminClientOptions;
  readonly sandbox: SandboxRequest;
} {
  const { url = defaultUrl, token, fetch, timeoutMs, ...sandbox } = options;
  return {
    client: {
      url,
      ...(token === undefined ? {} : { token }),
      ...(fetch === undefined ? {} : { fetch }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    },
    sandbox,
  };
}

/** What a test's sandbox is created from: it bears the test's name, to be found in the console. */
export function toTestSandbox(request: SandboxRequest, test: string): SandboxRequest {
  return { name: toName(test), timeToLive: defaultTimeToLive, ...request };
}

/** What the server takes for a name: printable, and the end of it, which says most. */
function toName(test: string): string {
  const printable = Array.from(test.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim());
  if (printable.length === 0) return 'a test';
  if (printable.length <= longestName) return printable.join('');
  return `…${printable
    .slice(1 - longestName)
    .join('')
    .trimStart()}`;
}

/** The journal as JSON, to be kept beside a failed test. Never throws. */
export function readJournalText(sandbox: SandboxHandle): Promise<string> {
  return orProblem(async () => {
    const page = await sandbox.journal({ limit: 1000 });
    const note = page.isPartial === true ? { note: partOfJournal } : {};
    return stringifyExactJson({ ...note, ...page }, 2);
  });
}

const shownExchanges = 10;

/** The end of the journal in lines, to be printed for a failed test. Never throws. */
export function describeJournal(sandbox: SandboxHandle, test: string): Promise<string> {
  return orProblem(async () => {
    const { exchanges, isPartial } = await sandbox.journal({ limit: shownExchanges });
    const lines = exchanges.map(describeExchange);
    return [
      `the last requests to the sandbox of ${JSON.stringify(test)}:`,
      ...(lines.length === 0 ? ['  none'] : lines),
      ...(isPartial === true ? [partOfJournal] : []),
    ].join('\n');
  });
}

/** A journal that cannot be read must not hide why the test failed. */
async function orProblem(read: () => Promise<string>): Promise<string> {
  try {
    return await read();
  } catch (error) {
    return `the journal cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
