import type { Case, RequestTemplate } from '../case.ts';
import type { ClauseId } from '../clauses.ts';

type Cause = readonly [cause: string, what: string, body: RequestTemplate['body']];

function refuses(clause: ClauseId, [cause, what, body]: Cause): Case {
  return {
    id: `updateInventory/400/${cause}`,
    title: `refuses ${what}`,
    operation: 'updateInventory',
    clauses: [
      clause,
      '7/400-invalid-body',
      '2/error-fields',
      '2/error-code-string',
      '2/error-message-string',
      '2/error-status-integer',
      '7/error-body',
      '7/status-repeats',
    ],
    given: { pet: 'existing', quantity: 3n },
    request: {
      method: 'PATCH',
      path: '/inventory/{petId}',
      headers: [
        ['Authorization', 'Bearer {apiKey}'],
        ['Content-Type', 'application/json'],
      ],
      ...(body === undefined ? {} : { body }),
    },
    answers: [{ status: 400, body: 'error' }],
  };
}

const noBody: readonly Cause[] = [
  ['no-body', 'a request without a body', undefined],
  ['empty-body', 'a body of no bytes', ''],
  ['white-space-only', 'a body of white space', ' \r\n\t '],
];

const notAnObject: readonly Cause[] = [
  ['null', 'null', 'null'],
  ['array', 'an array', '[5]'],
  ['empty-array', 'an empty array', '[]'],
  ['array-of-update', 'an update inside an array', '[{"quantity":5}]'],
  ['number', 'a bare number', '5'],
  ['string', 'a bare string', '"5"'],
  ['boolean', 'a bare boolean', 'true'],
  ['json-in-a-string', 'an update inside a string', String.raw`"{\"quantity\":5}"`],
];

const quantityMissing: readonly Cause[] = [
  ['empty-object', 'an empty object', '{}'],
  ['quantity-missing', 'a body without quantity', '{"count":5}'],
  ['name-capitalised', 'Quantity for quantity', '{"Quantity":5}'],
  ['name-in-upper-case', 'QUANTITY for quantity', '{"QUANTITY":5}'],
  ['name-abbreviated', 'qty for quantity', '{"qty":5}'],
  ['name-with-space', 'a name with a space behind it', '{"quantity ":5}'],
  ['name-empty', 'an empty name', '{"":5}'],
  ['quantity-nested', 'a quantity one level too deep', '{"inventory":{"quantity":5}}'],
  ['quantity-of-prototype', 'a quantity behind the name __proto__', '{"__proto__":{"quantity":5}}'],
  ['item-without-quantity', 'an item without quantity', '{"petId":1,"status":"sold"}'],
];

const quantityNotAnInteger: readonly Cause[] = [
  ['quantity-null', 'a quantity of null', '{"quantity":null}'],
  ['quantity-string', 'a quantity that is a string', '{"quantity":"5"}'],
  ['quantity-empty-string', 'a quantity that is an empty string', '{"quantity":""}'],
  ['quantity-word', 'a quantity that is a word', '{"quantity":"five"}'],
  ['quantity-true', 'a quantity of true', '{"quantity":true}'],
  ['quantity-false', 'a quantity of false', '{"quantity":false}'],
  ['quantity-fraction', 'a quantity with a fraction', '{"quantity":1.5}'],
  ['quantity-negative-fraction', 'a negative fraction', '{"quantity":-0.5}'],
  ['quantity-fraction-exponent', 'a fraction written with an exponent', '{"quantity":5e-1}'],
  [
    'quantity-tiny-fraction',
    'a fraction too small for a double',
    '{"quantity":1.0000000000000000001}',
  ],
  ['quantity-vanishing-fraction', 'a fraction that a double takes for zero', '{"quantity":1e-400}'],
  ['quantity-object', 'a quantity that is an object', '{"quantity":{}}'],
  ['quantity-object-value', 'a quantity inside an object', '{"quantity":{"value":5}}'],
  ['quantity-array', 'a quantity inside an array', '{"quantity":[5]}'],
  ['quantity-empty-array', 'a quantity that is an empty array', '{"quantity":[]}'],
];

