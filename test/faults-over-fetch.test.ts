import { setupServer } from 'msw/node';
import { describe, expect, onTestFinished, test } from 'vitest';
import { inventoryHandlers } from '../handlers/msw.ts';
import { createFaultPlan } from '../src/mock/faults/fault-plan.ts';
import type { FaultRuleInput } from '../src/mock/faults/fault-rule.ts';
import { toFetch } from '../src/mock/fetch.ts';
import { createMock, type Mock } from '../src/mock/mock.ts';
import { MemoryStore } from '../src/stores/memory.ts';
import { defaultItems } from './mock-under-test.ts';

type Fetch = (request: Request) => Promise<Response>;

function createBrokenMock(rules: readonly FaultRuleInput[]): Mock {
  const { fault } = createFaultPlan({ rules });
  return createMock({ store: new MemoryStore(defaultItems()), apiKeys: ['demo-key'], fault });
}

function listenWithMsw(mock: Mock): Fetch {
  const server = setupServer(...inventoryHandlers({ mock }));
  server.listen({ onUnhandledFrame: 'error' });
  onTestFinished(() => server.close());
  return fetch;
}

const headers = { Authorization: 'Bearer demo-key', 'Content-Type': 'application/json' };
const url = 'https://api.example.com/v1/inventory';

const patch = (init: RequestInit = {}): Request =>
  new Request(`${url}/1`, { method: 'PATCH', headers, body: '{"quantity":5}', ...init });

const whole = '{"petId":1,"quantity":5,"status":"available"}';

async function quantityOf(mock: Mock): Promise<bigint | undefined> {
  return [...(await mock.items())][0]?.quantity;
}

/** The pieces of a body as they come, and the error that ends it. */
async function piecesOf(response: Response): Promise<(string | Error)[]> {
  const pieces: (string | Error)[] = [];
  try {
    for await (const piece of response.body ?? []) pieces.push(new TextDecoder().decode(piece));
  } catch (error) {
    pieces.push(error as Error);
  }
  return pieces;
}

describe.for([
  ['fetch', toFetch],
  ['MSW in Node', listenWithMsw],
] as const)('over %s', ([, connect]) => {
  test('answers that the service is unavailable', async () => {
    const mock = createBrokenMock([{ fault: { kind: 'unavailable', status: 503, retryAfter: 2 } }]);
    const response = await connect(mock)(patch());
    expect(response.status).toBe(503);
    expect(response.headers.get('Retry-After')).toBe('2');
    expect(await response.json()).toMatchObject({ code: 'unavailable', status: 503 });
    expect(await quantityOf(mock)).toBe(12n);
  });

  test('closes in the middle of a body', async () => {
    const send = connect(createBrokenMock([{ fault: { kind: 'truncate', bytes: 9 } }]));
    const response = await send(patch());
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Length')).toBe(String(whole.length));
    expect(await piecesOf(response)).toEqual([whole.slice(0, 9), expect.any(TypeError)]);
    await expect((await send(patch())).text()).rejects.toThrow(TypeError);
  });

  test('drips a body in pieces as large as the rate says', async () => {
    const send = connect(createBrokenMock([{ fault: { kind: 'slow-drip', bytesPerSecond: 200 } }]));
    const response = await send(patch());
    expect(await piecesOf(response)).toEqual([
      whole.slice(0, 20),
      whole.slice(20, 40),
      whole.slice(40),
    ]);
  });

  test('stops dripping when the reader has had enough', async () => {
    const send = connect(createBrokenMock([{ fault: { kind: 'slow-drip', bytesPerSecond: 10 } }]));
    const reader = (await send(patch())).body?.getReader();
    expect((await reader?.read())?.value).toHaveLength(1);
    await reader?.cancel();
    expect(await reader?.read()).toEqual({ done: true, value: undefined });
  });

  test('sends JSON that is malformed, and declares it as something else', async () => {
    const send = connect(
      createBrokenMock([
        { nth: 1, fault: { kind: 'malformed-json' } },
        { nth: 2, fault: { kind: 'wrong-content-type' } },
      ]),
    );
    const malformed = await send(patch());
    expect(malformed.headers.get('Content-Length')).toBe(String(whole.length - 1));
    expect(await malformed.text()).toBe(whole.slice(0, -1));
    expect((await send(patch())).headers.get('Content-Type')).toBe('text/html');
  });

  test('answers late, in the order that the delays say', async () => {
    const send = connect(
      createBrokenMock([
        { nth: 1, fault: { kind: 'delay', milliseconds: 100 } },
        { nth: 2, fault: { kind: 'delay', milliseconds: 10 } },
      ]),
    );
    const order: number[] = [];
    const late = send(patch()).then(() => order.push(1));
    await send(patch()).then(() => order.push(2));
    await late;
    expect(order).toEqual([2, 1]);
  });

  test('says of an empty reply that it cannot be made, and what to use instead', async () => {
    const send = connect(createBrokenMock([{ fault: { kind: 'empty-reply' } }]));
    const response = await send(patch());
    expect(response.status).toBe(500);
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(await response.json()).toEqual({
      code: 'internal_error',
      message:
        'the fault empty-reply cannot be made over fetch, as MSW needs it: there is no connection to close; use "reset", which a page cannot tell from it, or the standalone server',
      status: 500,
    });
  });

  test('answers HEAD without a body that could be spoilt', async () => {
    const send = connect(createBrokenMock([{ fault: { kind: 'truncate' } }]));
    const response = await send(new Request(url, { method: 'HEAD', headers }));
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
  });
});

