#!/usr/bin/env node
import { run } from './run.ts';

const controller = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  // Once: a second signal ends the process at once.
  process.once(name, () => controller.abort());
}

process.exitCode = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  signal: controller.signal,
});
