import { ReplyError, TimeoutError } from './connection.ts';
import type { RedisTarget } from './redis-url.ts';
import { explainLoss, findRefusal, quoteAnswer, TroubleError, type Trouble } from './trouble.ts';

/** What somebody tried to connect to, and how. */
export interface Attempt {
  /** `host:port` of the server. */
  readonly name: string;
  readonly target: RedisTarget;
  readonly isSentinel: boolean;
}

/** Why a server cannot be used, and what to do. No `cause`: that may repeat a password. */
export function toTroubleError(error: unknown, attempt: Attempt): TroubleError {
  if (error instanceof TroubleError) return error;
  const cause = error instanceof Error ? error : new Error(String(error));
  return new TroubleError(
    cause instanceof ReplyError ? ofAnswer(cause.message, attempt) : ofSystem(cause, attempt),
  );
}

function ofAnswer(answer: string, { name, target, isSentinel }: Attempt): Trouble {
  if (answer.startsWith('ERR DB index')) {
    return {
      what: `${name} has no database ${target.database}`,
      remedy: 'Name another one, or raise "databases" in its configuration',
    };
  }
  if (answer.startsWith('ERR SELECT is not allowed in cluster mode')) return isNode(name, target);
  if (/^ERR unknown command '?`?HELLO/i.test(answer)) {
    return { what: `${name} is older than Redis 6`, remedy: needed };
  }
  if (/^ERR unknown command '?`?SENTINEL/i.test(answer)) {
    return {
      what: `${name} is not a sentinel`,
      remedy: `Name sentinels, whose port is 26379 by default, or write ${baseOf(target)}://… for a single server`,
    };
  }
  const refusal = findRefusal(answer);
  if (refusal === undefined) return { what: `${name} refuses${quoteAnswer(answer)}` };
  const { what, remedy } = refusal;
  const isLogin = /^(?:NOAUTH|WRONGPASS)/.test(answer);
  const advice =
    isLogin && isSentinel
      ? 'Sentinels are given sentinelUser and sentinelPassword, which are parameters of the URL'
      : remedy;
  return {
    // The answer says more than we do where it names a right.
    what: `${name} ${what}${isLogin ? '' : quoteAnswer(answer)}`,
    ...(advice === undefined ? {} : { remedy: advice }),
  };
}

function ofSystem(error: Error, { name, target }: Attempt): Trouble {
  const { code = '' } = error as NodeJS.ErrnoException;
  const { isEncrypted, timeout } = target;
  switch (code) {
    case 'ECONNREFUSED':
      return {
        what: `nothing listens on ${name}`,
        remedy: 'Start Redis there, or correct host and port',
      };
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return {
        what: `there is no address for the host ${name.slice(0, name.lastIndexOf(':'))}`,
        remedy: 'Correct the host, or look at what resolves its name (DNS)',
      };
  }
  if (error instanceof TimeoutError || error.constructor.name === 'ConnectionTimeoutError') {
    return {
      what: `${name} has not answered within ${timeout} ms`,
      remedy: isEncrypted
        ? `Write ${schemeOf(target, false)}:// where it speaks no TLS; else look at host, port and firewall`
        : 'Look at host, port and firewall, and whether it is a Redis',
    };
  }
  const why = explainLoss(error);
  const handshake = isEncrypted ? ofHandshake(error, code, { name, target }) : undefined;
  if (handshake !== undefined) return handshake;
  if (why === explainLoss(closed)) {
    return {
      what: `${name} closed the connection at once`,
      remedy: isEncrypted
        ? 'Look whether it is a Redis that speaks TLS'
        : `Write ${schemeOf(target, true)}:// where it speaks TLS; else look whether it is a Redis`,
    };
  }
  return { what: `${name}: ${why}` };
}

/** Certificates that nobody signed who is trusted (OpenSSL, X509_verify_cert_error_string). */
const untrusted = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
]);

