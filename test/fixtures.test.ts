import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decisions } from '../contracts/decisions.ts';
import { builtinFixtures } from '../fixtures/builtin.ts';
import { builtinInventories } from '../fixtures/builtin-inventories.ts';
import schema from '../fixtures/fixture.schema.json' with { type: 'json' };
import { loadFixture } from '../src/cli/fixture-file.ts';
import { errorCodes } from '../src/inventory/error-body.ts';
import { maximumProblems, parseFixture, toFixtureJson } from '../src/mock/fixture.ts';
import { generateInventory } from '../src/mock/generate-inventory.ts';
import { defaultPolicy } from '../src/mock/policy.ts';

const isFixture = new Ajv({ strict: false }).compile(schema);

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stockcheck-'));
});

afterAll(async () => {
  await rm(directory, { recursive: true });
});

async function refusalOf(text: string | Uint8Array): Promise<string[]> {
  const file = join(directory, 'fixture.json');
  await writeFile(file, text);
  const error = await loadFixture(file).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Error);
  return (error as Error).message.split('\n').map((line) => line.replace(file, 'fixture.json'));
}

test('the embedded fixtures are the JSON files, to the letter', async () => {
  for (const [name, text] of Object.entries(builtinFixtures)) {
    const file = new URL(`../fixtures/${name}.json`, import.meta.url);
    expect(await readFile(file, 'utf8')).toBe(text);
  }
});

test('a page loads the inventories of the embedded fixtures, and no more', () => {
  expect(Object.keys(builtinInventories)).toEqual(Object.keys(builtinFixtures));
  for (const [name, text] of Object.entries(builtinFixtures)) {
    const whole = parseFixture(text);
    const inventory = parseFixture(builtinInventories[name as keyof typeof builtinInventories]);
    if (!whole.ok) throw new Error(`the fixture ${name} is refused`);
    expect(inventory).toEqual({ ok: true, fixture: { inventory: whole.fixture.inventory } });
  }
});

test('the default fixture has a dozen pets, all statuses, a zero and a large petId', async () => {
  const inventory = [...(await loadFixture('default')).inventory];
  expect(inventory).toHaveLength(12);
  expect(new Set(inventory.map(({ status }) => status)).size).toBe(3);
  expect(inventory.some(({ quantity }) => quantity === 0n)).toBe(true);
  expect(inventory.at(-1)?.petId).toBe(9_007_199_254_740_993n);
});

test('the edge fixture keeps the ends of int64 and thirty digits', async () => {
  const inventory = [...(await loadFixture('edge')).inventory];
  const petIds = inventory.map(({ petId }) => petId);
  expect(petIds).toContain(2n ** 63n - 1n);
  expect(petIds).toContain(-(2n ** 63n));
  expect(inventory.at(-1)?.quantity).toBe(123_456_789_012_345_678_901_234_567_890n);
});

test('reads an object, or just the array', async () => {
  const item = '{"petId":1,"quantity":2,"status":"sold"}';
  const inventory = [{ petId: 1n, quantity: 2n, status: 'sold' }];
  expect(parseFixture(`[${item}]`)).toEqual({ ok: true, fixture: { inventory } });
  expect(
    parseFixture(
      `{"$schema":"x","inventory":[${item}],"apiKeys":["k"],"policy":{"content-type":"415"}}`,
    ),
  ).toEqual({
    ok: true,
    fixture: { inventory, apiKeys: ['k'], policy: { 'content-type': '415' } },
  });
});

test('names file, line, column, path and what was expected', async () => {
  expect(
    await refusalOf(
      '{\n  "inventory": [\n    { "petId": 1, "quantity": 2, "status": "sold" },\n' +
        '    { "petId": "2", "quantity": 1.5, "status": "gone" }\n  ]\n}\n',
    ),
  ).toEqual([
    'fixture.json:4:16: $.inventory[1].petId: expected an int64; got the string "2"',
    'fixture.json:4:33: $.inventory[1].quantity: expected an integer; got the number 1.5',
    'fixture.json:4:48: $.inventory[1].status: expected one of available, pending, sold; got the string "gone"',
  ]);
});

