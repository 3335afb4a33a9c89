import { expect, onTestFinished, test } from 'vitest';
import type { MessageBoard } from '../src/inventory/sandbox-storage.ts';
import { toFetch } from '../src/mock/fetch.ts';
import type { JournalPage } from '../src/mock/journal-entry.ts';
import { createSandboxes, type Sandboxes } from '../src/mock/sandboxes.ts';
import { MemorySandboxes } from '../src/stores/memory-sandboxes.ts';

/** A board in one process, which can lose messages. */
class Board implements MessageBoard {
  readonly posted: string[] = [];
  /** Messages with this in them are lost. */
  lost: string | undefined;
  readonly #listeners: (readonly [box: string, listener: (message: string) => void])[] = [];

  listen(box: string, listener: (message: string) => void): Promise<void> {
    this.#listeners.push([box, listener]);
    return Promise.resolve();
  }

  post(box: string, message: string): Promise<number> {
    this.posted.push(message);
    const heard = this.#listeners.filter(([name]) => name === box);
    if (this.lost === undefined || !message.includes(this.lost)) {
      for (const [, listener] of heard) queueMicrotask(() => listener(message));
    }
    return Promise.resolve(heard.length);
  }
}

class SandboxesWithBoard extends MemorySandboxes {
  readonly board = new Board();
}

async function openMock(
  storage: SandboxesWithBoard,
  now: () => number = Date.now,
): Promise<Sandboxes> {
  const mock = await createSandboxes({ storage, now });
  onTestFinished(() => mock.close());
  return mock;
}

async function patch(
  mock: Sandboxes,
  petId: number,
  quantity: number,
  apiKey = 'demo-key',
): Promise<void> {
  const response = await toFetch(mock)(
    new Request(`http://mock/v1/inventory/${petId}`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      body: `{"quantity":${quantity}}`,
    }),
  );
  expect(response.status).toBe(200);
}

const bodiesOf = ({ exchanges }: JournalPage): readonly string[] =>
  exchanges.map(({ request }) => request.body.text);

test('a wait that ends without an exchange does not pass over one of another server', async () => {
  const storage = new SandboxesWithBoard();
  const [one, other] = [await openMock(storage), await openMock(storage)];
  const { board } = storage;
  board.lost = '"kind":"seen"';
  const waiting = one.default.journal.waitFor({ petId: 2n, wait: 0.5 });
  await expect.poll(() => board.posted.join()).toContain('"kind":"watch"');
  await patch(other, 2, 7);
  await patch(one, 1, 8);
  const page = await waiting;
  const next = await one.default.journal.waitFor({ petId: 2n, after: page.last });
  expect([...bodiesOf(page), ...bodiesOf(next)]).toEqual(['{"quantity":7}']);
});

test('a wait may be of any length', async () => {
  const storage = new SandboxesWithBoard();
  const [one, other] = [await openMock(storage), await openMock(storage)];
  const waiting = one.default.journal.waitFor({ petId: 2n, wait: 100 / 3 });
  await patch(other, 2, 7);
  const page = await waiting;
  expect(bodiesOf(page)).toEqual(['{"quantity":7}']);
  expect(page).not.toHaveProperty('isPartial');
});

test('a server whose clock is days ahead counts as one that has not answered', async () => {
  const storage = new SandboxesWithBoard();
  const one = await openMock(storage);
  const ahead = await openMock(storage, () => Date.now() + 172_800_000);
  await patch(ahead, 1, 5);
  await patch(one, 1, 6);
  const page = await one.default.journal.waitFor({});
  expect(bodiesOf(page)).toEqual(['{"quantity":6}']);
  expect(page).toMatchObject({ isPartial: true, last: page.exchanges[0]?.sequence });
});

test('a sandbox that is there is not forgotten, whatever the board says', async () => {
  const storage = new SandboxesWithBoard();
  const mock = await openMock(storage);
  const { sandbox, apiKey } = await mock.create();
  await patch(mock, 1, 5);
  await patch(mock, 1, 6, apiKey);
  const sender = { version: 1, from: 'somebody', server: 7 };
  for (const id of ['default', sandbox.id]) {
    await storage.board.post('all', JSON.stringify({ ...sender, kind: 'deleted', sandbox: id }));
  }
  const page = async (id: string): Promise<readonly string[]> =>
    bodiesOf(await (await mock.get(id)).journal.waitFor({}));
  expect(await page('default')).toEqual(['{"quantity":5}']);
  expect(await page(sandbox.id)).toEqual(['{"quantity":6}']);
});

test('a wait ends where another server deletes the sandbox', async () => {
  const storage = new SandboxesWithBoard();
  const [one, other] = [await openMock(storage), await openMock(storage)];
  const { sandbox } = await one.create();
  const waiting = (await other.get(sandbox.id)).journal.waitFor({ wait: 60 });
  await one.delete(sandbox.id);
  expect((await waiting).exchanges).toEqual([]);
});
