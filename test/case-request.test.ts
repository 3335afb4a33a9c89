import { expect, test } from 'vitest';
import { toCaseRequest } from '../contracts/case.ts';
import { cases } from '../contracts/cases.ts';

const find = (id: string) => cases.filter((subject) => subject.id === `updateInventory/${id}`);
const text = (body: Uint8Array | undefined) => new TextDecoder().decode(body);

test('a body that names another pet names one that is listed', () => {
  const [subject] = find('200/unknown-fields-of-the-item');
  const facts = { apiKey: 'k-1', petId: 101n, listed: new Set([101n, 102n]) };
  const request = subject && toCaseRequest(subject, facts);
  expect(text(request?.body)).toBe('{"petId":102,"quantity":8}');
});

test('a petId that is listed stands for no unknown pet', () => {
  const [subject] = find('404/int64-maximum');
  const listed = new Set([2n ** 63n - 1n]);
  expect(subject && toCaseRequest(subject, { apiKey: 'k-1', listed })).toBeUndefined();
  expect(subject && toCaseRequest(subject, { apiKey: 'k-1' })).toBeDefined();
});

test('a petId that wraps is made from one that is listed, within int64', () => {
  const [subject] = find('404/wrapped-to-32-bits');
  const path = (petId: bigint) => subject && toCaseRequest(subject, { apiKey: 'k-1', petId })?.path;
  expect(path(101n)).toBe('/inventory/4294967397');
  expect(path(2n ** 63n - 1n)).toBeUndefined();
});
