import type { BrokenProvider } from '../mutant.ts';
import { Refusal, type Change, type Entry } from '../steps.ts';

/** Stores another quantity than the one that was sent, and echoes what it stored. */
const stores =
  (toStored: (quantity: bigint, entry: Entry) => bigint): Change =>
  (base) => ({
    apply: (entry, quantity, exchange) => base.apply(entry, toStored(quantity, entry), exchange),
  });

/** Stores another quantity, and echoes the one that was sent. */
const storesInSilence =
  (toStored: (quantity: bigint, entry: Entry) => bigint): Change =>
  (base) => ({
    apply: async (entry, quantity, exchange) => ({
      ...(await base.apply(entry, toStored(quantity, entry), exchange)),
      quantity,
    }),
  });

const clamps = (maximum: bigint): Change =>
  stores((quantity) => (quantity > maximum ? maximum : quantity));

const toDouble = (quantity: bigint): bigint => {
  const double = Number(quantity);
  return Number.isFinite(double) ? BigInt(double) : quantity;
};

export const quantityViolations: readonly BrokenProvider[] = [
  {
    name: 'quantity-added',
    breaks: '1/updates-one-pet',
    summary: 'adds the quantity to the one before',
    change: stores((quantity, before) => before.quantity + quantity),
  },
  {
    name: 'quantity-subtracted',
    breaks: '4.1/current-levels',
    summary: 'takes the quantity for what was sold',
    change: stores((quantity, before) => before.quantity - quantity),
  },
  {
    name: 'quantity-only-grows',
    breaks: '4.1/current-levels',
    summary: 'ignores a quantity below the one before',
    change: stores((quantity, before) => (quantity > before.quantity ? quantity : before.quantity)),
  },
  ...[100n, 999n, 9_999n, 65_535n, 32_767n, 1_000_000n, 2_147_483_646n].map(
    (maximum): BrokenProvider => ({
      name: `quantity-clamped-at-${maximum}`,
      breaks: '2/quantity-integer',
      summary: `stores ${maximum} for whatever is above it`,
      change: clamps(maximum),
    }),
  ),
  ...[8, 16, 32, 64].map((bits): BrokenProvider => ({
    name: `quantity-wrapped-at-${bits}-bits`,
    breaks: '4.1/current-levels',
    summary: `keeps the lowest ${bits} bits of a quantity`,
    change: stores((quantity) => BigInt.asIntN(bits, quantity)),
  })),
  {
    name: 'quantity-unsigned-32-bits',
    breaks: '4.1/current-levels',
    summary: 'keeps a quantity in 32 bits without a sign',
    change: stores((quantity) => BigInt.asUintN(32, quantity)),
  },
  {
    name: 'quantity-saturated-at-int64',
    breaks: '2/quantity-integer',
    summary: 'stores the largest int64 for whatever is above it',
    change: clamps(2n ** 63n - 1n),
  },
  {
    name: 'quantity-rounded',
    breaks: '2/quantity-integer',
    summary: 'stores the double that a quantity becomes',
    change: stores(toDouble),
  },
  {
    name: 'quantity-rounded-in-the-list',
    breaks: '4.1/current-levels',
    summary: 'echoes an exact quantity, and lists a rounded one',
    change: storesInSilence(toDouble),
  },
  {
    name: 'quantity-rounded-in-the-echo',
    breaks: '4.2/answers-the-updated-entry',
    summary: 'lists an exact quantity, and echoes a rounded one',
    change: (base) => ({
      toItemBody: (entry, exchange) =>
        base.toItem({ ...entry, quantity: toDouble(entry.quantity) }, exchange),
    }),
  },
  {
    name: 'quantity-single-precision',
    breaks: '2/quantity-integer',
    summary: 'stores a quantity in a float of 32 bits',
    change: stores((quantity) => {
      const float = Math.fround(Number(quantity));
      return Number.isFinite(float) ? BigInt(float) : quantity;
    }),
  },
  {
    name: 'quantity-clamped-in-the-list',
    breaks: '4.1/current-levels',
    summary: 'echoes what was sent, and stores at most 999',
    change: storesInSilence((quantity) => (quantity > 999n ? 999n : quantity)),
  },
  {
    name: 'quantity-negative-made-absolute',
    breaks: '2/quantity-integer',
    summary: 'drops a minus sign',
    change: stores((quantity) => (quantity < 0n ? -quantity : quantity)),
  },
  {
    name: 'quantity-negative-made-zero',
    breaks: '2/quantity-integer',
    summary: 'stores 0 for a negative quantity, with 200',
    change: stores((quantity) => (quantity < 0n ? 0n : quantity)),
  },
  {
    name: 'quantity-negative-500',
    breaks: '2/quantity-integer',
    summary: 'stumbles over a negative quantity',
    change: (base) => ({
      toQuantity: (value) => {
        const quantity = base.toQuantity(value);
        return typeof quantity === 'bigint' && quantity < 0n
          ? new Refusal(500, 'constraint', 'check constraint violated')
          : quantity;
      },
    }),
  },
  {
    name: 'quantity-beyond-int64-500',
    breaks: '2/quantity-integer',
    summary: 'stumbles over a quantity beyond int64',
    change: (base) => ({
      toQuantity: (value) => {
        const quantity = base.toQuantity(value);
        return typeof quantity === 'bigint' && BigInt.asIntN(64, quantity) !== quantity
          ? new Refusal(500, 'range', 'numeric value out of range')
          : quantity;
      },
    }),
  },
  {
    name: 'quantity-null-beyond-double',
    breaks: '2/quantity-integer',
    summary: 'writes null for a quantity that a double cannot hold',
    change: () => ({
      toItem: ({ petId, quantity, status }) => ({
        petId,
        quantity: Number.isFinite(Number(quantity)) ? quantity : null,
        status,
      }),
    }),
  },
  {
    name: 'quantity-off-by-one-in-the-list',
    breaks: '4.1/current-levels',
    summary: 'lists one less than it echoes, above 1000',
    change: storesInSilence((quantity) => (quantity > 1_000n ? quantity - 1n : quantity)),
  },
];
