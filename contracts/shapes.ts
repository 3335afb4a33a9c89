import {
  describeJson,
  isJsonObject,
  NumberLiteral,
  readInteger,
  toInteger,
  type ExactJson,
} from '../src/json/exact-json.ts';
import type { ClauseId } from './clauses.ts';
import { petStatuses } from './pet-status.ts';
import type { Violation } from './violation.ts';

const int64Minimum = -(2n ** 63n);
const int64Maximum = 2n ** 63n - 1n;

/** An integer of any length: a provider may keep more digits than we read. */
function isInteger(value: ExactJson): boolean {
  return (
    typeof value === 'bigint' ||
    (value instanceof NumberLiteral && readInteger(value).kind !== 'fraction')
  );
}

function violation(
  clause: ClauseId,
  at: string,
  expected: string,
  value: ExactJson | undefined,
): Violation {
  return { clause, at, expected, received: describeJson(value) };
}

/** Checks a value against InventoryItem (spec, section 2). Further fields are allowed. */
export function checkItem(value: ExactJson, at = '$'): Violation[] {
  if (!isJsonObject(value)) return [violation('2/item-fields', at, 'an object', value)];
  const found: Violation[] = [];
  const { petId, quantity, status } = value;

  if (petId === undefined) {
    found.push(violation('2/item-fields', `${at}.petId`, 'an integer', petId));
  } else {
    const id = toInteger(petId);
    if (id === undefined || id < int64Minimum || id > int64Maximum) {
      found.push(violation('2/pet-id-int64', `${at}.petId`, 'an integer of 64 bits', petId));
    }
  }

  if (quantity === undefined) {
    found.push(violation('2/item-fields', `${at}.quantity`, 'an integer', quantity));
  } else if (!isInteger(quantity)) {
    found.push(violation('2/quantity-integer', `${at}.quantity`, 'an integer', quantity));
  }

  if (status === undefined) {
    found.push(violation('2/item-fields', `${at}.status`, 'a string', status));
  } else if (typeof status !== 'string') {
    found.push(violation('2/status-string', `${at}.status`, 'a string', status));
  } else if (!petStatuses.some((known) => known === status)) {
    found.push(violation('3/status-values', `${at}.status`, 'available, pending or sold', status));
  }
  return found;
}

/** Checks a value against the array of InventoryItem that listInventory answers with. */
export function checkList(value: ExactJson): Violation[] {
  if (!Array.isArray(value)) return [violation('4.1/lists-an-array', '$', 'an array', value)];
  const items = value as readonly ExactJson[];
  const found = items.flatMap((item, index) => checkItem(item, `$[${index}]`));
  const seen = new Map<bigint, number>();
  items.forEach((item, index) => {
    const petId = isJsonObject(item) ? toInteger(item['petId']) : undefined;
    if (petId === undefined) return;
    const earlier = seen.get(petId);
    if (earlier === undefined) seen.set(petId, index);
    else {
      found.push({
        clause: '1/lists-every-pet',
        at: `$[${index}].petId`,
        expected: 'one entry for each pet',
        received: `${petId}, which is also at $[${earlier}].petId`,
      });
    }
  });
  return found;
}

/**
 * Checks a value against Error (spec, section 2). Further fields are allowed.
 *
 * @param httpStatus the status code of the response, which `status` must repeat (section 7)
 */
export function checkError(value: ExactJson, httpStatus: number): Violation[] {
  if (!isJsonObject(value)) return [violation('7/error-body', '$', 'an error object', value)];
  const found: Violation[] = [];
  const { code, message, status } = value;

  if (code === undefined) found.push(violation('2/error-fields', '$.code', 'a string', code));
  else if (typeof code !== 'string') {
    found.push(violation('2/error-code-string', '$.code', 'a string', code));
  }

  if (message === undefined) {
    found.push(violation('2/error-fields', '$.message', 'a string', message));
  } else if (typeof message !== 'string') {
    found.push(violation('2/error-message-string', '$.message', 'a string', message));
  }

  if (status === undefined) {
    found.push(violation('2/error-fields', '$.status', 'an integer', status));
  } else {
    const integer = toInteger(status);
    if (integer === undefined) {
      found.push(violation('2/error-status-integer', '$.status', 'an integer', status));
    } else if (integer !== BigInt(httpStatus)) {
      found.push(violation('7/status-repeats', '$.status', `${httpStatus}`, status));
    }
  }
  return found;
}
