import type { Change, Entry, Exchange } from './steps.ts';

type Where = (entry: Entry, exchange: Exchange) => boolean;

/** Writes items in another way: all of them, or those that are meant. */
export const replaceItem =
  (toItem: (entry: Entry) => unknown, isMeant: Where = () => true): Change =>
  (base) => ({
    toItem: (entry, exchange) =>
      isMeant(entry, exchange) ? toItem(entry) : base.toItem(entry, exchange),
  });

/** A pet in the middle of the list. */
export const inTheMiddle: Where = ({ petId }) => petId === 42n;
export const inList: Where = (_entry, { operation }) => operation === 'listInventory';
export const inEcho: Where = (_entry, { operation }) => operation === 'updateInventory';
