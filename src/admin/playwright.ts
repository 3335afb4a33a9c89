import type { Fixtures } from '@playwright/test';
import { createAdminClient, type AdminClient } from './admin-client.ts';
import type { SandboxRequest } from './admin-api.ts';
import type { SandboxClient } from './sandbox-client.ts';
import {
  partOptions,
  readJournalText,
  toTestSandbox,
  type StockcheckOptions,
} from './test-sandbox.ts';

export type { StockcheckOptions } from './test-sandbox.ts';

/** What every test is given. */
export interface StockcheckFixtures {
  /** A sandbox of the test's own. If the test fails, its journal is attached to the report. */
  readonly inventory: SandboxClient;
  /** How the sandbox of a test differs from the others: `test.use({ sandboxOptions: {…} })`. */
  readonly sandboxOptions: SandboxRequest;
}

/** What every worker is given. */
export interface StockcheckWorkerFixtures {
  readonly stockcheck: AdminClient;
}

/**
 * Fixtures of Playwright that give each test a sandbox of its own, which is deleted afterwards.
 *
 * @param options where the server is (left out: `http://127.0.0.1:4010`), and what every sandbox is
 * created from
 * @example
 * import { test as base } from '@playwright/test';
 * import { stockcheck } from 'stockcheck/playwright';
 *
 * export const test = base.extend(stockcheck({ fixture: 'edge' }));
 *
 * @throws {TypeError} for what is no address of a server
 */
export function stockcheck(
  options: StockcheckOptions = {},
): Fixtures<StockcheckFixtures, StockcheckWorkerFixtures> {
  const { client, sandbox } = partOptions(options);
  const admin = createAdminClient(client);
  // Playwright reads from the source of a fixture what it depends on: the pattern must stand there.
  return {
    // oxlint-disable-next-line no-empty-pattern
    stockcheck: [async ({}, use) => use(admin), { scope: 'worker' }],
    sandboxOptions: [{}, { option: true }],
    inventory: async ({ stockcheck: server, sandboxOptions }, use, testInfo) => {
      const name = testInfo.titlePath.join(' › ');
      const request = toTestSandbox({ ...sandbox, ...sandboxOptions }, name);
      const inventory = await server.createSandbox(request);
      try {
        await use(inventory);
        if (testInfo.status === testInfo.expectedStatus) return;
        const body = await readJournalText(inventory);
        await testInfo.attach('stockcheck journal', { body, contentType: 'application/json' });
      } finally {
        await inventory[Symbol.asyncDispose]();
      }
    },
  };
}

/** What of Playwright's `Page` and `BrowserContext` is needed here. */
export interface Routable {
  route(
    url: (url: URL) => boolean,
    handler: (route: {
      request(): { allHeaders(): Promise<Record<string, string>> };
      fallback(options: { headers: Record<string, string> }): Promise<void>;
    }) => Promise<void>,
  ): Promise<unknown>;
}

/** `Authorization` with a key, as the page wrote the scheme. */
const bearer = /^(bearer +)[!-~]+$/i;

/**
 * Lets what a page asks of the service reach the sandbox of a test: whatever key the page sends, the
 * sandbox's is put in its place. For a page whose key cannot be chosen from outside. What has no key
 * gets none, and is refused as it is by the real service.
 *
 * @param page a page, or a browser context with all its pages
 * @param baseUrl where the page reaches the service. Left out: at the address of the server
 */
export async function routeToSandbox(
  page: Routable,
  { apiKey, baseUrl }: Pick<SandboxClient, 'apiKey' | 'baseUrl'>,
  pageBaseUrl: string = baseUrl,
): Promise<void> {
  const prefix = `${pageBaseUrl.replace(/\/$/, '')}/`;
  await page.route(
    (url) => url.href.startsWith(prefix),
    async (route) => {
      const { authorization = '', ...headers } = await route.request().allHeaders();
      const replaced = authorization.replace(bearer, (_sent, scheme: string) => scheme + apiKey);
      await route.fallback({
        headers: authorization === '' ? headers : { ...headers, authorization: replaced },
      });
    },
  );
}
