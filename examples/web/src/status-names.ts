import type { PetStatus } from './inventory-api.ts';

export const statusNames: Readonly<Record<PetStatus, string>> = {
  available: 'Available',
  pending: 'Pending',
  sold: 'Sold',
};
