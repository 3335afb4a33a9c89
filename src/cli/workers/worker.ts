import { setImmediate } from 'node:timers/promises';
import { createSandboxes, type Sandboxes } from '../../mock/sandboxes.ts';
import { StoreUnavailableError } from '../../inventory/store.ts';
import { startServer, type RunningServer } from '../../server/http-server.ts';
import { ListenError } from '../../server/listen.ts';
import { exitCode, UsageError } from '../io.ts';
import { openStorage } from '../open-storage.ts';
import { createRequestLog } from '../request-log.ts';
import { createBugLog } from '../serving.ts';
import type { ToPrimary, ToWorker, WorkerTask } from './messages.ts';
import { Outbox } from './outbox.ts';

// The primary process ends its workers; a terminal, or a service manager, tells all of them at once.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

const outbox = new Outbox((report) => send({ type: 'report', report }));

let server: RunningServer | undefined;
let sandboxes: Sandboxes | undefined;

process.on('message', (message: ToWorker) => {
  switch (message.type) {
    case 'start':
      start(message.task).catch(fail);
      break;
    case 'flush':
      flush().then(() => send({ type: 'flushed', id: message.id }), fail);
      break;
    case 'stop':
      stop().catch(fail);
  }
});
await send({ type: 'here' });

async function start(task: WorkerTask): Promise<void> {
  const { host, port, admin, adminSocket, apiKeys, limits } = task;
  const onBug = createBugLog({ write: (text) => outbox.addErrors(text) });
  const onExchange = createRequestLog(task.log, { write: (text) => outbox.addOutput(text) });
  sandboxes = await createSandboxes({
    storage: await openStorage(task.store),
    apiKeys,
    limits,
    forward: (sandbox, exchange) => outbox.addExchange(sandbox, exchange),
    onBug,
  });
  server = await startServer({
    sandboxes,
    host,
    port,
    admin,
    ...(adminSocket === undefined ? {} : { adminSocket }),
    ...(onExchange === undefined ? {} : { onExchange }),
  });
  await send({ type: 'serving', url: server.url });
}

/** Leaves nothing of what was asked until now in this process alone. */
async function flush(): Promise<void> {
  await Promise.all([outbox.flush(), sandboxes?.settle()]);
}

async function stop(): Promise<void> {
  await server?.close();
  // The log writes the lines of a turn when the turn is over.
  await setImmediate();
  await outbox.flush();
  await sandboxes?.close();
  process.exit(exitCode.conforms);
}

async function fail(error: unknown): Promise<void> {
  const isKnown =
    error instanceof UsageError ||
    error instanceof ListenError ||
    error instanceof StoreUnavailableError;
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const message = isKnown ? error.message : detail;
  const code = isKnown ? exitCode.wrongUsage : exitCode.bug;
  await send({ type: 'failed', message, code });
  process.exit(code);
}

/** Resolves when the message has left this process. */
function send(message: ToPrimary): Promise<void> {
  return new Promise((resolve, reject) => {
    if (process.send === undefined) throw new Error('a worker runs below a primary process only');
    process.send(message, undefined, {}, (error) => (error === null ? resolve() : reject(error)));
  });
}
