import type { BrokenProvider } from '../mutant.ts';
import { replaceReply, toErrorReply } from '../replace-reply.ts';
import { Refusal, type Change, type Reply } from '../steps.ts';

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

const isWord = (segment: string): boolean => /^[a-z]+$/i.test(segment);
const isBeyond = (segment: string): boolean => /^-?\d{19,}$/.test(segment);

const answersSegment = (isMeant: (segment: string) => boolean, reply: Reply): Change =>
  replaceReply([404], (right, { petId }) => (isMeant(petId) ? reply : right));

export const petIdViolations: readonly BrokenProvider[] = [
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
