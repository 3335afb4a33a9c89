/** Writes `docs/contract.md`. A test checks that it is what the contract says now. */
import { writeFile } from 'node:fs/promises';
import { format } from 'prettier';
import { toContractPage } from './contract-page.ts';

await writeFile(
  new URL('../docs/contract.md', import.meta.url),
  await format(toContractPage(), { parser: 'markdown' }),
);
