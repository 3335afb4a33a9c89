import type { PetStatus } from './pet-status.ts';

/** One item of a provider state. */
export interface StateItem {
  readonly petId: bigint;
  readonly quantity: bigint;
  readonly status: PetStatus;
}

/** What a provider is asked to bring about before a request. The names are part of the pacts. */
export type ProviderState =
  /** These items are listed, with these quantities. There may be others. */
  | {
      readonly name: 'the inventory has the items';
      readonly params: { readonly items: readonly StateItem[] };
    }
  /** No item has this petId. There may be others. */
  | { readonly name: 'the inventory has no pet'; readonly params: { readonly petId: bigint } }
  /** There are no items at all. */
  | { readonly name: 'the inventory is empty' };

/** The state with this name. */
export type StateNamed<Name extends ProviderStateName> = Extract<ProviderState, { name: Name }>;

export type ProviderStateName = ProviderState['name'];

export const providerStateNames: readonly ProviderStateName[] = [
  'the inventory has the items',
  'the inventory has no pet',
  'the inventory is empty',
];

export function hasItems(
  ...items: readonly StateItem[]
): StateNamed<'the inventory has the items'> {
  return { name: 'the inventory has the items', params: { items } };
}

export function hasNoPet(petId: bigint): StateNamed<'the inventory has no pet'> {
  return { name: 'the inventory has no pet', params: { petId } };
}

export const isEmpty: StateNamed<'the inventory is empty'> = { name: 'the inventory is empty' };
