import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { launchChromium, servePage } from '../chromium.ts';
import type { Transport } from './transport.ts';

const folder = fileURLToPath(new URL('../pages/behaviour', import.meta.url));

/** A page that is open for as long as the tests run. */
interface OpenPage {
  readonly page: Page;
  close(): Promise<void>;
}

let opened: OpenPage | undefined;

/** Chromium's own fetch, answered by MSW's service worker and the engine in the page. */
export const mswInChromium: Transport = {
  name: 'MSW in Chromium',
  open: async (mock) => {
    if (opened === undefined) throw new Error('MSW in Chromium is not set up');
    const { page } = opened;
    const { apiKeys, policy } = mock;
    const fixture = [...(await mock.items())];
    await page.evaluate((options) => globalThis.behaviour?.start(options), {
      fixture,
      apiKeys,
      policy,
    });
    return {
      send: async ({ method, path, headers, body }) => {
        const response = await page.evaluate((request) => globalThis.behaviour?.send(request), {
          url: `https://api.example.com/v1${path}`,
          method,
          headers,
          body: body === undefined ? undefined : [...body],
        });
        if (response === undefined) throw new Error('the page has not started');
        const received = new Map(response.headers);
        return {
          status: response.status,
          header: (name) => received.get(name),
          body: Uint8Array.from(response.body),
        };
      },
      close: async () => {
        const items = await page.evaluate(() => globalThis.behaviour?.items());
        await mock.replace(items ?? []);
      },
    };
  },
  setUp: async () => {
    opened = await openPage();
  },
  tearDown: async () => {
    await opened?.close();
    opened = undefined;
  },
};

async function openPage(): Promise<OpenPage> {
  const served = await servePage(folder);
  const browser = await launchChromium();
  const page = await browser.newPage();
  await page.goto(served.url);
  await page.waitForFunction(() => globalThis.behaviour !== undefined);
  return {
    page,
    close: async () => {
      await browser.close();
      await served.close();
    },
  };
}
