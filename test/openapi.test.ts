import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { toCaseRequest, type Case } from '../contracts/case.ts';
import { cases } from '../contracts/cases.ts';
import { openApiDocument } from '../contracts/openapi.ts';
import { createMockUnderTest, toFacts } from './mock-under-test.ts';
import { inProcess } from './transports/in-process.ts';

test('the OpenAPI document passes the linter without a warning', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'stockcheck-'));
  const file = join(directory, 'openapi.json');
  await writeFile(file, JSON.stringify(openApiDocument));
  try {
    const { stdout } = await promisify(execFile)(
      'redocly',
      ['lint', file, '--extends=recommended-strict', '--format=json'],
      {
        env: {
          ...process.env,
          REDOCLY_TELEMETRY: 'off',
          REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
        },
      },
    );
    expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 } });
  } finally {
    await rm(directory, { recursive: true });
  }
});

test('the document marks updateInventory as experimental and names both operations', () => {
  expect(openApiDocument.paths?.['/inventory']?.get?.operationId).toBe('listInventory');
  const update = openApiDocument.paths?.['/inventory/{petId}']?.patch;
  expect(update).toMatchObject({ operationId: 'updateInventory', 'x-stability': 'experimental' });
  expect(openApiDocument.security).toEqual([{ bearerAuth: [] }]);
  expect(openApiDocument.components?.securitySchemes?.['bearerAuth']).toMatchObject({
    type: 'http',
    scheme: 'bearer',
  });
  expect(openApiDocument.info.version).toBe('1.0.0');
  expect(openApiDocument.servers?.every(({ url }) => url.endsWith('/v1'))).toBe(true);
});

test('every operation documents exactly the statuses that the cases expect of it', () => {
  const documented = {
    listInventory: Object.keys(openApiDocument.paths?.['/inventory']?.get?.responses ?? {}),
    updateInventory: Object.keys(
      openApiDocument.paths?.['/inventory/{petId}']?.patch?.responses ?? {},
    ),
  };
  for (const operation of ['listInventory', 'updateInventory'] as const) {
    const expected = cases
      .filter((subject) => subject.operation === operation)
      .map(({ answers }) => String(answers[0].status));
    expect([...new Set(expected)].toSorted()).toEqual(documented[operation]);
  }
});

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema(openApiDocument, 'openapi');

function validatorFor({ operation }: Case, status: number): ReturnType<typeof ajv.compile> {
  if (status !== 200) return ajv.compile({ $ref: 'openapi#/components/schemas/Error' });
  const item = { $ref: 'openapi#/components/schemas/InventoryItem' };
  return ajv.compile(operation === 'listInventory' ? { type: 'array', items: item } : item);
}

test('a public validator accepts the response of the mock to every case', async () => {
  for (const subject of cases) {
    const connection = await inProcess.open(createMockUnderTest());
    const request = toCaseRequest(subject, toFacts(subject));
    if (request === undefined) throw new Error(`${subject.id} cannot be sent`);
    const { status, body } = await connection.send(request);
    const validate = validatorFor(subject, status);
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    expect(validate(value), `${subject.id}: ${ajv.errorsText(validate.errors)}`).toBe(true);
  }
});

test('a public validator accepts the bodies that an update accepts, and no plain refusal', () => {
  const validate = ajv.compile<object>({ $ref: 'openapi#/components/schemas/InventoryUpdate' });
  const accepts = (status: number): string[] =>
    cases
      .filter(({ answers }) => answers.length === 1 && answers[0].status === status)
      .map(({ request }) => request.body)
      .filter((body) => typeof body === 'string')
      .filter((body) => parse(body) !== undefined && validate(parse(body)));
  expect(accepts(200).length).toBeGreaterThan(5);
  // A double makes 1 and 0 of them before any validator sees them.
  expect(accepts(400)).toEqual(['{"quantity":1.0000000000000000001}', '{"quantity":1e-400}']);
});

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
