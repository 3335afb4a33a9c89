import { expect, test } from 'vitest';
import { SequenceClock } from '../src/mock/peers/sequence-clock.ts';

const start = Date.UTC(2026, 10, 21);

test('exchanges of several servers stand in the order they began', () => {
  const one = new SequenceClock(() => start, 3);
  const other = new SequenceClock(() => start, 4);
  const first = one.next(0, start + 1);
  const second = other.next(0, start + 1.5);
  const third = one.next(first, start + 2);
  expect(first).toBeLessThan(second);
  expect(second).toBeLessThan(third);
});

test('no two exchanges have one sequence, however many begin at one moment', () => {
  const sequences = [3, 4].flatMap((server) => {
    const clock = new SequenceClock(() => start, server);
    let last = 0;
    return Array.from({ length: 1000 }, () => (last = clock.next(last, start)));
  });
  expect(new Set(sequences).size).toBe(2000);
});

test('what comes behind a mark is higher, on every server that knows of it', () => {
  const fast = new SequenceClock(() => start + 60_000, 0);
  const slow = new SequenceClock(() => start, 255);
  const mark = fast.mark();
  slow.advance(mark);
  expect(slow.next(0, start)).toBeGreaterThan(mark);
  expect(fast.next(0, start)).toBeGreaterThan(mark);
  expect(fast.mark()).toBeGreaterThanOrEqual(mark);
});

test('a clock that is a day ahead and more is not followed', () => {
  const clock = new SequenceClock(() => start, 0);
  clock.advance(Number.MAX_SAFE_INTEGER);
  expect(clock.next(0, start)).toBe(new SequenceClock(() => start, 0).next(0, start));
});

test('sequences are exact until 2043', () => {
  const end = Date.UTC(2043, 0, 1);
  expect(new SequenceClock(() => end, 255).mark()).toBeLessThan(Number.MAX_SAFE_INTEGER);
});
