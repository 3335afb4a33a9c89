/** Opens a file and updates pets in it until that fails. Prints what came of it, as JSON. */
import { openSqliteSandboxes } from '../../src/stores/sqlite.ts';
import { StoreUnavailableError } from '../../src/inventory/store.ts';
import { generateInventory } from '../../src/mock/generate-inventory.ts';

export interface OpenReport {
  /** Why the file was refused. */
  readonly refused?: string;
  /** How many updates were acknowledged, each with the next quantity, to the pets in turn. */
  readonly acknowledged?: number;
  readonly failure?: string;
  readonly retryAfterSeconds?: number;
  /** The whole list, after the failure. */
  readonly list?: string;
}

const [file = '', pets = '0', mostUpdates = '0'] = process.argv.slice(2);

async function report(): Promise<OpenReport> {
  try {
    return await fill();
  } catch (error) {
    const { name, message } = error as Error;
    return { refused: `${name}: ${message}` };
  }
}

async function fill(): Promise<OpenReport> {
  const storage = await openSqliteSandboxes({ file });
  const seed = [...generateInventory(Number(pets), 1)];
  const sandbox = await storage.create({ id: 'filled', settings: '', seed });
  if (sandbox === 'taken') throw new Error('the file was filled before');
  for (let count = 0; count < Number(mostUpdates); count += 1) {
    const petId = seed[count % seed.length]?.petId ?? 0n;
    try {
      await sandbox.store.update(petId, { quantity: BigInt(count) });
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      const { message: failure, retryAfterSeconds } = error;
      const list = Buffer.concat([...(await sandbox.store.list())]).toString();
      return { acknowledged: count, failure, retryAfterSeconds, list };
    }
  }
  await storage.close?.();
  return { acknowledged: Number(mostUpdates) };
}

process.stdout.write(JSON.stringify(await report()));