const notJson: readonly Cause[] = [
  ['malformed-name', 'a name without quotes', '{quantity:5}'],
  ['malformed-quotes', 'single quotes', "{'quantity':5}"],
  ['malformed-comma', 'a trailing comma', '{"quantity":5,}'],
  ['malformed-no-value', 'a name without a value', '{"quantity":}'],
  ['malformed-no-colon', 'a name without a colon', '{"quantity" 5}'],
  ['malformed-comment', 'a comment', '{"quantity":5/* five */}'],
  ['malformed-word', 'a bare word', '{"quantity":five}'],
  ['malformed-form', 'form fields', 'quantity=5'],
  ['malformed-xml', 'XML', '<quantity>5</quantity>'],
  ['truncated-object', 'a body that lacks its last brace', '{"quantity":5'],
  ['truncated-name', 'a body cut within the name', '{"quan'],
  ['truncated-number', 'a body cut after a minus', '{"quantity":-'],
  ['truncated-string', 'a string without its end', '{"quantity":5,"note":"x'],
  ['control-character', 'a line end within a string', '{"quantity":5,"note":"a\nb"}'],
  ['nul-behind', 'a NUL behind the value', '{"quantity":5}\0'],
  ['two-values', 'two values', '{"quantity":5}{"quantity":6}'],
  ['text-behind', 'text behind the value', '{"quantity":5} five'],
  [
    'invalid-utf-8',
    'bytes that are not UTF-8',
    Uint8Array.of(0x7b, 0x22, 0x71, 0x75, 0xff, 0x22, 0x3a, 0x35, 0xfe, 0x7d),
  ],
  [
    'invalid-utf-8-in-the-name',
    'a name with a byte that is not UTF-8',
    // `quan` and `tity` with the byte FF between them: whoever drops the byte reads `quantity`.
    Uint8Array.from(`{"quan\u00fftity":5}`, (character) => character.charCodeAt(0)),
  ],
  ['number-nan', 'NaN', '{"quantity":NaN}'],
  ['number-infinity', 'Infinity', '{"quantity":Infinity}'],
  ['number-negative-infinity', '-Infinity', '{"quantity":-Infinity}'],
  ['number-hexadecimal', 'a hexadecimal number', '{"quantity":0x10}'],
  ['number-leading-zero', 'a number with a leading zero', '{"quantity":010}'],
  ['number-negative-leading-zero', 'a negative number with a leading zero', '{"quantity":-05}'],
  ['number-plus-sign', 'a number with a plus sign', '{"quantity":+5}'],
  ['number-without-whole-part', 'a number that begins with a point', '{"quantity":.5}'],
  ['number-without-fraction', 'a number that ends with a point', '{"quantity":5.}'],
  ['number-without-exponent', 'a number that ends with e', '{"quantity":5e}'],
  ['number-separator', 'a number with a separator', '{"quantity":1_000}'],
  ['undefined', 'undefined', '{"quantity":undefined}'],
];

/** Some decoders put U+FFFD for a byte that is not UTF-8: the value of quantity is sound all the same. */
const invalidUtf8InAString: Case = {
  ...refuses('4/json-bodies', [
    'invalid-utf-8-in-a-string',
    'a string with a byte that is not UTF-8',
    Uint8Array.from('{"quantity":8,"note":"\u00ff"}', (character) => character.charCodeAt(0)),
  ]),
  answers: [
    { status: 400, body: 'error' },
    { status: 200, body: 'item', quantity: 8n },
  ],
};

export const invalidBodyCases: readonly Case[] = [
  ...noBody.map((cause) => refuses('4.2/body-required', cause)),
  ...notAnObject.map((cause) => refuses('4.2/body-is-an-object', cause)),
  ...quantityMissing.map((cause) => refuses('2/update-quantity-required', cause)),
  ...quantityNotAnInteger.map((cause) => refuses('2/update-quantity-integer', cause)),
  ...notJson.map((cause) => refuses('4/json-bodies', cause)),
  invalidUtf8InAString,
];