function ofHandshake(
  error: Error,
  code: string,
  { name, target }: Pick<Attempt, 'name' | 'target'>,
): Trouble | undefined {
  const { cacert } = target.certificates;
  if (untrusted.has(code)) {
    return {
      what: `the certificate of ${name} is not signed by anybody who is trusted here (${code})`,
      remedy:
        cacert === undefined
          ? 'Name the certificate of its CA, a PEM file: ?cacert=FILE'
          : `${cacert}, which cacert names, must hold the certificate of its CA`,
    };
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const { subjectaltname } = (error as { cert?: { subjectaltname?: string } }).cert ?? {};
    return {
      what: `the certificate of ${name} is not for that host, but for ${subjectaltname ?? 'none'}`,
      remedy: 'Write a host that it is for, or have one made for this host',
    };
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return {
      what: `the certificate of ${name} ${code === 'CERT_HAS_EXPIRED' ? 'has expired' : 'is not valid yet'}`,
      remedy: 'Have a new one made, or look at the clocks',
    };
  }
  // RFC 8446, section 6: the alerts of a server that does not take our certificate.
  if (/ALERT_CERTIFICATE_REQUIRED|ALERT_HANDSHAKE_FAILURE/.test(code)) {
    return {
      what: `${name} asks for a certificate`,
      remedy: 'Name one and its key, PEM files: ?cert=FILE&key=FILE. Or set "tls-auth-clients no"',
    };
  }
  if (/ALERT_UNKNOWN_CA|ALERT_BAD_CERTIFICATE|ALERT_CERTIFICATE_/.test(code)) {
    return {
      what: `${name} does not trust our certificate (${code})`,
      remedy: 'Name one that its CA has signed: ?cert=FILE&key=FILE',
    };
  }
  // What it has said is no TLS.
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') {
    return { what: `${name} speaks no TLS`, remedy: `Write ${schemeOf(target, false)}://` };
  }
  return code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')
    ? { what: `${name} and this process cannot agree on TLS (${code})` }
    : undefined;
}

const closed = Object.assign(new Error(), { code: 'ECONNRESET' });

const needed = 'Sandboxes need Redis 7.0 or later, or Valkey';

/** The oldest Redis that has all that we use: sharded publish and subscribe, flags of scripts. */
const oldestMajor = 7;

/**
 * Judges a server by what its `INFO` says, the sections `server` and `replication`.
 *
 * @returns what is wrong with it; `undefined` where it is as the target says
 */
export function findMismatch(name: string, info: string, target: RedisTarget): Trouble | undefined {
  const version = /^redis_version:(\S+)/m.exec(info)?.[1];
  if (version !== undefined && Number.parseInt(version, 10) < oldestMajor) {
    return { what: `${name} is Redis ${version}`, remedy: needed };
  }
  const mode = /^redis_mode:(\w+)/m.exec(info)?.[1];
  if (mode === 'sentinel') {
    return {
      what: `${name} is a sentinel`,
      remedy: `Write ${baseOf(target)}+sentinel://host:port/master-name`,
    };
  }
  if (mode === 'cluster' && target.kind !== 'cluster') return isNode(name, target);
  if (mode !== 'cluster' && target.kind === 'cluster') {
    return {
      what: `${name} is not a node of a Redis Cluster`,
      remedy: `Write ${baseOf(target)}://… for a single server`,
    };
  }
  if (target.kind === 'single' && /^role:slave/m.test(info)) {
    return {
      what: `${name} is a replica, which can only be read`,
      remedy: `Name its master, or write ${baseOf(target)}+sentinel://… where sentinels know which one it is`,
    };
  }
  return undefined;
}

function isNode(name: string, target: RedisTarget): Trouble {
  return {
    what: `${name} is a node of a Redis Cluster`,
    remedy: `Write ${baseOf(target)}+cluster://…`,
  };
}

/** The scheme of the same kind of Redis, with TLS or without. */
function schemeOf({ kind }: RedisTarget, encrypts: boolean): string {
  return `${encrypts ? 'rediss' : 'redis'}${kind === 'single' ? '' : `+${kind}`}`;
}

function baseOf({ isEncrypted }: RedisTarget): string {
  return isEncrypted ? 'rediss' : 'redis';
}
