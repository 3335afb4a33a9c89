import { readFile } from 'node:fs/promises';
import { format } from 'prettier';
import { expect, test } from 'vitest';
import { toContractPage } from '../scripts/contract-page.ts';
import { parseExactJson } from '../src/json/exact-json.ts';
import { parseFaultRule } from '../src/mock/faults/fault-rule.ts';
import { faultKinds } from '../src/mock/faults/kinds.ts';
import { toWholeFixture } from '../src/mock/faults/whole-fixture.ts';
import { parseFixture } from '../src/mock/fixture.ts';

test('the page of the contract says what the contract says', async () => {
  const page = await readFile(new URL('../docs/contract.md', import.meta.url), 'utf8');
  expect(page).toBe(await format(toContractPage(), { parser: 'markdown' }));
});

test('the page of faults names every kind with its fields, and every built-in scenario', async () => {
  const page = await readFile(new URL('../docs/faults.md', import.meta.url), 'utf8');
  for (const { kind, fields } of faultKinds) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${kind}\` `));
    for (const field of fields) expect(row ?? '', kind).toMatch(field === 'maximum' ? '' : field);
  }
  for (const name of Object.keys(toWholeFixture('default').scenarios ?? {})) {
    expect(page).toContain(`| \`${name}\` `);
  }
});

test('the rules and the fixture on the page of faults are accepted', async () => {
  const page = await readFile(new URL('../docs/faults.md', import.meta.url), 'utf8');
  const examples = [...page.matchAll(/^```json\n(.*?)^```/gms)].map(([, text = '']) => text);
  expect(examples).toHaveLength(5);
  for (const text of examples) {
    const json = parseExactJson(text);
    if (!json.ok) throw new Error(json.problem);
    const accepted = text.includes('"inventory"') ? parseFixture(text) : parseFaultRule(json.value);
    expect(accepted.ok, text).toBe(true);
  }
});
