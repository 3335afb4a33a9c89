import type { BrokenProvider } from '../mutant.ts';
import { jsonHeaders, replaceReply, toErrorReply } from '../replace-reply.ts';
import { Refusal, type Change, type Entry, type Reply } from '../steps.ts';

const answers = (reply: Reply): Change => replaceReply([404], () => reply);

/** Finds an entry where there is none. */
const finds =
  (find: (petId: bigint, inventory: Map<bigint, Entry>) => Entry | undefined): Change =>
  (base, { inventory }) => ({
    findPet: (exchange) => {
      const found = base.findPet(exchange);
      const petId = base.toPetId(exchange.petId);
      if (petId === undefined || !(found instanceof Refusal)) return found;
      return find(petId, inventory) ?? found;
    },
  });

const create = (petId: bigint, inventory: Map<bigint, Entry>): Entry => {
  const entry = { petId, quantity: 0n, status: 'available' };
  inventory.set(petId, entry);
  return entry;
};

export const notFoundViolations: readonly BrokenProvider[] = [
  {
    name: 'unknown-pet-created',
    breaks: '7/404-not-found',
    summary: 'creates the pet',
    change: finds(create),
  },
  {
    name: 'unknown-pet-created-with-201',
    breaks: '7/404-not-found',
    summary: 'creates the pet, and answers 201',
    change: (base, world) => {
      const { findPet } = finds(create)(base, world);
      return {
        update: async (exchange) => {
          const size = world.inventory.size;
          findPet?.(exchange);
          const reply = await base.update(exchange);
          return world.inventory.size > size ? { ...reply, status: 201 } : reply;
        },
      };
    },
  },
  {
    name: 'unknown-pet-created-in-silence',
    breaks: '7/404-not-found',
    summary: 'answers 404, and lists the pet from then on',
    change: (base, { inventory }) => ({
      refuse: (refusal, exchange) => {
        const petId = base.toPetId(exchange.petId);
        if (refusal.status === 404 && petId !== undefined) create(petId, inventory);
        return base.refuse(refusal, exchange);
      },
    }),
  },
  {
    name: 'unknown-pet-invented',
    breaks: '7/404-not-found',
    summary: 'answers 200 with an entry that it never lists',
    change: finds((petId) => ({ petId, quantity: 0n, status: 'available' })),
  },
  {
    name: 'unknown-pet-200-empty',
    breaks: '7/404-not-found',
    summary: 'answers 200 without a body',
    change: answers({ status: 200, headers: jsonHeaders, body: '' }),
  },
  {
    name: 'unknown-pet-200-null',
    breaks: '7/404-not-found',
    summary: 'answers 200 with null',
    change: answers({ status: 200, headers: jsonHeaders, body: 'null' }),
  },
  {
    name: 'unknown-pet-200-error',
    breaks: '7/404-not-found',
    summary: 'sends the error body with 200',
    change: answers(toErrorReply(200, 404)),
  },
  {
    name: 'unknown-pet-204',
    breaks: '7/404-not-found',
    summary: 'answers 204',
    change: answers({ status: 204, headers: {}, body: '' }),
  },
  {
    name: 'unknown-pet-400',
    breaks: '7/404-not-found',
    summary: 'answers 400',
    change: answers(toErrorReply(400)),
  },
  {
    name: 'unknown-pet-403',
    breaks: '7/404-not-found',
    summary: 'answers 403',
    change: answers(toErrorReply(403)),
  },
  {
    name: 'unknown-pet-410',
    breaks: '7/404-not-found',
    summary: 'answers 410',
    change: answers(toErrorReply(410)),
  },
  {
    name: 'unknown-pet-422',
    breaks: '7/404-not-found',
    summary: 'answers 422',
    change: answers(toErrorReply(422)),
  },
  {
    name: 'unknown-pet-500',
    breaks: '7/404-not-found',
    summary: 'answers 500',
    change: answers(toErrorReply(500)),
  },
  {
    name: 'unknown-pet-html',
    breaks: '7/404-not-found',
    summary: 'sends 404 with a page of HTML',
    change: answers({ status: 404, headers: { 'Content-Type': 'text/html' }, body: 'Not Found' }),
  },
  {
    name: 'unknown-pet-empty',
    breaks: '7/error-body',
    summary: 'sends 404 without a body',
    change: answers({ status: 404, headers: {}, body: '' }),
  },
  {
    name: 'unknown-pet-detail',
    breaks: '2/error-fields',
    summary: 'sends 404 with a body of its framework',
    change: answers({ status: 404, headers: jsonHeaders, body: '{"detail":"Not Found"}' }),
  },
  {
    name: 'unknown-pet-status-400',
    breaks: '7/status-repeats',
    summary: 'sends 404 with a body that says 400',
    change: answers(toErrorReply(404, 400)),
  },
  {
    name: 'unknown-pet-changes-the-first',
    breaks: '4.2/pet-id-in-the-path',
    summary: 'updates the first pet where there is no such pet',
    change: finds((_petId, inventory) => inventory.values().next().value),
  },
  {
    name: 'unknown-pet-changes-the-next',
    breaks: '4.2/pet-id-in-the-path',
    summary: 'updates the pet with the nearest id',
    change: finds((petId, inventory) =>
      [...inventory.values()]
        .toSorted((a, b) => Number(a.petId - b.petId))
        .find((entry) => entry.petId >= petId),
    ),
  },
  {
    name: 'unknown-pet-changes-all-in-silence',
    breaks: '7/404-not-found',
    summary: 'answers 404, and writes the quantity to the last pet',
    change: (base, { inventory }) => ({
      refuse: (refusal, exchange) => {
        const last = [...inventory.values()].at(-1);
        if (refusal.status === 404 && last !== undefined) last.quantity += 1n;
        return base.refuse(refusal, exchange);
      },
    }),
  },
];
