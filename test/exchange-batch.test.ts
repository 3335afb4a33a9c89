import { expect, onTestFinished, test, vi } from 'vitest';
import { ExchangeBatch } from '../src/mock/peers/exchange-batch.ts';
import type { SandboxExchange } from '../src/mock/peers/peer-message.ts';

function toExchange(sequence: number, text = ''): SandboxExchange {
  const body = { length: text.length, text, isCut: false };
  return {
    sandbox: 'default',
    exchange: {
      sequence,
      at: '2026-11-21T20:00:00.123Z',
      duration: 1,
      request: { method: 'GET', path: '/', headers: [], body },
      response: { status: 404, headers: [], body },
      verdict: { verdict: 'pass', clauses: [], findings: [] },
    },
  };
}

function useFakeTime(): void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
}

test('gathers exchanges for a moment, and counts those that are too many', async () => {
  useFakeTime();
  const sent: string[] = [];
  const batch = new ExchangeBatch((exchanges, dropped) => {
    sent.push(`${exchanges.length} and ${dropped}`);
    return Promise.resolve();
  });
  for (let sequence = 1; sequence <= 3; sequence += 1) batch.add(toExchange(sequence));
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(10);
  expect(sent).toEqual(['3 and 0']);
  for (let sequence = 1; sequence <= 510; sequence += 1) batch.add(toExchange(sequence));
  await vi.advanceTimersByTimeAsync(10);
  expect(sent.at(-1)).toBe('500 and 10');
  // As long as they get.
  for (let sequence = 1; sequence <= 100; sequence += 1) {
    batch.add(toExchange(sequence, 'x'.repeat(4096)));
  }
  await vi.advanceTimersByTimeAsync(10);
  expect(sent.at(-1)).toBe('58 and 42');
});

test('sends no more than can be on its way', async () => {
  useFakeTime();
  const underWay: (() => void)[] = [];
  const batch = new ExchangeBatch(
    () =>
      new Promise((resolve) => {
        underWay.push(resolve);
      }),
  );
  for (let step = 0; step < 10; step += 1) {
    batch.add(toExchange(step));
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(underWay).toHaveLength(4);
  underWay[0]?.();
  await vi.advanceTimersByTimeAsync(10);
  expect(underWay).toHaveLength(5);
});
