import { expect, test } from 'vitest';
import { repeatsKey, toSentKeys } from '../src/mock/repeats-key.ts';

const encoder = new TextEncoder();
const key = 'a"b/c\\d-key';

const repeats = (path: string, body = '', contentType?: string): boolean =>
  repeatsKey({ path, body: encoder.encode(body), contentType }, ['another-key', key]);

test.for([
  ['as it is in the path', `/x${key}y`],
  ['percent-encoded in the path', `/${encodeURIComponent(key)}`],
  ['percent-encoded in small letters, beside what is no encoding', '/%zza%22b%2fc%5cd-key'],
  ['as it is in a short body', '/', `{${key}}`],
  ['as it is in a long body', '/', `${'a"b'.repeat(1000)}${key}`],
  ['at the end of a body behind its own beginning', '/', `a"b/c${key}`],
  ['as JSON writes it', '/', JSON.stringify({ key })],
  ['with every escape', '/', String.raw`{"\u0061\u0022b\/c\u005Cd-key":1}`],
  ['percent-encoded in a form', '/', `key=${encodeURIComponent(key)}`],
  ['percent-encoded twice', `/${encodeURIComponent(encodeURIComponent(key))}`],
  ['with the quoted pairs of a header', '/', '', String.raw`text/x; a="\a\"\b/c\\\d\-key"`],
  ['in the Content-Type', '/', '', `text/${key}`],
] as const)('sees a key %s', ([, path, body, contentType]) => {
  expect(repeats(path, body, contentType)).toBe(true);
});

test.for([
  ['a part of it', '/', key.slice(1)],
  ['its beginning at the end', '/', `{"note":"${key.slice(0, -1)}`],
  ['other escapes', '/%20', String.raw`{"\u0061":"\\"}`],
] as const)('does not take %s for a key', ([, path, body]) => {
  expect(repeats(path, body)).toBe(false);
});

test('takes neither chances nor time with a long body in which something is escaped', () => {
  expect(repeats('/', 'x'.repeat(9000))).toBe(false);
  expect(repeats('/', `${'x'.repeat(9000)}\\`)).toBe(true);
});

test('takes the token of an Authorization header for a key where it is long enough', () => {
  expect(toSentKeys('Bearer some-key')).toEqual(['some-key']);
  expect(toSentKeys('some-key')).toEqual(['some-key']);
  expect(toSentKeys('Bearer abc')).toEqual([]);
  expect(toSentKeys(undefined)).toEqual([]);
});
