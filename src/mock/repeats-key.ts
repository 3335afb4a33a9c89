/** What of a request may be shown, and so may give a key away. */
export interface ShownRequest {
  readonly path: string;
  readonly body: Uint8Array;
  /** Its Content-Type, which a refusal quotes. */
  readonly contentType?: string | undefined;
  /** Its Prefer, which a refusal quotes. */
  readonly prefer?: string | undefined;
}

/**
 * Whether a request repeats one of these keys where it may be shown: as it is, percent-encoded once
 * or twice, or with the escapes of JSON or of a header. Runs for every request, so it looks for what
 * is encoded only where something is.
 */
export function repeatsKey(
  { path, body, contentType, prefer }: ShownRequest,
  keys: readonly string[],
): boolean {
  if (keys.length === 0) return false;
  return (
    textRepeatsKey(path, keys) ||
    (contentType !== undefined &&
      contentType !== 'application/json' &&
      textRepeatsKey(contentType, keys)) ||
    (prefer !== undefined && textRepeatsKey(prefer, keys)) ||
    (body.length > 0 && bytesRepeatKey(body, keys))
  );
}

/** The same for one text. */
export function textRepeatsKey(text: string, keys: readonly string[]): boolean {
  if (isShorterThanAll(text, keys)) return false;
  if (formRepeatsKey(text, keys)) return true;
  let form = text;
  for (let count = 0; count < mostEncodings && form.includes('%'); count += 1) {
    form = decodePercent(form);
    if (formRepeatsKey(form, keys)) return true;
  }
  return false;
}

/** What is encoded once more by a proxy is still told from what is encoded for the sake of it. */
const mostEncodings = 2;

function formRepeatsKey(form: string, keys: readonly string[]): boolean {
  for (const key of keys) if (form.includes(key)) return true;
  if (!form.includes('\\')) return false;
  const decoded = decodeEscapes(form);
  for (const key of keys) if (decoded.includes(key)) return true;
  return false;
}

/** Nothing becomes longer when it is decoded. */
function isShorterThanAll(
  { length }: { readonly length: number },
  keys: readonly string[],
): boolean {
  for (const key of keys) if (key.length <= length) return false;
  return true;
}

/** Up to this many bytes, a body is looked through for what is encoded in it. */
const longestDecoded = 8192;

const decoder = new TextDecoder();

function bytesRepeatKey(body: Uint8Array, keys: readonly string[]): boolean {
  if (isShorterThanAll(body, keys)) return false;
  for (const key of keys) if (includesAscii(body, key)) return true;
  if (!hasByte(body, 0x25) && !hasByte(body, 0x5c)) return false;
  // To hide one too many is better than to spend the time, and much better than to show one.
  return body.length > longestDecoded || textRepeatsKey(decoder.decode(body), keys);
}

/** A key is visible ASCII: each character is one byte, wherever it stands. */
function includesAscii(bytes: Uint8Array, text: string): boolean {
  const first = text.charCodeAt(0);
  const last = bytes.length - text.length;
  let at = indexOfByte(bytes, first, 0);
  while (at !== -1 && at <= last) {
    let index = 1;
    while (index < text.length && bytes[at + index] === text.charCodeAt(index)) index += 1;
    if (index === text.length) return true;
    at = indexOfByte(bytes, first, at + 1);
  }
  return false;
}

const hasByte = (bytes: Uint8Array, byte: number): boolean => indexOfByte(bytes, byte, 0) !== -1;

/** Below this length, a loop takes less time than the call. */
const shortBody = 64;

function indexOfByte(bytes: Uint8Array, byte: number, from: number): number {
  // Not the method of the object: that of Node's Buffer takes a multiple of the time.
  if (bytes.length > shortBody) return Uint8Array.prototype.indexOf.call(bytes, byte, from);
  for (let index = from; index < bytes.length; index += 1) if (bytes[index] === byte) return index;
  return -1;
}

/** Each escape by itself: a wrong one must not keep the others from being read. */
function decodePercent(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, toCharacter);
}

/** Those of JSON, and the quoted pairs of a header (RFC 9110, section 5.6.4), which may be any. */
function decodeEscapes(text: string): string {
  return text.replace(/\\(?:u([0-9a-f]{4})|(.))/gis, (_, code?: string, character?: string) =>
    code === undefined ? (character ?? '') : toCharacter('', code),
  );
}

const toCharacter = (_: string, code: string): string => String.fromCharCode(parseInt(code, 16));

/** In a mock that takes every key, a shorter token is no secret, and would hide every line. */
const shortestHidden = 4;

/** The token of an Authorization header, where it is long enough to be one; otherwise nothing. */
export function toSentKeys(authorization: string | undefined): readonly string[] {
  if (authorization === undefined) return [];
  const token = authorization.slice(authorization.lastIndexOf(' ') + 1);
  return token.length < shortestHidden ? [] : [token];
}
