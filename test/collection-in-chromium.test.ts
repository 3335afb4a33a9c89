import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium, servePage, type ServedPage } from './chromium.ts';
import type { CollectionPage } from './pages/collection/page.ts';

const patiently = { timeout: 20_000 };

let browser: Browser;
let served: ServedPage;
let context: BrowserContext;

// A browser may have to be installed first.
beforeAll(async () => {
  served = await servePage(fileURLToPath(new URL('pages/collection', import.meta.url)));
  browser = await launchChromium();
}, 300_000);
afterAll(async () => {
  await browser.close();
  await served.close();
});
beforeEach(async () => {
  context = await browser.newContext();
});
afterEach(() => context.close());

async function openTab(): Promise<Page> {
  const tab = await loadTab();
  await openCollection(tab);
  return tab;
}

async function loadTab(): Promise<Page> {
  const tab = await context.newPage();
  await tab.goto(served.url);
  return tab;
}

/** Lets a tab that is loaded open its collection, and waits until it has. */
async function openCollection(tab: Page): Promise<void> {
  await tab.waitForFunction(() => globalThis.openCollectionPage !== undefined);
  await tab.evaluate(() => globalThis.openCollectionPage?.());
}

type Listed = readonly (readonly [petId: string, quantity: string])[];

/** What the API answers in a tab, each integer with its digits. */
async function list(tab: Page): Promise<Listed> {
  const text = await tab.evaluate(() => globalThis.collectionPage?.list());
  return [...(text ?? '').matchAll(/"petId":(-?\d+),"quantity":(-?\d+)/g)].map(
    ([, petId = '', quantity = '']) => [petId, quantity] as const,
  );
}

async function quantityOf(tab: Page, petId: string): Promise<string | undefined> {
  return new Map(await list(tab)).get(petId);
}

function update(tab: Page, petId: string, quantity: string): Promise<number | undefined> {
  return tab.evaluate(([id, stock]) => globalThis.collectionPage?.update(id, stock), [
    petId,
    quantity,
  ] as const);
}

function records(tab: Page): Promise<ReturnType<CollectionPage['records']> | undefined> {
  return tab.evaluate(() => globalThis.collectionPage?.records());
}

test('keeps its state through a reload, with every digit', async () => {
  const tab = await openTab();
  expect(await list(tab)).toHaveLength(12);
  expect(await update(tab, '5', '77')).toBe(200);
  expect(await update(tab, '9007199254740993', '9007199254740995')).toBe(200);
  const before = await list(tab);

  await tab.reload();
  await openCollection(tab);

  expect(await list(tab)).toEqual(before);
  expect(await quantityOf(tab, '5')).toBe('77');
  expect(await quantityOf(tab, '9007199254740993')).toBe('9007199254740995');
  expect(await update(tab, '5', '78')).toBe(200);
  expect(await quantityOf(tab, '5')).toBe('78');
});

test('agrees with a second tab, both ways', async () => {
  const first = await openTab();
  const second = await openTab();

  await update(first, '5', '50');
  await expect.poll(() => quantityOf(second, '5'), patiently).toBe('50');
  await update(second, '5', '51');
  await update(second, '8', '80');
  await expect.poll(() => quantityOf(first, '8'), patiently).toBe('80');
  expect(await quantityOf(first, '5')).toBe('51');

  await first.evaluate(() => globalThis.collectionPage?.create(1000, 10));
  await expect.poll(() => quantityOf(second, '1000'), patiently).toBe('10');
  await update(second, '1000', '11');
  await expect.poll(() => quantityOf(first, '1000'), patiently).toBe('11');
  await second.evaluate(() => globalThis.collectionPage?.remove(1000));
  await expect.poll(() => quantityOf(first, '1000'), patiently).toBeUndefined();

  // No record came twice: neither when the second tab was filled, nor since.
  expect(await records(first)).toEqual(await records(second));
  expect(await records(first)).toHaveLength(12);
});

test('agrees with a tab that is opened at the same time', async () => {
  const [first, second] = [await loadTab(), await loadTab()];
  await Promise.all([openCollection(first), openCollection(second)]);
  await update(first, '5', '50');
  await expect.poll(() => quantityOf(second, '5'), patiently).toBe('50');
  await update(second, '5', '51');
  await expect.poll(() => quantityOf(first, '5'), patiently).toBe('51');
  expect(await records(first)).toEqual(await records(second));
});

test('takes over in a second tab what happened before it was opened', async () => {
  const first = await openTab();
  await update(first, '5', '50');
  await first.evaluate(() => globalThis.collectionPage?.create(1000, 10));
  await first.evaluate(() => globalThis.collectionPage?.remove(1));

  const second = await openTab();
  expect(await list(second)).toEqual(await list(first));
  await update(second, '1000', '12');
  await expect.poll(() => quantityOf(first, '1000'), patiently).toBe('12');
  expect(await records(first)).toEqual(await records(second));
});

test('agrees with a second tab after a reload of either', async () => {
  const first = await openTab();
  const second = await openTab();
  await update(first, '5', '50');
  await expect.poll(() => quantityOf(second, '5'), patiently).toBe('50');

  await second.reload();
  await openCollection(second);
  await update(second, '5', '52');
  await expect.poll(() => quantityOf(first, '5'), patiently).toBe('52');

  await first.reload();
  await openCollection(first);
  await update(first, '5', '53');
  await expect.poll(() => quantityOf(second, '5'), patiently).toBe('53');
  expect(await records(first)).toEqual(await records(second));
});
