import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { isSendableKey } from '../inventory/authorization.ts';
import { parsePetId } from '../inventory/pet-id.ts';
import { parsePolicyOption } from '../mock/policy-option.ts';
import { mergePolicy, type PolicyChanges } from '../mock/policy.ts';
import { SandboxError } from '../mock/sandbox.ts';
import type { FixtureOptions } from './fixture-command.ts';
import { exitCode, UsageError, type CliIo } from './io.ts';
import { logLevels } from './request-log.ts';
import { serve } from './serve-command.ts';
import type { ServeOptions } from './serve-options.ts';
import { ListenError } from '../server/listen.ts';
import { reporterNames } from '../verify/reporter-names.ts';
import type { ReporterChoice, VerifyCommandOptions } from './verify-command.ts';
import { version } from './version.ts';

/**
 * Runs the command line.
 *
 * @param argv the arguments, without the names of the runtime and the script
 * @returns the exit code; nothing is thrown
 */
export async function run(argv: readonly string[], io: CliIo): Promise<number> {
  let code: number = exitCode.conforms;
  const program = createProgram(io, (result) => {
    code = result;
  });
  try {
    await program.parseAsync(withDefaultCommand(argv), { from: 'user' });
    return code;
  } catch (error) {
    return report(error, io);
  }
}

/** `serve` is what is meant where no command is named. */
function withDefaultCommand(argv: readonly string[]): string[] {
  const [first] = argv;
  const asksForProgram = ['-h', '--help', '-V', '--version'].includes(first ?? '');
  return first === undefined || (first.startsWith('-') && !asksForProgram)
    ? ['serve', ...argv]
    : [...argv];
}

function report(error: unknown, io: CliIo): number {
  // Commander has written its own message, or the help that was asked for.
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? exitCode.conforms : exitCode.wrongUsage;
  }
  if (
    error instanceof UsageError ||
    error instanceof ListenError ||
    error instanceof SandboxError
  ) {
    io.stderr.write(`error: ${error.message}\n`);
    return exitCode.wrongUsage;
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  io.stderr.write(`a bug in Stockcheck, please report it: ${detail}\n`);
  return exitCode.bug;
}

function createProgram(io: CliIo, finish: (code: number) => void): Command {
  const program = new Command('stockcheck')
    .description('The Pet Store Inventory API: a mock you can trust, a contract you can enforce.')
    .version(version)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      // A mistyped --api-key=… would be repeated with the key behind it.
      writeErr: (text) =>
        void io.stderr.write(text.replace(/(unknown option '--[^=']*)=.*'/, "$1'")),
    });
  program.addCommand(serveCommand(io, finish).copyInheritedSettings(program));
  program.addCommand(verifyCommand(io, finish).copyInheritedSettings(program));
  program.addCommand(openApiCommand(io, finish).copyInheritedSettings(program));
  program.addCommand(fixtureCommand(io, finish).copyInheritedSettings(program));
  return program;
}

// Every command but this one is loaded late: the mock starts sooner without them.
function serveCommand(io: CliIo, finish: (code: number) => void): Command {
  return new Command('serve')
    .description('run the mock (what happens when no command is named)')
    .option('--port <port>', 'port to listen on; 0 picks a free one', parsePort, 4010)
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option(
      '--fixture <name|file>',
      'what to start with: default, empty, edge or a file',
      'default',
    )
    .option('--api-key <key>', 'a key to accept instead of demo-key (repeatable)', collectKey)
    .option('--any-key', 'accept every key that is not empty')
    .option(
      '--policy <decision=answer>',
      'where the specification is silent, e.g. content-type=415 (repeatable)',
      collectPolicy,
    )
    .option(
      '--store <where>',
      'keep everything in sqlite:FILE, or in a Redis: redis://host:port (or in STOCKCHECK_STORE, which keeps a password out of the list of processes); the fixture counts only where the store is new',
    )
    .option(
      '--reseed',
      'start the default sandbox over with the fixture, whatever the store has kept',
    )
    .option('--workers <n>', 'serve from so many processes, over one --store', parseWorkers)
    .option('--watch', 'read the fixture again whenever its file changes')
    .option(
      '--admin-token <token>',
      'what requests below /_stockcheck/ must carry (or in STOCKCHECK_ADMIN_TOKEN; on another address than loopback, one is made and printed)',
    )
    .option('--no-admin', 'have nothing below /_stockcheck/: no console, no admin API')
    .option('--max-sandboxes <n>', 'how many sandboxes there may be (default: 10000)', parseLimit)
    .option(
      '--journal <n>',
      'how many exchanges each sandbox keeps; 0 keeps none (default: 500)',
      parseLimit,
    )
    .addOption(new Option('--log <what>', 'what to log').choices(logLevels).default('requests'))
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ stockcheck\n' +
        '  $ stockcheck --port 0 --fixture my-pets.json --watch\n' +
        '  $ stockcheck --store sqlite:stock.db --workers 2\n' +
        '  $ stockcheck --api-key first --api-key second --policy quantity-range=0..100\n',
    )
    .action(async (options: ServeOptions) => finish(await serve(options, io)));
}

