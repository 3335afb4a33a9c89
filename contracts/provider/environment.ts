import type {
  ConsumerVersionSelector,
  PactBroker,
  PactVerificationOptions,
} from './verify-pact.ts';

/** The variables that the provider suite reads (`docs/pact.md`). */
export interface ProviderEnvironment {
  readonly [name: string]: string | undefined;
}

/**
 * Reads from the environment what to verify.
 *
 * @returns `undefined` where no provider is named: then the suite verifies the mock
 * @throws {TypeError} for a variable that cannot be read, or that another one needs
 */
export function fromEnvironment(env: ProviderEnvironment): PactVerificationOptions | undefined {
  const providerUrl = read(env, 'PROVIDER_URL');
  if (providerUrl === undefined) return undefined;
  const apiKey = read(env, 'API_KEY');
  if (apiKey === undefined) {
    throw new TypeError('PROVIDER_URL needs API_KEY: a key that the provider accepts');
  }
  const stateUrl = read(env, 'PROVIDER_STATES_URL');
  const stateToken = read(env, 'PROVIDER_STATES_TOKEN');
  const broker = toBroker(env);
  const pacts = toPacts(read(env, 'PACTS'));
  return {
    providerUrl,
    apiKey,
    ...(stateUrl === undefined ? {} : { stateUrl }),
    ...(stateToken === undefined ? {} : { stateToken }),
    ...(broker === undefined ? {} : { broker }),
    ...(pacts === undefined ? {} : { pacts }),
  };
}

/** A variable that is set and not empty. */
function read(env: ProviderEnvironment, name: string): string | undefined {
  const value = env[name];
  return value === '' ? undefined : value;
}

function toPacts(value: string | undefined): PactVerificationOptions['pacts'] {
  if (value === undefined || value === 'contract' || value === 'all') return value;
  return value.split(',').map((part) => part.trim());
}

function toBroker(env: ProviderEnvironment): PactBroker | undefined {
  const url = read(env, 'PACT_BROKER_BASE_URL');
  if (url === undefined) return undefined;
  const token = read(env, 'PACT_BROKER_TOKEN');
  const username = read(env, 'PACT_BROKER_USERNAME');
  const password = read(env, 'PACT_BROKER_PASSWORD');
  const providerName = read(env, 'PACT_PROVIDER_NAME');
  const selectors = toSelectors(read(env, 'PACT_CONSUMER_VERSION_SELECTORS'));
  const publish = toPublish(env);
  return {
    url,
    ...(token === undefined ? {} : { token }),
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(providerName === undefined ? {} : { providerName }),
    ...(selectors === undefined ? {} : { selectors }),
    ...(read(env, 'PACT_ENABLE_PENDING') === 'true' ? { enablePending: true } : {}),
    ...(publish === undefined ? {} : { publish }),
  };
}

function toSelectors(value: string | undefined): readonly ConsumerVersionSelector[] | undefined {
  if (value === undefined) return undefined;
  const expected = 'expected a JSON array of selectors, such as [{"mainBranch":true}]';
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch (cause) {
    throw new TypeError(`PACT_CONSUMER_VERSION_SELECTORS is not JSON; ${expected}`, { cause });
  }
  if (!Array.isArray(parsed)) {
    throw new TypeError(`PACT_CONSUMER_VERSION_SELECTORS is not an array; ${expected}`);
  }
  return parsed as readonly ConsumerVersionSelector[];
}

/** Results are published where the provider's version is known: a broker needs it. */
function toPublish(env: ProviderEnvironment): PactBroker['publish'] {
  const providerVersion = read(env, 'PACT_PROVIDER_VERSION');
  if (providerVersion === undefined) return undefined;
  const branch = read(env, 'PACT_PROVIDER_BRANCH');
  const buildUrl = read(env, 'PACT_BUILD_URL');
  return {
    providerVersion,
    ...(branch === undefined ? {} : { branch }),
    ...(buildUrl === undefined ? {} : { buildUrl }),
  };
}
