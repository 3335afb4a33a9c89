import { expect, test } from 'vitest';
import { Outbox } from '../src/cli/workers/outbox.ts';

test('is flushed when what was on its way before has left as well', async () => {
  const left: (() => void)[] = [];
  const outbox = new Outbox(
    () =>
      new Promise((resolve) => {
        left.push(resolve);
      }),
  );
  outbox.addOutput('one\n');
  const first = outbox.flush();
  let isFlushed = false;
  const second = outbox.flush().then(() => (isFlushed = true));
  await Promise.resolve();
  await new Promise(setImmediate);
  expect(isFlushed).toBe(false);
  left[0]?.();
  await Promise.all([first, second]);
  expect(left).toHaveLength(1);
});
