import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualItem,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';

export interface VirtualRows {
  /** The rows to render. */
  readonly rows: readonly VirtualItem[];
  /** Of all rows, in pixels. */
  readonly height: number;
  readonly scrollTo: (index: number) => void;
}

export interface VirtualOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly count: number;
  /** In pixels, the same for all. */
  readonly rowHeight: number;
  /** A row that is rendered wherever it is: the one with the focus must not vanish. */
  readonly kept?: number;
}

/** Renders only the rows in sight: what `@tanstack/virtual-core` needs to know of Preact. */
export function useVirtual({ scroller, count, rowHeight, kept = -1 }: VirtualOptions): VirtualRows {
  const [, render] = useReducer((round: number) => round + 1, 0);
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    rangeExtractor: (range: Parameters<typeof defaultRangeExtractor>[0]) => {
      const rows = defaultRangeExtractor(range);
      return kept < 0 || kept >= count || rows.includes(kept)
        ? rows
        : [...rows, kept].toSorted((one, other) => one - other);
    },
    onChange: () => render(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  virtualizer.setOptions(options);
  // Its adapters for other libraries call these two as well: they are made for adapters.
  // oxlint-disable no-underscore-dangle
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());
  // oxlint-enable no-underscore-dangle
  return {
    rows: virtualizer.getVirtualItems(),
    height: virtualizer.getTotalSize(),
    scrollTo: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
  };
}
