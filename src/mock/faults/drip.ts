const shortestInterval = 100;

/** How long to wait before each piece of a body that comes bit by bit, in milliseconds. */
export function dripInterval(bytesPerSecond: number): number {
  return Math.max(shortestInterval, 1000 / bytesPerSecond);
}

/** How many bytes have come behind so many intervals: whole ones, also of a rate such as 15. */
export function dripEnd(intervals: number, bytesPerSecond: number): number {
  const exact = (intervals * dripInterval(bytesPerSecond) * bytesPerSecond) / 1000;
  // 1000 / 3 is not exact: three of them are to be a whole second.
  return Math.floor(exact + 1e-6);
}
