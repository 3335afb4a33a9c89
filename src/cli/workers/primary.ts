import { createServer } from 'node:http';
import { StoreUnavailableError } from '../../inventory/store.ts';
import type { Sandboxes } from '../../mock/sandboxes.ts';
import { startAdminSocket, type AdminSocket } from '../../server/admin-socket.ts';
import { listen } from '../../server/listen.ts';
import { findConsoleFiles } from '../console-files.ts';
import { loadFixture } from '../fixture-file.ts';
import { exitCode, type CliIo } from '../io.ts';
import { runVerification } from '../run-verification.ts';
import { toLimits, type ServePlan } from '../serve-options.ts';
import {
  aborted,
  closeWithNotice,
  createBugLog,
  describeStore,
  createNoticeLog,
  openSandboxes,
  tellWhere,
} from '../serving.ts';
import { Crew } from './crew.ts';
import type { Report, WorkerTask } from './messages.ts';

/** How often the store is looked at, in milliseconds. */
const lookEvery = 1000;

/**
 * Serves from several processes. This one serves no requests: it hands connections on, keeps the
 * journals, and answers what lies below `/_stockcheck/`, so that there is one of each.
 */
export async function serveWithWorkers(plan: ServePlan, count: number, io: CliIo): Promise<number> {
  const onBug = createBugLog(io.stderr);
  const fixture = await loadFixture(plan.fixture);
  const port = plan.port === 0 ? await findFreePort(plan.host) : plan.port;
  let admin: AdminSocket | undefined;
  let crew: Crew | undefined;
  const onNotice = createNoticeLog(io.stderr);
  const gather = async (): Promise<void> => crew?.gather();
  const sandboxes = await openSandboxes(plan, fixture, { onBug, onNotice, gather });
  try {
    admin = plan.admin
      ? await startAdminSocket({
          sandboxes,
          host: plan.host,
          consoleFiles: findConsoleFiles,
          verify: runVerification,
          onBug,
          gather,
          ...(plan.adminToken === undefined ? {} : { adminToken: plan.adminToken }),
        })
      : undefined;
    crew = new Crew(toTask(plan, port, admin, sandboxes), {
      onReport: (report) => take(report, sandboxes, io, onBug),
      onNotice,
    });
    const url = await crew.start(count);
    const storeLine = await describeStore(plan, sandboxes);
    tellWhere(url, plan, plan.adminToken === undefined ? admin?.adminToken : undefined, io);
    io.stdout.write(storeLine);
    // Workers have no fixture: a store that was emptied is seeded anew from here.
    const looking = setInterval(() => void sandboxes.ready().catch(() => undefined), lookEvery);
    const lost = await Promise.race([aborted(io.signal), crew.givenUp]);
    clearInterval(looking);
    if (lost instanceof Error) throw lost;
    const workers = crew;
    await closeWithNotice(() => workers.stop(), io);
    return exitCode.conforms;
  } finally {
    crew?.kill();
    await admin?.close();
    await sandboxes.close();
  }
}

function toTask(
  plan: ServePlan,
  port: number,
  admin: AdminSocket | undefined,
  sandboxes: Sandboxes,
): WorkerTask {
  if (plan.store === undefined) throw new Error('workers need a store');
  return {
    host: plan.host,
    port,
    log: plan.log,
    admin: plan.admin,
    adminSocket: admin?.path,
    store: plan.store,
    apiKeys: sandboxes.apiKeys,
    limits: toLimits(plan),
  };
}

function take(
  { exchanges, output, errors, dropped }: Report,
  sandboxes: Sandboxes,
  { stdout, stderr }: CliIo,
  onBug: (error: unknown) => void,
): void {
  if (output !== '') stdout.write(output);
  if (errors !== '') stderr.write(errors);
  if (dropped > 0) {
    stderr.write(`${dropped} exchanges are missing in journals and log: there were too many\n`);
  }
  for (const [sandbox, kept] of exchanges) {
    sandboxes.adoptExchanges(sandbox, kept).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailableError)) onBug(error);
    });
  }
}

/**
 * A port that is free now. Workers that each ask for a free one share it, but one that comes later,
 * when all others have died, would get another.
 */
async function findFreePort(host: string): Promise<number> {
  const server = createServer();
  await listen(server, host, 0);
  const address = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  if (typeof address !== 'object' || address === null) throw new Error('there is no free port');
  return address.port;
}
