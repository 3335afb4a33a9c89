/** How an answer of a policy is told to a person, and read from one. */

export type Answer = unknown;

/** Decisions whose answers are not names. */
export type SpecialDecision = 'error-codes' | 'quantity-range' | 'body-limit';

export function isSpecial(id: string): id is SpecialDecision {
  return id === 'error-codes' || id === 'quantity-range' || id === 'body-limit';
}

/** The text that stands for an answer in a field: `0..100`, `not_found=E404`, `1048576`. */
export function toAnswerText(id: SpecialDecision, answer: Answer): string {
  const fields: Record<string, unknown> =
    typeof answer === 'object' && answer !== null ? { ...answer } : {};
  switch (id) {
    case 'error-codes':
      return Object.entries(fields)
        .filter(([code, name]) => name !== code)
        .map(([code, name]) => `${code}=${String(name)}`)
        .join(', ');
    case 'quantity-range': {
      const { minimum, maximum } = fields as { minimum?: bigint; maximum?: bigint };
      return minimum === undefined && maximum === undefined
        ? ''
        : `${minimum ?? ''}..${maximum ?? ''}`;
    }
    case 'body-limit':
      return typeof answer === 'number' ? String(answer) : '';
  }
}

export type ReadAnswer =
  { readonly ok: true; readonly answer: Answer } | { readonly ok: false; readonly problem: string };

/**
 * Gives codes their own names again where an answer no longer renames them: answers are merged with
 * those before.
 */
export function takeBackNames(before: Answer, answer: Answer): Answer {
  const names = Object.keys(typeof before === 'object' && before !== null ? before : {});
  return {
    ...Object.fromEntries(names.map((name) => [name, name])),
    ...(typeof answer === 'object' ? answer : {}),
  };
}

/** Reads what {@link toAnswerText} writes; the server judges the rest. */
export function readAnswer(id: SpecialDecision, text: string): ReadAnswer {
  const trimmed = text.trim();
  switch (id) {
    case 'error-codes':
      return readCodes(trimmed);
    case 'quantity-range':
      return readRange(trimmed);
    case 'body-limit':
      return /^\d{1,10}$/.test(trimmed)
        ? { ok: true, answer: Number(trimmed) }
        : { ok: false, problem: 'A number of bytes, such as 1048576.' };
  }
}

function readCodes(text: string): ReadAnswer {
  const pairs = text === '' ? [] : text.split(',').map((pair) => pair.split('='));
  const codes: Record<string, string> = {};
  for (const [code = '', name = '', ...rest] of pairs) {
    if (code.trim() === '' || name.trim() === '' || rest.length > 0) {
      return { ok: false, problem: 'Codes and their new names, such as not_found=E404.' };
    }
    codes[code.trim()] = name.trim();
  }
  return { ok: true, answer: codes };
}

function readRange(text: string): ReadAnswer {
  if (text === '') return { ok: true, answer: {} };
  const match = /^(-?\d+)?\s*\.\.\s*(-?\d+)?$/.exec(text);
  if (match === null) return { ok: false, problem: 'Bounds, such as 0..100, 0.. or ..100.' };
  const [, minimum, maximum] = match;
  return {
    ok: true,
    answer: {
      ...(minimum === undefined ? {} : { minimum: BigInt(minimum) }),
      ...(maximum === undefined ? {} : { maximum: BigInt(maximum) }),
    },
  };
}

/** What stands beside the field. */
export const answerHints: Readonly<Record<SpecialDecision, string>> = {
  'error-codes': 'code=new name, separated by commas, such as not_found=E404.',
  'quantity-range':
    'minimum..maximum, such as 0..100, 0.. or ..100. The contract wants all from 0 to 2147483647.',
  'body-limit': 'Bytes, from 1 to 1073741824.',
};

/** What stands in an empty field. */
export const answerPlaceholders: Readonly<Record<SpecialDecision, string>> = {
  'error-codes': 'no code is renamed',
  'quantity-range': 'no bounds',
  'body-limit': '1048576',
};
