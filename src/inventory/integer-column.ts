/** A number where it is exact, which takes less memory and time than a `bigint`. */
export type CompactInteger = number | bigint;

export function toCompactInteger(value: bigint): CompactInteger {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Integers of any size by position, eight bytes each where a number holds them exactly. */
export class IntegerColumn {
  #numbers = new Float64Array();
  /** What no number holds, by position; its place among the numbers is `NaN`. */
  #others = new Map<number, bigint>();

  /** Makes room for positions below the capacity, and keeps what is there. */
  grow(capacity: number): void {
    // Not a copy: `transfer` gives the old memory back at once, not when it is collected. A number
    // takes eight bytes.
    this.#numbers = new Float64Array(this.#numbers.buffer.transfer(capacity * 8));
  }

  /** A column of its own with the same integers at the positions below a length. */
  copy(length: number): IntegerColumn {
    const copy = new IntegerColumn();
    copy.#numbers = this.#numbers.slice(0, length);
    copy.#others = new Map(this.#others);
    return copy;
  }

  get(position: number): CompactInteger {
    const number = this.#numbers[position] ?? Number.NaN;
    return Number.isNaN(number) ? (this.#others.get(position) ?? 0) : number;
  }

  set(position: number, value: CompactInteger): void {
    if (typeof value === 'bigint') {
      this.#others.set(position, value);
      this.#numbers[position] = Number.NaN;
    } else {
      this.#others.delete(position);
      this.#numbers[position] = value;
    }
  }
}
