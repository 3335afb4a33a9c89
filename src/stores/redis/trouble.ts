import { ReplyError, TimeoutError } from './connection.ts';

/** What is wrong with a Redis, and what a person can do about it. Never a user, never a password. */
export interface Trouble {
  /** A clause. */
  readonly what: string;
  /** A sentence without its full stop. Left out: nothing helps but waiting. */
  readonly remedy?: string;
}

/** A Redis cannot be used, for a reason that we know. */
export class TroubleError extends Error {
  override readonly name = 'TroubleError';
  readonly trouble: Trouble;

  constructor(trouble: Trouble) {
    const { what, remedy } = trouble;
    super(remedy === undefined ? what : `${what}. ${remedy}`);
    this.trouble = trouble;
  }
}

/** The troubles of several servers in one. What helps with more than one of them is said once. */
export function gatherTroubles(what: string, errors: readonly TroubleError[]): TroubleError {
  const troubles = errors.map(({ trouble }) => trouble);
  const remedies = new Set(troubles.flatMap(({ remedy }) => remedy ?? []));
  return new TroubleError({
    what: `${what}: ${troubles.map((trouble) => trouble.what).join('; ')}`,
    ...(remedies.size === 0 ? {} : { remedy: [...remedies].join('. ') }),
  });
}

/** What a server means by an answer that is an error; `what` goes on after its name, or `it`. */
export interface Refusal extends Trouble {
  /** Whether it may have begun to write. Left out: nothing was changed. */
  readonly isUnknown?: true;
  /** Whether trying again is in vain until somebody does something. */
  readonly isLasting?: true;
}

const rights = 'Give the user the rights that docs/redis.md lists';

/** By the first word of the answer. */
const refusals: Readonly<Record<string, Refusal>> = {
  LOADING: { what: 'is still loading its data' },
  BUSY: { what: 'is busy with a script' },
  TRYAGAIN: { what: 'is just moving the sandbox to another node' },
  CLUSTERDOWN: { what: 'belongs to a cluster that is down, or is choosing another master' },
  MASTERDOWN: { what: 'is a replica that has lost its master' },
  READONLY: { what: 'is a replica, which can only be read' },
  NOREPLICAS: { what: 'has fewer replicas than it is to have for writing' },
  MISCONF: {
    what: 'cannot write to its disk',
    remedy: 'Look at its log and its disk',
    isLasting: true,
  },
  OOM: {
    what: 'is out of memory',
    remedy: 'Raise its maxmemory, or delete sandboxes',
    isLasting: true,
  },
  NOAUTH: {
    what: 'asks for a password',
    remedy: 'Write it into the URL, as user:password@ or :password@ before the host',
    isLasting: true,
  },
  WRONGPASS: {
    what: 'does not know the user or the password, or does not let the user in',
    remedy: 'Correct user:password@ in the URL',
    isLasting: true,
  },
  NOPERM: { what: 'does not let the user do this', remedy: rights, isLasting: true },
  WRONGTYPE: {
    what: 'has something that is not ours under one of our keys',
    remedy: 'Choose another ?prefix=',
    isLasting: true,
    isUnknown: true,
  },
  DENIED: {
    what: 'serves only its own machine while it has no password',
    remedy: 'Give it a password, and write that into the URL',
    isLasting: true,
  },
};

/** Answers whose first word says nothing. */
const others: readonly (readonly [RegExp, Refusal])[] = [
  [
    // Redis 7.0; Redis 7.2 and Valkey. It is the script that is stopped, perhaps after it has written.
    /^ERR (?:The user executing the script can't|ACL failure in script)/,
    { what: 'does not let the user do this', remedy: rights, isLasting: true, isUnknown: true },
  ],
  [
    /^ERR max number of clients/,
    {
      what: 'has as many clients as it may have',
      remedy: 'Raise its maxclients, or close connections of others',
    },
  ],
  [
    /^ERR unknown command/,
    {
      what: 'does not know a command that is needed',
      remedy: 'Use Redis 7.0 or later, or Valkey, with no command renamed',
      isLasting: true,
    },
  ],
];

/** What an answer means, where it is one that a Redis in trouble gives. */
export function findRefusal(answer: string): Refusal | undefined {
  const [code = ''] = answer.split(' ', 1);
  return refusals[code] ?? others.find(([pattern]) => pattern.test(answer))?.[1];
}

/** What the server has said, where it can be shown. */
export function quoteAnswer(answer: string): string {
  // A command that is not known is repeated with its arguments, and one of them may be a password.
  if (answer.startsWith('ERR unknown command')) return '';
  // One answer is a page of advice.
  return ` (${answer.trim().replace(/(?<=^.{200}).+$/s, '…')})`;
}

/** Why a connection ended, or was not made: by the code of the system, or the class of the client. */
const losses: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'it closed the connection',
  EPIPE: 'it closed the connection',
  ETIMEDOUT: 'it has not answered for too long',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  SocketClosedUnexpectedlyError: 'it closed the connection',
  DisconnectsClientError: 'the connection was given up',
  ClientClosedError: 'the connection was given up',
  ClientOfflineError: 'the connection was given up',
};

/** Why a connection was lost, in a clause. The client's errors may have no message. */
export function explainLoss(error: Error): string {
  if (error instanceof TroubleError) return error.trouble.what;
  if (error instanceof TimeoutError) return error.what;
  if (error instanceof ReplyError) {
    const refusal = findRefusal(error.message);
    return refusal === undefined ? error.message : `it ${refusal.what}`;
  }
  const { code = '' } = error as NodeJS.ErrnoException;
  const known = losses[code] ?? losses[error.constructor.name];
  if (known !== undefined) return known;
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return error.message || (first instanceof Error ? explainLoss(first) : 'no reason is known');
}
