/**
 * The built mock with one inventory and nothing else: no sandboxes, no journal, no faults. What
 * those cost is measured against it.
 *
 * node bench/plain-server.mjs <file with a JSON list>
 */
import { readFileSync } from 'node:fs';

// Not by its path: it is there only when it has been built.
const built = new URL('../dist/src/', import.meta.url);
const { createMock, MemoryStore } = await import(new URL('index.js', built));
const { startServer } = await import(new URL('server/index.js', built));

const [, , file] = process.argv;
const items = JSON.parse(readFileSync(file, 'utf8')).map(({ petId, quantity, status }) => ({
  petId: BigInt(petId),
  quantity: BigInt(quantity),
  status,
}));
const mock = createMock({ store: new MemoryStore(items), apiKeys: ['demo-key'] });
const { url } = await startServer({ mock, port: 0 });
process.stdout.write(`listening on ${url}\n`);
