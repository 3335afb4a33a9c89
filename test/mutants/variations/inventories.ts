import type { LegalProvider } from '../mutant.ts';
import { consecutivePets, type SeedEntry } from '../seed.ts';

const pets = (...ids: readonly bigint[]): readonly SeedEntry[] =>
  ids.map((petId, index) => [petId, BigInt(index * 3), index % 2 === 0 ? 'available' : 'pending']);

export const inventoryVariations: readonly LegalProvider[] = [
  { name: 'one-pet', summary: 'has one pet', seed: pets(7n) },
  { name: 'two-pets', summary: 'has two pets', seed: pets(7n, 8n) },
  { name: 'ten-pets', summary: 'has ten pets', seed: consecutivePets(10) },
  { name: 'thousand-pets', summary: 'has 1000 pets', seed: consecutivePets(1_000) },
  {
    name: 'pets-with-large-ids',
    summary: 'has petIds near both ends of int64, and these ends',
    seed: pets(
      9223372036854775807n,
      9223372036854775806n,
      9007199254740993n,
      -9223372036854775807n,
      -9223372036854775808n,
    ),
  },
  {
    name: 'pets-beside-each-other-beyond-double',
    summary: 'has petIds that a double cannot tell from each other',
    seed: pets(9007199254740992n, 9007199254740993n, 9007199254740994n),
  },
  {
    name: 'pets-with-negative-ids',
    summary: 'has negative petIds, and 0',
    seed: pets(-1n, -2n, -5000000000n, 0n),
  },
  {
    name: 'pets-with-huge-quantities',
    summary: 'has quantities that no double holds',
    seed: [
      [1n, 123456789012345678901234567890n, 'available'],
      [2n, -9007199254740993n, 'pending'],
      [3n, 10n ** 300n + 7n, 'sold'],
    ],
  },
  {
    name: 'pets-all-sold',
    summary: 'has pets that are all sold, with a quantity of 0',
    seed: [
      [11n, 0n, 'sold'],
      [12n, 0n, 'sold'],
      [13n, 0n, 'sold'],
    ],
  },
  {
    name: 'keys-many',
    summary: 'knows several keys',
    apiKeys: ['k-ONE-1', 'k-TWO-2', 'k-THREE-3'],
  },
  {
    name: 'key-of-digits',
    summary: 'has a key without letters, which has no other case',
    apiKeys: ['0123456789'],
  },
  {
    name: 'key-with-symbols',
    summary: 'has a key with the characters of a token (RFC 6750)',
    apiKeys: ['aZ09-._~+/=='],
  },
  {
    name: 'key-long',
    summary: 'has a key of 600 characters',
    apiKeys: ['eyJhbGciOi'.repeat(60)],
  },
];
