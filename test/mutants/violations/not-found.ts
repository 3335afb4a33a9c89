import type { BrokenProvider } from '../mutant.ts';
import { jsonHeaders, replaceReply, toErrorReply } from '../replace-reply.ts';
import { Refusal, type Change, type Entry, type Reply } from '../steps.ts';

const answers = (reply: Reply): Change => replaceReply([404], () => reply);

/** Also reads a petId from a segment that is none. */
const reads =
  (read: (segment: string) => bigint | undefined): Change =>
  (base) => ({ toPetId: (segment) => base.toPetId(segment) ?? read(segment) });

/** Also reads the petId that the pattern's first group finds. */
const matches = (pattern: RegExp): Change =>
  reads((segment) => {
    const [, digits] = pattern.exec(segment) ?? [];
    return digits === undefined ? undefined : BigInt(digits);
  });

const wraps =
  (wrap: (petId: bigint) => bigint): Change =>
  (base) => ({
    toPetId: (segment) => (/^-?\d+$/.test(segment) ? wrap(BigInt(segment)) : base.toPetId(segment)),
  });

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

const wrongAnswer: readonly BrokenProvider[] = [
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

const isWord = (segment: string): boolean => /^[a-z]+$/i.test(segment);
const isBeyond = (segment: string): boolean => /^-?\d{19,}$/.test(segment);

const answersSegment = (isMeant: (segment: string) => boolean, reply: Reply): Change =>
  replaceReply([404], (right, { petId }) => (isMeant(petId) ? reply : right));

const petIds: readonly BrokenProvider[] = [
  {
    name: 'pet-id-rounded',
    breaks: '4.2/pet-id-in-the-path',
    summary: 'reads the petId as a double, and lists exact ids',
    change: (base, { inventory }) => ({
      findPet: (exchange) => {
        const petId = Number(base.toPetId(exchange.petId) ?? NaN);
        const rounded = [...inventory.values()].find((entry) => Number(entry.petId) === petId);
        return rounded ?? base.findPet(exchange);
      },
    }),
  },
  {
    name: 'pet-id-large-not-found',
    breaks: '4.2/pet-id-is-int64',
    summary: 'does not find a pet that it lists, where a double would round its id',
    change: (base) => ({
      findPet: (exchange) =>
        Number.isSafeInteger(Number(exchange.petId))
          ? base.findPet(exchange)
          : new Refusal(404, 'no_pet', 'there is no such pet'),
    }),
  },
  {
    name: 'pet-id-above-int32-refused',
    breaks: '4.2/pet-id-is-int64',
    summary: 'answers 400 to a petId above 2^31, which it lists',
    change: (base) => ({
      findPet: (exchange) =>
        Number(exchange.petId) > 2 ** 31
          ? new Refusal(400, 'range', 'petId is too large')
          : base.findPet(exchange),
    }),
  },
  {
    name: 'pet-id-digits-in-front',
    breaks: '4.2/pet-id-is-int64',
    summary: 'reads the digits in front, as parseInt does',
    change: matches(/^(\d+)[a-z]/),
  },
  {
    name: 'pet-id-leading-zero',
    breaks: '4.2/pet-id-is-int64',
    summary: 'ignores a leading zero',
    change: matches(/^0+(\d+)$/),
  },
  {
    name: 'pet-id-plus-sign',
    breaks: '4.2/pet-id-is-int64',
    summary: 'ignores a plus sign',
    change: matches(/^\+(\d+)$/),
  },
  {
    name: 'pet-id-fraction-of-zero',
    breaks: '4.2/pet-id-is-int64',
    summary: 'takes 5.0 for 5',
    change: matches(/^(\d+)\.0$/),
  },
  {
    name: 'pet-id-fraction-truncated',
    breaks: '4.2/pet-id-is-int64',
    summary: 'cuts off a fraction',
    change: matches(/^(\d+)\.\d+$/),
  },
  {
    name: 'pet-id-exponent',
    breaks: '4.2/pet-id-is-int64',
    summary: 'takes 5e0 for 5',
    change: matches(/^(\d+)e0$/),
  },
  {
    name: 'pet-id-hexadecimal',
    breaks: '4.2/pet-id-is-int64',
    summary: 'takes hexadecimal digits',
    change: matches(/^(0x[0-9a-f]+)$/i),
  },
  {
    name: 'pet-id-space-before',
    breaks: '4.2/pet-id-is-int64',
    summary: 'ignores a space before the petId',
    change: matches(/^\s+(\d+)$/),
  },
  {
    name: 'pet-id-space-behind',
    breaks: '4.2/pet-id-is-int64',
    summary: 'ignores a space behind the petId',
    change: matches(/^(\d+)\s+$/),
  },
  {
    name: 'pet-id-in-quotes',
    breaks: '4.2/pet-id-is-int64',
    summary: 'takes quotes off the petId',
    change: matches(/^"(\d+)"$/),
  },
  {
    name: 'pet-id-first-of-two',
    breaks: '4.2/pet-id-is-int64',
    summary: 'reads the first of two petIds',
    change: matches(/^(\d+),/),
  },
  {
    name: 'pet-id-wrapped-at-64-bits',
    breaks: '4.2/pet-id-is-int64',
    summary: 'wraps petIds to 64 bits',
    change: wraps((petId) => BigInt.asIntN(64, petId)),
  },
  {
    name: 'pet-id-wrapped-at-32-bits',
    breaks: '4.2/pet-id-in-the-path',
    summary: 'wraps a petId to 32 bits where it finds none',
    change: (base, { inventory }) => ({
      findPet: (exchange) => {
        const found = base.findPet(exchange);
        const petId = base.toPetId(exchange.petId) ?? 0n;
        return found instanceof Refusal
          ? (inventory.get(BigInt.asIntN(32, petId)) ?? found)
          : found;
      },
    }),
  },
  {
    name: 'pet-id-beyond-int64-500',
    breaks: '4.2/pet-id-is-int64',
    summary: 'stumbles over a petId beyond int64',
    change: answersSegment(
      (segment) => isBeyond(segment) && BigInt.asIntN(64, BigInt(segment)) !== BigInt(segment),
      toErrorReply(500),
    ),
  },
  {
    name: 'pet-id-hundred-digits-500',
    breaks: '4.2/pet-id-is-int64',
    summary: 'stumbles over a petId of a hundred digits',
    change: answersSegment((segment) => segment.length > 90, toErrorReply(500)),
  },
  {
    name: 'pet-id-word-500',
    breaks: '4.2/pet-id-is-int64',
    summary: 'stumbles over a word',
    change: answersSegment(isWord, toErrorReply(500)),
  },
  {
    name: 'pet-id-word-422',
    breaks: '4.2/pet-id-is-int64',
    summary: 'answers 422 to a word, as its framework does',
    change: answersSegment(isWord, toErrorReply(422)),
  },
  {
    name: 'pet-id-word-html',
    breaks: '4.2/pet-id-is-int64',
    summary: 'has no route for a word, and sends a page of HTML',
    change: answersSegment(isWord, {
      status: 404,
      headers: { 'Content-Type': 'text/html' },
      body: '<h1>Not Found</h1>',
    }),
  },
  {
    name: 'pet-id-word-empty',
    breaks: '4.2/pet-id-is-int64',
    summary: 'has no route for a word, and sends no body',
    change: answersSegment(isWord, { status: 404, headers: {}, body: '' }),
  },
  {
    name: 'pet-id-negative-500',
    breaks: '4.2/pet-id-in-the-path',
    summary: 'stumbles over a negative petId',
    change: answersSegment((segment) => /^-\d/.test(segment), toErrorReply(500)),
  },
  {
    name: 'pet-id-negative-400',
    breaks: '4.2/pet-id-in-the-path',
    summary: 'calls a negative petId invalid, though it is an int64',
    change: answersSegment((segment) => /^-\d{2}/.test(segment), toErrorReply(400)),
  },
  {
    name: 'pet-id-from-the-body',
    breaks: '4.2/pet-id-in-the-path',
    summary: 'prefers the petId of the body to that of the path',
    change: (base, { inventory }) => ({
      findPet: (exchange) => {
        const [, petId] = /"petId":(\d+)/.exec(exchange.body.toString()) ?? [];
        return inventory.get(BigInt(petId ?? -1)) ?? base.findPet(exchange);
      },
    }),
  },
];

export const notFoundViolations: readonly BrokenProvider[] = [...wrongAnswer, ...petIds];
