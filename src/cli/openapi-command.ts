import { writeFile } from 'node:fs/promises';
import { openApiDocument } from '../../contracts/openapi.ts';
import { exitCode, UsageError, type CliIo } from './io.ts';

/** Prints the OpenAPI document, or writes it to a file. */
export async function printOpenApi(
  { output }: { readonly output?: string },
  io: CliIo,
): Promise<number> {
  await writeText(`${JSON.stringify(openApiDocument, null, 2)}\n`, output, io);
  return exitCode.conforms;
}

/** Writes to a file where one is named, else to standard output. */
export async function writeText(
  text: string,
  output: string | undefined,
  io: CliIo,
): Promise<void> {
  if (output === undefined) {
    io.stdout.write(text);
    return;
  }
  try {
    await writeFile(output, text);
  } catch (error) {
    throw new UsageError(
      `cannot write "${output}": ${(error as Error).message}. Name a file that can be written with --output`,
      { cause: error },
    );
  }
}
