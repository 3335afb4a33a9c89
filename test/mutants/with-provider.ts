import type { BrokenProvider, LegalProvider } from './mutant.ts';
import { probe, type Failure } from './probe.ts';
import { startProvider, type Mutation, type Provider } from './provider.ts';
import { createRawClient, type RawClient } from './raw-client.ts';

/**
 * Starts a provider, does something with it over HTTP, and closes it.
 *
 * @param timeout how long one response may take, in milliseconds
 */
export async function withProvider<T>(
  mutation: Mutation,
  act: (provider: Provider, client: RawClient) => Promise<T>,
  timeout?: number,
): Promise<T> {
  const provider = await startProvider(mutation);
  const client = createRawClient(provider.url, timeout);
  try {
    return await act(provider, client);
  } finally {
    client.close();
    await provider.close();
  }
}

/** The first case that the provider does not keep; for a violation, of those that name its clause. */
export async function findFailure(
  mutant: BrokenProvider | LegalProvider,
  timeout?: number,
): Promise<Failure | undefined> {
  const isMeant: Parameters<typeof probe>[2] = ({ clauses }) =>
    !('breaks' in mutant) || clauses.includes(mutant.breaks);
  return withProvider(
    mutant,
    async (provider, client) => {
      for await (const failure of probe(provider, client, isMeant)) return failure;
      return undefined;
    },
    timeout,
  );
}
