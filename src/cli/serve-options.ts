import { isSendableKey, type ApiKeys } from '../inventory/authorization.ts';
import type { PolicyChanges } from '../mock/policy.ts';
import type { SandboxLimits } from '../mock/sandbox.ts';
import { isBuiltinFixture } from './fixture-file.ts';
import { UsageError, type CliIo } from './io.ts';
import { parseStore, type StoreChoice } from './open-storage.ts';
import type { LogLevel } from './request-log.ts';

/** What `serve` is told on the command line. */
export interface ServeOptions {
  readonly port: number;
  readonly host: string;
  /** The name of a built-in fixture, or a path. */
  readonly fixture: string;
  /** Left out: those of the fixture, or the default key. */
  readonly apiKey?: readonly string[];
  readonly anyKey?: true;
  readonly policy?: PolicyChanges;
  readonly watch?: true;
  readonly log: LogLevel;
  /** Whether there is an admin API. */
  readonly admin: boolean;
  /** Left out: that of the environment, or one that is made where it is needed. */
  readonly adminToken?: string;
  /** Left out: the engine's limit. */
  readonly maxSandboxes?: number;
  /** How many exchanges a sandbox keeps. Left out: the engine's limit. */
  readonly journal?: number;
  /** Where sandboxes are kept. Left out: that of the environment, or memory. */
  readonly store?: string;
  readonly reseed?: true;
  /** How many processes serve. Left out: this one. */
  readonly workers?: number;
}

/** The same with what the environment adds, and nothing in it that excludes each other. */
export interface ServePlan extends Omit<ServeOptions, 'store' | 'adminToken'> {
  /** Left out: memory. */
  readonly store: StoreChoice | undefined;
  /** Left out: one is made where it is needed. */
  readonly adminToken: string | undefined;
}

/** @throws {UsageError} where options exclude each other, or are wrong */
export function toServePlan(options: ServeOptions, io: CliIo): ServePlan {
  if (options.anyKey === true && options.apiKey !== undefined) {
    throw new UsageError('--any-key and --api-key exclude each other; give one of them');
  }
  const store = findStore(options, io);
  if (store === undefined) refuseWithoutStore(options);
  else if (options.watch === true) {
    throw new UsageError(
      '--watch and --store exclude each other: a store keeps what was changed, and --watch drops it whenever the fixture changes. Leave one of them out, or start again with --reseed',
    );
  }
  if (options.watch === true && isBuiltinFixture(options.fixture)) {
    throw new UsageError(
      `--watch needs a fixture that is a file; "${options.fixture}" is built in. Give one with --fixture`,
    );
  }
  return { ...options, store, adminToken: findAdminToken(options, io) };
}

/** The keys that the command line names. */
export function toApiKeys({ anyKey, apiKey }: Pick<ServePlan, 'anyKey' | 'apiKey'>): {
  readonly apiKeys?: ApiKeys;
} {
  const apiKeys = anyKey === true ? 'any' : apiKey;
  return apiKeys === undefined ? {} : { apiKeys };
}

/** The limits that the command line names. */
export function toLimits({
  maxSandboxes,
  journal,
}: Pick<ServePlan, 'maxSandboxes' | 'journal'>): Partial<SandboxLimits> {
  return {
    ...(maxSandboxes === undefined ? {} : { sandboxes: maxSandboxes }),
    ...(journal === undefined ? {} : { exchanges: journal }),
  };
}

function findStore({ store }: ServeOptions, { env }: CliIo): StoreChoice | undefined {
  if (store !== undefined) return parseStore(store, '--store');
  const text = env['STOCKCHECK_STORE'] ?? '';
  return text === '' ? undefined : parseStore(text, 'STOCKCHECK_STORE');
}

function refuseWithoutStore({ reseed, workers }: ServeOptions): void {
  if (reseed === true) {
    throw new UsageError(
      '--reseed needs --store: without one, the mock starts over each time anyway',
    );
  }
  if (workers !== undefined) {
    throw new UsageError(
      '--workers needs a store that processes share: each would have an inventory of its own in memory. Give --store sqlite:FILE, or a Redis',
    );
  }
}

function findAdminToken({ admin, adminToken }: ServeOptions, { env }: CliIo): string | undefined {
  if (!admin) {
    if (adminToken === undefined) return undefined;
    throw new UsageError('--no-admin and --admin-token exclude each other; give one of them');
  }
  const token = adminToken ?? env['STOCKCHECK_ADMIN_TOKEN'] ?? '';
  if (token === '' && adminToken === undefined) return undefined;
  if (isSendableKey(token)) return token;
  // The token itself is never repeated.
  const source = adminToken === undefined ? 'STOCKCHECK_ADMIN_TOKEN' : '--admin-token';
  throw new UsageError(
    `${source} must be one or more visible ASCII characters without spaces, to be sent as a bearer token`,
  );
}
