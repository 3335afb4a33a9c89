import { blameChanges } from '../blame.ts';
import { toUpdateSteps } from '../update-steps.ts';
import type { Check } from '../check.ts';
import { describeMissingPet } from '../run-cases.ts';
import type { Finding } from '../report.ts';

/** More than these would take time and show no more. */
const petLimit = 64;

/** Different quantities show whether pets are mixed up, the same one whether they must differ. */
const rounds: readonly ((index: number) => number)[] = [
  (index) => 11 + 13 * index,
  (index) => 18 + 13 * index,
  () => 77,
];

/** Every pet that is listed can be updated, not once only, and each for itself. */
export const everyPet: Check = {
  id: 'check/every-pet',
  title: 'updates every pet that it lists, each for itself',
  operation: 'updateInventory',
  status: 200,
  clauses: [
    '1/updates-one-pet',
    '1/lists-every-pet',
    '2/pet-id-int64',
    '4.1/current-levels',
    '4.2/answers-the-updated-entry',
    '4.2/pet-id-in-the-path',
  ],
  async run(run) {
    const { session, pets } = run;
    const petIds = pets.writable.slice(0, petLimit);
    if (petIds.length === 0) {
      const reason = describeMissingPet(run);
      return { kind: 'unsent', reason, wished: false };
    }
    const findings: Finding[] = [];
    for (const toQuantity of rounds) {
      const sent = await Promise.all(
        petIds.map((petId, index) => session.update(petId, BigInt(toQuantity(index)))),
      );
      const unsent = sent.find((one) => one.kind === 'unsent');
      for (const one of sent) if (one.kind === 'sent') findings.push(...one.findings);
      const { changes } = await session.inspect();
      findings.push(
        ...blameChanges(changes ?? [], {
          named: petIds,
          clause: '4.1/current-levels',
          deed: `${petIds.length} pets got a quantity each`,
          toSteps: (group) => toUpdateSteps(session, sent, group),
        }),
      );
      if (unsent?.kind === 'unsent') {
        return findings.length > 0 ? { kind: 'judged', findings } : unsent;
      }
    }
    return { kind: 'judged', findings };
  },
};
