import { readFile } from 'node:fs/promises';
import { format } from 'prettier';
import { expect, test } from 'vitest';
import { toContractPage } from '../scripts/contract-page.ts';

test('the page of the contract says what the contract says', async () => {
  const page = await readFile(new URL('../docs/contract.md', import.meta.url), 'utf8');
  expect(page).toBe(await format(toContractPage(), { parser: 'markdown' }));
});
