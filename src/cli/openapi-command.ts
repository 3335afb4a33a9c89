import { openApiDocument } from '../../contracts/openapi.ts';
import { exitCode, type CliIo } from './io.ts';
import { writeText } from './write-text.ts';

/** Prints the OpenAPI document, or writes it to a file. */
export async function printOpenApi(
  { output }: { readonly output?: string },
  io: CliIo,
): Promise<number> {
  await writeText([`${JSON.stringify(openApiDocument, null, 2)}\n`], output, io);
  return exitCode.conforms;
}
