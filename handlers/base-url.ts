import { basePath } from '../src/mock/mock.ts';

/**
 * Finds what a URL means to the engine.
 *
 * @returns the engine's path, as it was sent, or `undefined` for a URL that is not the service's
 */
export type Locate = (url: string) => string | undefined;

/**
 * Reads where the service is expected to be.
 *
 * @param baseUrl an address (`https://api.example.com/petstore/v1`), or a path that counts on every
 * origin (`/v1`, or the same behind MSW's wildcard)
 * @throws {TypeError} for all else
 */
export function toLocate(baseUrl: string): Locate {
  const { origin, prefix } = readBaseUrl(baseUrl);
  return (requestUrl) => {
    // The parsed path, not MSW's match: that would decode %2F and forgive a trailing slash.
    const url = new URL(requestUrl);
    if (origin !== undefined && url.origin !== origin) return undefined;
    const { pathname } = url;
    if (!pathname.startsWith(prefix)) return undefined;
    const rest = pathname.slice(prefix.length);
    return rest === '' || rest.startsWith('/') ? basePath + rest : undefined;
  };
}

function readBaseUrl(baseUrl: string): { origin: string | undefined; prefix: string } {
  const path = /^\*?(\/(?!\/).*)$/s.exec(baseUrl)?.[1];
  const url = URL.parse(path ?? baseUrl, path === undefined ? undefined : 'http://any.invalid');
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new TypeError(
      `baseUrl must be an address such as https://api.example.com/v1, or a path such as /v1, without query and fragment; got "${baseUrl}"`,
    );
  }
  return {
    origin: path === undefined ? url.origin : undefined,
    prefix: url.pathname.replace(/\/+$/, ''),
  };
}
