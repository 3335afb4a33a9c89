import type { Case } from '../../contracts/case.ts';
import { cases } from '../../contracts/cases.ts';
import { plainIds } from './plain-ids.ts';

function findCase(id: string): Case {
  const found = cases.find((subject) => subject.id === id);
  if (found === undefined) throw new Error(`the case table has no ${id}`);
  return found;
}

/** The list that the verifier looks at the inventory with. */
export const listCase: Case = findCase(plainIds.list);

/** The update that every other plain update is made from. */
export const updateCase: Case = findCase(plainIds.update);

/** A plain update to a quantity from 0 to 2^31 - 1, which every provider must apply. */
export function toUpdateCase(quantity: bigint): Case {
  return {
    ...updateCase,
    request: { ...updateCase.request, body: `{"quantity":${quantity}}` },
    answers: [{ status: 200, body: 'item', quantity }],
  };
}

/** An update to any integer; what lies outside the range that all must apply may be refused. */
export function toAnyUpdateCase(quantity: bigint): Case {
  const plain = toUpdateCase(quantity);
  if (quantity >= 0n && quantity < 2n ** 31n) return plain;
  return {
    ...plain,
    answers: [
      plain.answers[0],
      {
        status: 400,
        body: 'error',
        choice: { decision: 'quantity-range', choice: 'bounded' },
      },
    ],
  };
}

/** The update of a plain quantity to a pet that must not be there. */
export const unknownPetCase: Case = findCase(plainIds.unknownPet);
