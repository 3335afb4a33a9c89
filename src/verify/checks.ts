import { emptyInventory } from './checks/empty-inventory.ts';
import { everyPet } from './checks/every-pet.ts';
import { lasting } from './checks/lasting.ts';
import { sequences } from './checks/sequences.ts';
import { sideBySide } from './checks/side-by-side.ts';
import { unlistedPets } from './checks/unlisted-pets.ts';
import type { Check } from './check.ts';

/** What no single request can show, in the order in which it is looked at. */
export const checks: readonly Check[] = [
  everyPet,
  unlistedPets,
  sideBySide,
  sequences,
  lasting,
  emptyInventory,
];
