/** Takes a secret out of a text, in every form in which it may come back. */
export type Redact = (text: string) => string;

/** What stands in reports where the API key stood. */
export const keyPlaceholder = '$API_KEY';

/**
 * Knows the key itself, what the cases make of it (another case, cut at either end, as Basic
 * credentials), and how JSON, URLs, XML and HTML would spell them, each in any case.
 */
export function createRedactor(apiKey: string): Redact {
  if (apiKey === '') return (text) => text;
  const forms = [apiKey];
  // The rest of a cut key is nearly the key; the rest of a tiny one is in every other word.
  if (apiKey.length >= 5) forms.push(apiKey.slice(1), apiKey.slice(0, -1));
  const encoded = [apiKey, `${apiKey}:`, `:${apiKey}`].map((text) =>
    Buffer.from(text).toString('base64').replace(/=+$/, ''),
  );
  const spellings = [...forms, ...encoded].flatMap((form) => [
    form,
    encodeURIComponent(form),
    JSON.stringify(form).slice(1, -1),
    escapeMarkup(form),
  ]);
  // The longest first: a key is taken out before its own prefix. In one pass: what stands in for the
  // key is not looked at again.
  const pattern = new RegExp(
    [...new Set(spellings)]
      .toSorted((a, b) => b.length - a.length)
      .map((spelling) => spelling.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`))
      .join('|'),
    // A provider may well answer in another case.
    'gi',
  );
  return (text) => text.replace(pattern, () => keyPlaceholder);
}

function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
