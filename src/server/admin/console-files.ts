import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { AdminRefusal, type AdminAnswer, type AdminHeaders } from './admin-answer.ts';
import { adminPath, type AdminRoute } from './admin-route.ts';

/** Nothing but what the page brings itself: no inline script, no other address, no frame. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const pageHeaders: AdminHeaders = {
  'Content-Security-Policy': contentSecurityPolicy,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

// Without a separator and without a dot in front, a name cannot lead out of the folder.
const assetName = /^[\w-][\w.-]*$/;

/** Vite puts eight characters of a hash into the name: the content behind it never changes. */
const hashedName = /-[\w-]{8}\.[a-z\d]+$/;

/**
 * The folder that the console was built into, or what finds it: asked whenever the page is loaded,
 * `undefined` where there is none.
 */
export type ConsoleFiles = string | (() => Promise<string | undefined>);

/**
 * The console and its files.
 *
 * @param files where it was built. Left out, or missing: a page says how to get it
 */
export function consoleRoutes(files: ConsoleFiles | undefined): readonly AdminRoute[] {
  let folder = typeof files === 'function' ? undefined : files;
  const find = async (): Promise<string | undefined> => {
    if (typeof files === 'function') folder = await files();
    return folder;
  };
  return [
    {
      operationId: 'getConsole',
      method: 'GET',
      path: '/',
      isOpen: true,
      isPage: true,
      async handle(request) {
        const page = await read(await find(), 'index.html');
        if (page === undefined) return missing;
        return toAnswer(page, 'index.html', request.header('if-none-match'), 'no-cache');
      },
    },
    {
      operationId: 'getConsoleAsset',
      method: 'GET',
      path: '/assets/{name}',
      isOpen: true,
      async handle(request) {
        const name = request.params['name'] ?? '';
        // The page may have been loaded before this server was started anew.
        const file = assetName.test(name)
          ? await read(folder ?? (await find()), 'assets', name)
          : undefined;
        if (file === undefined) {
          throw new AdminRefusal(404, 'not_found', 'the console has no such file');
        }
        const caching = hashedName.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache';
        return toAnswer(file, name, request.header('if-none-match'), caching);
      },
    },
  ];
}

/** @returns `undefined` where there is no such file */
async function read(
  folder: string | undefined,
  ...names: readonly string[]
): Promise<Buffer | undefined> {
  if (folder === undefined) return undefined;
  try {
    return await readFile(join(folder, ...names));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function toAnswer(
  content: Buffer,
  name: string,
  known: string | undefined,
  caching: string,
): AdminAnswer {
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
  const headers: AdminHeaders = {
    'Content-Type': contentTypes[extname(name)] ?? 'application/octet-stream',
    'Cache-Control': caching,
    ETag: etag,
    ...pageHeaders,
  };
  const isKnown = known?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) === true;
  return { kind: 'text', status: isKnown ? 304 : 200, body: isKnown ? '' : [content], headers };
}

const missing: AdminAnswer = {
  kind: 'text',
  status: 404,
  headers: { 'Content-Type': 'text/html; charset=utf-8', ...pageHeaders },
  body: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Stockcheck console</title>
<h1>The console is not built</h1>
<p>It comes with the package <code>stockcheck</code>. In its repository, run
<code>npm run build</code>, then load this page again.</p>
<p>The admin API works without it: <a href="openapi.json">${adminPath}/openapi.json</a> describes it.</p>
</html>
`,
};
