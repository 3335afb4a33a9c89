import { stringifyExactJson } from '../json/exact-json.ts';
import { HttpClient } from './http-client.ts';
import type { Entry } from './report.ts';

/** A provider state, as Pact's verifiers send it. */
export interface ProviderState {
  readonly state: string;
  readonly params: object;
}

export const emptyState: ProviderState = { state: 'the inventory is empty', params: {} };

export function toItemsState(items: readonly Entry[]): ProviderState {
  return { state: 'the inventory has the items', params: { items } };
}

/** Sets a provider's states over its state-change URL (Pact's protocol). It never sends the key. */
export interface ProviderStates {
  /** @returns why the state could not be set; `undefined` where it could */
  setUp(state: ProviderState): Promise<string | undefined>;
  close(): void;
}

export function createProviderStates(url: URL, timeoutMs: number): ProviderStates {
  const baseUrl = new URL(url.origin);
  const client = new HttpClient({
    baseUrl,
    timeoutMs,
    maximumBodyBytes: 1_000_000,
    concurrency: 1,
  });
  return {
    async setUp({ state, params }) {
      const reply = await client.send({
        method: 'POST',
        path: url.pathname + url.search,
        headers: [['Content-Type', 'application/json']],
        body: Buffer.from(stringifyExactJson({ state, params, action: 'setup' })),
      });
      if (reply.kind === 'response' && reply.status >= 200 && reply.status < 300) return undefined;
      const answer = reply.kind === 'response' ? `it answered ${reply.status}` : reply.sentence;
      return `the state "${state}" could not be set over ${url.origin}${url.pathname}: ${answer}`;
    },
    close: () => client.close(),
  };
}