function verifyCommand(io: CliIo, finish: (code: number) => void): Command {
  return new Command('verify')
    .description('verify that an implementation keeps the contract')
    .argument('<base-url>', 'the address that ends in /v1', parseBaseUrl)
    .option(
      '--api-key <key>',
      'a key that the provider accepts (or in STOCKCHECK_API_KEY)',
      parseApiKey,
    )
    .option('--read-only', 'send nothing but GET')
    .option(
      '--max-writes <count>',
      'the most updates that may be applied, those that restore included',
      parseCount,
    )
    .option('--pet <petId>', 'a pet that may be written to; others are not (repeatable)', collectId)
    .option('--unknown-pet <petId>', 'an id that no pet has (repeatable)', collectId)
    .option('--state-url <url>', "where provider states are set, by Pact's protocol", parseUrl)
    .option(
      '--state-token <token>',
      'a bearer token for it, if it needs one (or in STOCKCHECK_STATE_TOKEN)',
    )
    .option('--timeout <ms>', 'for one request', parseMilliseconds, 5000)
    .option('--deadline <ms>', 'for the whole run', parseMilliseconds, 120_000)
    .option('--seed <number>', 'an integer that decides the random sequences', parseSeed)
    .option('--runs <count>', 'how many random sequences', parseCount, 20)
    .option('--only <id>', 'judge these cases; * for any characters (repeatable)', collect)
    .option('--skip <id>', 'do not judge these cases (repeatable)', collect)
    .option('--strict', 'count advice as failure')
    .option(
      '--reporter <name[=file]>',
      `${reporterNames.join(', ')} (repeatable; default: terminal)`,
      collectReporter,
    )
    .addHelpText(
      'after',
      '\nQuantities that the run changes are restored; nobody else may use the inventory meanwhile.\n' +
        'A status that follows the quantity may stay changed, since the API cannot set one: --pet limits it.\n' +
        'For a certificate that is signed by itself, set NODE_EXTRA_CA_CERTS to its PEM file.\n' +
        'Exit codes: 0 conforms, 1 violations, 2 wrong usage, 3 inconclusive.\n' +
        '\nExamples:\n' +
        '  $ stockcheck verify http://127.0.0.1:4010/v1 --api-key demo-key\n' +
        '  $ stockcheck verify https://staging.example/v1 --reporter terminal --reporter junit=report.xml\n' +
        '  $ stockcheck verify https://shop.example/v1 --read-only\n',
    )
    .action(async (baseUrl: URL, options: VerifyCommandOptions) => {
      const { runVerify } = await import('./verify-command.ts');
      finish(await runVerify(baseUrl, options, io));
    });
}

function openApiCommand(io: CliIo, finish: (code: number) => void): Command {
  return new Command('openapi')
    .description('print the OpenAPI 3.1 document of the API')
    .option('--output <file>', 'write it to a file')
    .action(async (options: { output?: string }) => {
      const { printOpenApi } = await import('./openapi-command.ts');
      finish(await printOpenApi(options, io));
    });
}

function fixtureCommand(io: CliIo, finish: (code: number) => void): Command {
  return new Command('fixture')
    .description('print a fixture of any size, the same for the same seed')
    .option('--pets <count>', 'how many pets', parsePets, 12)
    .option('--seed <number>', 'an integer that decides the pets', parseSeed, 1)
    .option('--output <file>', 'write it to a file')
    .addHelpText('after', '\nExample:\n  $ stockcheck fixture --pets 10000 --seed 7 > pets.json\n')
    .action(async (options: FixtureOptions) => {
      const { printFixture } = await import('./fixture-command.ts');
      finish(await printFixture(options, io));
    });
}

function parseInteger(text: string, minimum: number, maximum: number): number {
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  throw new InvalidArgumentError(`Expected an integer from ${minimum} to ${maximum}.`);
}

const parsePort = (text: string): number => parseInteger(text, 0, 65_535);
const parsePets = (text: string): number => parseInteger(text, 0, 10_000_000);
const parseSeed = (text: string): number => parseInteger(text, -(2 ** 31), 2 ** 31 - 1);

const parseCount = (text: string): number => parseInteger(text, 0, 1_000_000_000);
const parseWorkers = (text: string): number => parseInteger(text, 1, 256);
const parseLimit = (text: string): number => parseInteger(text, 0, 1_000_000);
const parseMilliseconds = (text: string): number => parseInteger(text, 1, 86_400_000);

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new InvalidArgumentError('Expected an address such as http://127.0.0.1:4010/v1.');
  }
  return url;
}

function parseBaseUrl(text: string): URL {
  const url = parseUrl(text);
  if (url.username !== '' || url.password !== '') {
    // Not an InvalidArgumentError: Commander would repeat the password.
    throw new UsageError('the base address must not hold credentials; give the key by --api-key');
  }
  if (url.search !== '' || url.hash !== '') {
    throw new InvalidArgumentError('Expected an address without "?" and "#".');
  }
  return url;
}

function parseApiKey(key: string): string {
  return collectKey(key)[0] ?? '';
}

function collectId(text: string, previous: readonly bigint[] = []): readonly bigint[] {
  const petId = parsePetId(text);
  if (petId === undefined) throw new InvalidArgumentError('Expected an int64 such as 12.');
  return [...previous, petId];
}

function collect(text: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, text];
}

function collectReporter(
  text: string,
  previous: readonly ReporterChoice[] = [],
): readonly ReporterChoice[] {
  const [, name = '', file] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  if (!reporterNames.includes(name)) {
    const names = reporterNames.join(', ');
    throw new InvalidArgumentError(`Expected one of ${names}, with =<file> behind it or not.`);
  }
  if (file === '') throw new InvalidArgumentError('Expected the name of a file behind "=".');
  return [...previous, file === undefined ? { name } : { name, file }];
}

function collectKey(key: string, previous: readonly string[] = []): readonly string[] {
  // Not an InvalidArgumentError: Commander would repeat the key.
  if (!isSendableKey(key)) {
    throw new UsageError(
      '--api-key must be one or more visible ASCII characters without spaces, to be sent as a bearer token',
    );
  }
  return [...previous, key];
}

function collectPolicy(option: string, previous: PolicyChanges = {}): PolicyChanges {
  const parsed = parsePolicyOption(option);
  if (!parsed.ok) throw new UsageError(`--policy ${parsed.message}`);
  return mergePolicy(previous, parsed.policy);
}
