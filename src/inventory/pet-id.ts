const canonicalInteger = /^(?:0|-?[1-9][0-9]{0,18})$/;

const int64Minimum = -(2n ** 63n);
const int64Maximum = 2n ** 63n - 1n;

export function isInt64(value: bigint): boolean {
  return value >= int64Minimum && value <= int64Maximum;
}

/**
 * Reads the petId of a path (spec, section 4.2).
 *
 * @param segment the path segment, percent-decoded
 * @returns `undefined` for all that is not an int64 in its canonical decimal form: `abc`, `1.5`,
 * `01`, `+1`, `-0`, 2^63
 */
export function parsePetId(segment: string): bigint | undefined {
  if (!canonicalInteger.test(segment)) return undefined;
  const petId = BigInt(segment);
  return isInt64(petId) ? petId : undefined;
}
