/**
 * Writes `fixtures/builtin.ts`: the built-in fixtures as text, for the browser, where there is no
 * file to read and `import … with { type: 'json' }` would round large integers. And
 * `fixtures/builtin-inventories.ts`, their inventories alone: all that a page needs of them.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { format } from 'prettier';
import { isJsonObject, parseExactJson, stringifyExactJson } from '../src/json/exact-json.ts';

const directory = new URL('../fixtures/', import.meta.url);
const names = ['default', 'empty', 'edge'];

const texts = await Promise.all(
  names.map(async (name) => ({
    name,
    text: await readFile(new URL(`${name}.json`, directory), 'utf8'),
  })),
);

function toInventory(text: string): string {
  const parsed = parseExactJson(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) throw new Error(`no fixture: ${text}`);
  return stringifyExactJson(parsed.value['inventory']);
}

function toEntries(toText: (text: string) => string): string {
  return texts
    .map(({ name, text }) => `${JSON.stringify(name)}: ${JSON.stringify(toText(text))},`)
    .join('\n');
}

const wholes = `// Written by \`npm run embed-fixtures\` from the JSON files beside it.

/** The names of the fixtures that come with the package. */
export type BuiltinFixtureName = ${names.map((name) => `'${name}'`).join(' | ')};

/** The JSON text of each, with every digit of its integers. */
export const builtinFixtures: { readonly [Name in BuiltinFixtureName]: string } = {
${toEntries((text) => text)}
};
`;

const inventories = `// Written by \`npm run embed-fixtures\` from the JSON files beside it.
import type { BuiltinFixtureName } from './builtin.ts';

/** The inventory of each, and nothing else: a page does not load what it cannot use. */
export const builtinInventories: { readonly [Name in BuiltinFixtureName]: string } = {
${toEntries(toInventory)}
};
`;

async function write(file: string, source: string): Promise<void> {
  const formatted = await format(source, {
    parser: 'typescript',
    singleQuote: true,
    printWidth: 100,
  });
  await writeFile(new URL(file, directory), formatted);
}

await write('builtin.ts', wholes);
await write('builtin-inventories.ts', inventories);
