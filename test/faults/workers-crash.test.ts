import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startServe, workersOf } from '../served-process.ts';

const headers = { Authorization: 'Bearer demo-key', 'Content-Type': 'application/json' };

/** How often a worker is killed. */
const kills = 10;

const pets = [1, 2, 3];

test('loses no acknowledged update while workers are killed, and serves on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stockcheck-workers-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const store = `sqlite:${join(folder, 'stock.db')}`;
  const server = await startServe(['--store', store, '--workers', '2', '--log', 'silent']);
  const end = new AbortController();
  let acknowledged = 0;
  /** Of each pet, the last quantity that was acknowledged, and the last that was sent. */
  const known = new Map(pets.map((petId) => [petId, { least: -1, most: -1 }]));

  const write = async (petId: number): Promise<void> => {
    for (let quantity = 0; !end.signal.aborted; quantity += 1) {
      const state = known.get(petId);
      if (state === undefined) return;
      state.most = quantity;
      const body = JSON.stringify({ quantity });
      const answer = await fetch(`${server.url}/inventory/${petId}`, {
        method: 'PATCH',
        headers,
        body,
      })
        // Its worker was killed.
        .catch(() => undefined);
      if (answer === undefined) continue;
      await answer.arrayBuffer().catch(() => undefined);
      if (answer.status !== 200) throw new Error(`answered with ${answer.status}`);
      state.least = quantity;
      acknowledged += 1;
    }
  };
  const writing = Promise.all(pets.map(write));

  for (let kill = 0; kill < kills; kill += 1) {
    const before = acknowledged;
    await expect.poll(() => acknowledged).toBeGreaterThan(before + 50);
    const workers = await workersOf(server.pid);
    const victim = workers[kill % workers.length];
    if (victim !== undefined) process.kill(victim, 'SIGKILL');
  }
  end.abort();
  await writing;

  const list = (): Promise<Response> => fetch(`${server.url}/inventory`, { headers });
  // At times the last one that served is killed while the other one is still starting.
  const status = (): Promise<number> =>
    list().then(
      (answer) => answer.status,
      () => 0,
    );
  await expect.poll(status).toBe(200);
  const response = await list();
  const items = (await response.json()) as { petId: number; quantity: number }[];
  for (const [petId, { least, most }] of known) {
    const { quantity = -2 } = items.find((item) => item.petId === petId) ?? {};
    // One that was under way when its worker was killed may have been applied.
    expect(quantity).toBeGreaterThanOrEqual(least);
    expect(quantity).toBeLessThanOrEqual(most);
  }
  await expect.poll(async () => (await workersOf(server.pid)).length).toBe(2);
  expect(await server.end()).toEqual({ code: 0 });
});
