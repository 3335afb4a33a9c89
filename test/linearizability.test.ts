import { expect, test } from 'vitest';
import { isLinearizable } from './linearizability.ts';

test('operations one after another are linearizable where each sees the one before', () => {
  const history = [
    { start: 0, end: 1, written: 5n, seen: 0n },
    { start: 2, end: 3, seen: 5n },
    { start: 4, end: 5, written: 6n, seen: 5n },
    { start: 6, end: 7, seen: 6n },
  ];
  expect(isLinearizable(history, 0n)).toBe(true);
  expect(isLinearizable(history, 1n)).toBe(false);
});

test('a read of what had been replaced before it was called is not linearizable', () => {
  const history = [
    { start: 0, end: 1, written: 5n },
    { start: 2, end: 3, seen: 0n },
  ];
  expect(isLinearizable(history, 0n)).toBe(false);
});

test('a read during a write may see either value, but two reads not the new and then the old', () => {
  const write = { start: 0, end: 10, written: 5n };
  expect(isLinearizable([write, { start: 1, end: 2, seen: 0n }], 0n)).toBe(true);
  expect(isLinearizable([write, { start: 1, end: 2, seen: 5n }], 0n)).toBe(true);
  const newThenOld = [write, { start: 1, end: 2, seen: 5n }, { start: 3, end: 4, seen: 0n }];
  expect(isLinearizable(newThenOld, 0n)).toBe(false);
});

test('two writes at once cannot both have replaced the same value', () => {
  const history = [
    { start: 0, end: 10, written: 5n, seen: 0n },
    { start: 0, end: 10, written: 6n, seen: 0n },
  ];
  expect(isLinearizable(history, 0n)).toBe(false);
});

test('a write that never returned may have been made late, or never, but not twice', () => {
  const lost = { start: 0, end: Infinity, written: 5n };
  expect(isLinearizable([lost, { start: 10, end: 11, seen: 0n }], 0n)).toBe(true);
  expect(
    isLinearizable([lost, { start: 1, end: 2, seen: 0n }, { start: 3, end: 4, seen: 5n }], 0n),
  ).toBe(true);
  const twice = [
    lost,
    { start: 1, end: 2, seen: 5n },
    { start: 3, end: 4, written: 6n },
    { start: 5, end: 6, seen: 5n },
  ];
  expect(isLinearizable(twice, 0n)).toBe(false);
});
