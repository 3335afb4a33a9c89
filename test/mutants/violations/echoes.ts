import type { BrokenProvider } from '../mutant.ts';
import { inEcho, replaceItem } from '../replace-item.ts';

export const echoViolations: readonly BrokenProvider[] = [
  {
    name: 'echo-of-the-old-quantity',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'echoes the quantity from before',
    change: (base) => ({
      apply: async (entry, quantity, exchange) => {
        const before = { ...entry };
        await base.apply(entry, quantity, exchange);
        return before;
      },
    }),
  },
  {
    name: 'echo-of-another-pet',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'echoes the first entry of the list',
    change: (base, { inventory }) => ({
      apply: async (entry, quantity, exchange) => {
        const updated = await base.apply(entry, quantity, exchange);
        return inventory.values().next().value ?? updated;
      },
    }),
  },
  {
    name: 'echo-of-the-request',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'echoes the body of the request',
    change: () => ({
      toItemBody: ({ quantity }) => ({ quantity }),
    }),
  },
  {
    name: 'echo-in-an-array',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'echoes an array of one entry',
    change: (base) => ({ toItemBody: (entry, exchange) => [base.toItem(entry, exchange)] }),
  },
  {
    name: 'echo-of-the-list',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'answers an update with the whole list',
    change: (base) => ({
      toItemBody: (_entry, exchange) => base.toListBody(base.list(exchange), exchange),
    }),
  },
  {
    name: 'echo-wrapped',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'wraps the echo in data',
    change: (base) => ({
      toItemBody: (entry, exchange) => ({ data: base.toItem(entry, exchange) }),
    }),
  },
  {
    name: 'echo-null',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'answers an update with null',
    change: () => ({ toItemBody: () => null }),
  },
  {
    name: 'echo-count-of-rows',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'answers an update with the number of rows that changed',
    change: () => ({ toItemBody: () => ({ updated: 1 }) }),
  },
  {
    name: 'echo-of-the-absolute-value',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'echoes the absolute value of a quantity',
    change: replaceItem(
      (entry) => ({ ...entry, quantity: -entry.quantity }),
      (entry, exchange) => inEcho(entry, exchange) && entry.quantity < 0n,
    ),
  },
];
