import { expect, test } from 'vitest';
import { createMock } from '../../src/mock/mock.ts';
import { startServer } from '../../src/server/http-server.ts';
import { providerStatesPath } from '../../src/server/serve-provider-states.ts';
import { MemoryStore } from '../../src/stores/memory.ts';
import { fromEnvironment } from './environment.ts';
import {
  formatVerification,
  verifyPact,
  type PactVerification,
  type PactVerificationOptions,
} from './verify-pact.ts';

// The provider suite: a provider of yours where PROVIDER_URL names one, else our mock.
test('the provider keeps the pacts', { timeout: 600_000 }, async () => {
  const named = fromEnvironment(process.env);
  const verification = await (named === undefined ? verifyMock() : verifyPact(named));
  expect(verification.verdict, formatVerification(verification)).toBe('pass');
});

async function verifyMock(): Promise<PactVerification> {
  const apiKey = 'kEy-0f-the-mock';
  const mock = createMock({ store: new MemoryStore(), apiKeys: [apiKey] });
  const server = await startServer({ mock, port: 0 });
  const options: PactVerificationOptions = {
    providerUrl: server.url,
    apiKey,
    stateUrl: new URL(providerStatesPath, server.url).href,
    pacts: 'all',
  };
  try {
    return await verifyPact(options);
  } finally {
    await server.close();
  }
}
