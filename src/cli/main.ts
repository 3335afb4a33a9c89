#!/usr/bin/env node
import { run } from './run.ts';

if (!('rawJSON' in JSON)) {
  process.stderr.write(
    `error: Stockcheck needs Node.js 22.12 or later; this is ${process.version}\n`,
  );
  process.exit(2);
}

const controller = new AbortController();

/** After a hang-up there may be no terminal to write to, and restoring must go on all the same. */
const isGone = ({ code }: NodeJS.ErrnoException): boolean => code === 'EIO' || code === 'EPIPE';

// A reader that went away, as in `stockcheck fixture | head`, is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (controller.signal.aborted && isGone(error)) return;
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (!controller.signal.aborted || !isGone(error)) throw error;
});

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // Once: a second signal ends the process at once.
  process.once(name, () => controller.abort());
}

// npm does not hand every signal on to what it runs: stop when it is gone, and do not keep the port.
if (process.env['npm_lifecycle_event'] !== undefined) {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) controller.abort();
  }, 250).unref();
}

process.exitCode = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  signal: controller.signal,
});
