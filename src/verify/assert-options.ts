import type { VerifyOptions } from './verify-options.ts';

const known: { readonly [Name in keyof Required<VerifyOptions>]: true } = {
  baseUrl: true,
  apiKey: true,
  readOnly: true,
  maximumWrites: true,
  pets: true,
  unknownPets: true,
  timeoutMs: true,
  deadlineMs: true,
  maximumBodyBytes: true,
  concurrency: true,
  seed: true,
  runs: true,
  selects: true,
  strict: true,
  stateUrl: true,
  stateToken: true,
  signal: true,
  onResult: true,
  onLeftOut: true,
};

/**
 * Refuses what cannot be used, before anything is sent.
 *
 * @throws {TypeError} for an option that is missing, unknown, or of another type
 * @throws {RangeError} for a value that cannot be used
 */
export function assertOptions(options: VerifyOptions): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined) {
    throw new TypeError(
      `there is no option "${unknown}"; there are ${Object.keys(known).join(', ')}`,
    );
  }
  assertApiKey(options.apiKey);
  assertBaseUrl(options.baseUrl);
  assertStateToken(options);
}

/** The key itself is never repeated. */
function assertApiKey(apiKey: unknown): void {
  if (apiKey === undefined || apiKey === '') {
    throw new TypeError('there is no API key; give one that the provider accepts as apiKey');
  }
  if (typeof apiKey !== 'string') throw new TypeError('apiKey must be a string');
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new RangeError(
      'apiKey must be one or more visible ASCII characters without spaces, to be sent as a bearer token',
    );
  }
}

/** The token itself is never repeated. */
function assertStateToken({ stateUrl, stateToken }: VerifyOptions): void {
  if (stateToken === undefined) return;
  if (!/^[\x21-\x7e]+$/.test(stateToken)) {
    throw new RangeError(
      'stateToken must be one or more visible ASCII characters without spaces, to be sent as a bearer token',
    );
  }
  if (stateUrl === undefined) throw new TypeError('stateToken needs stateUrl: where it is sent');
}

function assertBaseUrl(baseUrl: unknown): void {
  const url =
    (typeof baseUrl === 'string' || baseUrl instanceof URL) && URL.canParse(String(baseUrl))
      ? new URL(baseUrl)
      : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new TypeError('baseUrl must be an address such as http://127.0.0.1:4010/v1');
  }
  if (url.username !== '' || url.password !== '') {
    throw new RangeError('baseUrl must not hold credentials; give the key as apiKey');
  }
  if (url.search !== '' || url.hash !== '') {
    throw new RangeError('baseUrl must be an address without "?" and "#"');
  }
}
