import { resolve } from 'node:path';
import type { SandboxStorage } from '../inventory/sandbox-storage.ts';
import type { Availability } from '../stores/redis.ts';
import { UsageError } from './io.ts';

/** Where sandboxes are kept beyond the life of a process. */
export interface StoreChoice {
  readonly kind: 'sqlite' | 'redis';
  /** Who named it: `--store` or `STOCKCHECK_STORE`. */
  readonly source: string;
  /** As it was given. It may hold a password. */
  readonly text: string;
  /** To be shown: no password, no parameters. */
  readonly name: string;
}

const forms =
  'sqlite:FILE, redis://host:port, rediss:// (TLS), redis+sentinel://host:port,host:port/name, redis+cluster://host:port,host:port or memory';

/**
 * Reads what `--store` or `STOCKCHECK_STORE` says.
 *
 * @param source which of the two, for messages
 * @returns `undefined` for `memory`
 * @throws {UsageError} that holds no password
 */
export function parseStore(text: string, source: string): StoreChoice | undefined {
  if (text === 'memory') return undefined;
  const scheme = /^([a-z][a-z+]*):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === 'sqlite') return parseFile(text, source);
  if (scheme !== undefined && /^rediss?(\+sentinel|\+cluster)?$/.test(scheme)) {
    // Nothing before the host: that may be a password, and may hold an @ itself.
    const name = text.replace(/\?.*$/s, '').replace(/^([a-z+]+:\/\/).*@/is, '$1');
    return { kind: 'redis', source, text, name };
  }
  // The rest is not repeated: it may hold a password.
  const got = scheme === undefined ? 'something without a scheme' : `the scheme "${scheme}:"`;
  throw new UsageError(`${source}: there is no such store; expected ${forms}; got ${got}`);
}

function parseFile(text: string, source: string): StoreChoice {
  const file = text.slice('sqlite:'.length);
  if (file === '') {
    throw new UsageError(`${source}: the name of a file is missing; expected sqlite:FILE`);
  }
  // What other programs take for `sqlite:/…` would be a file at the root here.
  if (/^\/\/(?!\/)/.test(file)) {
    throw new UsageError(
      `${source}: write sqlite:FILE, without slashes before the name of the file`,
    );
  }
  return { kind: 'sqlite', source, text, name: text };
}

/**
 * Opens a store.
 *
 * @param tell is given a line whenever a Redis is lost or back. Left out: nobody is told
 * @throws {UsageError} where it cannot be used: what is wrong, why, and what to do
 */
export async function openStorage(
  { kind, source, text }: StoreChoice,
  tell: (line: string) => void = () => {},
): Promise<SandboxStorage> {
  try {
    return await (kind === 'sqlite' ? openFile(text) : openRedis(text, tell));
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${source}: ${detail}`, { cause: error });
  }
}

// Both are loaded late: the mock starts sooner without them.
async function openFile(text: string): Promise<SandboxStorage> {
  const { openSqliteSandboxes } = await import('../stores/sqlite.ts');
  return openSqliteSandboxes({ file: resolve(text.slice('sqlite:'.length)) });
}

async function openRedis(url: string, tell: (line: string) => void): Promise<SandboxStorage> {
  const { openRedisSandboxes } = await import('../stores/redis.ts');
  return openRedisSandboxes({ url, onAvailability: (change) => tell(describe(change)) });
}

function describe(change: Availability): string {
  return change.isAway
    ? `${change.server} is lost: ${change.reason}; what needs it is answered with 503`
    : `${change.server} is back after ${(change.milliseconds / 1000).toFixed(1)} s`;
}
