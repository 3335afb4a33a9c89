import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

const config: ViteUserConfig = defineConfig({
  // The examples import the package by its name.
  resolve: {
    alias: { 'stockcheck/msw': fileURLToPath(new URL('handlers/msw.ts', import.meta.url)) },
  },
  test: {
    include: ['test/**/*.test.ts', 'contracts/**/*.test.ts', 'examples/*/test/**/*.test.{ts,tsx}'],
    pool: 'forks',
    // Many tests wait for processes that they have started: no core is left to be idle.
    maxWorkers: Math.max(3, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    // The machine may be busy with other test files: a test that hangs is found all the same.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    globalSetup: ['test/install-packages.ts'],
  },
});

export default config;
