import type { LoadedFixture } from '../mock/plain-fixture.ts';
import { createSandboxes, type Sandboxes } from '../mock/sandboxes.ts';
import { isBuiltinFixture } from './fixture-file.ts';
import type { CliIo } from './io.ts';
import { toApiKeys, toLimits, type ServePlan } from './serve-options.ts';

/** Creates the sandboxes that are served. */
export function openSandboxes(
  plan: ServePlan,
  loadedFixture: LoadedFixture,
  onBug: (error: unknown) => void,
): Promise<Sandboxes> {
  const { fixture, policy } = plan;
  return createSandboxes({
    loadedFixture,
    fixtureName: isBuiltinFixture(fixture) ? fixture : 'server',
    ...toApiKeys(plan),
    ...(policy === undefined ? {} : { policy }),
    limits: toLimits(plan),
    onBug,
  });
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
