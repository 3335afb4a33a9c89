import { expect, test } from 'vitest';
import {
  describeJson,
  NumberLiteral,
  parseExactJson,
  readInteger,
  stringifyExactJson,
} from '../src/json/exact-json.ts';
import { formatJsonPath } from '../src/json/json-path.ts';

test('keeps every digit of an integer, in and out', () => {
  const text = '{"a":9007199254740993,"b":[-123456789012345678901234567890],"c":0}';
  const parsed = parseExactJson(text);
  expect(parsed).toEqual({
    ok: true,
    value: { a: 9007199254740993n, b: [-123456789012345678901234567890n], c: 0n },
  });
  expect(parsed.ok && stringifyExactJson(parsed.value)).toBe(text);
});

test('keeps every digit beside numbers that need no care, and every name', () => {
  for (const text of [
    '{"a":1,"b":[2,{"c":-3,"__proto__":{"d":4}}],"e":[null,true,"5"]}',
    '{"a":1,"b":[2,{"c":-3,"__proto__":{"d":9007199254740993}}],"e":[null,true,"5"]}',
    '[999999999999999,-999999999999999,0]',
    '[9999999999999999,1]',
  ]) {
    const parsed = parseExactJson(text);
    expect(parsed.ok && stringifyExactJson(parsed.value)).toBe(text);
  }
  expect(parseExactJson('[1,[2]]')).toEqual({ ok: true, value: [1n, [2n]] });
  expect(parseExactJson('{"__proto__":{"a":1}}')).not.toHaveProperty('value.a');
});

test('keeps the text of a number that is not a plain integer', () => {
  for (const source of ['1.0', '1e2', '-0', '1.0000000000000000001', '0.1', '1E+400']) {
    const parsed = parseExactJson(`[${source}]`);
    expect(parsed).toEqual({ ok: true, value: [new NumberLiteral(source)] });
    expect(parsed.ok && stringifyExactJson(parsed.value)).toBe(`[${source}]`);
  }
});

test.for([
  ['1.0', 1n],
  ['1e2', 100n],
  ['1.5E+1', 15n],
  ['120e-1', 12n],
  ['-0', 0n],
  ['-0.0e5', 0n],
  ['0e999999999999', 0n],
  ['-2.50e1', -25n],
  ['1e30', 10n ** 30n],
  ['1000e-3', 1n],
] as const)('reads %s as the integer %s', ([source, value]) => {
  expect(readInteger(new NumberLiteral(source))).toEqual({ kind: 'integer', value, plain: false });
});

test.for(['1.5', '1e-1', '1.0000000000000000001', '-0.5', '15e-1', '1e-999999999999'])(
  'does not read %s as an integer',
  (source) => {
    expect(readInteger(new NumberLiteral(source))).toEqual({ kind: 'fraction' });
  },
);

test('refuses an integer of more than 4096 digits, however it is written', () => {
  for (const source of ['1e4096', '1e999999999999', '9'.repeat(4097), `1${'0'.repeat(5000)}.0`]) {
    expect(readInteger(new NumberLiteral(source))).toEqual({ kind: 'too-long' });
  }
  expect(readInteger(new NumberLiteral('1e4095')).kind).toBe('integer');
});

test('takes a megabyte of inner zeros in linear time', () => {
  const source = `1${'0'.repeat(1_000_000)}1`;
  expect(readInteger(new NumberLiteral(source))).toEqual({ kind: 'too-long' });
});

test('says what is wrong with text that is not JSON', () => {
  expect(parseExactJson('{"a":}')).toEqual({
    ok: false,
    problem: 'Unexpected token \'}\', "{"a":}" is not valid JSON',
  });
});

test('refuses nesting that would exhaust the stack', () => {
  const parsed = parseExactJson('['.repeat(200_000) + ']'.repeat(200_000));
  expect(parsed).toEqual({ ok: false, problem: 'it is nested too deeply' });
});

test('describes values in messages, and cuts long ones', () => {
  expect(describeJson('5')).toBe('the string "5"');
  expect(describeJson(null)).toBe('null');
  expect(describeJson(true)).toBe('the boolean true');
  expect(describeJson(5n)).toBe('the number 5');
  expect(describeJson(new NumberLiteral('1.50'))).toBe('the number 1.50');
  expect(describeJson([])).toBe('an empty array');
  expect(describeJson([1n])).toBe('an array');
  expect(describeJson({})).toBe('an empty object');
  expect(describeJson({ a: null })).toBe('an object');
  expect(describeJson(undefined)).toBe('nothing');
  expect(describeJson('x'.repeat(1000)).length).toBeLessThan(80);
  expect(describeJson('a\u001b[31m')).toBe('the string "a\\u001b[31m"');
});

test('writes JSON paths as people know them', () => {
  expect(formatJsonPath([])).toBe('$');
  expect(formatJsonPath(['inventory', 3, 'petId'])).toBe('$.inventory[3].petId');
  expect(formatJsonPath(['policy', 'content-type'])).toBe('$.policy["content-type"]');
});
