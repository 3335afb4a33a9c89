import { expect, test } from 'vitest';
import { createClock } from '../src/mock/clock.ts';

test('tells the time of the system, with fractions', () => {
  let steady = 12.25;
  const clock = createClock(
    () => 1_000_000,
    () => steady,
  );
  expect(clock()).toBe(1_000_000);
  steady += 0.5;
  expect(clock()).toBe(1_000_000.5);
});

test('is right again a second after the machine slept or its clock was set', () => {
  let [system, steady] = [1_000_000, 0];
  const clock = createClock(
    () => system,
    () => steady,
  );
  const pass = (bySystem: number, bySteady: number): number => {
    system += bySystem;
    steady += bySteady;
    return clock();
  };
  expect(clock()).toBe(1_000_000);
  expect(pass(3_600_000, 1000)).toBe(4_600_000);
  expect(pass(-60_000, 1000)).toBe(4_540_000);
  // Both clocks are inexact: that is no reason to jump.
  expect(pass(1002, 1000)).toBe(4_541_000);
});
