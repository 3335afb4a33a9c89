/** The values of PetStatus, in the spec's order (section 2). */
export const petStatuses: readonly ['available', 'pending', 'sold'] = [
  'available',
  'pending',
  'sold',
];

export type PetStatus = (typeof petStatuses)[number];
