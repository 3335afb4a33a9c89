/** Writes the documents that the package exports as files: the OpenAPI document and the fixture's schema. */
import { copyFile, writeFile } from 'node:fs/promises';
import { openApiDocument } from '../contracts/openapi.ts';

const inDist = (name: string): URL => new URL(`../dist/${name}`, import.meta.url);

await writeFile(inDist('openapi.json'), `${JSON.stringify(openApiDocument, null, 2)}\n`);
await copyFile(
  new URL('../fixtures/fixture.schema.json', import.meta.url),
  inDist('fixture.schema.json'),
);
