import { expect, test } from 'vitest';
import { parseFixture } from '../src/mock/fixture.ts';
import { PlainFixtureReader } from '../src/mock/plain-fixture.ts';

const first = '{"petId":1,"quantity":2,"status":"sold"}';
const second = '{ "petId" : -922337203685477580 ,\r\n\t"quantity":-7 , "status" : "pending" }';

/** Reads a text that comes in two pieces. */
function readInTwo(text: string, cut: number) {
  const reader = new PlainFixtureReader();
  return reader.read(text.slice(0, cut)) && reader.read(text.slice(cut))
    ? reader.finish()
    : undefined;
}

test.each([
  `[${first}]`,
  ` [ ${first} , ${second} ] `,
  `{"inventory":[${first},${second}]}`,
  `{\n  "$schema": "./fixture.schema.json",\n  "inventory": [\n    ${first}\n  ]\n}\n`,
  `{"inventory":[${second}],"apiKeys":["k"],"policy":{"content-type":"415"}}`,
  `{"inventory":[${first}],"scenarios":{"a b":[{"petId":1,"operation":"updateInventory","fault":{"kind":"reset"}}]}}`,
])('reads what the exact parser reads, wherever the pieces are cut: %j', (text) => {
  const exact = parseFixture(text);
  if (!exact.ok) throw new Error('the text is no fixture');
  for (let cut = 0; cut <= text.length; cut += 1) {
    const plain = readInTwo(text, cut);
    expect({ ...plain, inventory: [...(plain?.inventory ?? [])] }).toEqual(exact.fixture);
  }
});

test.each([
  ['nothing', ''],
  ['an empty inventory', '[]'],
  ['text behind the end', `[${first}]]`],
  ['a comma behind the last item', `[${first},]`],
  ['no comma between items', `[${first}${second}]`],
  ['an inventory that does not end', `[${first}`],
  ['an object that does not end', `{"inventory":[${first}]`],
  ['a petId that stands twice', `[${first},${first}]`],
  [
    'a petId that may be beyond int64',
    '[{"petId":9223372036854775808,"quantity":1,"status":"sold"}]',
  ],
  ['a fraction', '[{"petId":1,"quantity":1.5,"status":"sold"}]'],
  ['an integer in another notation', '[{"petId":1,"quantity":1e2,"status":"sold"}]'],
  ['a leading zero', '[{"petId":1,"quantity":01,"status":"sold"}]'],
  ['minus zero', '[{"petId":-0,"quantity":1,"status":"sold"}]'],
  ['another status', '[{"petId":1,"quantity":1,"status":"gone"}]'],
  ['a field more', '[{"petId":1,"quantity":1,"status":"sold","name":"Rex"}]'],
  ['a field less', '[{"petId":1,"quantity":1}]'],
  ['fields in another order', '[{"quantity":1,"petId":1,"status":"sold"}]'],
  ['a name with an escape', '[{"pet\\u0049d":1,"quantity":1,"status":"sold"}]'],
  ['a byte order mark', `\ufeff[${first}]`],
  ['white space that is not JSON\u2019s', `[\u00a0${first}]`],
  ['other fields first', `{"apiKeys":["k"],"inventory":[${first}]}`],
  ['a field that there is not', `{"inventory":[${first}],"pets":1}`],
  ['a wrong policy', `{"inventory":[${first}],"policy":{"content-type":"416"}}`],
  ['a wrong scenario', `{"inventory":[${first}],"scenarios":{"a":[{"fault":{}}]}}`],
  ['a second inventory', `{"inventory":[${first}],"inventory":[]}`],
  ['a second inventory with an escape', `{"inventory":[${first}],"\\u0069nventory":[]}`],
  ['a line break in a string', `{"$schema":"\n","inventory":[${first}]}`],
  ['bytes that were not UTF-8', `{"$schema":"\ufffd","inventory":[${first}]}`],
])('leaves %s to the exact parser', (_what, text) => {
  for (let cut = 0; cut <= text.length; cut += Math.ceil(text.length / 200) || 1) {
    expect(readInTwo(text, cut)).toBeUndefined();
  }
});

test('gives up where a long text holds no item', () => {
  const reader = new PlainFixtureReader();
  expect(reader.read(`[${' '.repeat(10_000)}`)).toBe(true);
  expect(reader.read(' '.repeat(60_000))).toBe(false);
});
