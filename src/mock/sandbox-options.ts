import { isSendableKey } from '../inventory/authorization.ts';
import { quoteText } from '../json/cut-text.ts';
import { describeValue, refuseUnknownOptions } from './check-options.ts';
import { TooManyRulesError } from './faults/fault-plan.ts';
import type { Scenarios } from './faults/scenarios.ts';
import { defaultLimits, SandboxError, type SandboxLimits } from './sandbox.ts';

/** In seconds: a day. */
const defaultTimeToLive = 86_400;
/** In seconds: 30 days. */
export const longestTimeToLive = 2_592_000;

const printableName = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{1,64}$/u;

/** @throws {SandboxError} for what cannot be a name */
export function checkName(name: unknown, what: string): void {
  if (typeof name === 'string' && isName(name)) return;
  throw new SandboxError(
    'invalid',
    `${what} must have 1 to 64 printable characters, without spaces around them, and neither . nor ..; got ${describeGiven(name)}`,
  );
}

/** Whether a sandbox or a snapshot could be called this. */
export function isName(name: string): boolean {
  const isPrintable = printableName.test(name) && name.trim() === name;
  // In the path of an address, these two would lead elsewhere (URL standard, dot segments).
  return isPrintable && name !== '.' && name !== '..';
}

/** @throws {SandboxError} for a scenario that there is not */
export function checkScenario(name: unknown, scenarios: Scenarios): void {
  if (typeof name === 'string' && Object.hasOwn(scenarios, name)) return;
  const names = Object.keys(scenarios).map((known) => `"${known}"`);
  const there = names.length === 0 ? 'its fixture has none' : `its fixture has ${names.join(', ')}`;
  throw new SandboxError(
    'invalid',
    `scenario: there is no scenario ${describeGiven(name)}; ${there}`,
  );
}

/** The same as `describeValue`, but a long text is cut. */
function describeGiven(value: unknown): string {
  return typeof value === 'string' ? quoteText(value) : describeValue(value);
}

/** @throws {SandboxError} for what is no int32 */
export function checkSeed(seed: unknown): void {
  if (Number.isInteger(seed) && Number(seed) === (Number(seed) | 0)) return;
  throw new SandboxError(
    'invalid',
    `seed must be an integer from -2147483648 to 2147483647; got ${describeValue(seed)}`,
  );
}

/** @throws {SandboxError} for a key that no client could send. The message never repeats it. */
export function checkApiKey(key: unknown): void {
  if (typeof key === 'string' && key.length <= 256 && isSendableKey(key)) return;
  throw new SandboxError(
    'invalid',
    'apiKey must have 1 to 256 visible ASCII characters without spaces, to be sent as a bearer token',
  );
}

/**
 * When something expires that is created now.
 *
 * @param now in milliseconds since the epoch
 * @returns `undefined`: never
 * @throws {SandboxError} for what is no time to live
 */
export function toExpiry(
  timeToLive: number | null | undefined = defaultTimeToLive,
  now: number,
): number | undefined {
  if (timeToLive === null) return undefined;
  if (Number.isInteger(timeToLive) && timeToLive >= 1 && timeToLive <= longestTimeToLive) {
    return Math.floor(now) + timeToLive * 1000;
  }
  throw new SandboxError(
    'invalid',
    `timeToLive must be a whole number of seconds from 1 to ${longestTimeToLive}, or null for ever; got ${describeValue(timeToLive)}`,
  );
}

/** Runs something that reads what people typed; what it throws of that becomes a refusal. */
export function explainAsInvalid<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof TooManyRulesError) {
      throw new SandboxError('limit', error.message, { cause: error });
    }
    if (error instanceof RangeError || error instanceof TypeError) {
      throw new SandboxError('invalid', error.message, { cause: error });
    }
    throw error;
  }
}

const mockOptionNames = [
  'fixture',
  'loadedFixture',
  'fixtureName',
  'apiKeys',
  'policy',
  'storage',
  'reseed',
  'forward',
  'limits',
  'transport',
  'now',
  'onBug',
  'gather',
  'onNotice',
] as const;

/**
 * Types do not reach every caller: a misspelled option would be ignored without a word.
 *
 * @throws {TypeError} for an option that there is not
 * @throws {RangeError} for a limit that is none
 */
export function checkMockOptions(
  options: object & { readonly limits?: Partial<SandboxLimits> },
): void {
  const what = 'the options of createSandboxes';
  refuseUnknownOptions(options, mockOptionNames, what, "{ fixture: 'empty' }");
  const { limits = {} } = options;
  refuseUnknownOptions(limits, Object.keys(defaultLimits), 'limits', '{ sandboxes: 100 }');
  for (const [name, limit] of Object.entries(limits)) {
    if (!Number.isSafeInteger(limit) || limit < 0) {
      throw new RangeError(
        `limits.${name} must be an integer from 0 up; got ${describeValue(limit)}`,
      );
    }
  }
}
