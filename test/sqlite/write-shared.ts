/**
 * Writes to a sandbox that others write to as well. Its own pet counts up, and every number is
 * printed once it is acknowledged; what stood in the shared pet before each of its writes is
 * printed, too. It says when it is ready, and starts at the end of its standard input.
 */
import { text } from 'node:stream/consumers';
import { openSqliteSandboxes } from '../../src/stores/sqlite.ts';

const [file = '', ownPet = '', sharedPet = '', firstNumber = '', writes = ''] =
  process.argv.slice(2);

const storage = await openSqliteSandboxes({ file });
const sandbox = await storage.get('shared');
if (sandbox === undefined) throw new Error('there is no sandbox to share');
process.stdout.write('ready\n');
await text(process.stdin);
for (let count = 1; count <= Number(writes); count += 1) {
  const quantity = BigInt(Number(firstNumber) + count);
  const [own, shared] = await Promise.all([
    sandbox.store.update(BigInt(ownPet), { quantity: BigInt(count) }),
    sandbox.store.update(BigInt(sharedPet), { quantity }),
  ]);
  if (own?.previous.quantity !== BigInt(count - 1))
    throw new Error('somebody else wrote to my pet');
  process.stdout.write(`${count} ${shared?.previous.quantity} ${quantity}\n`);
}
await storage.close?.();
