import type { PetStatus } from '../wire.ts';

/**
 * Saves what was edited of one pet.
 *
 * @returns why it is not saved, or `undefined`
 */
export type SaveItem = (changes: {
  readonly quantity?: bigint;
  readonly status?: PetStatus;
}) => Promise<string | undefined>;

/** @param isFocusKept whether the cell shall have the focus again */
export type EndEditing = (isFocusKept: boolean) => void;
