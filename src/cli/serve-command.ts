import { unwatchFile, watchFile } from 'node:fs';
import { SandboxError } from '../mock/sandbox.ts';
import type { Sandboxes } from '../mock/sandboxes.ts';
import { startServer } from '../server/http-server.ts';
import { findConsoleFiles } from './console-files.ts';
import { FixtureError, loadFixture } from './fixture-file.ts';
import { exitCode, type CliIo } from './io.ts';
import { createRequestLog } from './request-log.ts';
import { runVerification } from './run-verification.ts';
import { toServePlan, type ServeOptions, type ServePlan } from './serve-options.ts';
import {
  aborted,
  closeWithNotice,
  createBugLog,
  describeStore,
  createNoticeLog,
  openSandboxes,
  tellWhere,
} from './serving.ts';

/** How often `--watch` looks at the file, in milliseconds. */
const watchInterval = 200;

/** Serves the mock until the signal is aborted. */
export async function serve(options: ServeOptions, io: CliIo): Promise<number> {
  const plan = toServePlan(options, io);
  if (plan.workers === undefined) return serveAlone(plan, io);
  // Loaded late: the mock starts sooner without it.
  const { serveWithWorkers } = await import('./workers/primary.ts');
  return serveWithWorkers(plan, plan.workers, io);
}

async function serveAlone(plan: ServePlan, io: CliIo): Promise<number> {
  const { adminToken, fixture, watch } = plan;
  const onExchange = createRequestLog(plan.log, io.stdout);
  const onBug = createBugLog(io.stderr);
  const onNotice = createNoticeLog(io.stderr);
  const sandboxes = await openSandboxes(plan, await loadFixture(fixture), { onBug, onNotice });
  const server = await startServer({
    sandboxes,
    host: plan.host,
    port: plan.port,
    admin: plan.admin,
    consoleFiles: findConsoleFiles,
    verify: runVerification,
    onBug,
    ...(adminToken === undefined ? {} : { adminToken }),
    ...(onExchange === undefined ? {} : { onExchange }),
  }).catch(async (error: unknown) => {
    await sandboxes.close();
    throw error;
  });
  const storeLine = await describeStore(plan, sandboxes);
  // Whoever gave the token knows it.
  tellWhere(server.url, plan, adminToken === undefined ? server.adminToken : undefined, io);
  io.stdout.write(storeLine);

  const reload = (): void => void reloadFixture(fixture, io, sandboxes);
  if (watch === true) watchFile(fixture, { interval: watchInterval }, reload);
  await aborted(io.signal);
  if (watch === true) unwatchFile(fixture, reload);
  await closeWithNotice(() => server.close(), io);
  await sandboxes.close();
  return exitCode.conforms;
}

async function reloadFixture(path: string, io: CliIo, sandboxes: Sandboxes): Promise<void> {
  try {
    await sandboxes.reseed(await loadFixture(path));
    io.stdout.write(`read ${path} again; changes made since are gone\n`);
  } catch (error) {
    if (!(error instanceof FixtureError) && !(error instanceof SandboxError)) throw error;
    io.stderr.write(`${error.message}\nthe mock goes on with the fixture it had\n`);
  }
}
