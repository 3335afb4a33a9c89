/** Which API keys a mock accepts: some, or every one that is not empty. */
export type ApiKeys = readonly string[] | 'any';

export type Authorization =
  | { readonly authorized: true }
  /** Says what is wrong, and never repeats what was sent: it may hold a key. */
  | { readonly authorized: false; readonly message: string };

// RFC 9110, section 11.4: a scheme, one or more spaces, and for Bearer one token.
const words = /^([\x21-\x7e]+)(?: +([\x21-\x7e]+))?$/;

const expected = 'expected "Authorization: Bearer <API_KEY>"';

const refused = (problem: string): Authorization => ({
  authorized: false,
  message: `${problem}; ${expected}`,
});

/**
 * Judges the value of an Authorization header (spec, section 5).
 *
 * @param ignoresSchemeCase whether `bearer` is as good as `Bearer` (RFC 9110, section 11.1)
 */
export function authorize(
  header: string | undefined,
  apiKeys: ApiKeys,
  ignoresSchemeCase: boolean,
): Authorization {
  if (header === undefined || header === '') {
    return refused(`the Authorization header is ${header === '' ? 'empty' : 'missing'}`);
  }
  const [, scheme, token] = words.exec(header) ?? [];
  if (scheme === undefined) {
    return refused('the Authorization header does not hold one scheme and one token');
  }
  const isBearer = ignoresSchemeCase ? scheme.toLowerCase() === 'bearer' : scheme === 'Bearer';
  if (!isBearer) {
    return refused(
      token === undefined
        ? 'the Authorization header holds one word, the scheme or the key; the other is missing'
        : 'the scheme of the Authorization header is not Bearer',
    );
  }
  if (token === undefined) return refused('the API key behind the scheme Bearer is missing');
  return isKnownKey(token, apiKeys) ? { authorized: true } : refused('the API key is not valid');
}

/**
 * Compares with every key, so that the time taken does not tell which one was nearly right.
 *
 * @param from where the key begins in the text
 */
export function isKnownKey(text: string, apiKeys: ApiKeys, from = 0): boolean {
  if (apiKeys === 'any') return true;
  let known = false;
  for (const key of apiKeys) {
    if (equalsInConstantTime(text, key, from)) known = true;
  }
  return known;
}

/** Takes a time that depends on the length of what was sent, not on where it differs. */
export function equalsInConstantTime(text: string, key: string, from = 0): boolean {
  const length = text.length - from;
  // Where the lengths differ, the text is compared with itself, for the time that it takes.
  const other = length === key.length ? key : text;
  const start = other === key ? 0 : from;
  let difference = length ^ key.length;
  for (let index = 0; index < length; index += 1) {
    difference |= text.charCodeAt(from + index) ^ other.charCodeAt(start + index);
  }
  return difference === 0;
}

const sendableKey = /^[\x21-\x7e]+$/;

/** Whether a client can send this key as one bearer token: visible ASCII, no spaces. */
export function isSendableKey(key: string): boolean {
  return sendableKey.test(key);
}
