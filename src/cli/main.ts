#!/usr/bin/env node
import { run } from './run.ts';

if (!('rawJSON' in JSON)) {
  process.stderr.write(
    `error: Stockcheck needs Node.js 22.12 or later; this is ${process.version}\n`,
  );
  process.exit(2);
}

const controller = new AbortController();

/** What could not be written to standard output, other than for want of a reader. */
let unwritten: NodeJS.ErrnoException | undefined;

// The command goes on all the same: what it has changed must be restored, and its exit code is what
// it found. A reader that went away, as in `stockcheck fixture | head`, is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE' && error.code !== 'EIO') unwritten = error;
});
// Where even this cannot be written, there is nobody to tell.
process.stderr.on('error', () => undefined);

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

const code = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  signal: controller.signal,
});

// What was written last may fail only now.
await new Promise<void>((resolve) => {
  process.stdout.write('', () => resolve());
});
if (unwritten === undefined) process.exitCode = code;
else {
  process.stderr.write(`error: cannot write to standard output: ${unwritten.message}\n`);
  process.exitCode = 2;
}
