/** The cases of the plainest requests. Apart from the cases: reporters must load without the table. */
export const plainIds = {
  list: 'listInventory/200/all-entries',
  update: 'updateInventory/200/sets-quantity',
  unknownPet: 'updateInventory/404/unknown-pet',
} as const;
