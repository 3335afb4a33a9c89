import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';

const entry = fileURLToPath(new URL('../handlers/msw.ts', import.meta.url));

/** Bundles `stockcheck/msw` as a page would, MSW aside. */
async function bundle(): Promise<Rolldown.OutputChunk> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'esnext',
      rolldownOptions: {
        input: entry,
        external: /^(?:node:|msw)/,
        // All that the entry exports, also what a page would not use.
        preserveEntrySignatures: 'strict',
      },
    },
  });
  const { output } = built as Rolldown.RolldownOutput;
  expect(output).toHaveLength(1);
  return output[0];
}

test('stockcheck/msw takes at most 12 kB of a page, gzipped, and needs nothing but msw', async () => {
  const { code, imports } = await bundle();
  expect(gzipSync(code).length).toBeLessThanOrEqual(12_000);
  expect(imports).toEqual(['msw/http']);
});
