import type { OperationId } from '../../../contracts/case.ts';
import { isInt64 } from '../../inventory/pet-id.ts';
import {
  describeJson,
  isJsonObject,
  NumberLiteral,
  toInteger,
  type ExactJson,
} from '../../json/exact-json.ts';
import { formatJsonPath, type JsonPath, type JsonProblem } from '../../json/json-path.ts';
import { describeValue } from '../check-options.ts';
import { toExactInteger } from '../item-input.ts';
import { JsonFields, type Bounds } from './json-fields.ts';
import { faultKinds, type FaultAction } from './kinds.ts';

/**
 * A misbehaviour that somebody asked for, and the requests that it hits: those with a valid key that
 * fit all that is given.
 */
export type FaultRule = {
  /** Left out: both, or `updateInventory` where there is a petId. */
  readonly operation?: OperationId;
  /** The pet that the path names. */
  readonly petId?: bigint;
  /** Only this one of the requests that fit, from 1. */
  readonly nth?: number;
  /** Only every n-th of them: 3 hits the third, the sixth. */
  readonly every?: number;
  /** From 0 to 1. Left out: 1. */
  readonly probability?: number;
  /** How often at most, from 1. Left out: without end. */
  readonly times?: number;
  readonly fault: FaultAction;
};

/**
 * A rule as people type it.
 *
 * @example
 * const rule: FaultRuleInput = {
 *   operation: 'updateInventory',
 *   petId: 12,
 *   probability: 0.2,
 *   fault: { kind: 'unavailable', status: 503, retryAfter: 1 },
 * };
 */
export type FaultRuleInput = Omit<FaultRule, 'petId'> & { readonly petId?: number | bigint };

export type ParsedFaultRule =
  | { readonly ok: true; readonly rule: FaultRule }
  | { readonly ok: false; readonly problems: readonly JsonProblem[] };

const operations: readonly OperationId[] = ['listInventory', 'updateInventory'];
const ruleFields = ['operation', 'petId', 'nth', 'every', 'probability', 'times', 'fault'];
const counts: Bounds = [1, 1_000_000_000];
const example = '{"fault": {"kind": "reset"}}';

/** Reads a rule from JSON, as it stands in a fixture and in the admin API. */
export function parseFaultRule(value: ExactJson, path: JsonPath = []): ParsedFaultRule {
  const problems: JsonProblem[] = [];
  const rule = readRule(value, path, problems);
  return rule === undefined || problems.length > 0 ? { ok: false, problems } : { ok: true, rule };
}

function readRule(
  value: ExactJson,
  path: JsonPath,
  problems: JsonProblem[],
): FaultRule | undefined {
  if (!isJsonObject(value)) {
    const message = `expected a rule such as ${example}; got ${describeJson(value)}`;
    problems.push({ path, message });
    return undefined;
  }
  const fields = new JsonFields(value, path, problems);
  fields.refuseOthers('a rule', ruleFields);
  const operation = fields.has('operation') ? fields.stringOf('operation', operations) : undefined;
  const petId = fields.has('petId') ? readPetId(fields) : undefined;
  if (operation === 'listInventory' && fields.has('petId')) {
    fields.refuse('listInventory has no petId; leave one of the two out', 'petId');
  }
  const nth = fields.integer('nth', counts);
  const every = fields.integer('every', counts);
  if (fields.has('nth') && fields.has('every')) {
    fields.refuse('expected nth or every, not both', 'every');
  }
  const probability = fields.has('probability')
    ? fields.requiredNumber('probability', [0, 1])
    : undefined;
  const times = fields.integer('times', counts);
  const fault = readAction(fields, operationsOf({ operation, petId }));
  if (fault === undefined) return undefined;
  return {
    ...(operation === undefined ? {} : { operation }),
    ...(petId === undefined ? {} : { petId }),
    ...(nth === undefined ? {} : { nth }),
    ...(every === undefined ? {} : { every }),
    ...(probability === undefined ? {} : { probability }),
    ...(times === undefined ? {} : { times }),
    fault,
  };
}

/** The operations that a rule may hit. */
export function operationsOf(rule: {
  readonly operation?: OperationId | undefined;
  readonly petId?: bigint | undefined;
}): readonly OperationId[] {
  if (rule.operation !== undefined) return [rule.operation];
  return rule.petId === undefined ? operations : ['updateInventory'];
}

function readPetId(fields: JsonFields): bigint | undefined {
  const petId = toInteger(fields.get('petId'));
  if (petId !== undefined && isInt64(petId)) return petId;
  fields.refuse(`expected an int64; got ${describeJson(fields.get('petId'))}`, 'petId');
  return undefined;
}

function readAction(rule: JsonFields, targets: readonly OperationId[]): FaultAction | undefined {
  const fields = rule.requiredObject('fault', '{"kind": "reset"}');
  if (fields === undefined) return undefined;
  const names = faultKinds.map(({ kind }) => kind);
  const name = fields.stringOf('kind', names);
  const kind = faultKinds.find((candidate) => candidate.kind === name);
  if (kind === undefined) return undefined;
  fields.refuseOthers(`the fault ${kind.kind}`, ['kind', ...kind.fields]);
  return kind.read(fields, targets);
}

/**
 * Reads a rule as people type it.
 *
 * @param name what it is, for the message
 * @throws {TypeError} for what is no object
 * @throws {RangeError} naming the field that is wrong, and what was expected
 */
export function toFaultRule(input: FaultRuleInput, name: string = 'rule'): FaultRule {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new TypeError(
      `${name} must be an object such as { fault: { kind: 'reset' } }; got ${describeValue(input)}`,
    );
  }
  const parsed = parseFaultRule(toExactJson(input, name));
  if (parsed.ok) return parsed.rule;
  throw new RangeError(
    parsed.problems
      .map(({ path, message }) => `${name}${formatJsonPath(path).slice('$'.length)}: ${message}`)
      .join('\n'),
  );
}

/** As if it had been read from a fixture. */
function toExactJson(value: unknown, name: string): ExactJson {
  if (typeof value === 'number') return toExactNumber(value, name);
  if (typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean') {
    return value;
  }
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) return value.map((part) => toExactJson(part, name));
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(
    entries.map(([field, part]) => [field, toExactJson(part, `${name}.${field}`)]),
  );
}

function toExactNumber(value: number, name: string): ExactJson {
  return Number.isFinite(value) && !Number.isInteger(value)
    ? new NumberLiteral(String(value))
    : toExactInteger(value, name);
}