test('closes before the first byte of a body', async () => {
  const mock = createBrokenMock([{ fault: { kind: 'truncate', bytes: 0 } }]);
  expect(await piecesOf(await toFetch(mock)(patch()))).toEqual([expect.any(TypeError)]);
  // MSW sends the head with the first piece: where there is none, the fetch fails.
  await expect(listenWithMsw(mock)(patch())).rejects.toThrow(TypeError);
});

test.for([
  [false, 12n],
  [true, 5n],
] as const)(
  'fails as a page sees a reset, over MSW; after the operation: %s',
  async ([after, quantity]) => {
    const mock = createBrokenMock([{ fault: { kind: 'reset', ...(after ? { after } : {}) } }]);
    await expect(listenWithMsw(mock)(patch())).rejects.toThrow(TypeError);
    expect(await quantityOf(mock)).toBe(quantity);
  },
);

test('makes a network error of a reset, over fetch', async () => {
  const response = await toFetch(createBrokenMock([{ fault: { kind: 'reset' } }]))(patch());
  expect(response.type).toBe('error');
});

test.for([
  ['hang', { kind: 'hang' }],
  ['delay', { kind: 'delay', milliseconds: 600_000 }],
] as const)('a %s ends with the request, over fetch', async ([, fault]) => {
  const giveUp = new AbortController();
  const hanging = toFetch(createBrokenMock([{ fault }]))(patch({ signal: giveUp.signal }));
  const first = await Promise.race([
    hanging.then(() => 'an answer'),
    new Promise((resolve) => setImmediate(() => resolve('nothing'))),
  ]);
  expect(first).toBe('nothing');
  giveUp.abort();
  expect((await hanging).type).toBe('error');
});

test('never answers, until the client gives up, over MSW', async () => {
  const mock = createBrokenMock([{ nth: 1, fault: { kind: 'hang', after: true } }]);
  const send = listenWithMsw(mock);
  const giveUp = new AbortController();
  const hanging = send(patch({ signal: giveUp.signal }));
  expect((await send(patch())).status).toBe(200);
  giveUp.abort();
  await expect(hanging).rejects.toThrow('aborted');
});

test('a drip ends with the request, over fetch', async () => {
  const giveUp = new AbortController();
  const send = toFetch(createBrokenMock([{ fault: { kind: 'slow-drip', bytesPerSecond: 1 } }]));
  const response = await send(patch({ signal: giveUp.signal }));
  const body = response.text();
  giveUp.abort(new Error('enough'));
  await expect(body).rejects.toThrow('enough');
});

test('refuses a rule that fetch cannot make where it is known that all comes by fetch', () => {
  const rules = [{ fault: { kind: 'empty-reply' } }] as const;
  const message = 'fault.kind: the fault empty-reply cannot be made over fetch';
  expect(() => createFaultPlan({ transport: 'fetch', rules })).toThrow(`rules[0].${message}`);
  const plan = createFaultPlan({ transport: 'fetch' });
  expect(() => plan.add(rules[0])).toThrow(`rule.${message}`);
  expect(() => plan.play('it', rules)).toThrow(`rules[0].${message}`);
  expect(plan.views()).toEqual([]);
});
