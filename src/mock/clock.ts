/** In milliseconds: what differs by more is no inaccuracy. */
const tolerance = 5;

/** In milliseconds. */
const comparedEvery = 1000;

/**
 * Creates a clock: milliseconds since the epoch, with fractions. The steady clock alone would go
 * wrong where the machine sleeps or its clock is set, so the two are compared every second in which
 * somebody asks.
 *
 * @param system milliseconds since the epoch. Left out: the system's clock
 * @param steady milliseconds since any moment, with fractions. Left out: that of the platform
 */
export function createClock(
  system: () => number = Date.now,
  steady: () => number = () => performance.now(),
): () => number {
  let offset = 0;
  let next = -Infinity;
  return () => {
    const now = steady();
    if (now >= next) {
      next = now + comparedEvery;
      const expected = system() - now;
      if (Math.abs(expected - offset) > tolerance) offset = expected;
    }
    return now + offset;
  };
}
