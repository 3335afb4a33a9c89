import type { RequestTemplate } from '../../contracts/case.ts';
import { basePathOf } from './http-client.ts';

/** How a POSIX shell makes from `$API_KEY` what {@link RequestTemplate} makes from the key. */
const shellForms: { readonly [placeholder: string]: string } = {
  '{apiKey}': '$API_KEY',
  '{apiKey:prefix}': '${API_KEY%?}',
  '{apiKey:suffix}': '${API_KEY#?}',
  '{apiKey:extended}': '${API_KEY}x',
  '{apiKey:altered}': `$(printf %s "$API_KEY" | sed 's/x$/y/;t;s/.$/x/')`,
  '{apiKey:other-case}': `$(printf %s "$API_KEY" | tr 'a-zA-Z' 'A-Za-z')`,
  '{apiKey:basic}': `$(printf %s "$API_KEY:" | base64 | tr -d '\\n')`,
};

/**
 * Writes a request as one line for a POSIX shell that sends the same bytes. The key is
 * `$API_KEY`.
 *
 * @param template its path holds no `{petId}` any more
 */
export function toCurl(baseUrl: URL, template: RequestTemplate): string {
  const url = baseUrl.origin + basePathOf(baseUrl) + template.path;
  const method = template.method === 'GET' ? [] : ['-X', template.method];
  const sent = new Set(template.headers.map(([name]) => name.toLowerCase()));
  const headers = template.headers.map(([name, value]) =>
    // A header without a value ends in a semicolon; with a colon curl would leave it out.
    ['-H', quote(value === '' ? `${name};` : `${name}: ${value}`)].join(' '),
  );
  const body = toBodyOption(template.body);
  // Without this, curl would declare every body as a form.
  if (body.option !== '' && !sent.has('content-type')) headers.push("-H 'Content-Type:'");
  const line = ['curl -isS --path-as-is -g', ...method, quote(url), ...headers, body.option];
  return body.before + line.filter((part) => part !== '').join(' ');
}

function toBodyOption(body: RequestTemplate['body']): { before: string; option: string } {
  if (body === undefined) return { before: '', option: '' };
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const isPlain = bytes.every((byte) => byte >= 0x20 && byte < 0x7f) && bytes[0] !== 0x40;
  if (isPlain) {
    return { before: '', option: `--data-binary ${quoteLiterally(Buffer.from(bytes).toString())}` };
  }
  // Octal escapes are the only ones that every printf knows.
  const escaped = Array.from(bytes, (byte) => {
    if (byte === 0x5c) return String.raw`\\`;
    if (byte === 0x25) return '%%';
    return byte >= 0x20 && byte < 0x7f
      ? String.fromCharCode(byte)
      : `\\${byte.toString(8).padStart(3, '0')}`;
  }).join('');
  return { before: `printf ${quoteLiterally(escaped)} | `, option: '--data-binary @-' };
}

function quoteLiterally(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

const placeholders = /(\{apiKey(?::[a-z-]+)?\})/;

/** Single quotes where nothing is to be filled in, double quotes around the rest. */
function quote(text: string): string {
  const parts = text.split(placeholders);
  if (parts.length === 1) return quoteLiterally(text);
  const quoted = parts.map(
    (part) => shellForms[part] ?? part.replace(/["$`\\]/g, (character) => `\\${character}`),
  );
  return `"${quoted.join('')}"`;
}
