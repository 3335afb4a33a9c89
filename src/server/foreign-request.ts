/** What decides whether a request may reach what is ours. */
export interface RequestOrigin {
  /** The request target as it was sent: a path, or a whole address. */
  readonly target: string;
  /** A header by its name in lower case. */
  header(name: string): string | undefined;
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** Whether a host name or address, as `--host` takes it, is this machine alone. */
export function isLoopback(host: string): boolean {
  return loopback.test(host.includes(':') ? `[${host}]` : host);
}

/**
 * Refuses requests that a foreign web page made a browser send. What lies under `/_stockcheck/`
 * needs no key, so a page that a developer visits must not be able to use it.
 *
 * @param onLoopback whether the server listens on this machine alone; then the Host must be of this
 * machine as well, or a name that an attacker made resolve to it would do (DNS rebinding)
 * @returns why the request is refused, or `undefined`
 */
export function refuseForeignRequest(
  request: RequestOrigin,
  onLoopback: boolean,
): string | undefined {
  const host = toHost(request);
  if (onLoopback && !loopback.test(host)) {
    return 'the Host of the request is not this machine; use the address that the server prints';
  }
  const site = request.header('sec-fetch-site');
  const origin = request.header('origin');
  const isForeign =
    (site !== undefined && site !== 'same-origin' && site !== 'none') ||
    (origin !== undefined && !toOwnOrigins(host, onLoopback).includes(origin.toLowerCase()));
  return isForeign
    ? 'the request comes from a page of another origin; only pages of this server may make it'
    : undefined;
}

/** The host of a whole address comes before the header (RFC 9112, section 3.2.2). */
function toHost(request: RequestOrigin): string {
  return /^https?:\/\/([^/?]*)/i.exec(request.target)?.[1] ?? request.header('host') ?? '';
}

/** Elsewhere than on this machine, something in front of the server may speak TLS for it. */
function toOwnOrigins(host: string, onLoopback: boolean): readonly string[] {
  const name = host.toLowerCase();
  return onLoopback ? [`http://${name}`] : [`http://${name}`, `https://${name}`];
}
