import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { msw } from 'msw/vite';
import { chromium, type Browser } from 'playwright-core';
import { build, preview, type InlineConfig } from 'vite';
import { requireDebianPackages } from './requirements.ts';

/** Starts Debian's Chromium; Playwright brings none. */
export function launchChromium(...more: readonly string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: requireDebianPackages({ command: 'chromium', packages: ['chromium'] }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  });
}

export interface ServedPage {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Builds a folder with an `index.html` as a front-end developer would, MSW's worker script
 * included, and serves it.
 */
export async function servePage(folder: string, config: InlineConfig = {}): Promise<ServedPage> {
  const outDir = mkdtempSync(join(tmpdir(), 'stockcheck-page-'));
  const shared: InlineConfig = {
    configFile: false,
    root: folder,
    logLevel: 'error',
    plugins: [msw({ mode: 'worker-only' })],
    ...config,
  };
  await build({
    ...shared,
    build: { outDir, emptyOutDir: false, minify: false, target: 'esnext', ...config.build },
  });
  const server = await preview({
    ...shared,
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0 },
  });
  return {
    url: server.resolvedUrls?.local[0] ?? '',
    close: async () => {
      await server.close();
      rmSync(outDir, { recursive: true, force: true });
    },
  };
}
