/** Makes the pictures of the console in `docs/images`, light and dark. */
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { findConsoleFiles } from '../src/cli/console-files.ts';
import { runVerification } from '../src/cli/run-verification.ts';
import { generateInventory } from '../src/mock/generate-inventory.ts';
import { createSandboxes } from '../src/mock/sandboxes.ts';
import { startServer } from '../src/server/http-server.ts';
import { launchChromium } from '../test/chromium.ts';

const inventory = [...generateInventory(10_000, 7)];
const mock = await createSandboxes({ fixture: { inventory }, fixtureName: 'server' });
await mock.default.configure({ name: 'Shop floor' });
await mock.create({
  name: 'Checkout demo',
  fixture: {
    inventory,
    scenarios: {
      'black friday': [
        { operation: 'updateInventory', probability: 0.3, fault: { kind: 'hang' } },
        { fault: { kind: 'delay', milliseconds: 300 } },
      ],
    },
  },
  scenario: 'black friday',
  timeToLive: 172_000,
});
await mock.create({ name: 'Nightly end-to-end', fixture: 'default', timeToLive: 7100 });
await mock.create({ name: 'Returns, team blue', fixture: 'default', timeToLive: null });
await mock.create({ name: 'Edge ids', fixture: 'edge', timeToLive: 43_000 });
const server = await startServer({
  sandboxes: mock,
  port: 0,
  consoleFiles: findConsoleFiles,
  verify: runVerification,
});

/** Something that breaks the contract now and then. */
const broken = await createSandboxes({ fixture: 'default' });
await broken.default.addFault({
  operation: 'updateInventory',
  every: 11,
  fault: { kind: 'wrong-content-type' },
});
const provider = await startServer({ sandboxes: broken, port: 0, admin: false });

async function patch(petId: bigint | string, body: string, key = 'demo-key'): Promise<void> {
  await fetch(`${server.url}/inventory/${petId}`, {
    method: 'PATCH',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body,
  });
}

async function useIt(): Promise<void> {
  for (const [place, { petId, quantity }] of inventory.slice(0, 60).entries()) {
    if (place % 5 === 2) await patch(petId, `{"quantity": ${quantity + BigInt(place) - 20n}}`);
  }
  await patch('abc', '{"quantity": 5}');
  await patch(inventory[9]?.petId ?? 1n, '{"quantity": 9007199254740993, "reason": "recount"}');
  await patch(inventory[4]?.petId ?? 1n, '{"quantity": "12"}');
  await patch(inventory[4]?.petId ?? 1n, '{"quantity": 12}', 'an-old-key');
  await fetch(`${server.url}/inventory`, { headers: { Authorization: 'Bearer demo-key' } });
  await patch(inventory[6]?.petId ?? 1n, '{"quantity": 12}');
}

async function picture(page: Page, name: string): Promise<void> {
  const path = fileURLToPath(new URL(`../docs/images/console-${name}.png`, import.meta.url));
  // Rows that flash would look different in every picture.
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map((animation) => animation.finished)),
  );
  await page.screenshot({ path });
}

const browser = await launchChromium();
await useIt();
for (const colorScheme of ['light', 'dark'] as const) {
  const page = await browser.newPage({ colorScheme, viewport: { width: 1440, height: 900 } });
  const open = (hash: string) => page.goto(new URL(`/_stockcheck/${hash}`, server.url).href);
  await open('#/sandboxes/default/stock');
  await page.locator('.grid-body [role=row]').first().waitFor();
  await picture(page, `stock-${colorScheme}`);
  await open('#/sandboxes/default/journal');
  await page.locator('.exchange').nth(4).click();
  await page.locator('.exchange-detail').waitFor();
  await picture(page, `journal-${colorScheme}`);
  await open('#/conformance');
  await page.getByRole('radio', { name: 'A URL' }).check();
  await page.getByLabel('Base URL').fill(provider.url);
  await page.getByLabel('API key').fill('demo-key');
  await page.getByRole('button', { name: 'Run the case table' }).click();
  await page.getByRole('heading', { name: /^It / }).waitFor();
  await picture(page, `conformance-${colorScheme}`);
  await page.close();
}
await browser.close();
await server.close();
await provider.close();
await mock.close();
await broken.close();
