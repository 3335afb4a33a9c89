/**
 * Writes `fixtures/builtin.ts`: the built-in fixtures as text, for the browser, where there is no
 * file to read and `import … with { type: 'json' }` would round large integers.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { format } from 'prettier';

const directory = new URL('../fixtures/', import.meta.url);
const names = ['default', 'empty', 'edge'];

const entries = await Promise.all(
  names.map(async (name) => {
    const text = await readFile(new URL(`${name}.json`, directory), 'utf8');
    return `${JSON.stringify(name)}: ${JSON.stringify(text)},`;
  }),
);

const source = `// Written by \`npm run embed-fixtures\` from the JSON files beside it.

/** The names of the fixtures that come with the package. */
export type BuiltinFixtureName = ${names.map((name) => `'${name}'`).join(' | ')};

/** The JSON text of each, with every digit of its integers. */
export const builtinFixtures: { readonly [Name in BuiltinFixtureName]: string } = {
${entries.join('\n')}
};
`;

await writeFile(
  new URL('builtin.ts', directory),
  await format(source, { parser: 'typescript', singleQuote: true, printWidth: 100 }),
);
