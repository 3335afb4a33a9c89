import { NumberLiteral } from '../../../src/json/exact-json.ts';
import type { BrokenProvider } from '../mutant.ts';
import { inEcho, inList, inTheMiddle, replaceItem } from '../replace-item.ts';

export const itemViolations: readonly BrokenProvider[] = [
  {
    name: 'item-without-pet-id',
    breaks: '2/item-fields',
    summary: 'echoes entries without petId',
    change: replaceItem(({ quantity, status }) => ({ quantity, status }), inEcho),
  },
  {
    name: 'item-without-quantity',
    breaks: '2/item-fields',
    summary: 'lists entries without quantity',
    change: replaceItem(({ petId, status }) => ({ petId, status }), inList),
  },
  {
    name: 'item-without-status',
    breaks: '2/item-fields',
    summary: 'echoes entries without status',
    change: replaceItem(({ petId, quantity }) => ({ petId, quantity }), inEcho),
  },
  {
    name: 'item-without-status-in-the-middle',
    breaks: '2/item-fields',
    summary: 'lists one entry without status',
    change: replaceItem(({ petId, quantity }) => ({ petId, quantity }), inTheMiddle),
  },
  {
    name: 'item-without-quantity-at-zero',
    breaks: '2/item-fields',
    summary: 'leaves out a quantity of 0',
    change: replaceItem(
      ({ petId, status }) => ({ petId, status }),
      ({ quantity }) => quantity === 0n,
    ),
  },
  {
    name: 'item-names-in-snake-case',
    breaks: '2/item-fields',
    summary: 'writes pet_id for petId',
    change: replaceItem(({ petId, quantity, status }) => ({ pet_id: petId, quantity, status })),
  },
  {
    name: 'item-id-renamed',
    breaks: '2/item-fields',
    summary: 'writes id for petId in the echo',
    change: replaceItem(({ petId, quantity, status }) => ({ id: petId, quantity, status }), inEcho),
  },
  {
    name: 'pet-id-string',
    breaks: '2/pet-id-int64',
    summary: 'writes petId as a string',
    change: replaceItem((entry) => ({ ...entry, petId: `${entry.petId}` })),
  },
  {
    name: 'pet-id-string-in-echo',
    breaks: '2/pet-id-int64',
    summary: 'echoes petId as a string, as it stood in the path',
    change: replaceItem((entry) => ({ ...entry, petId: `${entry.petId}` }), inEcho),
  },
  {
    name: 'pet-id-string-where-large',
    breaks: '2/pet-id-int64',
    summary: 'writes a petId beyond 2^53 as a string',
    change: replaceItem(
      (entry) => ({ ...entry, petId: `${entry.petId}` }),
      ({ petId }) => petId > 2n ** 53n,
    ),
  },
  {
    name: 'pet-id-beyond-int64',
    breaks: '2/pet-id-int64',
    summary: 'lists a petId of 2^64',
    change: replaceItem((entry) => ({ ...entry, petId: 2n ** 64n }), inTheMiddle),
  },
  {
    name: 'pet-id-fraction',
    breaks: '2/pet-id-int64',
    summary: 'lists a petId of 42.5',
    change: replaceItem((entry) => ({ ...entry, petId: 42.5 }), inTheMiddle),
  },
  {
    name: 'pet-id-null',
    breaks: '2/pet-id-int64',
    summary: 'lists a petId of null',
    change: replaceItem((entry) => ({ ...entry, petId: null }), inTheMiddle),
  },
  {
    name: 'pet-id-rounded-in-echo',
    breaks: '2/pet-id-int64',
    summary: 'echoes a large petId as the double it becomes',
    change: replaceItem((entry) => ({ ...entry, petId: BigInt(Number(entry.petId)) }), inEcho),
  },
  {
    name: 'quantity-string',
    breaks: '2/quantity-integer',
    summary: 'writes quantities as strings',
    change: replaceItem((entry) => ({ ...entry, quantity: `${entry.quantity}` })),
  },
  {
    name: 'quantity-string-in-the-middle',
    breaks: '2/quantity-integer',
    summary: 'lists one quantity as a string',
    change: replaceItem((entry) => ({ ...entry, quantity: `${entry.quantity}` }), inTheMiddle),
  },
  {
    name: 'quantity-string-where-large',
    breaks: '2/quantity-integer',
    summary: 'writes a quantity beyond 2^53 as a string',
    change: replaceItem(
      (entry) => ({ ...entry, quantity: `${entry.quantity}` }),
      ({ quantity }) => quantity > 2n ** 53n,
    ),
  },
  {
    name: 'quantity-fraction',
    breaks: '2/quantity-integer',
    summary: 'lists one quantity with a fraction',
    change: replaceItem((entry) => ({ ...entry, quantity: 5.5 }), inTheMiddle),
  },
  {
    name: 'quantity-tiny-fraction',
    breaks: '2/quantity-integer',
    summary: 'lists one quantity with a fraction too small for a double',
    change: replaceItem(
      (entry) => ({ ...entry, quantity: new NumberLiteral('5.00000000000000000001') }),
      inTheMiddle,
    ),
  },
  {
    name: 'quantity-null-at-zero',
    breaks: '2/quantity-integer',
    summary: 'writes null for a quantity of 0',
    change: replaceItem(
      (entry) => ({ ...entry, quantity: null }),
      ({ quantity }) => quantity === 0n,
    ),
  },
  {
    name: 'quantity-false-at-zero',
    breaks: '2/quantity-integer',
    summary: 'writes false for a quantity of 0',
    change: replaceItem(
      (entry) => ({ ...entry, quantity: false }),
      ({ quantity }) => quantity === 0n,
    ),
  },
  {
    name: 'quantity-nested',
    breaks: '2/quantity-integer',
    summary: 'writes quantity as an object with a unit',
    change: replaceItem((entry) => ({
      ...entry,
      quantity: { value: entry.quantity, unit: 'pet' },
    })),
  },
  {
    name: 'item-status-null',
    breaks: '2/status-string',
    summary: 'echoes a status of null',
    change: replaceItem((entry) => ({ ...entry, status: null }), inEcho),
  },
  {
    name: 'item-status-number',
    breaks: '2/status-string',
    summary: 'lists one status as its number',
    change: replaceItem((entry) => ({ ...entry, status: 1 }), inTheMiddle),
  },
  {
    name: 'item-status-boolean',
    breaks: '2/status-string',
    summary: 'writes the status as whether the pet is available',
    change: replaceItem((entry) => ({ ...entry, status: entry.quantity > 0n })),
  },
  {
    name: 'item-status-array',
    breaks: '2/status-string',
    summary: 'writes a list of one status',
    change: replaceItem((entry) => ({ ...entry, status: [entry.status] })),
  },
  {
    name: 'item-status-capitalised',
    breaks: '3/status-values',
    summary: 'writes Available for available',
    change: replaceItem(
      (entry) => ({ ...entry, status: 'Available' }),
      ({ status }) => status === 'available',
    ),
  },
  {
    name: 'item-status-upper-case',
    breaks: '3/status-values',
    summary: 'echoes the status in upper case',
    change: replaceItem((entry) => ({ ...entry, status: entry.status.toUpperCase() }), inEcho),
  },
  {
    name: 'item-status-another-value',
    breaks: '3/status-values',
    summary: 'lists one status that is none of the three',
    change: replaceItem((entry) => ({ ...entry, status: 'reserved' }), inTheMiddle),
  },
  {
    name: 'item-status-empty',
    breaks: '3/status-values',
    summary: 'lists one empty status',
    change: replaceItem((entry) => ({ ...entry, status: '' }), inTheMiddle),
  },
  {
    name: 'item-status-with-space',
    breaks: '3/status-values',
    summary: 'pads the status with spaces, as its database column does',
    change: replaceItem((entry) => ({ ...entry, status: entry.status.padEnd(9) })),
  },
  {
    name: 'item-null-in-list',
    breaks: '2/item-fields',
    summary: 'lists null in place of one entry',
    change: replaceItem(() => null, inTheMiddle),
  },
];
