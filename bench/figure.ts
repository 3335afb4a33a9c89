/** One thing measured, on Stockcheck and on the bare server that it is compared with. */
export interface Figure {
  readonly case: string;
  readonly measure: string;
  readonly unit: string;
  readonly stockcheck: number;
  /** Left out where there is nothing to compare with. */
  readonly bare?: number;
  /** Stockcheck to bare: the median over the rounds of the ratio in each. */
  readonly ratio?: number;
  readonly target?: Target;
}

/** What a figure, or its ratio where it has one, is to reach. */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

/** `undefined` where nothing is to be reached. */
export function isReached({ stockcheck, ratio, target }: Figure): boolean | undefined {
  if (target === undefined) return undefined;
  const value = ratio ?? stockcheck;
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
}
