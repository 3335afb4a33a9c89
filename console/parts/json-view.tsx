import { parseExactJson, stringifyExactJson } from '../../src/json/exact-json.ts';

/** The parts of JSON text: names, strings, numbers, words, and what is between them. */
const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g;

/** A text, indented and coloured where it is JSON; numbers keep all their digits. */
export function JsonView({ text, label }: { readonly text: string; readonly label: string }) {
  const parsed = parseExactJson(text);
  const shown = parsed.ok ? stringifyExactJson(parsed.value, 2) : text;
  return (
    // Scrolls: has to be reached by keyboard.
    <pre class="code" tabIndex={0} role="region" aria-label={label}>
      {parsed.ok ? colour(shown) : shown}
    </pre>
  );
}

function colour(json: string) {
  const parts = [];
  let end = 0;
  for (const match of json.matchAll(tokens)) {
    const [whole, text, colon, number, word] = match;
    if (match.index > end) parts.push(json.slice(end, match.index));
    end = match.index + whole.length;
    if (text !== undefined && colon !== undefined) {
      parts.push(<span class="json-name">{text}</span>, colon);
    } else if (text !== undefined) parts.push(<span class="json-text">{text}</span>);
    else if (number !== undefined) parts.push(<span class="json-number">{number}</span>);
    else parts.push(<span class="json-word">{word}</span>);
  }
  parts.push(json.slice(end));
  return parts;
}
