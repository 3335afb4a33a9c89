import type { ApiKeys } from '../inventory/authorization.ts';
import { basePath, defaultApiKey } from '../mock/mock.ts';

/**
 * The page that tells a person where they are. It shows no key but the default one.
 *
 * @param hasConsole whether there is a console to lead to
 */
export function toHomePage(apiKeys: ApiKeys, baseUrl: string, hasConsole: boolean): string {
  const accepted = apiKeys === 'any' || apiKeys.includes(defaultApiKey);
  const key = accepted ? defaultApiKey : '&lt;API_KEY&gt;';
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Stockcheck</title>
<style>
  :root { color-scheme: light dark }
  body { font: 16px/1.6 system-ui, sans-serif; max-width: 42rem; margin: 12vh auto; padding: 0 1.5rem }
  h1 { font-size: 1.6rem; margin-bottom: 0 }
  p { margin: .6rem 0 }
  pre { padding: .8rem 1rem; border-radius: 8px; overflow-x: auto; background: color-mix(in srgb, currentColor 8%, transparent) }
  table { border-collapse: collapse; margin: 1.2rem 0 }
  td { padding: .2rem 1.2rem .2rem 0; vertical-align: top }
</style>
<h1>Stockcheck</h1>
<p>This is a mock of the Pet Store Inventory API. It keeps what you change until it stops.</p>
<table>
  <tr><td><code>GET ${basePath}/inventory</code></td><td>lists the stock of every pet</td></tr>
  <tr><td><code>PATCH ${basePath}/inventory/{petId}</code></td><td>sets the quantity of one pet</td></tr>
</table>
${hasConsole ? consoleLink : ''}<p>Every request needs a key:</p>
<pre>curl -H 'Authorization: Bearer ${key}' \\
  ${baseUrl}/inventory</pre>
<pre>curl -X PATCH -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' -d '{"quantity": 5}' \\
  ${baseUrl}/inventory/1</pre>
</html>
`;
}

const consoleLink =
  '<p>The <a href="/_stockcheck/">console</a> shows the stock live, and breaks it on purpose.</p>\n';
