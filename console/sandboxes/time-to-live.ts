/** What a time to live can be chosen from: seconds as text, `never`, and how it is called. */
export const timesToLive: readonly (readonly [value: string, text: string])[] = [
  ['3600', '1 hour'],
  ['28800', '8 hours'],
  ['86400', '1 day'],
  ['604800', '7 days'],
  ['2592000', '30 days'],
  ['never', 'Never expires'],
];

/** Seconds, or `null` for ever. */
export function toTimeToLive(value: string): number | null {
  return value === 'never' ? null : Number(value);
}
