import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createInventoryMock, type InventoryMock } from '../../../src/mock/inventory-mock.ts';
import { startServer, type RunningServer } from '../../../src/server/http-server.ts';
import { launchChromium, servePage, type ServedPage } from '../../../test/chromium.ts';

const patiently = { timeout: 20_000 };

const root = fileURLToPath(new URL('..', import.meta.url));
const configFile = fileURLToPath(new URL('../vite.config.ts', import.meta.url));

let mock: InventoryMock;
let server: RunningServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;
const pages: ServedPage[] = [];

/** Builds the example against an inventory, as the environment variable would. */
async function serveExample(url: string): Promise<string> {
  const define = { 'import.meta.env.VITE_INVENTORY_URL': JSON.stringify(url) };
  const served = await servePage(root, { configFile, define });
  pages.push(served);
  return served.url;
}

let urls: { readonly msw: string; readonly server: string };

// A browser may have to be installed first.
beforeAll(async () => {
  mock = createInventoryMock();
  server = await startServer({ mock, port: 0 });
  urls = { msw: await serveExample('msw'), server: await serveExample(server.url) };
  browser = await launchChromium();
}, 300_000);
afterAll(async () => {
  await browser.close();
  for (const served of pages) await served.close();
  await server.close();
});
beforeEach(async () => {
  mock.reset();
  context = await browser.newContext({ viewport: { width: 1000, height: 900 } });
  page = await context.newPage();
});
afterEach(() => context.close());

const quantityOf = (petId: string) =>
  page.getByRole('textbox', { name: `Quantity of pet ${petId}`, exact: true });

for (const kind of ['msw', 'server'] as const) {
  test(`lists and updates, with ${kind}`, async () => {
    await page.goto(urls[kind]);
    await quantityOf('5').fill('70');
    await quantityOf('5').press('Enter');
    await page.getByText('Saving…').waitFor({ state: 'detached' });
    await quantityOf('9007199254740993').fill('123456789012345678');
    await quantityOf('9007199254740993').press('Enter');
    await page.getByText('Saving…').waitFor({ state: 'detached' });
    expect(await page.locator('tbody tr').count()).toBe(12);
    const summary = '12 pets · 123,456,789,012,345,941 in stock · 2 out of stock';
    await page.getByText(summary).waitFor();

    expect(await page.getByText('Mock in this page').count()).toBe(kind === 'msw' ? 1 : 0);
    const pet = mock.items().find(({ petId }) => petId === 5n);
    expect(pet?.quantity).toBe(kind === 'msw' ? 7n : 70n);
  });
}

test('takes a quantity back when the pet is gone, and says so', async () => {
  await page.goto(urls.server);
  expect(await quantityOf('5').inputValue()).toBe('7');
  mock.set(mock.items().filter(({ petId }) => petId !== 5n));
  await quantityOf('5').fill('8');
  await quantityOf('5').press('Enter');
  const notice = page.getByRole('alert');
  await notice.waitFor();
  expect(await notice.innerText()).toContain('The store no longer knows this pet.');
  await expect.poll(() => quantityOf('5').inputValue(), patiently).toBe('7');
});

for (const [status, text] of [
  [400, 'The store does not accept this quantity.'],
  [404, 'The store no longer knows this pet.'],
] as const) {
  test(`shows a ${status} to a person who asks for one, on MSW`, async () => {
    await page.goto(`${urls.msw}?fail=${status}`);
    await quantityOf('5').fill('8');
    await quantityOf('5').press('Enter');
    await page.getByText(text).waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await expect.poll(() => quantityOf('5').inputValue(), patiently).toBe('8');
  });
}

for (const width of [320, 390]) {
  test(`fits into ${width} pixels, names on one line and filters in full`, async () => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(urls.msw);
    await quantityOf('5').waitFor();
    const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(scrollWidth).toBe(width);
    const shown = await page.locator('.pet, .filters button').evaluateAll((elements) =>
      elements.map((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        const { height, right } = range.getBoundingClientRect();
        return { text: element.textContent, height, right };
      }),
    );
    expect(shown.length).toBe(16);
    expect(shown.filter(({ right }) => right > width)).toEqual([]);
    // Ids of 16 digits and more may take two lines.
    const broken = shown.filter(({ text, height }) => text.length < 16 && height > 30);
    expect(broken).toEqual([]);
  });
}

test('offers to load again when the store could not be reached', async () => {
  await context.route('**/v1/**', (route) => route.abort());
  await page.goto(urls.server);
  await page.getByText('The store cannot be reached.').waitFor();
  await context.unroute('**/v1/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  expect(await quantityOf('5').inputValue()).toBe('7');
});
