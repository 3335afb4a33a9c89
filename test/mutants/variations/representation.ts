import { stringifyExactJson } from '../../../src/json/exact-json.ts';
import { withContentType, withError, withItem, german } from '../legal-changes.ts';
import type { LegalProvider } from '../mutant.ts';
import { combine, type Change } from '../steps.ts';

/** Writes the same JSON in other characters. */
const written =
  (rewrite: (text: string) => string): Change =>
  (base) => ({
    stringify: (body, exchange) => rewrite(base.stringify(body, exchange)),
  });

const escapes = written((text) =>
  text
    .replaceAll('"quantity"', String.raw`"qu\u0061ntity"`)
    .replaceAll('"available"', String.raw`"\u0061vail\u0061ble"`),
);

const pretty = written((text) => text.replaceAll(/([[{,])/g, '$1\r\n\t').replaceAll('":', '" : '));

export const representationVariations: readonly LegalProvider[] = [
  {
    name: 'charset-declared',
    summary: 'declares a charset',
    change: withContentType('application/json; charset=utf-8'),
  },
  {
    name: 'media-type-capitalised',
    summary: 'declares Application/JSON',
    change: withContentType('Application/JSON'),
  },
  {
    name: 'media-type-with-space-and-quotes',
    summary: 'declares a quoted charset with spaces around',
    change: withContentType('application/json ; charset="UTF-8"'),
  },
  {
    name: 'json-pretty',
    summary: 'writes JSON on many lines',
    change: () => ({ stringify: (body) => stringifyExactJson(body, 4) }),
  },
  { name: 'json-with-tabs', summary: 'writes JSON with tabs and CR LF', change: pretty },
  {
    name: 'json-with-newline',
    summary: 'writes a line end behind the value',
    change: written((text) => `${text}\n`),
  },
  {
    name: 'json-in-white-space',
    summary: 'writes white space around the value',
    change: written((text) => `\r\n\t ${text} \n\n`),
  },
  { name: 'json-escaped', summary: 'escapes letters of names and values', change: escapes },
  {
    name: 'json-other-field-order',
    summary: 'writes fields in another order',
    change: combine(
      withItem(({ petId, quantity, status }) => ({ status, quantity, petId })),
      withError(({ code, message, status }) => ({ status, message, code })),
    ),
  },
  { name: 'messages-in-german', summary: 'writes messages beyond ASCII', change: german },
  {
    name: 'messages-in-german-escaped',
    summary: 'writes messages beyond ASCII in escapes',
    change: combine(
      german,
      written((text) =>
        text.replaceAll(
          /[^\0-\x7f]/g,
          (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
        ),
      ),
    ),
  },
  {
    name: 'messages-long',
    summary: 'writes messages of 20 kB with quotes, line ends and braces',
    change: withError(({ code, status }) => ({
      code,
      message: 'got "{5}"\n\t]'.repeat(1_600),
      status,
    })),
  },
];
