/** Where a Redis is, and how it is to be used: what a URL says. */
export interface RedisTarget {
  readonly kind: 'single' | 'sentinel' | 'cluster';
  readonly isEncrypted: boolean;
  readonly certificates: CertificateFiles;
  /** The server; with Sentinel the sentinels; with Cluster some of the nodes. */
  readonly addresses: readonly RedisAddress[];
  readonly username?: string;
  readonly password?: string;
  readonly database: number;
  /** The name that the sentinels know the master by. */
  readonly masterName?: string;
  /** What the sentinels themselves ask for. Left out: nothing. */
  readonly sentinelUsername?: string;
  readonly sentinelPassword?: string;
  /** How many replicas must have a write before it is acknowledged. */
  readonly wait: number;
  /** How long to wait for the replicas, in milliseconds. */
  readonly waitTimeout: number;
  /** How long any command may take, in milliseconds. */
  readonly timeout: number;
  /** What the name of every key begins with. */
  readonly prefix: string;
  /** To be shown: no password, no user. */
  readonly name: string;
}

/** Names of files in PEM, for TLS. */
export interface CertificateFiles {
  /** Whom to trust. Left out: whom Node.js trusts. */
  readonly cacert?: string;
  /** What the client shows, and its key. Left out: nothing. */
  readonly cert?: string;
  readonly key?: string;
}

export interface RedisAddress {
  readonly host: string;
  readonly port: number;
}

// An @ stands between user and host only: elsewhere it may be part of a password that is not encoded.
const urlParts =
  /^(rediss?)(\+sentinel|\+cluster)?:\/\/(?:([^@/?#]*)@)?([^/?#@]*)(\/[^?#@]*)?(?:\?([^#@]*))?$/;

const forms =
  'redis://[user:password@]host[:port][/database], redis+sentinel://[user:password@]host:port,host:port/master-name[/database] or redis+cluster://[user:password@]host:port,host:port; rediss for TLS';

const parameters = {
  wait: '0',
  waitTimeout: '1000',
  timeout: '2000',
  prefix: 'stockcheck',
  sentinelUser: '',
  sentinelPassword: '',
  cacert: '',
  cert: '',
  key: '',
} as const;

/** A wrong URL. The message never repeats its user, password or parameters. */
export class RedisUrlError extends Error {
  override readonly name = 'RedisUrlError';
}

/**
 * Reads the URL of a Redis. The forms are described in docs/redis.md.
 *
 * @throws {RedisUrlError}
 */
export function parseRedisUrl(url: string): RedisTarget {
  const parts = urlParts.exec(url);
  if (parts === null) {
    throw new RedisUrlError(
      `${schemeOf(url)} is not the URL of a Redis; expected ${forms}, where / ? # @ and % in a user or password are written as %2F %3F %23 %40 and %25`,
    );
  }
  const [, scheme = '', mode, userInfo, hosts = '', path = '', query = ''] = parts;
  const kind = mode === '+sentinel' ? 'sentinel' : mode === '+cluster' ? 'cluster' : 'single';
  const name = `${scheme}${mode ?? ''}://${hosts}${path}`;
  const options = readParameters(query, name);
  // First of all: where the @ is missing, a password stands for the port.
  const addresses = readAddresses(kind, hosts, schemeOf(url), name);
  const { database, masterName } = readPath(kind, path, name);
  const timeout = readWholeNumber('timeout', options.timeout, 10, 60_000, name);
  const wait = readWholeNumber('wait', options.wait, 0, 100, name);
  const waitTimeout = readWholeNumber('waitTimeout', options.waitTimeout, 1, 60_000, name);
  if (wait > 0 && waitTimeout >= timeout) {
    throw new RedisUrlError(
      `${name}: waitTimeout must be less than timeout, which is ${timeout}; got "${waitTimeout}"`,
    );
  }
  return {
    kind,
    isEncrypted: scheme === 'rediss',
    certificates: readFiles(options, scheme === 'rediss', name),
    addresses,
    ...readUser(userInfo, name),
    database,
    ...(masterName === undefined ? {} : { masterName }),
    ...(options.sentinelUser === '' ? {} : { sentinelUsername: options.sentinelUser }),
    ...(options.sentinelPassword === '' ? {} : { sentinelPassword: options.sentinelPassword }),
    wait,
    waitTimeout,
    timeout,
    prefix: readPrefix(options.prefix, name),
    name,
  };
}

/** All of a wrong URL that can be shown: anything behind may be part of a password. */
function schemeOf(url: string): string {
  const [scheme = ''] = /^[a-z+]*:\/\//i.exec(url) ?? [];
  return `${scheme}…`;
}

/** The name of an address in messages, and in what Redis says of its nodes. */
export function toAddressName({ host, port }: RedisAddress): string {
  return `${host}:${port}`;
}

function readAddresses(
  kind: RedisTarget['kind'],
  hosts: string,
  scheme: string,
  name: string,
): readonly RedisAddress[] {
  const defaultPort = kind === 'sentinel' ? 26_379 : 6379;
  const addresses = hosts.split(',').map((text) => readAddress(text, defaultPort, scheme));
  if (kind === 'single' && addresses.length > 1) {
    throw new RedisUrlError(
      `${name} names several servers; a cluster is redis+cluster://…, sentinels are redis+sentinel://…/master-name`,
    );
  }
  return addresses;
}

function readAddress(text: string, defaultPort: number, scheme: string): RedisAddress {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]*))(?::([0-9]+))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const number = port === undefined ? defaultPort : Number(port);
  if (host === undefined || host === '' || number < 1 || number > 65_535) {
    throw new RedisUrlError(
      `${scheme}: host or host:port is wrong, or an @ behind the password is missing; expected ${forms}`,
    );
  }
  return { host, port: number };
}

