/** Serves the sandbox of a file, and makes both where there is none. Statuses follow quantities. */
import { createMock } from '../../src/mock/mock.ts';
import { startServer } from '../../src/server/http-server.ts';
import { openSqliteSandboxes } from '../../src/stores/sqlite.ts';

const [file = '', pets = ''] = process.argv.slice(2);

const storage = await openSqliteSandboxes({ file });
let sandbox = await storage.get('stock');
if (sandbox === undefined) {
  const seed = Array.from(
    { length: Number(pets) },
    (_, index) => ({ petId: BigInt(index), quantity: 0n, status: 'sold' }) as const,
  );
  const created = await storage.create({ id: 'stock', settings: '', seed });
  if (created === 'taken') throw new Error('somebody else makes the sandbox');
  sandbox = created;
}
const mock = createMock({
  store: sandbox.store,
  apiKeys: ['demo-key'],
  policy: { 'status-transition': 'by-quantity' },
  onBug: (error) => {
    throw error;
  },
});
const { url } = await startServer({ mock, port: 0 });
process.stdout.write(`${url}\n`);
