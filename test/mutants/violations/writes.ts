import { setTimeout as delay } from 'node:timers/promises';
import type { BrokenProvider } from '../mutant.ts';
import { Refusal, type Change, type Entry, type World } from '../steps.ts';

/** Stores another quantity, and echoes the one that was sent. */
const storesInSilence =
  (toStored: (quantity: bigint, entry: Entry) => bigint): Change =>
  (base) => ({
    apply: async (entry, quantity, exchange) => ({
      ...(await base.apply(entry, toStored(quantity, entry), exchange)),
      quantity,
    }),
  });

/** Does something more with every update. */
const alsoDoes =
  (act: (entry: Entry, world: World, quantity: bigint) => void): Change =>
  (base, world) => ({
    apply: (entry, quantity, exchange) => {
      act(entry, world, quantity);
      return base.apply(entry, quantity, exchange);
    },
  });

const others = ({ petId }: Entry, { inventory }: World): readonly Entry[] =>
  [...inventory.values()].filter((entry) => entry.petId !== petId);

export const writeViolations: readonly BrokenProvider[] = [
  {
    name: 'write-lost',
    breaks: '4.1/current-levels',
    summary: 'echoes the quantity, and stores nothing',
    change: storesInSilence((_quantity, before) => before.quantity),
  },
  {
    name: 'write-lost-at-zero',
    breaks: '4.1/current-levels',
    summary: 'echoes 0, and keeps the quantity from before',
    change: storesInSilence((quantity, before) => (quantity === 0n ? before.quantity : quantity)),
  },
  {
    name: 'write-lost-from-zero',
    breaks: '4.1/current-levels',
    summary: 'echoes the quantity, and keeps a quantity that was 0',
    change: storesInSilence((quantity, before) => (before.quantity === 0n ? 0n : quantity)),
  },
  {
    name: 'write-delayed',
    breaks: '4.1/current-levels',
    summary: 'stores the quantity 150 ms after it is echoed',
    change: () => ({
      apply: (entry, quantity) => {
        void delay(150, undefined, { ref: false }).then(() => {
          entry.quantity = quantity;
          return undefined;
        });
        return { ...entry, quantity };
      },
    }),
  },
  {
    name: 'write-behind',
    breaks: '4.1/current-levels',
    summary: 'stores an update when the next one comes',
    change: () => {
      let pending: (() => void) | undefined;
      return {
        apply: (entry, quantity) => {
          pending?.();
          pending = () => {
            entry.quantity = quantity;
          };
          return { ...entry, quantity };
        },
      };
    },
  },
  {
    name: 'write-to-every-pet',
    breaks: '1/updates-one-pet',
    summary: 'forgets the condition of its UPDATE',
    change: alsoDoes((entry, world, quantity) => {
      for (const other of others(entry, world)) other.quantity = quantity;
    }),
  },
  {
    name: 'write-to-the-first-pet-too',
    breaks: '1/updates-one-pet',
    summary: 'writes the quantity to the first pet as well',
    change: alsoDoes((entry, world, quantity) => {
      const [first] = others(entry, world);
      if (first !== undefined) first.quantity = quantity;
    }),
  },
  {
    name: 'write-conserves-the-total',
    breaks: '1/updates-one-pet',
    summary: 'takes what it adds to one pet from another',
    change: alsoDoes((entry, world, quantity) => {
      const last = others(entry, world).at(-1);
      if (last !== undefined) last.quantity -= quantity - entry.quantity;
    }),
  },
  {
    name: 'write-changes-other-status',
    breaks: '1/updates-one-pet',
    summary: 'marks another pet as pending',
    change: alsoDoes((entry, world) => {
      const other = others(entry, world).find(({ status }) => status !== 'pending');
      if (other !== undefined) other.status = 'pending';
    }),
  },
  {
    name: 'write-to-pets-of-equal-quantity',
    breaks: '1/updates-one-pet',
    summary: 'writes to every pet that had the same quantity',
    change: alsoDoes((entry, world, quantity) => {
      for (const other of others(entry, world)) {
        if (other.quantity === entry.quantity) other.quantity = quantity;
      }
    }),
  },
  {
    name: 'write-adds-an-entry',
    breaks: '1/updates-one-pet',
    summary: 'inserts an entry with a new petId',
    change: alsoDoes((entry, { inventory }, quantity) => {
      const petId = 900_000n + BigInt(inventory.size);
      inventory.set(petId, { ...entry, petId, quantity });
    }),
  },
  {
    name: 'write-removes-another-pet',
    breaks: '1/updates-one-pet',
    summary: 'loses the last pet',
    change: alsoDoes((entry, world) => {
      const last = others(entry, world).at(-1);
      if (last !== undefined) world.inventory.delete(last.petId);
    }),
  },
  {
    name: 'zero-deletes',
    breaks: '4.1/current-levels',
    summary: 'removes a pet with a quantity of 0',
    change: alsoDoes(({ petId }, { inventory }, quantity) => {
      if (quantity === 0n) inventory.delete(petId);
    }),
  },
  {
    name: 'zero-status-illegal',
    breaks: '3/status-values',
    summary: 'marks a pet as out_of_stock at 0',
    change: alsoDoes((entry, _world, quantity) => {
      entry.status = quantity === 0n ? 'out_of_stock' : 'available';
    }),
  },
  {
    name: 'update-status-illegal',
    breaks: '3/status-values',
    summary: 'marks an updated pet as in_stock',
    change: alsoDoes((entry) => {
      entry.status = 'in_stock';
    }),
  },
  {
    name: 'same-value-400',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'answers 400 to the quantity that the pet has already',
    change: (base) => ({
      findPet: (exchange) => {
        const entry = base.findPet(exchange);
        return !(entry instanceof Refusal) && base.readQuantity(exchange) === entry.quantity
          ? new Refusal(400, 'unchanged', 'nothing to change')
          : entry;
      },
    }),
  },
  {
    name: 'same-value-304',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'answers 304 to the quantity that the pet has already',
    change: (base) => ({
      update: async (exchange) => {
        const entry = base.findPet(exchange);
        return !(entry instanceof Refusal) && base.readQuantity(exchange) === entry.quantity
          ? { status: 304, headers: {}, body: '' }
          : base.update(exchange);
      },
    }),
  },
  {
    name: 'same-value-404',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'takes no changed rows for no such pet',
    change: (base) => ({
      findPet: (exchange) => {
        const entry = base.findPet(exchange);
        return !(entry instanceof Refusal) && base.readQuantity(exchange) === entry.quantity
          ? new Refusal(404, 'no_rows', 'no rows changed')
          : entry;
      },
    }),
  },
  {
    name: 'refusal-resets',
    breaks: '7/400-invalid-body',
    summary: 'puts the inventory back to its seed on 400',
    change: (base, { reset }) => ({
      refuse: (refusal, exchange) => {
        if (refusal.status === 400) reset();
        return base.refuse(refusal, exchange);
      },
    }),
  },
  {
    name: 'list-restocks',
    breaks: '4.1/current-levels',
    summary: 'adds one to the first pet at each list',
    change: (base) => ({
      list: (exchange) => {
        const entries = base.list(exchange);
        const [first] = entries;
        if (first !== undefined) first.quantity += 1n;
        return entries;
      },
    }),
  },
  {
    name: 'list-cached-for-five-requests',
    breaks: '4.1/current-levels',
    summary: 'lists what it listed first, five times over',
    change: (base) => {
      let cached: readonly Entry[] = [];
      let age = 0;
      return {
        list: (exchange) => {
          if (age % 5 === 0) cached = structuredClone(base.list(exchange));
          age += 1;
          return cached;
        },
      };
    },
  },
  {
    name: 'list-cached-for-300-ms',
    breaks: '4.1/current-levels',
    summary: 'lists what it listed up to 300 ms ago',
    change: (base) => {
      let cached: readonly Entry[] = [];
      let until = 0;
      return {
        list: (exchange) => {
          if (Date.now() >= until) {
            cached = structuredClone(base.list(exchange));
            until = Date.now() + 300;
          }
          return cached;
        },
      };
    },
  },
  {
    name: 'list-cached-for-ever',
    breaks: '4.1/current-levels',
    summary: 'always lists what it listed first',
    change: (base) => {
      let cached: readonly Entry[] | undefined;
      return { list: (exchange) => (cached ??= structuredClone(base.list(exchange))) };
    },
  },
];
