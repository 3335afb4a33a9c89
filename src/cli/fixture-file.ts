import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { ValueNode } from '@humanwhocodes/momoa';
import { builtinFixtures } from '../../fixtures/builtin.ts';
import { parseFixture } from '../mock/fixture.ts';
import { PlainFixtureReader, type LoadedFixture } from '../mock/plain-fixture.ts';
import { formatJsonPath, type JsonPath, type JsonProblem } from '../json/json-path.ts';
import { UsageError } from './io.ts';

/** The fixture is refused. The message has a line for each problem. */
export class FixtureError extends UsageError {}

/** Whether a fixture is one of the package's own, and not a file. */
export function isBuiltinFixture(name: string): name is keyof typeof builtinFixtures {
  return Object.hasOwn(builtinFixtures, name);
}

/**
 * Loads a fixture by the name of a built-in one or by the path of a file.
 *
 * @throws {FixtureError} naming file, line, column, JSON path and what was expected
 */
export async function loadFixture(nameOrPath: string): Promise<LoadedFixture> {
  if (isBuiltinFixture(nameOrPath)) return parseExactly(nameOrPath, builtinFixtures[nameOrPath]);
  // What is not plain, right or wrong, is read once more, by the parser that knows what to say.
  const plain = await readPlainFixture(nameOrPath);
  return plain ?? parseExactly(nameOrPath, await readFixtureFile(nameOrPath));
}

async function parseExactly(name: string, text: string): Promise<LoadedFixture> {
  const parsed = parseFixture(text);
  if (parsed.ok) return parsed.fixture;
  if (parsed.kind === 'syntax') {
    throw new FixtureError(await describeSyntaxError(name, text, parsed.problem));
  }
  const lines = await locateProblems(name, text, parsed.problems);
  throw new FixtureError(lines.join('\n'));
}

/** @returns `undefined` where the file is not a plain fixture, or cannot be read */
async function readPlainFixture(path: string): Promise<LoadedFixture | undefined> {
  const reader = new PlainFixtureReader();
  try {
    for await (const piece of createReadStream(path, 'utf8')) {
      if (!reader.read(piece as string)) return undefined;
    }
  } catch {
    return undefined;
  }
  return reader.finish();
}

async function readFixtureFile(path: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const names = Object.keys(builtinFixtures).join(', ');
    throw new FixtureError(
      code === 'ENOENT'
        ? `there is no fixture "${path}": it is neither a file nor one of the built-in fixtures ${names}`
        : `the fixture "${path}" cannot be read: ${code === 'EISDIR' ? 'it is a folder; name a file' : message}`,
      { cause: error },
    );
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new FixtureError(`${path}: the fixture is not a text in UTF-8`, { cause: error });
  }
}

async function locateProblems(
  file: string,
  text: string,
  problems: readonly JsonProblem[],
): Promise<readonly string[]> {
  const { parse } = await import('@humanwhocodes/momoa');
  const root = parse(text).body;
  return problems.map(({ path, message }) => {
    const { line, column } = locate(root, path);
    return `${file}:${line}:${column}: ${formatJsonPath(path)}: ${message}`;
  });
}

/** Where the part of a value stands, or the nearest part around it where it is missing. */
function locate(root: ValueNode, path: JsonPath): { line: number; column: number } {
  let node: ValueNode = root;
  let { start } = root.loc;
  for (const part of path) {
    if (node.type === 'Object') {
      // The last of several members with one name counts, as in JSON.parse.
      const member = node.members.findLast(
        ({ name }) => (name.type === 'String' ? name.value : name.name) === part,
      );
      if (member === undefined) break;
      node = member.value;
    } else if (node.type === 'Array' && typeof part === 'number') {
      const element = node.elements[part];
      if (element === undefined) break;
      node = element.value;
    } else break;
    ({ start } = node.loc);
  }
  return start;
}

/** Says where text stops to be JSON, once: some sentences of the parser name the place, some do not. */
async function describeSyntaxError(file: string, text: string, problem: string): Promise<string> {
  const [place, line, column] = / at position \d+ \(line (\d+) column (\d+)\)/.exec(problem) ?? [];
  const at =
    place === undefined ? await locateSyntaxError(text) : `:${line ?? '1'}:${column ?? '1'}`;
  // The parser quotes what stands around the place, which may be a key.
  const sentence = problem
    .replace(place ?? '', '')
    .replace(/ in JSON$/, '')
    .replace(/, (\.\.\.)?".*is not valid JSON$/s, '');
  return `${file}${at}: the fixture is not valid JSON: ${sentence}`;
}

/** `:line:column`, or nothing where that is not known. */
async function locateSyntaxError(text: string): Promise<string> {
  const { parse } = await import('@humanwhocodes/momoa');
  try {
    parse(text);
    return '';
  } catch (error) {
    const { line, column } = error as { line?: number; column?: number };
    return line === undefined ? '' : `:${line}:${column ?? 1}`;
  }
}
