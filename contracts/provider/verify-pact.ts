import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VerifierOptions } from '@pact-foundation/pact-core';
import { toPactFileName, toPactJson, type PactDocument } from '../consumer/pact-document.ts';
import { contractPact, defaultsPact } from '../consumer/pacts.ts';
import { startGateway, type Gateway } from './gateway.ts';
import { runPactCore } from './run-pact-core.ts';
import { listInventory } from './state-change.ts';
import {
  formatVerification,
  inconclusive,
  toVerification,
  type InteractionResult,
  type PactVerification,
} from './verification.ts';

export { formatVerification, type InteractionResult, type PactVerification };

/** Which versions of consumers to verify (Pact Broker: "consumer version selectors"). */
export interface ConsumerVersionSelector {
  readonly [property: string]: string | boolean;
}

/** Where a Pact Broker is, and what to do with it. */
export interface PactBroker {
  readonly url: string;
  /** A bearer token; or else user name and password. */
  readonly token?: string;
  readonly username?: string;
  readonly password?: string;
  /** The provider's name in the broker. Left out: `pet-store-inventory`. */
  readonly providerName?: string;
  /** Left out: the latest version of each consumer. */
  readonly selectors?: readonly ConsumerVersionSelector[];
  /** Verify pending pacts without failing for them. */
  readonly enablePending?: boolean;
  /** Verify work in progress since a date, such as `2026-01-31`, without failing for it. */
  readonly includeWipPactsSince?: string;
  /** Publish the results under this version of the provider. Left out: nothing is published. */
  readonly publish?: {
    readonly providerVersion: string;
    readonly branch?: string;
    readonly tags?: readonly string[];
    /** A page about the build, shown beside the result. */
    readonly buildUrl?: string;
  };
}

export interface PactVerificationOptions {
  /** The base address of the provider, which ends in `/v1`; or its origin alone. */
  readonly providerUrl: string;
  /** A key that the provider accepts. It takes the place of the one in the pacts. */
  readonly apiKey: string;
  /**
   * Where provider states are set, by Pact's protocol. Without it no state can be set, and every
   * interaction that has one fails.
   */
  readonly stateUrl?: string;
  /** Sent with every state change, as `Authorization: Bearer <token>`. Left out: nothing is. */
  readonly stateToken?: string;
  /**
   * `contract`: what every provider keeps; `all`: the mock's own answers as well, where the
   * specification leaves a choice; else paths or URLs of pact files. Left out: `contract`, or with
   * a broker the broker's.
   */
  readonly pacts?: 'contract' | 'all' | readonly string[];
  readonly broker?: PactBroker;
  /** How long a request may take, in milliseconds. Left out: 5,000. */
  readonly timeout?: number;
}

/** Pact's verifier is not installed. The message says what to do. */
export class PactCoreMissingError extends Error {
  override readonly name = 'PactCoreMissingError';
}

/**
 * Verifies a provider, in any language, against pacts with Pact's own verifier.
 *
 * @example
 * ```ts
 * const verification = await verifyPact({
 *   providerUrl: 'http://127.0.0.1:8080/v1',
 *   apiKey: 'demo-key',
 *   stateUrl: 'http://127.0.0.1:8080/provider-states',
 * });
 * if (verification.verdict !== 'pass') throw new Error(formatVerification(verification));
 * ```
 *
 * @throws {PactCoreMissingError} where `@pact-foundation/pact-core` is not installed
 * @throws {TypeError} for a URL that is none
 */
export async function verifyPact(options: PactVerificationOptions): Promise<PactVerification> {
  expectPactCore();
  const provider = {
    baseUrl: toBaseUrl(options.providerUrl),
    apiKey: options.apiKey,
    stateUrl: options.stateUrl === undefined ? undefined : new URL(options.stateUrl),
    stateToken: options.stateToken,
    timeout: options.timeout ?? 5000,
  };
  const unusable = await findUnusable(provider);
  if (unusable !== undefined) return inconclusive(unusable);

  const gateway = await startGateway(provider);
  const directory = await mkdtemp(join(tmpdir(), 'stockcheck-pact-'));
  try {
    const own = toOwnPacts(options);
    const files = await Promise.all(own.map((pact) => writePact(pact, directory)));
    const answer = await runPactCore(toVerifierOptions(options, provider.timeout, gateway, files));
    return toVerification(answer, {
      expected: own.flatMap(({ interactions }) => interactions.map(({ key }) => key)),
      problems: [...gateway.problems],
      apiKey: options.apiKey,
    });
  } finally {
    await gateway.close();
    await rm(directory, { recursive: true });
  }
}

