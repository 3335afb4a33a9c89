import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, aroundEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  createInventoryMock,
  inventoryHandlers,
  inventoryOf,
  inventoryPerTest,
} from '../handlers/msw.ts';

// All at once, where Vitest would run five.
vi.setConfig({ maxConcurrency: 200 });

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterAll(() => server.close());
aroundEach(inventoryPerTest(server, { fixture: [{ petId: 1, quantity: 0, status: 'available' }] }));
beforeEach(() => server.resetHandlers());

async function update(quantity: number): Promise<number> {
  const response = await fetch('https://api.example.com/v1/inventory/1', {
    method: 'PATCH',
    headers: { Authorization: 'Bearer demo-key', 'Content-Type': 'application/json' },
    body: JSON.stringify({ quantity }),
  });
  return response.status;
}

async function readQuantity(): Promise<unknown> {
  const response = await fetch('https://api.example.com/v1/inventory', {
    headers: { Authorization: 'Bearer demo-key' },
  });
  const [item] = (await response.json()) as readonly { quantity: unknown }[];
  return item?.quantity;
}

let running = 0;
let mostAtOnce = 0;

for (let number = 1; number <= 200; number += 1) {
  test.concurrent(
    `test ${number} of 200 sees its own changes alone`,
    async ({ expect: expectHere }) => {
      running += 1;
      mostAtOnce = Math.max(mostAtOnce, running);
      expectHere(await readQuantity()).toBe(0);
      for (const step of [1, 2, 3]) {
        const quantity = number * 10 + step;
        expectHere(await update(quantity)).toBe(200);
        await new Promise((resolve) => {
          setTimeout(resolve, number % 5);
        });
        expectHere(await readQuantity()).toBe(quantity);
      }
      if (number % 2 === 0) inventoryOf(server).next('updateInventory', { status: 404 });
      expectHere(await update(7)).toBe(number % 2 === 0 ? 404 : 200);
      expectHere(inventoryOf(server).items()[0]?.quantity).toBe(
        number % 2 === 0 ? BigInt(number * 10 + 3) : 7n,
      );
      running -= 1;
    },
  );
}

test('the tests before ran side by side', () => {
  expect(mostAtOnce).toBe(200);
});

test('starts anew after all of them', async () => {
  expect(await readQuantity()).toBe(0);
});

test('keeps its inventory where handlers are reset, before it or in its midst', async () => {
  inventoryOf(server).set([{ petId: 1, quantity: 3, status: 'available' }]);
  server.use(http.get('*/v1/inventory', () => new HttpResponse(null, { status: 500 })));
  const failed = await fetch('https://api.example.com/v1/inventory');
  server.resetHandlers();
  expect(failed.status).toBe(500);
  expect(await readQuantity()).toBe(3);
});

test('answers beside fake timers', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'Date'] });
  const status = await update(7);
  vi.useRealTimers();
  expect(status).toBe(200);
});

test(
  'takes handlers of its own inside a boundary',
  server.boundary(async () => {
    const mock = createInventoryMock({ fixture: 'empty' });
    server.use(...inventoryHandlers({ mock }));
    expect(await readQuantity()).toBeUndefined();
  }),
);

test('says so where no inventory handlers are in use', () => {
  expect(() => inventoryOf(setupServer())).toThrow(
    'there are no inventory handlers in use here; add inventoryHandlers() to setupServer',
  );
});

test('says so where the mock is held by somebody else', () => {
  server.use(...inventoryHandlers({ mock: createInventoryMock() }));
  expect(() => inventoryOf(server)).toThrow('were given a mock or a store; keep hold of that one');
});
