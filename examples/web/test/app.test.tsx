// @vitest-environment jsdom
import { cleanup, configure, fireEvent, render, screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { createInventoryMock, inventoryHandlers } from 'stockcheck/msw';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { App } from '../src/app.tsx';
import { createInventoryApi } from '../src/inventory-api.ts';

// A second is too short for a busy machine.
configure({ asyncUtilTimeout: 20_000 });

const mock = createInventoryMock({
  fixture: [
    { petId: 1, quantity: 5, status: 'available' },
    { petId: 2, quantity: 0, status: 'sold' },
    { petId: 9007199254740993n, quantity: 3, status: 'pending' },
  ],
});
const server = setupServer(...inventoryHandlers({ mock }));
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
beforeEach(() => mock.reset());
afterEach(cleanup);
afterAll(() => server.close());

function open(): void {
  const connection = {
    baseUrl: 'https://api.example.com/v1',
    apiKey: 'demo-key',
    isMocked: true,
  };
  render(<App api={createInventoryApi(connection)} connection={connection} />);
}

const quantityOf = (petId: string) =>
  screen.findByRole<HTMLInputElement>('textbox', { name: `Quantity of pet ${petId}` });

async function type(petId: string, quantity: string): Promise<HTMLInputElement> {
  const input = await quantityOf(petId);
  fireEvent.change(input, { target: { value: quantity } });
  fireEvent.keyDown(input, { key: 'Enter' });
  return input;
}

test('lists every pet with its status and quantity', async () => {
  open();
  expect((await quantityOf('1')).value).toBe('5');
  expect(screen.getByText('3 pets · 8 in stock · 1 out of stock')).toBeTruthy();
  const large = screen.getByRole('row', { name: /Pet 9007199254740993/ });
  expect(within(large).getByText('Pending')).toBeTruthy();
});

test('shows the pets of one status', async () => {
  open();
  await quantityOf('1');
  fireEvent.click(screen.getByRole('button', { name: /^Sold/ }));
  expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual(['Pet 2']);
});

test('saves a quantity, and shows it before the store has answered', async () => {
  open();
  const input = await type('9007199254740993', '12');
  expect(input.value).toBe('12');
  expect(screen.getByText('Saving…')).toBeTruthy();
  await expect.poll(() => screen.queryByText('Saving…')).toBeNull();
  expect(input.value).toBe('12');
  expect(mock.items().at(-1)).toMatchObject({ petId: 9007199254740993n, quantity: 12n });
});

test('sends the last of many quantities', async () => {
  open();
  await quantityOf('1');
  const more = screen.getByRole('button', { name: 'One more of pet 1' });
  for (let count = 0; count < 5; count += 1) fireEvent.click(more);
  await expect.poll(() => mock.items()[0]?.quantity).toBe(10n);
});

test.each([
  [400, 'The store does not accept this quantity. Its quantity is 5 again.'],
  [401, 'The store does not accept the API key of this page. Its quantity is 5 again.'],
  [404, 'The store no longer knows this pet. Its quantity is 5 again.'],
] as const)('takes the quantity back when the store answers %d', async (status, text) => {
  mock.next('updateInventory', { status });
  open();
  const input = await type('1', '6');
  expect(input.value).toBe('6');
  expect(await screen.findByText(text)).toBeTruthy();
  expect(input.value).toBe('5');

  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await expect.poll(() => mock.items()[0]?.quantity).toBe(6n);
  expect(screen.queryByRole('alert')).toBeNull();
});

test.each([
  ['many', 'Enter a whole number from 0 up'],
  ['-1', 'Enter a whole number from 0 up'],
  ['', 'Enter a whole number from 0 up'],
  ['1234567890123456789', 'Too large: at most 18 digits'],
])('does not send "%s", and says why', async (typed, message) => {
  open();
  const input = await type('1', typed);
  expect(screen.getByText(message)).toBeTruthy();
  expect(mock.items()[0]?.quantity).toBe(5n);
  fireEvent.keyDown(input, { key: 'Escape' });
  expect(input.value).toBe('5');
});

test('offers to load again when the list cannot be had', async () => {
  mock.next('listInventory', { status: 401 });
  open();
  expect(await screen.findByText('The inventory could not be loaded')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect((await quantityOf('1')).value).toBe('5');
});

test('tells a store that cannot be understood from one that cannot be reached', async () => {
  server.use(http.get('*/v1/inventory', () => new HttpResponse('[{"petId":1,')));
  onTestFinished(() => server.resetHandlers());
  open();
  expect(await screen.findByText('The store gave an answer that cannot be read.')).toBeTruthy();
});

test('says so where the store is empty', async () => {
  mock.set([]);
  open();
  expect(await screen.findByText('The store has no pets.')).toBeTruthy();
});
