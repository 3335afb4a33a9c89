import { createAdminClient, type AdminClient } from './admin-client.ts';
import type { SandboxRequest } from './admin-api.ts';
import type { SandboxClient } from './sandbox-client.ts';
import {
  partOptions,
  describeJournal,
  toTestSandbox,
  type StockcheckOptions,
} from './test-sandbox.ts';

export type { StockcheckOptions } from './test-sandbox.ts';

/** What of Vitest's test context is needed here. */
export interface VitestContext {
  readonly task: {
    readonly name: string;
    readonly result?: { readonly state: string } | undefined;
  };
}

/** What `test.extend` of Vitest takes. */
export interface StockcheckFixtures {
  readonly stockcheck: AdminClient;
  /** How the sandbox of a test differs from the others: `test.override({ sandboxOptions: {…} })`. */
  readonly sandboxOptions: SandboxRequest;
  /** A sandbox of the test's own. If the test fails, the end of its journal is printed. */
  readonly inventory: (
    context: VitestContext & Pick<StockcheckFixtures, 'stockcheck' | 'sandboxOptions'>,
    use: (inventory: SandboxClient) => Promise<void>,
  ) => Promise<void>;
}

/**
 * Fixtures of Vitest that give each test a sandbox of its own, concurrent ones included, which is
 * deleted afterwards.
 *
 * @param options where the server is (left out: `http://127.0.0.1:4010`), and what every sandbox is
 * created from
 * @example
 * import { test as base } from 'vitest';
 * import { stockcheck } from 'stockcheck/vitest';
 *
 * const test = base.extend(stockcheck({ fixture: 'edge' }));
 *
 * @throws {TypeError} for what is no address of a server
 */
export function stockcheck(options: StockcheckOptions = {}): StockcheckFixtures {
  const { client, sandbox } = partOptions(options);
  return {
    stockcheck: createAdminClient(client),
    sandboxOptions: {},
    // Vitest reads from the source of a fixture what it depends on: the pattern must stand there.
    inventory: async ({ stockcheck: server, sandboxOptions, task }, use) => {
      const request = toTestSandbox({ ...sandbox, ...sandboxOptions }, task.name);
      const inventory = await server.createSandbox(request);
      try {
        await use(inventory);
        if (task.result?.state !== 'fail') return;
        // Vitest takes no annotations any more once a test has failed.
        // oxlint-disable-next-line no-console
        console.error(await describeJournal(inventory, task.name));
      } finally {
        await inventory[Symbol.asyncDispose]();
      }
    },
  };
}
