import { CopyButton } from '../parts/button.tsx';

const examples = [
  ['Prefer: code=404', 'answers 404, for this request only'],
  ['Prefer: wait=2', 'answers after two seconds'],
] as const;

/** How a single request asks for a misbehaviour by itself (RFC 7240). */
export function PreferHints() {
  return (
    <section class="prefer" aria-labelledby="prefer-title">
      <h2 id="prefer-title">For one request only</h2>
      <p class="lead">
        A client asks by a header; <code>Preference-Applied</code> in the answer confirms it.
      </p>
      <ul>
        {examples.map(([header, meaning]) => (
          <li key={header}>
            <code>{header}</code>
            <span class="hint">{meaning}</span>
            <CopyButton kind="quiet" isCompact text={toLine(header)}>
              Copy as curl
            </CopyButton>
          </li>
        ))}
      </ul>
    </section>
  );
}

function toLine(header: string): string {
  const key = '-H "Authorization: Bearer $API_KEY"';
  const body = `-H 'Content-Type: application/json' -d '{"quantity": 5}'`;
  return `curl -i -X PATCH ${key} -H '${header}' ${body} ${location.origin}/v1/inventory/1`;
}
