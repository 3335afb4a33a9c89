import { fileURLToPath } from 'node:url';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  // The examples import the package by its name.
  resolve: {
    alias: { 'stockcheck/msw': fileURLToPath(new URL('handlers/msw.ts', import.meta.url)) },
  },
  test: {
    include: ['test/**/*.test.ts', 'contracts/**/*.test.ts', 'examples/*/test/**/*.test.{ts,tsx}'],
    pool: 'forks',
    // The machine may be busy with other test files: a test that hangs is found all the same.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    globalSetup: ['test/install-packages.ts'],
  },
});

export default config;
