import { expect, onTestFinished, test, vi } from 'vitest';
import { Following } from '../src/mock/peers/following.ts';
import { lapsesAfter, Peers, repeatEvery } from '../src/mock/peers/peers.ts';

function createFollowing(): Following {
  const peers = new Peers({
    board: { listen: () => Promise.resolve(), post: () => Promise.resolve(1) },
    now: Date.now,
    onBug: undefined,
    onMessage: () => undefined,
  });
  const following = new Following({
    peers,
    find: () => Promise.resolve(undefined),
    emit: () => undefined,
    onBug: undefined,
    onNotice: undefined,
  });
  onTestFinished(() => following.close());
  return following;
}

test('those who follow are dropped when they say so no more, however many they are', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const following = createFollowing();
  const followAll = (): void => {
    for (let index = 0; index < 1500; index += 1) {
      following.follow({ kind: 'follow', sandboxes: ['default'] }, `server-${index}`);
    }
  };
  followAll();
  for (let time = 0; time < 2 * lapsesAfter; time += repeatEvery) {
    vi.advanceTimersByTime(repeatEvery);
    followAll();
  }
  expect(following.isFollowed('default')).toBe(true);
  expect(following.isFollowed('other')).toBe(false);
  vi.advanceTimersByTime(lapsesAfter);
  expect(following.isFollowed('default')).toBe(false);
});
