/** What was done to a register, and when: a read, or a write that tells what was there before. */
export interface RegisterOperation {
  /** When it was called, and when it had returned; `Infinity` where it never did. */
  readonly start: number;
  readonly end: number;
  /** Left out: it only read. */
  readonly written?: bigint;
  /** What it saw: the value that it read, or the one that it replaced. Left out: not known. */
  readonly seen?: bigint;
}

/**
 * Whether there is an order of operations that explains all that was seen, in which none comes
 * before another that had returned when it was called (Wing and Gong's search, which remembers the
 * states it was in). A write that has not returned may have been made at any time since, or never.
 */
export function isLinearizable(history: readonly RegisterOperation[], initial: bigint): boolean {
  const operations = history.toSorted((a, b) => a.start - b.start);
  const visited = new Set<string>();
  const stack: Progress[] = [{ first: 0, done: new Set(), value: initial }];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const progress = skipDone(at);
    const key = `${progress.first} ${[...progress.done].toSorted((a, b) => a - b).join()} ${progress.value}`;
    if (!visited.has(key)) {
      visited.add(key);
      if (isComplete(operations, progress)) return true;
      stack.push(...nextSteps(operations, progress));
    }
  }
  return false;
}

/** How far an order has come: all before `first` are in it, and those of `done`. */
interface Progress {
  readonly first: number;
  readonly done: ReadonlySet<number>;
  readonly value: bigint;
}

function skipDone({ first, done, value }: Progress): Progress {
  const rest = new Set(done);
  let next = first;
  while (rest.delete(next)) next += 1;
  return { first: next, done: rest, value };
}

function isComplete(operations: readonly RegisterOperation[], { first, done }: Progress): boolean {
  // What never returned need not have happened.
  return operations.every(({ end }, index) => index < first || done.has(index) || end === Infinity);
}

function nextSteps(
  operations: readonly RegisterOperation[],
  { first, done, value }: Progress,
): readonly Progress[] {
  const steps: Progress[] = [];
  let earliestEnd = Infinity;
  for (let index = first; index < operations.length; index += 1) {
    const operation = operations[index];
    if (operation !== undefined && !done.has(index)) {
      // All that follow were called after another one of the rest had returned.
      if (operation.start > earliestEnd) break;
      earliestEnd = Math.min(earliestEnd, operation.end);
      const { seen = value, written = value } = operation;
      if (seen === value) steps.push({ first, done: new Set([...done, index]), value: written });
    }
  }
  return steps;
}
