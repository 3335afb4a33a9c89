import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { VerifierOptions } from '@pact-foundation/pact-core';
import type { PactCoreAnswer } from './pact-core-process.ts';

const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
const processFile = fileURLToPath(new URL(`./pact-core-process${extension}`, import.meta.url));

/** Ten minutes, in milliseconds. What takes longer hangs: a broker that never answers, say. */
const longestRun = 600_000;

/** Runs Pact's verifier in a process of its own. */
export function runPactCore(options: VerifierOptions): Promise<PactCoreAnswer> {
  return new Promise((resolve) => {
    let answer: PactCoreAnswer | undefined;
    const child = fork(processFile, {
      execArgv: [],
      timeout: longestRun,
      env: toEnvironment(process.env),
      // What it writes is its report of what it sends back as data.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('message', (message) => {
      answer = message as PactCoreAnswer;
    });
    child.on('error', (error) => resolve({ kind: 'failed', message: error.message }));
    child.on('exit', (code, signal) => {
      const message = `Pact's verifier ended without a result (${signal ?? `exit code ${code}`})`;
      resolve(answer ?? { kind: 'failed', message });
    });
    child.send(options);
  });
}

/**
 * Without the variables that would add pacts to those that are asked for, or leave interactions
 * out; and without a proxy on the way to this machine, where the gateway is.
 */
function toEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('PACT_'));
  return {
    ...Object.fromEntries(kept),
    PACT_DO_NOT_TRACK: 'true',
    NO_PROXY: [env['NO_PROXY'] ?? env['no_proxy'] ?? '', '127.0.0.1'].filter(Boolean).join(','),
    no_proxy: [env['no_proxy'] ?? env['NO_PROXY'] ?? '', '127.0.0.1'].filter(Boolean).join(','),
  };
}
