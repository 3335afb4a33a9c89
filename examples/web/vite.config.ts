import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { msw } from 'msw/vite';
import { defineConfig, type UserConfig } from 'vite';

const config: UserConfig = defineConfig({
  plugins: [react(), msw()],
  resolve: {
    // This example lives beside the source of the package. A project of your own needs no alias.
    alias: { 'stockcheck/msw': fileURLToPath(new URL('../../handlers/msw.ts', import.meta.url)) },
  },
});

export default config;
