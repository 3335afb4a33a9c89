import type { JournalEntry } from '../../src/admin/admin-api.ts';
import { formatBytes } from '../format.ts';

/**
 * Writes the request of an exchange as one line for a POSIX shell that sends the same bytes. The
 * journal holds no key: it is `$API_KEY`.
 *
 * @param origin where the service is reached: `http://127.0.0.1:4010`
 */
export function toCurl(origin: string, { request }: JournalEntry): string {
  const headers = request.headers
    .filter(([name]) => !leftOut.has(name.toLowerCase()))
    // A header without a value ends in a semicolon; with a colon curl would leave it out.
    .map(([name, value]) => `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`);
  const body = toBodyOption(request.body.text);
  const declares = request.headers.some(([name]) => name.toLowerCase() === 'content-type');
  // Without this, curl would declare every body as a form.
  if (body.option !== '' && !declares) headers.push("-H 'Content-Type:'");
  const parts = [
    'curl -isS --path-as-is -g',
    ...toMethodOption(request.method),
    quote(origin + request.path),
    '-H "Authorization: Bearer $API_KEY"',
    ...headers,
    body.option,
  ];
  return body.before + parts.filter((part) => part !== '').join(' ');
}

function toMethodOption(method: string): readonly string[] {
  if (method === 'GET') return [];
  // By any other option, curl would wait for a body that never comes.
  return method === 'HEAD' ? ['--head'] : ['-X', quote(method)];
}

/** Longer paths are cut in the journal. */
const longestPath = 2048;

/**
 * Why the bytes of a request are not known, so that no line could send them again.
 *
 * @returns `undefined` where they are
 */
export function findCurlObstacle({ request }: JournalEntry): string | undefined {
  const { path, body } = request;
  if (body.isCut) {
    return `The journal keeps only the beginning of this body of ${formatBytes(body.length)}.`;
  }
  if (path === hidden) return 'The journal hides what of this request repeats a key.';
  if (path.length >= longestPath) return 'The journal keeps only the beginning of this path.';
  if (
    new TextEncoder().encode(body.text).length !== body.length ||
    body.text.includes('\u{FFFD}')
  ) {
    return 'This body is not text in UTF-8: the journal does not keep all of its bytes.';
  }
  return undefined;
}

/** What the journal says in the place of a path and a body where one repeats a key. */
const hidden = '(hidden)';

/** What curl writes by itself, and what the journal does not hold. */
const leftOut = new Set(['authorization', 'content-length', 'host', 'connection', 'user-agent']);

function toBodyOption(text: string): { readonly before: string; readonly option: string } {
  if (text === '') return { before: '', option: '' };
  if (/^[ -?A-~][ -~]*$/.test(text)) return { before: '', option: `--data-binary ${quote(text)}` };
  // Octal escapes are the only ones that every printf knows.
  const escaped = Array.from(new TextEncoder().encode(text), (byte) => {
    if (byte === 0x5c) return String.raw`\\`;
    if (byte === 0x25) return '%%';
    // A hyphen in front would make it an option.
    return byte >= 0x20 && byte < 0x7f && byte !== 0x2d
      ? String.fromCharCode(byte)
      : `\\${byte.toString(8).padStart(3, '0')}`;
  }).join('');
  return { before: `printf ${quote(escaped)} | `, option: '--data-binary @-' };
}

function quote(text: string): string {
  return /^[A-Z]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
