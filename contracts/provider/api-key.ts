import { placeholderKey } from '../consumer/interaction.ts';

/** What the cases make of a key, beside the key itself (`contracts/case.ts`). */
function derive(key: string): readonly string[] {
  const otherCase = key.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  const prefix = key.slice(0, -1);
  const altered = `${prefix}${key.endsWith('x') ? 'y' : 'x'}`;
  // The altered key before the prefix, with which it begins.
  return [otherCase, btoa(`${key}:`), altered, prefix, key.slice(1)];
}

const placeholders = [placeholderKey, ...derive(placeholderKey)];
const anyPlaceholder = new RegExp(placeholders.join('|'), 'g');

/**
 * Puts a provider's key in the place of the one in the pacts, and what is made of it in the place
 * of what is made of that: a wrong key stays wrong, and as nearly right as it was.
 */
export function substituteApiKey(text: string, apiKey: string): string {
  const replacements = [apiKey, ...derive(apiKey)];
  return text.replace(anyPlaceholder, (found) => {
    const replacement = replacements[placeholders.indexOf(found)] ?? found;
    // A key without letters has no other case: what would be right must stay wrong.
    return found !== placeholderKey && replacement === apiKey ? found : replacement;
  });
}

/** Shorter keys are found in everything, and are no secrets. */
const shortestSecret = 6;

/** Strikes a key out of a text. */
export function redactApiKey(text: string, apiKey: string): string {
  return apiKey.length < shortestSecret ? text : text.replaceAll(apiKey, '***');
}

/** Strikes a key out of a report, and what the cases make of it, from which it could be told. */
export function redactEveryForm(text: string, apiKey: string): string {
  if (apiKey.length < shortestSecret) return text;
  return [apiKey, ...derive(apiKey)].reduce((safe, secret) => safe.replaceAll(secret, '***'), text);
}
