import { setupServer } from 'msw/node';
import { expect, test } from 'vitest';
import { inventoryHandlers } from '../handlers/msw.ts';
import { createSandboxes } from '../src/mock/sandboxes.ts';

const url = 'http://shop.test/v1/inventory';

const withKey = (apiKey: string): RequestInit => ({
  headers: { Authorization: `Bearer ${apiKey}` },
});

test('behind MSW, each key opens its sandbox, with faults, journal and snapshots', async () => {
  const mock = await createSandboxes({ transport: 'fetch' });
  const server = setupServer(...inventoryHandlers({ mock }));
  server.listen({ onUnhandledFrame: 'error' });
  try {
    const { apiKey, sandbox } = await mock.create({ fixture: 'empty' });
    expect(await (await fetch(url, withKey(apiKey))).json()).toEqual([]);
    await sandbox.addFault({ fault: { kind: 'reset' }, times: 1 });
    await expect(fetch(url, withKey(apiKey))).rejects.toThrow('fetch failed');
    expect((await fetch(url, withKey('demo-key'))).status).toBe(200);
    expect(sandbox.journal.find().exchanges).toMatchObject([
      { response: { status: 200 } },
      { response: { status: 0 }, fault: { kind: 'reset' } },
    ]);
  } finally {
    server.close();
  }
});

test('for MSW alone, faults that the platform cannot make are refused when they are added', async () => {
  const mock = await createSandboxes({ transport: 'fetch' });
  await expect(mock.default.addFault({ fault: { kind: 'empty-reply' } })).rejects.toThrow(
    'rule.fault.kind',
  );
  expect(await mock.default.faults()).toEqual([]);

  const fixture = {
    inventory: [],
    scenarios: { silence: [{ fault: { kind: 'empty-reply' } }] },
  } as const;
  const { sandbox } = await mock.create({ fixture });
  await expect(sandbox.configure({ scenario: 'silence' })).rejects.toMatchObject({
    kind: 'invalid',
  });
  await expect(mock.create({ fixture, scenario: 'silence' })).rejects.toMatchObject({
    kind: 'invalid',
  });
  expect(await mock.list()).toHaveLength(2);
});
