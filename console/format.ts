const grouped = new Intl.NumberFormat('en-US');

/** `9,007,199,254,740,993`: exact for integers of any size. */
export function formatInteger(value: bigint | number): string {
  return grouped.format(value);
}

/** `+5`, `−3`. */
export function formatDifference(value: bigint): string {
  return value < 0n ? `−${grouped.format(-value)}` : `+${grouped.format(value)}`;
}

/** What lies beyond is no count: over Redis, the sequence of an exchange has its time in it. */
export const longestCount = 1e9;

const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});

/** The local time of day, to the millisecond. */
export function formatClock(iso: string): string {
  return clock.format(new Date(iso));
}

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

export function formatMoment(iso: string): string {
  return moment.format(new Date(iso));
}

const spans: readonly (readonly [unit: string, milliseconds: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
];

/** A span of time in its largest unit: `23 h`. */
export function formatSpan(milliseconds: number): string {
  const [unit, size] = spans.find(([, least]) => milliseconds >= least) ?? ['s', 1000];
  return `${Math.max(0, Math.floor(milliseconds / size))} ${unit}`;
}

/** When a sandbox ends, for a person. */
export function formatExpiry(expiresAt: string | undefined, now: number): string {
  if (expiresAt === undefined) return 'does not expire';
  const left = Date.parse(expiresAt) - now;
  return left <= 0 ? 'expired' : `expires in ${formatSpan(left)}`;
}

export function formatBytes(length: number): string {
  return length < 1024 ? `${length} B` : `${(length / 1024).toFixed(1)} KiB`;
}

/** `1 pet`, `2 pets`. */
export function formatCount(count: number, noun: string): string {
  return `${grouped.format(count)} ${noun}${count === 1 ? '' : 's'}`;
}
