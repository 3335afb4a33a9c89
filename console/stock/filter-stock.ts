import type { AdminItem } from '../../src/admin/admin-api.ts';
import type { PetStatus } from '../wire.ts';
import type { StockBook } from './stock-book.ts';

/** By what the rows stand in order. `list`: as the service lists them. */
export type StockSort =
  | { readonly by: 'list' }
  | { readonly by: 'petId' | 'quantity' | 'status'; readonly descending: boolean };

export interface StockFilter {
  /** A part of the id. */
  readonly petId: string;
  readonly status: PetStatus | 'all';
  readonly changedOnly: boolean;
  readonly sort: StockSort;
}

export const noFilter: StockFilter = {
  petId: '',
  status: 'all',
  changedOnly: false,
  sort: { by: 'list' },
};

export function isUnfiltered({ petId, status, changedOnly }: StockFilter): boolean {
  return petId === '' && status === 'all' && !changedOnly;
}

/** The entries to show, in their order. */
export function filterStock(stock: StockBook, filter: StockFilter): readonly AdminItem[] {
  const { status, changedOnly, sort } = filter;
  // Ids are shown with commas between the digits, and copied so.
  const petId = filter.petId.replaceAll(/[\s,]/g, '');
  const found = stock
    .items()
    .filter(
      (item) =>
        (status === 'all' || item.status === status) &&
        (petId === '' || item.petId.toString().includes(petId)) &&
        (!changedOnly || stock.differenceOf(item.petId) !== undefined),
    );
  if (sort.by === 'list') return found;
  const { by, descending } = sort;
  const direction = descending ? -1 : 1;
  return found.toSorted((one, other) => {
    if (one[by] === other[by]) return 0;
    return one[by] < other[by] ? -direction : direction;
  });
}