test('names the place of a wrong rule in a scenario', async () => {
  expect(
    await refusalOf(
      '{\n  "inventory": [],\n  "scenarios": {\n    "bad day": [\n' +
        '      { "nth": 0, "fault": { "kind": "delay", "uniform": [5, 1] } }\n    ]\n  }\n}\n',
    ),
  ).toEqual([
    'fixture.json:5:16: $.scenarios["bad day"][0].nth: expected an integer from 1 to 1000000000; got the number 0',
    'fixture.json:5:58: $.scenarios["bad day"][0].fault.uniform: expected two integers from 0 to 600000, the smaller one first, such as [100, 500]; got an array',
  ]);
});

test('points at the item where a field is missing', async () => {
  expect(await refusalOf('[\n  { "petId": 1, "status": "sold" }\n]')).toEqual([
    'fixture.json:2:3: $[0].quantity: expected an integer; got nothing',
  ]);
});

test('refuses a petId that stands twice', async () => {
  const item = '{"petId":9007199254740993,"quantity":2,"status":"sold"}';
  expect(await refusalOf(`[${item},\n${item}]`)).toEqual([
    'fixture.json:2:10: $[1].petId: petId 9007199254740993 is taken already by item 0; expected one item for each pet',
  ]);
});

test.for([
  ['[{"petId":9223372036854775808,"quantity":1,"status":"sold"}]', 'expected an int64'],
  ['[{"petId":1,"quantity":1,"status":"sold","name":"Rex"}]', '$[0].name: there is no such field'],
  ['[5]', '$[0]: expected an item such as'],
  ['"pets"', 'expected an object with the inventory, or its array; got the string "pets"'],
  ['{}', '$: expected inventory, an array of items; got nothing'],
  ['{"inventory":{}}', '$.inventory: expected inventory, an array of items; got an empty object'],
  ['{"inventory":[],"pets":[]}', '$.pets: there is no such field'],
  ['{"inventory":[],"apiKeys":[]}', '$.apiKeys: expected an array of at least one key'],
  ['{"inventory":[],"apiKeys":"k"}', '$.apiKeys: expected an array of at least one key'],
  ['{"inventory":[],"apiKeys":["a b"]}', '$.apiKeys[0]: expected a key of visible ASCII'],
  ['{"inventory":[],"policy":[]}', '$.policy: the policy must be an object'],
  ['{"inventory":[],"policy":{"colour":"red"}}', '$.policy.colour: there is no such decision'],
  [
    '{"inventory":[],"policy":{"challenge":"maybe"}}',
    'expected one of "bearer", "none"; got the string "maybe"',
  ],
  ['{"inventory":[],"policy":{"body-limit":0}}', 'expected a number of bytes from 1 to'],
  ['{"inventory":[],"policy":{"quantity-range":5}}', 'expected bounds, such as {"minimum": 0'],
  ['{"inventory":[],"policy":{"quantity-range":{"min":5}}}', 'there is no such bound'],
  [
    '{"inventory":[],"policy":{"quantity-range":{"minimum":"a"}}}',
    '$.policy["quantity-range"].minimum: expected an integer; got the string "a"',
  ],
  [
    '{"inventory":[],"policy":{"quantity-range":{"minimum":5,"maximum":4}}}',
    'the minimum 5 is above the maximum 4',
  ],
  ['{"inventory":[],"policy":{"error-codes":{"gone":"x"}}}', 'there is no such code'],
  ['{"inventory":[],"policy":{"error-codes":{"not_found":""}}}', 'expected the new name'],
  ['{"inventory":[],"policy":{"error-codes":7}}', 'expected new names for codes'],
] as const)('refuses the fixture %s', async ([text, message]) => {
  const lines = await refusalOf(text);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(message);
  expect(lines[0]).toMatch(/^fixture\.json:1:\d+: \$/);
});

test.for([
  '{"inventory":[],"apiKeys":["my secret"]}',
  '{"inventory":[],"apiKeys":"my-secret"}',
  '{"inventory":[],"apiKeys":[my-secret]}',
  '{"inventory":[],"apiKeys":["my-secret",x]}',
])('never repeats a key of the fixture %s that it refuses', async (text) => {
  const [line] = await refusalOf(text);
  expect(line).not.toContain('secret');
});

