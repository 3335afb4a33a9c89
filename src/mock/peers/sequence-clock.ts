/** What sequences count from. */
const epoch = Date.UTC(2026, 0, 1);

/** A sequence has three parts: milliseconds (39 bits: until 2043), ticks of one, and the server. */
const ticksPerMillisecond = 64;
export const serverNumbers = 256;

/** A clock that is further ahead, in milliseconds, is wrong, and not followed. */
const mostAhead = 86_400_000;

/**
 * Numbers the exchanges of several servers, so that each has a sequence of its own and they stand in
 * the order they began, as far as the clocks agree. It is a hybrid logical clock: whoever has seen a
 * sequence makes higher ones only, whatever its own clock says.
 */
export class SequenceClock {
  /** Different for each server, from 0 to 255. */
  server: number;
  readonly #now: () => number;
  /** All that is made from now on comes behind this tick. */
  #floor = 0;

  /** @param now milliseconds since the epoch, with fractions */
  constructor(now: () => number, server: number) {
    this.#now = now;
    this.server = server;
  }

  /**
   * The sequence of an exchange.
   *
   * @param last that of the one before it
   * @param at when it began, in milliseconds since the epoch
   */
  next(last: number, at: number): number {
    const behind = Math.max(this.#floor, Math.floor(last / serverNumbers));
    return Math.max(behind + 1, toTick(at)) * serverNumbers + this.server;
  }

  /** The end of what was until now: every exchange that is noted from now on gets a higher sequence. */
  mark(): number {
    this.#floor = Math.max(this.#floor, toTick(this.#now()));
    return this.#floor * serverNumbers + serverNumbers - 1;
  }

  /** Makes only higher sequences from now on. */
  advance(sequence: number): void {
    if (!this.isPlausible(sequence)) return;
    this.#floor = Math.max(this.#floor, Math.floor(sequence / serverNumbers));
  }

  /** Whether a server whose clock is more or less right could have made it. */
  isPlausible(sequence: number): boolean {
    const latest = toTick(this.#now() + mostAhead) * serverNumbers;
    return Number.isSafeInteger(sequence) && sequence >= 0 && sequence <= latest;
  }
}

function toTick(at: number): number {
  return Math.max(0, Math.floor((at - epoch) * ticksPerMillisecond));
}
