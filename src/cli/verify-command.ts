import { appendFileSync, closeSync, openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Reporter, ReporterOutput } from '../verify/reporter.ts';
import { reporters } from '../verify/reporters.ts';
import { countSubjects, verify } from '../verify/verify.ts';
import { UsageError, type CliIo } from './io.ts';

/** A reporter and the file it writes to; left out: standard output. */
export interface ReporterChoice {
  readonly name: string;
  readonly file?: string;
}

export interface VerifyCommandOptions {
  readonly apiKey?: string;
  readonly readOnly?: boolean;
  readonly maxWrites?: number;
  readonly pet?: readonly bigint[];
  readonly unknownPet?: readonly bigint[];
  readonly timeout: number;
  readonly deadline: number;
  readonly seed?: number;
  readonly runs: number;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly reporter?: readonly ReporterChoice[];
  readonly strict?: boolean;
  readonly stateUrl?: URL;
  /** Left out: that of the environment, or none. */
  readonly stateToken?: string;
}

/**
 * `stockcheck verify <base-url>`.
 *
 * @returns the exit code: 0 conforms, 1 violations, 3 inconclusive
 * @throws {UsageError} for what cannot be done
 */
export async function runVerify(
  baseUrl: URL,
  options: VerifyCommandOptions,
  io: CliIo,
): Promise<number> {
  const apiKey = findApiKey(options, io);
  const stateToken = findStateToken(options, io);
  const selects = toSelection(options.only ?? [], options.skip ?? []);
  refuseIdlePatterns('--only', options.only ?? []);
  refuseIdlePatterns('--skip', options.skip ?? []);
  const subjects = countSubjects(selects);
  if (subjects === 0) {
    throw new UsageError(
      'no case or check is left by --only and --skip; they take ids such as updateInventory/400/quantity-string, with * for any characters',
    );
  }
  const telling = openReporters(options.reporter ?? [{ name: 'terminal' }], io);
  const tellOfStop = (): void =>
    void io.stderr.write('interrupted, restoring … (again to stop at once)\n');
  io.signal.addEventListener('abort', tellOfStop, { once: true });
  try {
    for (const reporter of telling.reporters)
      reporter.onStart?.({ baseUrl: baseUrl.href, subjects });
    const report = await verify({
      baseUrl,
      apiKey,
      ...(options.readOnly === undefined ? {} : { readOnly: options.readOnly }),
      ...(options.maxWrites === undefined ? {} : { maximumWrites: options.maxWrites }),
      ...(options.pet === undefined ? {} : { pets: options.pet }),
      ...(options.unknownPet === undefined ? {} : { unknownPets: options.unknownPet }),
      timeoutMs: options.timeout,
      deadlineMs: options.deadline,
      ...(options.seed === undefined ? {} : { seed: options.seed }),
      runs: options.runs,
      selects,
      ...(options.strict === undefined ? {} : { strict: options.strict }),
      ...(options.stateUrl === undefined ? {} : { stateUrl: options.stateUrl }),
      ...(stateToken === undefined ? {} : { stateToken }),
      signal: io.signal,
      onResult(result) {
        for (const reporter of telling.reporters) reporter.onResult?.(result);
      },
    });
    for (const reporter of telling.reporters) reporter.onEnd?.(report);
    return report.exitCode;
  } finally {
    io.signal.removeEventListener('abort', tellOfStop);
    telling.close();
  }
}

const sendableKey = /^[\x21-\x7e]+$/;

function findApiKey({ apiKey }: VerifyCommandOptions, { env }: CliIo): string {
  const key = apiKey ?? env['STOCKCHECK_API_KEY'] ?? '';
  const source = apiKey === undefined ? 'STOCKCHECK_API_KEY' : '--api-key';
  if (key === '') {
    throw new UsageError(
      'there is no API key; give one that the provider accepts with --api-key or in the environment variable STOCKCHECK_API_KEY',
    );
  }
  // The key itself is never repeated.
  if (!sendableKey.test(key)) {
    throw new UsageError(
      `${source} must be one or more visible ASCII characters without spaces, to be sent as a bearer token`,
    );
  }
  return key;
}

