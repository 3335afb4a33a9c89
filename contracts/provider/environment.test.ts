import { expect, test } from 'vitest';
import { fromEnvironment } from './environment.ts';

test('reads nothing where no provider is named', () => {
  expect(fromEnvironment({ PROVIDER_URL: '', API_KEY: 'key' })).toBeUndefined();
});

test('reads a provider', () => {
  expect(
    fromEnvironment({
      PROVIDER_URL: 'http://127.0.0.1:8080/v1',
      API_KEY: 'key',
      PROVIDER_STATES_URL: 'http://127.0.0.1:8080/states',
      PROVIDER_STATES_TOKEN: 'let-me-in',
      PACTS: 'one.json, two.json',
    }),
  ).toEqual({
    providerUrl: 'http://127.0.0.1:8080/v1',
    apiKey: 'key',
    stateUrl: 'http://127.0.0.1:8080/states',
    stateToken: 'let-me-in',
    pacts: ['one.json', 'two.json'],
  });
});

test('reads a broker', () => {
  expect(
    fromEnvironment({
      PROVIDER_URL: 'http://127.0.0.1:8080/v1',
      API_KEY: 'key',
      PACTS: 'all',
      PACT_BROKER_BASE_URL: 'http://127.0.0.1:9292',
      PACT_BROKER_TOKEN: 'token',
      PACT_PROVIDER_NAME: 'inventory',
      PACT_CONSUMER_VERSION_SELECTORS: '[{"mainBranch":true}]',
      PACT_ENABLE_PENDING: 'true',
      PACT_PROVIDER_VERSION: '1.2.3',
      PACT_PROVIDER_BRANCH: 'main',
      PACT_BUILD_URL: 'http://127.0.0.1/build/7',
    }),
  ).toEqual({
    providerUrl: 'http://127.0.0.1:8080/v1',
    apiKey: 'key',
    pacts: 'all',
    broker: {
      url: 'http://127.0.0.1:9292',
      token: 'token',
      providerName: 'inventory',
      selectors: [{ mainBranch: true }],
      enablePending: true,
      publish: { providerVersion: '1.2.3', branch: 'main', buildUrl: 'http://127.0.0.1/build/7' },
    },
  });
});

test('needs a key', () => {
  expect(() => fromEnvironment({ PROVIDER_URL: 'http://127.0.0.1' })).toThrow(
    'PROVIDER_URL needs API_KEY',
  );
});

test.for(['{', '{}'])('refuses the selectors %s', (selectors) => {
  expect(() =>
    fromEnvironment({
      PROVIDER_URL: 'http://127.0.0.1',
      API_KEY: 'key',
      PACT_BROKER_BASE_URL: 'http://127.0.0.1:9292',
      PACT_CONSUMER_VERSION_SELECTORS: selectors,
    }),
  ).toThrow('expected a JSON array of selectors');
});
