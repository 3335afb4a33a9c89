import type { ProviderState } from '../../contracts/provider-states.ts';
import { stringifyExactJson } from '../json/exact-json.ts';
import { HttpClient, type Reply } from './http-client.ts';

/** Sets a provider's states over its state-change URL (Pact's protocol). It never sends the key. */
export interface ProviderStates {
  /** @returns why the state could not be set; `undefined` where it could */
  setUp(state: ProviderState): Promise<string | undefined>;
  /** Asks the provider to undo its states, which it need not know how to. */
  tearDown(state: ProviderState): Promise<void>;
  close(): void;
}

/** @param token what opens the URL, if anything must */
export function createProviderStates(
  url: URL,
  token: string | undefined,
  timeoutMs: number,
): ProviderStates {
  const baseUrl = new URL(url.origin);
  const client = new HttpClient({
    baseUrl,
    timeoutMs,
    maximumBodyBytes: 1_000_000,
    concurrency: 1,
  });
  const post = (state: ProviderState, action: 'setup' | 'teardown'): Promise<Reply> => {
    const params = 'params' in state ? state.params : {};
    return client.send({
      method: 'POST',
      path: url.pathname + url.search,
      headers: [
        ['Content-Type', 'application/json'],
        ...(token === undefined ? [] : [['Authorization', `Bearer ${token}`] as const]),
      ],
      body: Buffer.from(stringifyExactJson({ state: state.name, params, action })),
    });
  };
  return {
    async setUp(state) {
      const reply = await post(state, 'setup');
      if (reply.kind === 'response' && reply.status >= 200 && reply.status < 300) return undefined;
      const answer = reply.kind === 'response' ? `it answered ${reply.status}` : reply.sentence;
      return `the state "${state.name}" could not be set over ${url.origin}${url.pathname}: ${answer}`;
    },
    async tearDown(state) {
      await post(state, 'teardown');
    },
    close: () => client.close(),
  };
}
