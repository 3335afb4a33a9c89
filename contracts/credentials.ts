/**
 * What the Authorization header of a request holds (spec, section 5), without the key itself: this
 * may be kept and told.
 *
 * - `missing`: there is no such header, or it is empty
 * - `no-key`: the scheme Bearer with nothing behind it
 * - `other-scheme`: another scheme, or none
 * - `invalid-key`: a key that is not valid, or what cannot be one key
 * - `valid-key`; `valid-key-other-case`: behind a scheme that is not spelt `Bearer`
 * - `unverified-key`: a key of which is not known whether it is valid
 */
export type Credentials =
  | 'missing'
  | 'no-key'
  | 'other-scheme'
  | 'invalid-key'
  | 'valid-key'
  | 'valid-key-other-case'
  | 'unverified-key';

/**
 * Reads an Authorization header.
 *
 * @param isValid whether the service accepts a key. Left out: that is not known
 */
export function readCredentials(
  header: string | undefined,
  isValid?: (key: string) => boolean,
): Credentials {
  const text = header?.trim() ?? '';
  if (text === '') return 'missing';
  const end = text.indexOf(' ');
  const scheme = end === -1 ? text : text.slice(0, end);
  if (scheme.toLowerCase() !== 'bearer') return 'other-scheme';
  if (end === -1) return 'no-key';
  const key = text.slice(end).trimStart();
  if (key.includes(' ')) return 'invalid-key';
  if (isValid === undefined) return 'unverified-key';
  if (!isValid(key)) return 'invalid-key';
  return scheme === 'Bearer' ? 'valid-key' : 'valid-key-other-case';
}
