import type { Verdict } from '../wire.ts';

const paths = {
  pass: 'm3 6.2 2 2L9 4',
  fail: 'm3.4 3.4 5.2 5.2m0-5.2L3.4 8.6',
  inconclusive: 'M4.4 4.6a1.6 1.6 0 1 1 2.3 1.5c-.5.2-.7.5-.7.9M6 8.8v.1',
  advice: 'M6 3v3.6M6 8.8v.1',
  partly: 'M3.4 6h5.2',
} as const;

/** What is said of a verdict in one or two words. */
export const verdictNames: Readonly<Record<Verdict, string>> = {
  pass: 'keeps the contract',
  fail: 'breaks the contract',
  inconclusive: 'judged in part',
  advice: 'advice',
};

/** `partly`: what was kept of an exchange is right, which is no reason to worry. */
export type Mark = Verdict | 'partly';

/** The mark of an exchange in the journal. */
export function toMark(verdict: Verdict): Mark {
  return verdict === 'inconclusive' ? 'partly' : verdict;
}

/** A tick, a cross, a question mark, an exclamation mark, a dash, each in a shape of its own. */
export function VerdictMark({ verdict }: { readonly verdict: Mark }) {
  return (
    <svg class={`verdict-mark verdict-${verdict}`} viewBox="0 0 12 12" aria-hidden="true">
      {verdict === 'fail' ? (
        <rect x=".5" y=".5" width="11" height="11" rx="2" />
      ) : (
        <circle cx="6" cy="6" r="5.5" />
      )}
      <path d={paths[verdict]} />
    </svg>
  );
}
