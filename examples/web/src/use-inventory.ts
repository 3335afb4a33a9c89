import { useCallback, useEffect, useReducer, useRef } from 'react';
import type { InventoryApi, Item, Problem } from './inventory-api.ts';

/** A row as it is shown. */
export interface Row extends Item {
  /** Its quantity is shown already, and on its way to the store. */
  readonly isSaving: boolean;
}

/** An update that the store refused, and that was taken back. */
export interface Setback {
  readonly petId: bigint;
  /** What somebody wanted. */
  readonly wanted: bigint;
  /** What it is again. */
  readonly quantity: bigint;
  readonly problem: Problem;
}

export interface Inventory {
  /** `undefined` until the list is there. */
  readonly rows: readonly Row[] | undefined;
  /** Why there is no list. */
  readonly problem: Problem | undefined;
  readonly setback: Setback | undefined;
  readonly load: () => void;
  readonly setQuantity: (petId: bigint, quantity: bigint) => void;
  readonly dismiss: () => void;
}

interface State {
  readonly items: readonly Item[] | undefined;
  /** Quantities that are shown before the store has confirmed them. */
  readonly wanted: ReadonlyMap<bigint, bigint>;
  readonly problem: Problem | undefined;
  readonly setback: Setback | undefined;
}

type Action =
  | { readonly type: 'loading' | 'dismissed' }
  | { readonly type: 'loaded'; readonly items: readonly Item[] }
  | { readonly type: 'failed'; readonly problem: Problem }
  | { readonly type: 'wanted'; readonly petId: bigint; readonly quantity: bigint }
  | { readonly type: 'saved'; readonly item: Item; readonly isLast: boolean }
  | { readonly type: 'refused'; readonly petId: bigint; readonly problem: Problem };

const initial: State = {
  items: undefined,
  wanted: new Map(),
  problem: undefined,
  setback: undefined,
};

function reduce(state: State, action: Action): State {
  switch (action.type) {
    case 'loading':
      return { ...state, problem: undefined };
    case 'loaded':
      return { ...state, items: action.items };
    case 'failed':
      return { ...state, items: undefined, problem: action.problem };
    case 'dismissed':
      return { ...state, setback: undefined };
    case 'wanted': {
      const { petId, quantity } = action;
      const setback = state.setback?.petId === petId ? undefined : state.setback;
      return { ...state, setback, wanted: new Map(state.wanted).set(petId, quantity) };
    }
    case 'saved': {
      const { item, isLast } = action;
      const items = state.items?.map((other) => (other.petId === item.petId ? item : other));
      return { ...state, items, wanted: isLast ? without(state, item.petId) : state.wanted };
    }
    case 'refused': {
      // Taking the wish away shows what the store confirmed last.
      const { petId, problem } = action;
      const wanted = state.wanted.get(petId) ?? 0n;
      const quantity = state.items?.find((item) => item.petId === petId)?.quantity ?? 0n;
      const setback = { petId, wanted, quantity, problem };
      return { ...state, wanted: without(state, petId), setback };
    }
  }
}

function without({ wanted }: State, petId: bigint): ReadonlyMap<bigint, bigint> {
  return new Map([...wanted].filter(([other]) => other !== petId));
}

/** The list, with updates that are shown at once and taken back when the store refuses them. */
export function useInventory(api: InventoryApi): Inventory {
  const [state, dispatch] = useReducer(reduce, initial);
  /** The next quantity to send for each pet that is being saved. */
  const next = useRef(new Map<bigint, bigint | undefined>());

  const load = useCallback(() => {
    dispatch({ type: 'loading' });
    void api
      .list()
      .then((result) =>
        dispatch(
          result.ok
            ? { type: 'loaded', items: result.value }
            : { type: 'failed', problem: result.problem },
        ),
      );
  }, [api]);

  useEffect(load, [load]);

  /** One request at a time for each pet: the last quantity wins, whatever the network does. */
  async function save(petId: bigint, quantity: bigint): Promise<void> {
    next.current.set(petId, undefined);
    const result = await api.update(petId, quantity);
    const following = next.current.get(petId);
    next.current.delete(petId);
    if (!result.ok) dispatch({ type: 'refused', petId, problem: result.problem });
    else {
      dispatch({ type: 'saved', item: result.value, isLast: following === undefined });
      if (following !== undefined) await save(petId, following);
    }
  }

  return {
    rows: state.items?.map((item) => {
      const wanted = state.wanted.get(item.petId);
      return { ...item, quantity: wanted ?? item.quantity, isSaving: wanted !== undefined };
    }),
    problem: state.problem,
    setback: state.setback,
    load,
    setQuantity(petId, quantity) {
      dispatch({ type: 'wanted', petId, quantity });
      if (next.current.has(petId)) next.current.set(petId, quantity);
      else void save(petId, quantity);
    },
    dismiss: () => dispatch({ type: 'dismissed' }),
  };
}
