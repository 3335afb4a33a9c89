import { StoreUnavailableError } from '../inventory/store.ts';
import type { LoadedFixture } from '../mock/plain-fixture.ts';
import { createSandboxes, type Sandboxes, type SandboxesOptions } from '../mock/sandboxes.ts';
import { assertFree } from '../server/listen.ts';
import { isBuiltinFixture } from './fixture-file.ts';
import { UsageError, type CliIo } from './io.ts';
import { openStorage } from './open-storage.ts';
import { toApiKeys, toLimits, type ServePlan } from './serve-options.ts';

/**
 * Creates the sandboxes that are served, in the store that is named.
 *
 * @throws {UsageError} where the store cannot be used
 */
export async function openSandboxes(
  plan: ServePlan,
  loadedFixture: LoadedFixture,
  told: Required<Pick<SandboxesOptions, 'onBug' | 'onNotice'>> & Pick<SandboxesOptions, 'gather'>,
): Promise<Sandboxes> {
  const { fixture, policy, store } = plan;
  // A store is made or started over: not by a server that cannot be started.
  if (store !== undefined && plan.port !== 0) await assertFree(plan.host, plan.port);
  const storage = store === undefined ? undefined : await openStorage(store, told.onNotice);
  try {
    return await createSandboxes({
      loadedFixture,
      fixtureName: isBuiltinFixture(fixture) ? fixture : 'server',
      ...toApiKeys(plan),
      ...(policy === undefined ? {} : { policy }),
      ...(storage === undefined ? {} : { storage }),
      reseed: plan.reseed ?? false,
      limits: toLimits(plan),
      ...told,
    });
  } catch (error) {
    await storage?.close?.();
    if (!(error instanceof StoreUnavailableError)) throw error;
    throw new UsageError(`${store?.source}: ${error.message}`, { cause: error });
  }
}

/** Tells of what is not as it should be. */
export function createNoticeLog(stderr: CliIo['stderr']): (text: string) => void {
  return (text) => stderr.write(`${text}\n`);
}

/** Tells of errors that are bugs. */
export function createBugLog(stderr: CliIo['stderr']): (error: unknown) => void {
  return (error) => {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    stderr.write(`a bug in Stockcheck, answered with 500: ${detail}\n`);
  };
}

/**
 * Says where the server is. The address comes first, on a line of its own: it is what tools wait for.
 *
 * @param madeToken the admin token, where it was made and so nobody knows it
 */
export function tellWhere(
  url: string,
  { admin }: ServePlan,
  madeToken: string | undefined,
  { stdout }: CliIo,
): void {
  stdout.write(`listening on ${url}\n`);
  if (!admin) return;
  stdout.write(`console on ${new URL('/_stockcheck/', url).href}\n`);
  if (madeToken !== undefined) stdout.write(`admin token: ${madeToken}\n`);
}

/** Says what was found in the store, in one line: whether the fixture counts is easily overlooked. */
export async function describeStore(
  { store, fixture, reseed }: ServePlan,
  sandboxes: Sandboxes,
): Promise<string> {
  if (store === undefined) return '';
  const count = await sandboxes.default.count();
  const others = (await sandboxes.count()) - 1;
  const pets = countOf(count, 'pet', 'pets');
  const beside = countOf(others, 'other sandbox', 'other sandboxes');
  if (sandboxes.isNew) {
    const how = reseed === true ? 'started over' : 'new';
    const kept = others === 0 ? '' : `; kept ${beside}`;
    return `store ${store.name}: ${how}, ${pets} from the fixture "${fixture}"${kept}\n`;
  }
  if (others > 0) {
    return `store ${store.name}: ${pets} in the default sandbox and ${beside}, as they were left; --reseed starts the default one over\n`;
  }
  const were = count === 1 ? 'as it was left' : 'as they were left';
  return `store ${store.name}: ${pets} ${were}; --reseed starts over\n`;
}

function countOf(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** Resolves when the user asks to stop. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Says that requests are waited for, if that takes long. */
export async function closeWithNotice(close: () => Promise<void>, io: CliIo): Promise<void> {
  const notice = setTimeout(() => {
    io.stderr.write('waiting for requests under way; press Ctrl-C again to stop at once\n');
  }, 300);
  try {
    await close();
  } finally {
    clearTimeout(notice);
  }
}
