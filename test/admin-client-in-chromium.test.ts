import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';
import { createSandboxes } from '../src/index.ts';
import { startServer } from '../src/server/index.ts';
import { launchChromium } from './chromium.ts';

/** The client as a script that leaves `admin` on the page. */
async function toScript(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'esnext',
      lib: {
        entry: fileURLToPath(new URL('../src/admin/index.ts', import.meta.url)),
        formats: ['iife'],
        name: 'admin',
      },
    },
  });
  const [made] = built as Rolldown.RolldownOutput[];
  return made?.output[0].code ?? '';
}

/** Runs in the page. */
const journey = `(async () => {
  const client = admin.createAdminClient({ url: location.origin });
  const sandbox = await client.createSandbox({
    fixture: { inventory: [{ petId: 9007199254740993n, quantity: 1, status: 'available' }] },
  });
  const events = sandbox.events();
  await events.open();
  const item = await sandbox.setItem(9007199254740993n, { quantity: 2n ** 70n });
  await sandbox.delete();
  const told = await Array.fromAsync(events);
  const gone = await sandbox.items().catch((error) => error.code);
  return { item, told: told.map(({ type }) => type), gone };
})()`;

test('the admin client works in a page of the server', async () => {
  const server = await startServer({ sandboxes: await createSandboxes(), port: 0 });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.goto(new URL('/_stockcheck/live', server.url).href);
    await page.evaluate(`${await toScript()}; globalThis.admin = admin;`);
    expect(await page.evaluate(journey)).toEqual({
      item: { petId: 9_007_199_254_740_993n, quantity: 2n ** 70n, status: 'available' },
      told: ['change', 'deleted'],
      gone: 'not_found',
    });
  } finally {
    await browser.close();
    await server.close();
  }
});
