import { writeFile } from 'node:fs/promises';
import { UsageError, type CliIo } from './io.ts';

/** Pieces are joined up to this many characters: a write for each would take most of the time. */
const chunkLength = 65_536;

/**
 * Writes to a file where one is named, else to standard output, piece by piece: the whole text may
 * be longer than a string can be.
 *
 * @throws {UsageError} where the file cannot be written
 */
export async function writeText(
  pieces: Iterable<string>,
  output: string | undefined,
  io: CliIo,
): Promise<void> {
  if (output === undefined) {
    for (const chunk of toChunks(pieces)) io.stdout.write(chunk);
    return;
  }
  try {
    await writeFile(output, toChunks(pieces));
  } catch (error) {
    throw new UsageError(
      `cannot write "${output}": ${(error as Error).message}. Name a file that can be written with --output`,
      { cause: error },
    );
  }
}

function* toChunks(pieces: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length >= chunkLength) {
      yield chunk;
      chunk = '';
    }
  }
  yield chunk;
}
