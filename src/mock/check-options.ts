/** Shows in a message what was given instead. Never call it with what may be a key. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return `"${value}"`;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? 'an array' : 'an object';
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
): asserts given is Readonly<Record<string, unknown>> {
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
