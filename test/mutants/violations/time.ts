import type { BrokenProvider } from '../mutant.ts';

/** What only shows a moment later. */
export const timeViolations: readonly BrokenProvider[] = [
  {
    name: 'reverts-after-a-moment',
    breaks: '4.1/current-levels',
    summary: 'forgets an update after 400 ms, since only a cache was written',
    needs: 'time',
    change: (base) => ({
      apply: (entry, quantity, exchange) => {
        const before = entry.quantity;
        setTimeout(() => {
          if (entry.quantity === quantity) entry.quantity = before;
        }, 400).unref();
        return base.apply(entry, quantity, exchange);
      },
    }),
  },
];
