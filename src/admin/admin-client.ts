import type { CreatedSandbox, SandboxRequest, SandboxView } from './admin-api.ts';
import { AdminError } from './admin-error.ts';
import { createAdminHttp, type AdminClientOptions, type RequestOptions } from './admin-http.ts';
import { readFixture } from './admin-json.ts';
import { openEvents, type EventStream } from './event-stream.ts';
import {
  toSandboxClient,
  toSandboxHandle,
  type SandboxClient,
  type SandboxHandle,
} from './sandbox-client.ts';
import {
  streamVerification,
  type VerificationEvent,
  type VerificationRequest,
} from './verification.ts';

/** Some of the sandboxes of a server. */
export interface SandboxPage {
  /** In the order they were created. Those of verifications under way are left out. */
  readonly sandboxes: readonly SandboxView[];
  /** How many there are in all, the default one included. */
  readonly count: number;
  /** How many there may be, the default one aside. */
  readonly limit: number;
}

/** A fixture that a sandbox can be created from by its name. */
export interface FixtureView {
  readonly name: string;
  readonly scenarios: readonly string[];
}

/** The contract as the console shows it. */
export interface ContractView {
  readonly clauses: readonly { readonly id: string; readonly sentence: string }[];
  readonly decisions: readonly {
    readonly id: string;
    readonly question: string;
    readonly default: string;
    readonly choices: readonly { readonly name: string }[];
  }[];
  readonly cases: readonly {
    readonly id: string;
    readonly title: string;
    readonly operation: string;
    readonly status: number;
    readonly clauses: readonly string[];
  }[];
}

/** The admin API of one server. Every method throws {@link AdminError} where the server refuses. */
export interface AdminClient {
  /** Where the service is that clients under test talk to; it ends in `/v1`. */
  readonly baseUrl: string;
  /**
   * Creates a sandbox.
   *
   * @example
   * await using sandbox = await admin.createSandbox({ fixture: 'edge', timeToLive: 600 });
   * const inventory = createInventoryClient(sandbox);
   */
  createSandbox(request?: SandboxRequest): Promise<SandboxClient>;
  /** A sandbox that there is already, such as `default`. Asks nothing of the server yet. */
  sandbox(id: string): SandboxHandle;
  /** In the order they were created, at most 100 unless `limit` says, from the one behind `after`. */
  listSandboxes(page?: { readonly limit?: number; readonly after?: string }): Promise<SandboxPage>;
  /** What happens in every sandbox, from the first step of the iteration or `open()` on. */
  events(signal?: AbortSignal): EventStream;
  /** What a sandbox can be created from by name. */
  fixtures(): Promise<readonly FixtureView[]>;
  /** The clauses, decisions and cases of the contract. */
  contract(): Promise<ContractView>;
  /** Runs the verifier on the server, against this mock or against a service. */
  verify(
    request?: VerificationRequest,
    options?: RequestOptions,
  ): AsyncGenerator<VerificationEvent, void>;
  /** The OpenAPI document of the admin API. */
  openapi(): Promise<object>;
  /** Whether the server runs. */
  isLive(): Promise<boolean>;
  /** Whether the server can do its work: its store answers. */
  isReady(): Promise<boolean>;
}

/**
 * Creates a client of the admin API of a Stockcheck server. Integers are exact.
 *
 * @example
 * const admin = createAdminClient({ url: 'http://127.0.0.1:4010' });
 * const sandbox = await admin.createSandbox({ fixture: 'edge' });
 * await sandbox.addFault({ operation: 'listInventory', fault: { kind: 'hang' } });
 *
 * @throws {TypeError} for what is no address of a server
 * @throws {RangeError} for a token that cannot be sent
 */
export function createAdminClient(options: AdminClientOptions): AdminClient {
  const http = createAdminHttp(options);
  const isUp = async (probe: string): Promise<boolean> => {
    try {
      await http.send({ method: 'GET', path: [probe] });
      return true;
    } catch (error) {
      if (error instanceof AdminError) return false;
      throw error;
    }
  };
  return {
    baseUrl: http.baseUrl,
    async createSandbox({ fixture, ...rest } = {}) {
      const body = fixture === undefined ? rest : { ...rest, fixture: readFixture(fixture) };
      const call = { method: 'POST', path: ['sandboxes'], body } as const;
      return toSandboxClient(http, await http.json<CreatedSandbox>(call));
    },
    sandbox: (id) => toSandboxHandle(http, id),
    listSandboxes: (page = {}) =>
      http.json<SandboxPage>({ method: 'GET', path: ['sandboxes'], query: { ...page } }),
    events: (signal) => openEvents(http, ['events'], signal),
    async fixtures() {
      const { fixtures } = await http.json<{ fixtures: readonly FixtureView[] }>({
        method: 'GET',
        path: ['fixtures'],
      });
      return fixtures;
    },
    contract: () => http.json<ContractView>({ method: 'GET', path: ['contract'] }),
    verify: (request = {}, verifyOptions = {}) => streamVerification(http, request, verifyOptions),
    openapi: () => http.json({ method: 'GET', path: ['openapi.json'] }),
    isLive: () => isUp('live'),
    isReady: () => isUp('ready'),
  };
}
