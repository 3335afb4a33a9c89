import type { FaultRuleView } from '../../src/admin/admin-api.ts';

/** A field of a fault: a number, or a text. */
export interface FaultField {
  readonly name: string;
  readonly label: string;
  readonly type: 'integer' | 'decimal' | 'text';
  readonly initial: string;
  readonly isRequired: boolean;
}

/** A kind of fault: how it is called, what it is asked for, and how a rule says it. */
export interface FaultKind {
  readonly id: string;
  readonly name: string;
  readonly meaning: string;
  readonly fields: readonly FaultField[];
  /** The status codes to choose from, where it answers one. */
  readonly statuses: readonly number[];
  /** Whether the operation may run before the connection is cut. */
  readonly cuts: boolean;
  readonly toFault: (values: FaultValues) => Readonly<Record<string, unknown>>;
}

/** What was filled in; empty fields are left out. */
export type FaultValues = Readonly<Record<string, string | undefined>>;

const number = (
  name: string,
  label: string,
  initial: string,
  options: { readonly isRequired?: boolean; readonly type?: 'integer' | 'decimal' } = {},
): FaultField => ({
  name,
  label,
  initial,
  type: options.type ?? 'integer',
  isRequired: options.isRequired ?? true,
});

const plain = (
  id: string,
  name: string,
  meaning: string,
  rest: Partial<FaultKind> = {},
): FaultKind => ({
  id,
  name,
  meaning,
  fields: [],
  statuses: [],
  cuts: false,
  toFault: (values) => {
    const fields = rest.fields ?? [];
    return {
      kind: id,
      ...(values['status'] === undefined ? {} : { status: Number(values['status']) }),
      ...Object.fromEntries(
        fields.flatMap(({ name: field, type }) => {
          const value = values[field];
          if (value === undefined || value === '') return [];
          return [[field, type === 'text' ? value : Number(value)]];
        }),
      ),
    };
  },
  ...rest,
});

export const faultKinds: readonly FaultKind[] = [
  plain('error', 'Documented error', 'answers an error of the specification', {
    statuses: [401, 400, 404],
    fields: [{ name: 'message', label: 'Message', type: 'text', initial: '', isRequired: false }],
  }),
  plain('unavailable', 'Unavailable', 'answers 503 or 429', {
    statuses: [503, 429],
    fields: [number('retryAfter', 'Retry-After, seconds', '', { isRequired: false })],
  }),
  plain('delay', 'Delay, fixed', 'waits before it answers', {
    fields: [number('milliseconds', 'Milliseconds', '500')],
  }),
  plain('delay-uniform', 'Delay, uniform', 'waits between two times', {
    fields: [number('from', 'From, ms', '100'), number('to', 'To, ms', '900')],
    toFault: ({ from, to }) => ({ kind: 'delay', uniform: [Number(from), Number(to)] }),
  }),
  plain('delay-log-normal', 'Delay, log-normal', 'waits as real services do: mostly short', {
    fields: [
      number('median', 'Median, ms', '200'),
      number('sigma', 'Sigma', '0.5', { type: 'decimal' }),
      number('maximum', 'At most, ms', '', { isRequired: false }),
    ],
    toFault: ({ median, sigma, maximum }) => ({
      kind: 'delay',
      logNormal: { median: Number(median), sigma: Number(sigma) },
      ...(maximum === undefined || maximum === '' ? {} : { maximum: Number(maximum) }),
    }),
  }),
  plain('reset', 'Connection reset', 'resets the connection', { cuts: true }),
  plain('hang', 'Hang', 'never answers', { cuts: true }),
  plain('empty-reply', 'Empty reply', 'closes the connection without an answer', { cuts: true }),
  plain('truncate', 'Truncated body', 'cuts the connection inside the body', {
    cuts: true,
    fields: [number('bytes', 'After bytes', '', { isRequired: false })],
  }),
  plain('malformed-json', 'Malformed JSON', 'answers a body that is no JSON'),
  plain('wrong-content-type', 'Wrong content type', 'declares the body as something else', {
    fields: [
      { name: 'contentType', label: 'Content type', type: 'text', initial: '', isRequired: false },
    ],
  }),
  plain('slow-drip', 'Slow drip', 'sends the body byte by byte', {
    fields: [number('bytesPerSecond', 'Bytes per second', '20')],
  }),
];

/** Which documented errors an operation has; both, where none is named. */
export function statusesOf(kind: FaultKind, operation: string): readonly number[] {
  return kind.id === 'error' && operation !== 'updateInventory' ? [401] : kind.statuses;
}

/** What a rule does, in a sentence without its subject: `answers 503, Retry-After 5`. */
export function describeFault(rule: FaultRuleView): string {
  const fault = toFields(rule['fault']);
  const kind = textOf(fault, 'kind');
  const after = fault['after'] === true ? ', after the operation ran' : '';
  switch (kind) {
    case 'error':
      return `answers ${textOf(fault, 'status')}`;
    case 'unavailable': {
      const retryAfter = textOf(fault, 'retryAfter');
      return `answers ${textOf(fault, 'status')}${retryAfter === '' ? '' : `, Retry-After ${retryAfter}`}`;
    }
    case 'delay':
      return describeDelay(fault);
    case 'truncate': {
      const bytes = textOf(fault, 'bytes');
      return `cuts the body${bytes === '' ? '' : ` after ${bytes} bytes`}${after}`;
    }
    case 'slow-drip':
      return `sends ${textOf(fault, 'bytesPerSecond')} bytes per second`;
    case 'wrong-content-type':
      return `declares the body as ${textOf(fault, 'contentType') || 'something else'}`;
    default: {
      const known = faultKinds.find(({ id }) => id === kind);
      return `${known?.meaning ?? kind}${after}`;
    }
  }
}

function describeDelay(fault: Fields): string {
  if (Array.isArray(fault['uniform'])) return `waits ${fault['uniform'].join(' to ')} ms`;
  if (fault['logNormal'] === undefined) return `waits ${textOf(fault, 'milliseconds')} ms`;
  const delay = toFields(fault['logNormal']);
  return `waits ${textOf(delay, 'median')} ms in the median, σ ${textOf(delay, 'sigma')}`;
}

type Fields = Readonly<Record<string, unknown>>;

/** A field as text; empty where it is left out. */
function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Which requests a rule hits: `every 3rd updateInventory of pet 12, 30 %, at most 5 times`. */
export function describeMatch(rule: FaultRuleView): string {
  const { operation, petId, nth, every, probability, times } = rule;
  const parts = [typeof operation === 'string' ? operation : 'every operation'];
  if (typeof petId === 'bigint') parts.push(`pet ${petId}`);
  if (typeof nth === 'number') parts.push(`only request ${nth}`);
  if (typeof every === 'number') parts.push(`one in ${every}`);
  if (typeof probability === 'number') parts.push(`${Math.round(probability * 1000) / 10} %`);
  if (typeof times === 'number') parts.push(times === 1 ? 'once' : `at most ${times} times`);
  return parts.join(' · ');
}

function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
