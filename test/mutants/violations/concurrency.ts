import { setTimeout as delay } from 'node:timers/promises';
import type { BrokenProvider } from '../mutant.ts';
import { toErrorReply } from '../replace-reply.ts';
import type { Exchange } from '../steps.ts';

/** How long a provider looks away, in milliseconds. */
const pause = 5;

/** Requests at the same time, each of which would be answered rightly on its own. */
export const concurrencyViolations: readonly BrokenProvider[] = [
  {
    name: 'race-on-the-whole-inventory',
    breaks: '1/updates-one-pet',
    summary: 'reads all entries, waits, and writes all back',
    needs: 'concurrency',
    change: (_base, { inventory }) => ({
      apply: async (entry, quantity) => {
        const all = structuredClone([...inventory.values()]);
        await delay(pause);
        for (const { petId, quantity: before } of all) {
          const now = inventory.get(petId);
          if (now !== undefined) now.quantity = before;
        }
        entry.quantity = quantity;
        return { ...entry };
      },
    }),
  },
  {
    name: 'race-on-the-neighbour',
    breaks: '1/updates-one-pet',
    summary: 'writes a page of two entries back as it was read',
    needs: 'concurrency',
    change: (base, { inventory }) => ({
      apply: async (entry, quantity, exchange) => {
        const entries = [...inventory.values()];
        const neighbour = entries[entries.indexOf(entry) ^ 1];
        const before = neighbour?.quantity;
        await delay(pause);
        if (neighbour !== undefined && before !== undefined) neighbour.quantity = before;
        return base.apply(entry, quantity, exchange);
      },
    }),
  },
  {
    name: 'race-on-the-echo',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'keeps the updated entry in a variable that all requests share',
    needs: 'concurrency',
    change: (base) => {
      let updated = { petId: 0n, quantity: 0n, status: '' };
      return {
        apply: async (entry, quantity, exchange) => {
          updated = await base.apply(entry, quantity, exchange);
          await delay(pause);
          return updated;
        },
      };
    },
  },
  {
    name: 'race-on-the-body',
    breaks: '1/updates-one-pet',
    summary: 'keeps the quantity in a variable that all requests share',
    needs: 'concurrency',
    change: (base) => {
      let shared = 0n;
      return {
        apply: async (entry, quantity, exchange) => {
          shared = quantity;
          await delay(pause);
          return { ...(await base.apply(entry, shared, exchange)), quantity };
        },
      };
    },
  },
  {
    name: 'race-on-the-key',
    breaks: '5/invalid-key',
    summary: 'judges a request by the key of the last one that came in',
    needs: 'concurrency',
    change: (base) => {
      let last: Exchange | undefined;
      return {
        answer: async (exchange) => {
          last = exchange;
          await delay(pause);
          return base.answer({ ...exchange, headers: last.headers });
        },
      };
    },
  },
  {
    name: 'updates-at-once-500',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'finds its database locked where two updates meet',
    needs: 'concurrency',
    change: (base) => {
      let isBusy = false;
      return {
        update: async (exchange) => {
          if (isBusy) return toErrorReply(500);
          isBusy = true;
          try {
            await delay(pause);
            return await base.update(exchange);
          } finally {
            isBusy = false;
          }
        },
      };
    },
  },
  {
    name: 'list-torn',
    breaks: '1/lists-every-pet',
    summary: 'takes a pet out of the list while it is updated',
    needs: 'concurrency',
    change: (base, { inventory }) => ({
      apply: async (entry, quantity, exchange) => {
        inventory.delete(entry.petId);
        await delay(pause);
        inventory.set(entry.petId, entry);
        return base.apply(entry, quantity, exchange);
      },
    }),
  },
];
