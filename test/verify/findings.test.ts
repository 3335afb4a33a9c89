import { expect, test } from 'vitest';
import type { Report, Result } from '../../src/verify/report.ts';
import { verify } from '../../src/verify/verify.ts';
import { apiKey } from '../mock-under-test.ts';
import {
  answer,
  isGrantedUpdate,
  sendJson,
  startProvider,
  type ProviderOptions,
} from './provider.ts';

async function verifyWith(intercept: ProviderOptions['intercept'], seed = 1): Promise<Report> {
  const provider = await startProvider(intercept === undefined ? {} : { intercept });
  return verify({ baseUrl: provider.url, apiKey, seed });
}

function resultOf(report: Report, id: string): Result {
  const result = report.results.find((one) => one.id === id);
  if (result === undefined) throw new Error(`no result for ${id}`);
  return result;
}

const failed = (report: Report): readonly string[] =>
  report.results.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);

test('tells what was sent, what came back, what was expected and where', async () => {
  const report = await verifyWith(({ method, headers }, response) =>
    method === 'GET' && headers.authorization === undefined
      ? sendJson(response, 401, '{"code":"unauthorized","message":"no key","status":403}')
      : false,
  );
  expect(resultOf(report, 'listInventory/401/missing').findings).toEqual([
    {
      verdict: 'fail',
      clause: '7/status-repeats',
      message: 'at $.status is the number 403; expected 401',
      at: '$.status',
      expected: '401',
      received: 'the number 403',
      evidence: {
        curl: `curl -isS --path-as-is -g '${report.baseUrl}/inventory'`,
        received: 'HTTP 401 Unauthorized',
        headers: [
          ['Content-Type', 'application/json'],
          ['Transfer-Encoding', 'chunked'],
        ],
        body: '{"code":"unauthorized","message":"no key","status":403}',
      },
    },
  ]);
});

test('names the refused request that changed the inventory, among those sent side by side', async () => {
  const report = await verifyWith(async ({ path, body }, _, mock) => {
    if (body.toString() !== '{"quantity":-0.5}') return false;
    const petId = BigInt(path.split('/').at(-1) ?? '');
    await mock.replace(
      [...(await mock.items())].map((item) =>
        item.petId === petId ? { ...item, quantity: 0n } : item,
      ),
    );
    return false;
  });
  expect(failed(report)).toEqual(['updateInventory/400/quantity-negative-fraction']);
  expect(resultOf(report, 'updateInventory/400/quantity-negative-fraction').findings).toMatchObject(
    [
      {
        clause: '2/update-quantity-integer',
        at: 'inventory',
        changes: [{ expected: { quantity: 3n }, received: { quantity: 0n } }],
        evidence: { received: 'HTTP 400 Bad Request' },
      },
    ],
  );
});

test('sees that a request which is answered with 404 changed another pet', async () => {
  const report = await verifyWith(async ({ path }, _, mock) => {
    if (path !== '/v1/inventory/abc') return false;
    await mock.replace(
      [...(await mock.items())].map((item) =>
        item.petId === 89n ? { ...item, quantity: 2n } : item,
      ),
    );
    return false;
  });
  const { findings } = resultOf(report, 'updateInventory/404/word');
  expect(findings).toMatchObject([{ clause: '1/updates-one-pet', changes: [{ petId: 89n }] }]);
});

test('finds a pet that is kept back from the list', async () => {
  const report = await verifyWith(async (received, response, mock) => {
    if (received.method !== 'GET' || received.headers.authorization !== `Bearer ${apiKey}`) {
      return false;
    }
    const items = [...(await mock.items())].filter(({ petId }) => petId !== 13n);
    const entries = items.map(
      ({ petId, quantity, status }) =>
        `{"petId":${petId},"quantity":${quantity},"status":"${status}"}`,
    );
    return sendJson(response, 200, `[${entries.join(',')}]`);
  });
  expect(resultOf(report, 'check/unlisted-pets').findings[0]).toMatchObject({
    clause: '1/lists-every-pet',
    message: expect.stringContaining('pet 13 is not listed') as string,
  });
});

test('finds updates that are lost when they arrive side by side', async () => {
  const report = await verifyWith(async (received, response, mock) => {
    if (!isGrantedUpdate(received)) return false;
    // Reads everything, waits, and writes everything back.
    const before = [...(await mock.items())];
    await new Promise((resolve) => {
      setTimeout(resolve, 2);
    });
    await mock.replace(before);
    await answer(mock, received, response);
    return true;
  });
  expect(failed(report)).toContain('check/side-by-side');
});

test('finds a request that fails now and then, with the shortest sequence that shows it', async () => {
  let updates = 0;
  const report = await verifyWith((received, response) => {
    if (!isGrantedUpdate(received)) return false;
    updates += 1;
    return updates > 200 && updates % 7 === 0
      ? sendJson(response, 500, '{"code":"internal","message":"oops","status":500}')
      : false;
  });
  const [finding] = resultOf(report, 'check/sequences').findings;
  expect(finding?.message).toContain('it answered 500; expected');
  expect(finding?.steps?.length).toBeLessThanOrEqual(7);
  expect(finding?.steps?.at(-1)).toMatch(/^curl .*-X PATCH /);
});

test('finds a list that comes from a cache for some requests', async () => {
  let cached: { text: string; uses: number } | undefined;
  const report = await verifyWith(async (received, response, mock) => {
    if (received.method !== 'GET' || received.headers.authorization !== `Bearer ${apiKey}`) {
      return false;
    }
    if (cached === undefined || cached.uses >= 4) {
      const entries = [...(await mock.items())].map(
        ({ petId, quantity, status }) =>
          `{"petId":${petId},"quantity":${quantity},"status":"${status}"}`,
      );
      cached = { text: `[${entries.join(',')}]`, uses: 0 };
    }
    cached.uses += 1;
    return sendJson(response, 200, cached.text);
  });
  expect(report.exitCode).toBe(1);
  expect(report.clauses.find(({ id }) => id === '4.1/current-levels')?.verdict).toBe('fail');
});