function expectPactCore(): void {
  try {
    createRequire(import.meta.url).resolve('@pact-foundation/pact-core');
  } catch (cause) {
    throw new PactCoreMissingError(
      'verifying a pact needs @pact-foundation/pact-core, which is not installed; run: npm install -D @pact-foundation/pact-core@20',
      { cause },
    );
  }
}

/** The pacts have the path `/v1` themselves, so that the origin alone says as much. */
function toBaseUrl(providerUrl: string): URL {
  const url = new URL(providerUrl);
  if (url.pathname === '/') url.pathname = '/v1';
  // Node would send them in the place of the key.
  url.username = '';
  url.password = '';
  return url;
}

/** Why nothing can be said about the provider at all. */
async function findUnusable(
  provider: Parameters<typeof listInventory>[0],
): Promise<string | undefined> {
  const answer = await listInventory(provider);
  const asked = `GET ${provider.baseUrl.href.replace(/\/$/, '')}/inventory`;
  if (answer.kind === 'unanswered') {
    return `${asked} got no answer: ${answer.problem}. Start the provider, or correct its URL`;
  }
  return answer.status === 401
    ? `${asked} was answered with 401: the provider refuses the API key. Give one that it accepts`
    : undefined;
}

function toOwnPacts({ pacts, broker }: PactVerificationOptions): readonly PactDocument[] {
  if (pacts === 'all') return [contractPact, defaultsPact];
  return pacts === 'contract' || (pacts === undefined && broker === undefined)
    ? [contractPact]
    : [];
}

async function writePact(pact: PactDocument, directory: string): Promise<string> {
  const file = join(directory, toPactFileName(pact));
  await writeFile(file, toPactJson(pact));
  return file;
}

function toVerifierOptions(
  { pacts, broker }: PactVerificationOptions,
  timeout: number,
  gateway: Gateway,
  files: readonly string[],
): VerifierOptions {
  const named = typeof pacts === 'string' || pacts === undefined ? [] : pacts;
  const pactUrls = [...files, ...named];
  return {
    provider: broker?.providerName ?? contractPact.provider.name,
    providerBaseUrl: gateway.providerUrl,
    providerStatesSetupUrl: gateway.stateUrl,
    // A state change may take two exchanges with the provider: the gateway is to give up first.
    timeout: 2 * timeout + 2000,
    logLevel: 'warn',
    failIfNoPactsFound: true,
    followRedirects: false,
    ...(pactUrls.length === 0 ? {} : { pactUrls }),
    ...(broker === undefined ? {} : toBrokerOptions(broker)),
  };
}

function toBrokerOptions(broker: PactBroker): Partial<VerifierOptions> {
  const { url, token, username, password, selectors = [{ latest: true }], publish } = broker;
  return {
    pactBrokerUrl: url,
    ...(token === undefined ? {} : { pactBrokerToken: token }),
    ...(username === undefined ? {} : { pactBrokerUsername: username }),
    ...(password === undefined ? {} : { pactBrokerPassword: password }),
    consumerVersionSelectors: [...selectors],
    ...(broker.enablePending === undefined ? {} : { enablePending: broker.enablePending }),
    ...(broker.includeWipPactsSince === undefined
      ? {}
      : { includeWipPactsSince: broker.includeWipPactsSince }),
    ...(publish === undefined ? {} : toPublishOptions(publish)),
  };
}

function toPublishOptions(publish: NonNullable<PactBroker['publish']>): Partial<VerifierOptions> {
  const { providerVersion, branch, tags, buildUrl } = publish;
  return {
    publishVerificationResult: true,
    providerVersion,
    ...(branch === undefined ? {} : { providerVersionBranch: branch }),
    ...(tags === undefined ? {} : { providerVersionTags: [...tags] }),
    ...(buildUrl === undefined ? {} : { buildUrl }),
  };
}
