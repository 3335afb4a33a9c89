import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Makes a token that nobody can guess: 256 bits. */
export function makeAdminToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Whether a request carries the token: `Authorization: Bearer <token>`. Takes a time that tells
 * nothing about the token.
 */
export function hasAdminToken(header: string | undefined, token: string): boolean {
  const [, sent] = /^bearer +([\x21-\x7e]+)$/i.exec(header ?? '') ?? [];
  // Of digests, which have one length: to compare texts of different lengths would tell the length.
  return sent !== undefined && timingSafeEqual(digest(sent), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
