#!/usr/bin/env node
import { run } from './run.ts';

if (!('rawJSON' in JSON)) {
  process.stderr.write(
    `error: Stockcheck needs Node.js 22.12 or later; this is ${process.version}\n`,
  );
  process.exit(2);
}

// A reader that went away, as in `stockcheck fixture | head`, is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

const controller = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
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