test.for([
  [
    '{\n  "inventory": [\n    oops\n  ]\n}',
    /^fixture\.json:3:\d+: the fixture is not valid JSON: Unexp/,
  ],
  ['{', /^fixture\.json:1:2: the fixture is not valid JSON: Expected property name or '}'$/],
  ['[\n[1,\n]]', /^fixture\.json:3:\d+: the fixture is not valid JSON: /],
] as const)('names the place of the syntax error in %j once', async ([text, message]) => {
  const [line] = await refusalOf(text);
  expect(line).toMatch(message);
  expect(line).not.toContain('position');
});

test('refuses a file that is not UTF-8, and one that is not there', async () => {
  const [line] = await refusalOf(Uint8Array.of(0xff, 0xfe));
  expect(line).toBe('fixture.json: the fixture is not a text in UTF-8');
  await expect(loadFixture(join(directory, 'nowhere.json'))).rejects.toThrow(
    'it is neither a file nor one of the built-in fixtures default, empty, edge',
  );
  await expect(loadFixture(directory)).rejects.toThrow('cannot be read');
});

test('reports many problems, but not all of them', async () => {
  expect(await refusalOf(JSON.stringify(Array.from({ length: 1000 }, () => 0)))).toHaveLength(
    maximumProblems,
  );
});

test('the schema accepts the built-in fixtures and a fixture with everything', () => {
  for (const text of Object.values(builtinFixtures)) {
    expect(isFixture(JSON.parse(text)), JSON.stringify(isFixture.errors)).toBe(true);
  }
  expect(
    isFixture({
      inventory: [],
      apiKeys: ['k'],
      policy: { ...defaultPolicy, 'error-codes': { not_found: 'E404' } },
    }),
  ).toBe(true);
  expect(isFixture([{ petId: 1, quantity: 2, status: 'sold' }])).toBe(true);
});

test('the schema refuses what the parser refuses', () => {
  for (const value of [
    {},
    [5],
    'pets',
    { inventory: [], pets: [] },
    { inventory: [], apiKeys: [] },
    { inventory: [], apiKeys: ['a b'] },
    { inventory: [], policy: { colour: 'red' } },
    { inventory: [], policy: { challenge: 'maybe' } },
    { inventory: [], policy: { 'body-limit': 0 } },
    { inventory: [], policy: { 'error-codes': { gone: 'x' } } },
    [{ petId: 1, quantity: 1.5, status: 'sold' }],
    [{ petId: 1, quantity: 1, status: 'gone' }],
    [{ petId: 1, quantity: 1 }],
    [{ petId: 1, quantity: 1, status: 'sold', name: 'Rex' }],
  ]) {
    expect(isFixture(value), JSON.stringify(value)).toBe(false);
    expect(parseFixture(JSON.stringify(value)).ok, JSON.stringify(value)).toBe(false);
  }
});

test('the schema names the decisions, their answers and the codes as the contract does', () => {
  const { properties } = schema.definitions.policy;
  expect(Object.keys(properties).toSorted()).toEqual(Object.keys(defaultPolicy).toSorted());
  for (const [name, definition] of Object.entries(properties)) {
    if (!('enum' in definition)) continue;
    const decision = decisions.find(({ id }) => id === name);
    expect(definition.enum).toEqual(decision?.choices.map((choice) => choice.name));
  }
  const [pattern] = Object.keys(properties['error-codes'].patternProperties);
  expect(pattern).toBe(`^(${errorCodes.join('|')})$`);
});

test('generates the same pets for the same seed, each petId once, and reads them back', () => {
  const inventory = [...generateInventory(500, 7)];
  expect(inventory).toEqual([...generateInventory(500, 7)]);
  expect(inventory).not.toEqual([...generateInventory(500, 8)]);
  expect(new Set(inventory.map(({ petId }) => petId)).size).toBe(500);
  expect(parseFixture([...toFixtureJson(inventory)].join(''))).toEqual({
    ok: true,
    fixture: { inventory },
  });
  expect(parseFixture([...toFixtureJson([])].join(''))).toEqual({
    ok: true,
    fixture: { inventory: [] },
  });
});
