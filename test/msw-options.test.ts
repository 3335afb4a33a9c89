import { setupServer } from 'msw/node';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { decisions } from '../contracts/decisions.ts';
import {
  createInventoryMock,
  inventoryHandlers,
  inventoryOf,
  inventoryPerTest,
} from '../handlers/msw.ts';
import { namedAnswers } from '../src/mock/policy.ts';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterAll(() => server.close());

/** The functions as JavaScript sees them. */
const untyped = { createInventoryMock, inventoryHandlers, inventoryOf, inventoryPerTest } as Record<
  'createInventoryMock' | 'inventoryHandlers' | 'inventoryOf' | 'inventoryPerTest',
  (...given: readonly unknown[]) => unknown
>;

const item = { petId: 1, quantity: 5, status: 'available' };

const wrongForBoth: readonly (readonly [unknown, string])[] = [
  [{ fixtures: 'empty' }, 'there is no option "fixtures"; there are '],
  ['empty', 'must be an object such as { fixture: \'empty\' }; got "empty"'],
  [null, 'must be an object such as { fixture'],
  [{ fixture: {} }, 'fixture.inventory must be a list of items; got undefined'],
  [{ fixture: { inventory: 1 } }, 'fixture.inventory must be a list of items; got 1'],
  [{ fixture: { inventory: [], keys: [] } }, 'fixture: there is no option "keys"'],
  [{ fixture: { inventory: [], apiKeys: 'my-key' } }, 'apiKeys must be a list of strings'],
  [{ fixture: { inventory: [], policy: { 'content-type': '416' } } }, 'expected one of "400", '],
  [{ fixture: null }, 'fixture must be an object such as { inventory: [] }; got null'],
  [{ fixture: 5 }, 'fixture must be an object such as { inventory: [] }; got 5'],
  [{ fixture: [null] }, 'item 0 must be an object such as { petId: 1'],
  [{ apiKeys: 'my-key' }, "apiKeys must be a list of strings such as ['my-key'], or 'any'; got a"],
  [{ apiKeys: [5] }, 'got a list with something else in it'],
  [{ apiKeys: null }, 'apiKeys must be a list of strings'],
  [
    { policy: { 'content-typ': '415' } },
    'there is no such decision; the decisions are error-codes',
  ],
  [
    { policy: { 'content-type': 415 } },
    'expected one of "400", "415", "ignore"; got the number 415',
  ],
  [{ policy: { 'quantity-range': { min: 0 } } }, 'there is no such bound'],
  [{ policy: { 'quantity-range': { minimum: 2, maximum: 1 } } }, 'the minimum 2 is above'],
  [{ policy: { 'quantity-range': { maximum: 2 ** 53 } } }, 'write it as a bigint'],
  [{ policy: { 'quantity-range': { maximum: Number.NaN } } }, 'must be an integer; got NaN'],
  [{ policy: { 'body-limit': 0 } }, 'expected a number of bytes from 1 to 1073741824'],
  [{ policy: { 'error-codes': { gone: 'x' } } }, 'there is no such code; the codes are'],
  [{ policy: 'strict' }, 'the policy must be an object; got the string "strict"'],
  [{ policy: null }, 'the policy must be an object; got null'],
  [{ store: {} }, 'got an object without list(), get(), update(), items(), replace()'],
  [{ onBug: 'log' }, 'onBug must be a function; got "log"'],
];

test.each(wrongForBoth)('refuses the options %j', (options, message) => {
  expect(() => untyped.createInventoryMock(options)).toThrow(message);
  expect(() => untyped.inventoryHandlers(options)).toThrow(message);
});

test.each<readonly [object, string]>([
  [{ delay: -1 }, 'delay must be milliseconds from 0 to 2147483647; got -1'],
  [{ delay: Number.NaN }, 'got NaN'],
  [{ delay: Infinity }, 'got Infinity'],
  [{ delay: '150' }, 'delay must be a number of milliseconds; got "150"'],
  [{ mock: {} }, 'mock must be what createInventoryMock() returns; got an object without handle()'],
  [{ mock: null }, 'mock must be what createInventoryMock() returns; got null'],
  [{ mock: createInventoryMock(), fixture: 'empty' }, 'mock and fixture cannot be given together'],
  [{ mock: createInventoryMock(), apiKeys: 'any' }, 'give apiKeys to createInventoryMock'],
  [{ baseURL: '/v1' }, 'there is no option "baseURL"; there are baseUrl, delay'],
])('refuses the handlers %j', (options, message) => {
  expect(() => untyped.inventoryHandlers(options)).toThrow(message);
});

test.each<readonly [unknown, string]>([
  [-5, 'what the function delay returns must be milliseconds from 0'],
  [Promise.resolve(5), 'what the function delay returns must be a number of milliseconds'],
])('answers 500 that says so where the function delay returns %s', async (result, message) => {
  const delay = (() => result) as () => number;
  server.use(...inventoryHandlers({ delay }));
  vi.spyOn(console, 'error').mockReturnValue();
  const response = await fetch('https://api.example.com/v1/inventory');
  server.resetHandlers();
  vi.restoreAllMocks();
  expect(response.status).toBe(500);
  expect(await response.text()).toContain(message);
});

test('refuses at once what inventoryPerTest cannot use', () => {
  const { inventoryPerTest: perTest } = untyped;
  expect(() => perTest(undefined)).toThrow('needs a server of msw/node; got undefined');
  expect(() => perTest(server, { mock: createInventoryMock() })).toThrow('takes neither mock');
  expect(() => perTest(server, { fixtures: 'empty' })).toThrow('no option "fixtures"');
});

test.each([undefined, {}, 5])('refuses inventoryOf(%j)', (given) => {
  expect(() => untyped.inventoryOf(given)).toThrow(
    'inventoryOf needs what setupServer or setupWorker returned; got ',
  );
});

test.each([undefined, 5, 'abc', {}])('refuses set(%j), and keeps what there is', (items) => {
  const mock = createInventoryMock({ fixture: [item] });
  const { set } = mock as unknown as { readonly set: (this: void, given: unknown) => void };
  expect(() => set(items)).toThrow('expected a list of items such as [{ petId: 1');
  expect(mock.items()).toHaveLength(1);
});

test.each([undefined, {}, [item]])('refuses restore(%j), and keeps what there is', (snapshot) => {
  const mock = createInventoryMock({ fixture: [item] });
  const { restore } = mock as unknown as { readonly restore: (this: void, it: unknown) => void };
  expect(() => restore(snapshot)).toThrow('restore takes what snapshot() returned; got ');
  expect(mock.items()).toHaveLength(1);
});

test('takes bounds as plain numbers and as bigint, in options and in a fixture', () => {
  const bounds = { minimum: 0, maximum: 10n ** 20n };
  const exact = { minimum: 0n, maximum: 10n ** 20n };
  const policy = { 'quantity-range': bounds };
  expect(createInventoryMock({ policy }).policy['quantity-range']).toEqual(exact);
  const fixture = { inventory: [item], policy };
  expect(createInventoryMock({ fixture }).policy['quantity-range']).toEqual(exact);
});

test('never repeats a key that it refuses', () => {
  expect(() => untyped.createInventoryMock({ apiKeys: 'secret-key' })).not.toThrow('secret-key');
});

test('knows the answers that the decisions have, in their order', () => {
  for (const [id, answers] of Object.entries(namedAnswers)) {
    const choices = decisions.find((decision) => decision.id === id)?.choices;
    expect([id, answers]).toEqual([id, choices?.map(({ name }) => name)]);
  }
});
