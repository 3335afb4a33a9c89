import type { BrokenProvider } from '../mutant.ts';
import { Refusal, type Change } from '../steps.ts';

/** Makes JSON of text that is none. */
const repairs =
  (repair: (text: string) => string): Change =>
  (base) => ({
    parse: (text) => {
      const parsed = base.parse(text);
      return parsed instanceof Refusal ? base.parse(repair(text)) : parsed;
    },
  });

const replaces = (pattern: RegExp, replacement: string): Change =>
  repairs((text) => text.replace(pattern, replacement));

export const jsonSyntaxViolations: readonly BrokenProvider[] = [
  {
    name: 'json-trailing-comma',
    breaks: '4/json-bodies',
    summary: 'accepts a trailing comma',
    change: replaces(/,\s*\}/g, '}'),
  },
  {
    name: 'json-comment',
    breaks: '4/json-bodies',
    summary: 'accepts comments',
    change: replaces(/\/\*.*?\*\//g, ''),
  },
  {
    name: 'json-single-quotes',
    breaks: '4/json-bodies',
    summary: 'accepts single quotes',
    change: replaces(/'/g, '"'),
  },
  {
    name: 'json-bare-name',
    breaks: '4/json-bodies',
    summary: 'accepts a name without quotes',
    change: replaces(/\{\s*quantity/, '{"quantity"'),
  },
  {
    name: 'json-nan',
    breaks: '4/json-bodies',
    summary: 'accepts NaN, and takes it for 0',
    change: replaces(/NaN/, '0'),
  },
  {
    name: 'json-infinity',
    breaks: '4/json-bodies',
    summary: 'accepts Infinity, and takes it for the largest int64',
    change: replaces(/-?Infinity/, '9223372036854775807'),
  },
  {
    name: 'json-hexadecimal',
    breaks: '4/json-bodies',
    summary: 'accepts hexadecimal numbers',
    change: repairs((text) => text.replace(/0x[0-9a-f]+/i, (digits) => `${Number(digits)}`)),
  },
  {
    name: 'json-leading-zero',
    breaks: '4/json-bodies',
    summary: 'accepts a leading zero',
    change: replaces(/:0+(?=[1-9])/, ':'),
  },
  {
    name: 'json-octal',
    breaks: '4/json-bodies',
    summary: 'reads 010 as 8',
    change: repairs((text) => text.replace(/0[0-7]+/, (digits) => `${Number.parseInt(digits, 8)}`)),
  },
  {
    name: 'json-plus-sign',
    breaks: '4/json-bodies',
    summary: 'accepts a plus sign',
    change: replaces(/:\+/, ':'),
  },
  {
    name: 'json-bare-point',
    breaks: '4/json-bodies',
    summary: 'accepts 5. for 5',
    change: replaces(/5\.\}/, '5}'),
  },
  {
    name: 'json-bare-fraction',
    breaks: '4/json-bodies',
    summary: 'accepts .5, and cuts it to 0',
    change: replaces(/:\.5/, ':0'),
  },
  {
    name: 'json-bare-exponent',
    breaks: '4/json-bodies',
    summary: 'accepts 5e for 5',
    change: replaces(/5e\}/, '5}'),
  },
  {
    name: 'json-separator',
    breaks: '4/json-bodies',
    summary: 'accepts 1_000',
    change: replaces(/_/g, ''),
  },
  {
    name: 'json-undefined',
    breaks: '4/json-bodies',
    summary: 'accepts undefined, and takes it for 0',
    change: replaces(/undefined/, '0'),
  },
  {
    name: 'json-no-colon',
    breaks: '4/json-bodies',
    summary: 'accepts a name without a colon',
    change: replaces(/"quantity" 5/, '"quantity":5'),
  },
  {
    name: 'json-word',
    breaks: '4/json-bodies',
    summary: 'accepts a bare word, and takes it for 0',
    change: replaces(/:[a-z]+\}/, ':0}'),
  },
  {
    name: 'json-no-value',
    breaks: '4/json-bodies',
    summary: 'accepts a name without a value, and takes it for 0',
    change: replaces(/:\}/, ':0}'),
  },
  {
    name: 'json-first-of-two-values',
    breaks: '4/json-bodies',
    summary: 'reads the first of two values',
    change: repairs((text) => /^(\{[^}]*\})\{/.exec(text)?.[1] ?? text),
  },
  {
    name: 'json-last-of-two-values',
    breaks: '4/json-bodies',
    summary: 'reads the last of two values',
    change: repairs((text) => /\}(\{[^}]*\})$/.exec(text)?.[1] ?? text),
  },
  {
    name: 'json-text-behind',
    breaks: '4/json-bodies',
    summary: 'stops reading behind the value',
    change: repairs((text) => /^(\{[^}]*\})[^{]/.exec(text)?.[1] ?? text),
  },
  {
    name: 'json-truncated-repaired',
    breaks: '4/json-bodies',
    summary: 'closes a brace that is missing',
    change: repairs((text) => `${text}}`),
  },
  {
    name: 'json-form-accepted',
    breaks: '4/json-bodies',
    summary: 'accepts form fields',
    change: replaces(/^quantity=(\d+)$/, '{"quantity":$1}'),
  },
  {
    name: 'json-xml-accepted',
    breaks: '4/json-bodies',
    summary: 'accepts XML',
    change: replaces(/^<quantity>(\d+)<\/quantity>$/, '{"quantity":$1}'),
  },
  {
    name: 'json-searched',
    breaks: '4/json-bodies',
    summary: 'looks for the first number in a body that is not JSON',
    change: repairs((text) => `{"quantity":${/[1-9]\d*/.exec(text)?.[0] ?? '-'}}`),
  },
  {
    name: 'json-invalid-utf-8-dropped',
    breaks: '4/json-bodies',
    summary: 'drops the bytes that are not UTF-8',
    change: () => ({ decode: (bytes) => bytes.filter((byte) => byte < 0x80).toString() }),
  },
  {
    name: 'body-missing-accepted',
    breaks: '4.2/body-required',
    summary: 'takes a missing body for a quantity of 0',
    change: repairs((text) => (text === '' ? '{"quantity":0}' : text)),
  },
  {
    name: 'body-missing-accepted-without-change',
    breaks: '4.2/body-required',
    summary: 'answers 200 with the entry as it is to an update without a body',
    change: (base) => ({
      update: async (exchange) => {
        const entry = base.findPet(exchange);
        return exchange.body.length > 0 || entry instanceof Refusal
          ? base.update(exchange)
          : base.reply(200, base.toItemBody(entry, exchange), exchange);
      },
    }),
  },
  {
    name: 'body-white-space-accepted',
    breaks: '4.2/body-required',
    summary: 'takes white space for a quantity of 0',
    change: repairs((text) => (/^\s+$/.test(text) ? '{"quantity":0}' : text)),
  },
];
