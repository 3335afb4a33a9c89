import { unwatchFile, watchFile } from 'node:fs';
import { createMock, defaultApiKey, type Mock } from '../mock/mock.ts';
import type { LoadedFixture } from '../mock/plain-fixture.ts';
import { mergePolicy, type PolicyChanges } from '../mock/policy.ts';
import { startServer } from '../server/http-server.ts';
import { MemoryStore } from '../stores/memory.ts';
import { FixtureError, isBuiltinFixture, loadFixture } from './fixture-file.ts';
import { exitCode, UsageError, type CliIo } from './io.ts';
import { createRequestLog, type LogLevel } from './request-log.ts';

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
}

/** How often `--watch` looks at the file, in milliseconds. */
const watchInterval = 200;

/** Serves the mock until the signal is aborted. */
export async function serve(options: ServeOptions, io: CliIo): Promise<number> {
  if (options.anyKey === true && options.apiKey !== undefined) {
    throw new UsageError('--any-key and --api-key exclude each other; give one of them');
  }
  if (options.watch === true && isBuiltinFixture(options.fixture)) {
    throw new UsageError(
      `--watch needs a fixture that is a file; "${options.fixture}" is built in. Give one with --fixture`,
    );
  }
  const toMock = (fixture: LoadedFixture): Mock => createMockOf(fixture, options, io);
  const onExchange = createRequestLog(options.log, io.stdout);
  const server = await startServer({
    mock: toMock(await loadFixture(options.fixture)),
    host: options.host,
    port: options.port,
    ...(onExchange === undefined ? {} : { onExchange }),
  });
  io.stdout.write(`listening on ${server.url}\n`);

  const reload = (): void =>
    void reloadFixture(options.fixture, io, (it) => server.use(toMock(it)));
  if (options.watch === true) watchFile(options.fixture, { interval: watchInterval }, reload);
  await aborted(io.signal);
  if (options.watch === true) unwatchFile(options.fixture, reload);
  const notice = setTimeout(() => {
    io.stderr.write('waiting for requests under way; press Ctrl-C again to stop at once\n');
  }, 300);
  await server.close();
  clearTimeout(notice);
  return exitCode.conforms;
}

function createMockOf(fixture: LoadedFixture, options: ServeOptions, io: CliIo): Mock {
  const given = options.apiKey ?? fixture.apiKeys;
  return createMock({
    store: new MemoryStore(fixture.inventory),
    apiKeys: options.anyKey === true ? 'any' : (given ?? [defaultApiKey]),
    policy: mergePolicy(fixture.policy ?? {}, options.policy ?? {}),
    onBug: (error) => {
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      io.stderr.write(`a bug in Stockcheck, answered with 500: ${detail}\n`);
    },
  });
}

async function reloadFixture(
  path: string,
  io: CliIo,
  use: (fixture: LoadedFixture) => void,
): Promise<void> {
  try {
    use(await loadFixture(path));
    io.stdout.write(`read ${path} again; changes made since are gone\n`);
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error;
    io.stderr.write(`${error.message}\nthe mock goes on with the fixture it had\n`);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
