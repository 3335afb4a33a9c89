import { StoreUnavailableError } from '../../inventory/store.ts';

// https://sqlite.org/rescode.html
const codes = {
  access: 3,
  busy: 5,
  locked: 6,
  memory: 7,
  readOnly: 8,
  disk: 10,
  damaged: 11,
  full: 13,
  unopened: 14,
  foreign: 26,
} as const;

/** The failures that the world is the reason of. */
const reasons: Readonly<Record<number, string>> = {
  [codes.access]: 'this process may not use the file',
  [codes.busy]: 'another process has locked the file',
  [codes.locked]: 'the file is locked',
  [codes.memory]: 'there is not enough memory',
  [codes.readOnly]: 'the file is read-only',
  [codes.disk]: 'the disk failed',
  [codes.damaged]: 'the file is damaged',
  [codes.full]: 'the disk is full',
  [codes.unopened]: 'the file cannot be opened',
  [codes.foreign]: 'the file is damaged, or is no SQLite database',
};

/** How long a client should wait before it tries again: somebody has to do something first. */
export const retryAfterSeconds = 5;

/** The primary result code of an error that `node:sqlite` threw. */
function toResultCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | undefined)?.errcode;
  // The lower byte of an extended result code.
  return typeof code === 'number' ? code & 0xff : undefined;
}

/** Whether somebody else holds the lock: the same may succeed in a moment. */
export function isBusy(error: unknown): boolean {
  return toResultCode(error) === codes.busy;
}

export function isReadOnly(error: unknown): boolean {
  return toResultCode(error) === codes.readOnly;
}

export function isFull(error: unknown): boolean {
  return toResultCode(error) === codes.full;
}

export function isDamage(error: unknown): boolean {
  const code = toResultCode(error);
  return code === codes.damaged || code === codes.foreign;
}

/** Why SQLite failed, where the world is the reason and not a bug. */
export function describeFailure(error: unknown): string | undefined {
  const reason = reasons[toResultCode(error) ?? 0];
  return reason === undefined ? undefined : `${reason} (SQLite: ${(error as Error).message})`;
}

/** Turns what `node:sqlite` throws into what a store throws; a bug stays what it is. */
export function toStoreError(error: unknown): unknown {
  const reason = describeFailure(error);
  return reason === undefined
    ? error
    : new StoreUnavailableError(
        `the file that keeps the inventory cannot be used: ${reason}`,
        retryAfterSeconds,
        { cause: error },
      );
}
