import { createSandboxes } from '../../src/mock/sandboxes.ts';
import { apiKey } from '../mock-under-test.ts';
import { http } from './http.ts';
import type { Transport } from './transport.ts';

/** A sandbox among others, which answers as the mock does; its journal agrees with the contract. */
export const sandbox: Transport = {
  name: 'a sandbox',
  async open(mock) {
    const sandboxes = await createSandboxes({
      fixture: 'edge',
      apiKeys: ['the-key-of-the-server'],
    });
    const created = await sandboxes.create({ apiKey, policy: mock.policy });
    await created.sandbox.replace(await mock.items());
    const connection = await http.open(sandboxes);
    return {
      async send(request) {
        const response = await connection.send(request);
        await mock.replace(await created.sandbox.items());
        const entries = [created.sandbox, sandboxes.default].flatMap(
          ({ journal }) => journal.find({ limit: 1 }).exchanges,
        );
        for (const { verdict, response: answered } of entries) {
          if (verdict.verdict !== 'pass') {
            throw new Error(
              `the journal says of ${answered.status}: ${verdict.findings.join('; ')}`,
            );
          }
        }
        if (entries.length === 0) throw new Error('no journal knows of the exchange');
        return response;
      },
      close: () => connection.close(),
    };
  },
};
