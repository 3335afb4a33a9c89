import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SandboxGoneError } from '../src/inventory/sandbox-storage.ts';
import { openSqliteSandboxes } from '../src/stores/sqlite.ts';
import { serveSandboxes, type ServedSandboxes } from './admin-server.ts';
import { firstEvents } from './event-client.ts';

/** Sandboxes in a storage that notices when one of them is gone. A bug fails the test. */
async function start(): Promise<ServedSandboxes> {
  const folder = await mkdtemp(join(tmpdir(), 'stockcheck-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const storage = await openSqliteSandboxes({ file: join(folder, 'stock.db') });
  return serveSandboxes({ storage });
}

test('lists what is there where a sandbox goes away meanwhile', async () => {
  const { sandboxes, send } = await start();
  const { sandbox } = await sandboxes.create();
  const list = sandboxes.list.bind(sandboxes);
  sandboxes.list = async () => {
    const all = await list();
    await sandboxes.delete(sandbox.id);
    return all;
  };
  const { status, body } = await send('GET', '/sandboxes');
  expect(status).toBe(200);
  expect(body).toMatchObject({ sandboxes: [{ id: 'default' }] });
  expect((body as { sandboxes: unknown[] }).sandboxes).toHaveLength(1);
});

test('does not take it for a bug that a sandbox is gone before its event is told', async () => {
  const { sandboxes, server } = await start();
  const { sandbox } = await sandboxes.create();
  // Deleted by another process just before it is looked at.
  sandbox.count = () => Promise.reject(new SandboxGoneError(sandbox.id));
  const events = await firstEvents(server, '/events', 1, async () => {
    await sandbox.configure({ name: 'gone' });
    await sandboxes.default.reset();
  });
  expect(events.map(({ type }) => type)).toEqual(['replaced']);
});
