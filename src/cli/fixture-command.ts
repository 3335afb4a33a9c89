import { generateInventory } from '../mock/generate-inventory.ts';
import { toFixtureJson } from '../mock/fixture.ts';
import { exitCode, type CliIo } from './io.ts';
import { writeText } from './write-text.ts';

export interface FixtureOptions {
  readonly pets: number;
  readonly seed: number;
  readonly output?: string;
}

/** Prints a fixture of any size, the same for the same seed, or writes it to a file. */
export async function printFixture(
  { pets, seed, output }: FixtureOptions,
  io: CliIo,
): Promise<number> {
  await writeText(toFixtureJson(generateInventory(pets, seed)), output, io);
  return exitCode.conforms;
}
