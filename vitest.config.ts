import { defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'contracts/**/*.test.ts'],
    pool: 'forks',
    // The machine may be busy with other test files: a test that hangs is found all the same.
    testTimeout: 60_000,
  },
});

export default config;
