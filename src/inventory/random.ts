/** A source of numbers from 0 up to, and not including, 1. */
export type Random = () => number;

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';

const drawnAtOnce = 64;

/** Creates a source that nobody can predict, made for keys. */
export function createSecureRandom(): Random {
  const drawn = new Uint32Array(drawnAtOnce);
  let next = drawn.length;
  return () => {
    if (next === drawn.length) {
      crypto.getRandomValues(drawn);
      next = 0;
    }
    const value = drawn[next] ?? 0;
    // What was given out may have become a key: it does not stay in memory.
    drawn[next] = 0;
    next += 1;
    return value / 2 ** 32;
  };
}

/** Draws lower-case letters and digits. */
export function toRandomText(random: Random, length: number): string {
  let text = '';
  while (text.length < length) text += letters[Math.floor(random() * letters.length)] ?? '';
  return text;
}

/** Draws the id of a sandbox: ten characters, so that nobody guesses one and two hardly meet. */
export function toSandboxId(random: Random): string {
  return toRandomText(random, 10);
}
