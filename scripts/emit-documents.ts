/** Writes the documents that the package exports as files: OpenAPI documents and the fixture's schema. */
import { copyFile, writeFile } from 'node:fs/promises';
import type { OpenAPIV3_1 } from 'openapi-types';
import { openApiDocument } from '../contracts/openapi.ts';

const inDist = (name: string): URL => new URL(`../dist/${name}`, import.meta.url);

await writeFile(inDist('openapi.json'), `${JSON.stringify(openApiDocument, null, 2)}\n`);
// From what was built: it is larger than what runs without a build.
const { adminOpenApi } = (await import(inDist('src/server/admin/openapi.js').href)) as {
  adminOpenApi: OpenAPIV3_1.Document;
};
await writeFile(inDist('admin-openapi.json'), `${JSON.stringify(adminOpenApi, null, 2)}\n`);
await copyFile(
  new URL('../fixtures/fixture.schema.json', import.meta.url),
  inDist('fixture.schema.json'),
);
