import { expect, test, vi, onTestFinished } from 'vitest';
import { Asked } from '../src/mock/peers/asked.ts';

const patience = { first: 1000, again: 100 };

function useFakeTime(): void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
}

test('ends when all have answered, whether they do before it is known how many they are or after', async () => {
  const early = new Asked(0, patience);
  early.noteAnswer();
  early.expect(1);
  expect(await early.ended).toBe(0);
  const late = new Asked(0, patience);
  late.expect(2);
  late.noteAnswer();
  late.noteAnswer();
  expect(await late.ended).toBe(0);
  const alone = new Asked(0, patience);
  alone.expect(0);
  expect(await alone.ended).toBe(0);
});

test('waits for one that does not answer, and less for one that did not the last time', async () => {
  useFakeTime();
  const ended: string[] = [];
  const note = (name: string, asked: Asked): void =>
    void asked.ended.then((missing) => ended.push(`${name} ${missing}`));
  const first = new Asked(0, patience);
  note('first', first);
  first.expect(2);
  first.noteAnswer();
  await vi.advanceTimersByTimeAsync(999);
  expect(ended).toEqual([]);
  await vi.advanceTimersByTimeAsync(20);
  expect(ended).toEqual(['first 1']);
  const again = new Asked(1, patience);
  note('again', again);
  again.expect(2);
  await vi.advanceTimersByTimeAsync(500);
  // The other one is not known to be silent.
  expect(ended).toHaveLength(1);
  again.noteAnswer();
  await vi.advanceTimersByTimeAsync(120);
  expect(ended).toEqual(['first 1', 'again 1']);
});

test('does not know how many are missing where nobody could be asked', async () => {
  useFakeTime();
  const refused = new Asked(0, patience);
  refused.giveUp();
  expect(await refused.ended).toBeUndefined();
  const hanging = new Asked(0, patience);
  await vi.advanceTimersByTimeAsync(1020);
  expect(await hanging.ended).toBeUndefined();
});
