import { stringifyExactJson } from '../../../src/json/exact-json.ts';
import type { BrokenProvider } from '../mutant.ts';
import { consecutivePets } from '../seed.ts';
import { inList, replaceItem } from '../replace-item.ts';
import type { Change, Entry, Exchange } from '../steps.ts';

const writesList =
  (toBody: (items: readonly unknown[], entries: readonly Entry[]) => unknown): Change =>
  (base) => ({
    toListBody: (entries, exchange) =>
      toBody(
        entries.map((entry) => base.toItem(entry, exchange)),
        entries,
      ),
  });

const lists =
  (choose: (entries: readonly Entry[], exchange: Exchange) => readonly Entry[]): Change =>
  (base) => ({ list: (exchange) => choose(base.list(exchange), exchange) });

export const listViolations: readonly BrokenProvider[] = [
  {
    name: 'list-object',
    breaks: '4.1/lists-an-array',
    summary: 'wraps the list in items',
    change: writesList((listed) => ({ items: listed })),
  },
  {
    name: 'list-in-data',
    breaks: '8/one-array',
    summary: 'wraps the list in data, with a cursor',
    change: writesList((listed) => ({ data: listed, next: null })),
  },
  {
    name: 'list-map',
    breaks: '4.1/lists-an-array',
    summary: 'lists a map from petId to entry',
    change: writesList((listed, entries) =>
      Object.fromEntries(entries.map(({ petId }, index) => [`${petId}`, listed[index]])),
    ),
  },
  {
    name: 'list-of-arrays',
    breaks: '8/one-array',
    summary: 'lists an array of pages',
    change: writesList((listed) => [listed.slice(0, 5), listed.slice(5)]),
  },
  {
    name: 'list-of-ids',
    breaks: '4.1/lists-an-array',
    summary: 'lists petIds only',
    change: writesList((_listed, entries) => entries.map(({ petId }) => petId)),
  },
  {
    name: 'list-null',
    breaks: '4.1/lists-an-array',
    summary: 'lists null',
    change: writesList(() => null),
  },
  {
    name: 'list-in-a-string',
    breaks: '4.1/lists-an-array',
    summary: 'writes the list as JSON inside a string',
    change: writesList((listed) => stringifyExactJson(listed)),
  },
  {
    name: 'list-in-lines',
    breaks: '8/one-array',
    summary: 'lists one entry on each line',
    change: (base) => ({
      stringify: (body, exchange) =>
        Array.isArray(body)
          ? body.map((item) => base.stringify(item, exchange)).join('\n')
          : base.stringify(body, exchange),
    }),
  },
  {
    name: 'list-with-duplicate',
    breaks: '1/lists-every-pet',
    summary: 'lists the last entry twice',
    change: lists((entries) => [...entries, ...entries.slice(-1)]),
  },
  {
    name: 'list-with-a-stale-duplicate',
    breaks: '1/lists-every-pet',
    summary: 'lists one pet with two quantities',
    change: lists((entries) => {
      const [stale] = structuredClone(entries.slice(2));
      if (stale === undefined) return entries;
      stale.quantity += 1n;
      return [...entries, stale];
    }),
  },
  {
    name: 'list-drops-last-entry-now-and-then',
    breaks: '1/lists-every-pet',
    summary: 'loses the last entry of every second list',
    change: (base) => {
      let count = 0;
      return {
        list: (exchange) => {
          count += 1;
          return count % 2 === 0 ? base.list(exchange).slice(0, -1) : base.list(exchange);
        },
      };
    },
  },
  {
    name: 'list-drops-last-entry',
    breaks: '1/lists-every-pet',
    summary: 'never lists the last pet',
    needs: 'unlisted-pet',
    seed: consecutivePets(13),
    change: lists((entries) => entries.slice(0, -1)),
  },
  {
    name: 'list-of-five',
    breaks: '8/one-array',
    summary: 'lists the first five entries',
    needs: 'unlisted-pet',
    seed: consecutivePets(13),
    change: lists((entries) => entries.slice(0, 5)),
  },
  {
    name: 'list-of-ten',
    breaks: '8/one-array',
    summary: 'lists ten entries, and more for ?page=2',
    needs: 'unlisted-pet',
    seed: consecutivePets(13),
    change: lists((entries, { query }) => {
      const from = (Number(query.get('page') ?? 1) - 1) * 10;
      return entries.slice(from, from + 10);
    }),
  },
  {
    name: 'list-of-five-at-random',
    breaks: '8/one-array',
    summary: 'lists five entries, each time those that follow',
    change: (base) => {
      let from = 0;
      return {
        list: (exchange) => {
          const entries = base.list(exchange);
          from = (from + 5) % entries.length;
          return [...entries, ...entries].slice(from, from + 5);
        },
      };
    },
  },
  {
    name: 'list-without-zero',
    breaks: '4.1/current-levels',
    summary: 'does not list pets with a quantity of 0',
    change: lists((entries) => entries.filter(({ quantity }) => quantity !== 0n)),
  },
  {
    name: 'list-without-negative',
    breaks: '4.1/current-levels',
    summary: 'does not list pets with a negative quantity',
    change: lists((entries) => entries.filter(({ quantity }) => quantity >= 0n)),
  },
  {
    name: 'list-without-sold',
    breaks: '4.1/current-levels',
    summary: 'marks a pet as sold at 0, and does not list what is sold',
    change: (base) => ({
      apply: (entry, quantity, exchange) => {
        entry.status = quantity === 0n ? 'sold' : 'available';
        return base.apply(entry, quantity, exchange);
      },
      list: (exchange) => base.list(exchange).filter(({ status }) => status !== 'sold'),
    }),
  },
  {
    name: 'list-without-the-updated',
    breaks: '1/updates-one-pet',
    summary: 'no longer lists a pet that was updated',
    change: (base) => {
      const updated = new Set<bigint>();
      return {
        apply: (entry, quantity, exchange) => {
          updated.add(entry.petId);
          return base.apply(entry, quantity, exchange);
        },
        list: (exchange) => base.list(exchange).filter(({ petId }) => !updated.has(petId)),
      };
    },
  },
  {
    name: 'list-of-ids-rounded',
    breaks: '2/pet-id-int64',
    summary: 'rounds large petIds in the list, and finds exact ones only',
    change: replaceItem((entry) => ({ ...entry, petId: BigInt(Number(entry.petId)) }), inList),
  },
];
