import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { EventReplay } from '../src/server/admin/event-replay.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('lets go at once of events that it keeps no more, however few they are', async () => {
  const replay = new EventReplay();
  const kept = Array.from(
    { length: 10 },
    (_, index) => new WeakRef(replay.add('default', (id) => `${id} ${index}`.padEnd(500_000))),
  );
  await setImmediate();
  collectGarbage();
  expect(kept.map((event) => event.deref() !== undefined)).toEqual([
    ...Array.from({ length: 8 }, () => false),
    true,
    true,
  ]);
  expect(replay.since(String(replay.last - 2))).toHaveLength(2);
  expect(replay.since(String(replay.last - 3))).toBeUndefined();
});
