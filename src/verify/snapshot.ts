import { petStatuses } from '../../contracts/pet-status.ts';
import { isJsonObject, toInteger, type ExactJson } from '../json/exact-json.ts';
import type { Change, Entry } from './report.ts';

/** What an inventory holds, by petId. */
export type Snapshot = ReadonlyMap<bigint, Entry>;

/**
 * Reads the entries of a list, whatever else is wrong with it: the judge says that. An entry that
 * cannot be read is left out.
 *
 * @returns `undefined` where there is no list
 */
export function readSnapshot(body: ExactJson): Snapshot | undefined {
  const list = findList(body);
  if (list === undefined) return undefined;
  const snapshot = new Map<bigint, Entry>();
  for (const value of list) {
    const entry = readEntry(value);
    if (entry !== undefined && !snapshot.has(entry.petId)) snapshot.set(entry.petId, entry);
  }
  return snapshot;
}

/** An array, or the one array inside an object: wrong, but there is more to find behind it. */
function findList(value: ExactJson): readonly ExactJson[] | undefined {
  if (Array.isArray(value)) return value as readonly ExactJson[];
  if (!isJsonObject(value)) return undefined;
  const arrays = Object.values(value).filter((part) => Array.isArray(part));
  return arrays.length === 1 ? (arrays[0] as readonly ExactJson[]) : undefined;
}

/** Reads one item; an id or a quantity in quotes is wrong, but says enough to go on. */
export function readEntry(value: ExactJson): Entry | undefined {
  if (!isJsonObject(value)) return undefined;
  const petId = toIntegerOrDigits(value['petId']);
  const quantity = toIntegerOrDigits(value['quantity']);
  const { status } = value;
  if (petId === undefined || quantity === undefined) return undefined;
  return { petId, quantity, status: readStatus(status) };
}

/** A status that is none is not kept: it may repeat the key, or be of any length. */
function readStatus(value: ExactJson | undefined): string {
  if (typeof value !== 'string') return '';
  return petStatuses.find((status) => status === value) ?? 'no status of the specification';
}

function toIntegerOrDigits(value: ExactJson | undefined): bigint | undefined {
  if (typeof value === 'string' && /^-?\d{1,40}$/.test(value)) return BigInt(value);
  return toInteger(value);
}

/** How what was listed differs from what must be, in the order of the pets' ids. */
export function compareSnapshots(
  expected: Snapshot,
  received: Snapshot,
  uncertain: ReadonlySet<bigint>,
): readonly Change[] {
  const changes: Change[] = [];
  for (const [petId, before] of expected) {
    const after = received.get(petId);
    if (uncertain.has(petId) && after !== undefined) continue;
    if (after === undefined) changes.push({ petId, expected: withoutId(before) });
    else if (after.quantity !== before.quantity || !isSameStatus(before.status, after.status)) {
      changes.push({ petId, expected: withoutId(before), received: withoutId(after) });
    }
  }
  for (const [petId, after] of received) {
    if (!expected.has(petId)) changes.push({ petId, received: withoutId(after) });
  }
  return changes.toSorted((a, b) => (a.petId < b.petId ? -1 : 1));
}

/** An empty status is one that is not known: what is wrong with it has been said elsewhere. */
function isSameStatus(before: string, after: string): boolean {
  return before === after || before === '' || after === '';
}

function withoutId({ quantity, status }: Entry): Omit<Entry, 'petId'> {
  return { quantity, status };
}