function readUser(
  userInfo: string | undefined,
  name: string,
): Pick<RedisTarget, 'username' | 'password'> {
  if (userInfo === undefined || userInfo === '') return {};
  const colon = userInfo.indexOf(':');
  const [user, password] =
    colon === -1 ? [userInfo, ''] : [userInfo.slice(0, colon), userInfo.slice(colon + 1)];
  try {
    return {
      ...(user === '' ? {} : { username: decodeURIComponent(user) }),
      ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    };
  } catch {
    throw new RedisUrlError(
      `${name}: the user or the password holds a % that is not followed by two hexadecimal digits; write % as %25`,
    );
  }
}

function readPath(
  kind: RedisTarget['kind'],
  path: string,
  name: string,
): { readonly database: number; readonly masterName?: string } {
  const [, first = '', second = '', ...rest] = path.split('/');
  if (rest.length > 0) throw new RedisUrlError(`${name}: the path is too long; expected ${forms}`);
  switch (kind) {
    case 'single':
      if (second !== '') throw new RedisUrlError(`${name}: expected ${forms}`);
      return { database: readWholeNumber('the database', first || '0', 0, 9999, name) };
    case 'sentinel':
      if (first === '') {
        throw new RedisUrlError(`${name}: the name of the master is missing; expected ${forms}`);
      }
      return {
        masterName: readMasterName(first, name),
        database: readWholeNumber('the database', second || '0', 0, 9999, name),
      };
    case 'cluster':
      if (first !== '') {
        throw new RedisUrlError(`${name}: a cluster has one database only, so there is no path`);
      }
      return { database: 0 };
  }
}

function readMasterName(text: string, name: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RedisUrlError(
      `${name}: the name of the master holds a % that is not followed by two hexadecimal digits; write % as %25`,
    );
  }
}

function readParameters(query: string, name: string): Record<keyof typeof parameters, string> {
  const given = Object.fromEntries(new URLSearchParams(query));
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(parameters, key));
  if (unknown !== undefined) {
    const known = Object.keys(parameters).join(', ');
    throw new RedisUrlError(`${name}: there is no parameter "${unknown}"; there are ${known}`);
  }
  return { ...parameters, ...given };
}

function readFiles(
  { cacert, cert, key }: Record<keyof typeof parameters, string>,
  isEncrypted: boolean,
  name: string,
): CertificateFiles {
  if (!isEncrypted && cacert + cert + key !== '') {
    throw new RedisUrlError(`${name}: cacert, cert and key are for TLS only; write rediss`);
  }
  if ((cert === '') !== (key === '')) {
    throw new RedisUrlError(`${name}: cert and key are given together, or neither of them`);
  }
  return {
    ...(cacert === '' ? {} : { cacert }),
    ...(cert === '' ? {} : { cert, key }),
  };
}

function readWholeNumber(
  what: string,
  text: string,
  minimum: number,
  maximum: number,
  name: string,
): number {
  const number = /^[0-9]{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= minimum && number <= maximum) return number;
  throw new RedisUrlError(
    `${name}: ${what} must be an integer from ${minimum} to ${maximum}; got "${text}"`,
  );
}

function readPrefix(prefix: string, name: string): string {
  if (/^[A-Za-z0-9:_.-]{1,64}$/.test(prefix)) return prefix;
  throw new RedisUrlError(
    `${name}: prefix must be 1 to 64 letters, digits or : _ . -; got "${prefix}"`,
  );
}