/** That of the environment may stand there for other runs. */
function findStateToken(
  { stateUrl, stateToken }: VerifyCommandOptions,
  { env }: CliIo,
): string | undefined {
  if (stateUrl === undefined) {
    if (stateToken === undefined) return undefined;
    throw new UsageError('--state-token needs --state-url: where it is sent');
  }
  const token = stateToken ?? env['STOCKCHECK_STATE_TOKEN'] ?? '';
  if (token === '' && stateToken === undefined) return undefined;
  if (sendableKey.test(token)) return token;
  // The token itself is never repeated.
  const source = stateToken === undefined ? 'STOCKCHECK_STATE_TOKEN' : '--state-token';
  throw new UsageError(
    `${source} must be one or more visible ASCII characters without spaces, to be sent as a bearer token`,
  );
}

function toSelection(only: readonly string[], skip: readonly string[]): (id: string) => boolean {
  const wanted = only.map(toPattern);
  const unwanted = skip.map(toPattern);
  return (id) =>
    (wanted.length === 0 || wanted.some((pattern) => pattern.test(id))) &&
    !unwanted.some((pattern) => pattern.test(id));
}

/** A pattern with a typing error must not narrow a run, or fail to, without a word. */
function refuseIdlePatterns(option: string, globs: readonly string[]): void {
  const idle = globs.find((glob) => countSubjects((id) => toPattern(glob).test(id)) === 0);
  if (idle === undefined) return;
  throw new UsageError(
    `${option} ${idle} matches no case or check; it takes ids such as updateInventory/400/quantity-string, with * for any characters`,
  );
}

/** `*` stands for any characters; the rest for itself. */
function toPattern(glob: string): RegExp {
  const parts = glob.split('*').map((part) => part.replace(/[$()+.?[\\\]^{|}]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`);
}

interface Telling {
  readonly reporters: readonly Reporter[];
  close(): void;
}

/** Opens every file before anything is sent: a wrong path must not cost a run. */
function openReporters(choices: readonly ReporterChoice[], io: CliIo): Telling {
  const onStdout = choices.filter(({ file }) => file === undefined).map(({ name }) => name);
  if (onStdout.length > 1) {
    throw new UsageError(
      `the reporters ${onStdout.join(' and ')} cannot both write to standard output; give all but one a file, such as --reporter ${onStdout[1]}=report.txt`,
    );
  }
  const paths = choices.flatMap(({ file }) => (file === undefined ? [] : [resolve(file)]));
  const twice = paths.find((path, index) => paths.indexOf(path) !== index);
  if (twice !== undefined) {
    throw new UsageError(
      `two reporters cannot both write to ${twice}; give each a file of its own`,
    );
  }
  const files: number[] = [];
  const opened = choices.map(({ name, file }) => {
    const kind = reporters.find((one) => one.name === name);
    if (kind === undefined) {
      throw new UsageError(
        `there is no reporter "${name}"; there are ${reporters.map((one) => one.name).join(', ')}`,
      );
    }
    return kind.create(file === undefined ? toStdout(io) : toFile(file, files, io));
  });
  return { reporters: opened, close: () => files.forEach((file) => closeSync(file)) };
}

function toStdout(io: CliIo): ReporterOutput {
  const isTerminal = io.stdout.isTTY === true;
  return {
    write: (text) => void io.stdout.write(text),
    isTerminal,
    hasColours: isTerminal && (io.env['NO_COLOR'] ?? '') === '',
    ...summaryOf(io),
  };
}

function toFile(path: string, files: number[], io: CliIo): ReporterOutput {
  let file: number;
  try {
    file = openSync(path, 'w');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`the report ${path} cannot be written: ${reason}`);
  }
  files.push(file);
  return {
    write: (text) => orRefuse(path, () => writeSync(file, text)),
    isTerminal: false,
    hasColours: false,
    ...summaryOf(io),
  };
}

function summaryOf({ env }: CliIo): Pick<ReporterOutput, 'addSummary'> {
  const path = env['GITHUB_STEP_SUMMARY'] ?? '';
  return path === ''
    ? {}
    : { addSummary: (markdown) => orRefuse(path, () => appendFileSync(path, markdown)) };
}

function orRefuse(path: string, write: () => unknown): void {
  try {
    write();
  } catch (error) {
    throw new UsageError(`the report ${path} cannot be written: ${(error as Error).message}`);
  }
}
