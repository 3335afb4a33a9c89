/** Shows in a message what was given instead. Never call it with what may be a key. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? 'an array' : 'an object';
}

/**
 * Sees to it that something has the methods that will be called.
 *
 * @throws {TypeError} naming the ones that are missing
 */
export function requireMethods(given: unknown, names: readonly string[], what: string): void {
  const methods = Object(given) as Readonly<Record<string, unknown>>;
  const missing = names.filter((name) => typeof methods[name] !== 'function');
  if (missing.length > 0) {
    throw new TypeError(
      `${what}; got ${describeValue(given)} without ${missing.map((name) => `${name}()`).join(', ')}`,
    );
  }
}

/**
 * @throws {TypeError} for what is neither a list of strings nor `any`; the message never repeats it
 */
export function checkApiKeys(given: unknown): void {
  const isList = Array.isArray(given) && given.every((key) => typeof key === 'string');
  if (given !== 'any' && !isList) {
    const got = Array.isArray(given) ? 'a list with something else in it' : `a ${typeof given}`;
    throw new TypeError(
      `apiKeys must be a list of strings such as ['my-key'], or 'any'; got ${got}`,
    );
  }
}

/**
 * Sees to it that an option that does not exist is not ignored: a typo would go unnoticed.
 *
 * @param what what the object is, for the message
 * @throws {TypeError} for what is no object, or for one with other names
 */
export function refuseUnknownOptions(
  given: unknown,
  names: readonly string[],
  what: string,
  example: string,
): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new TypeError(
      `${what} must be an object such as ${example}; got ${describeValue(given)}`,
    );
  }
  for (const name of Object.keys(given)) {
    if (!names.includes(name)) {
      throw new TypeError(`${what}: there is no option "${name}"; there are ${names.join(', ')}`);
    }
  }
}
