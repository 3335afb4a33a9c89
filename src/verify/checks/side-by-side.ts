import type { Case } from '../../../contracts/case.ts';
import { blameChanges } from '../blame.ts';
import { toUpdateSteps } from '../update-steps.ts';
import type { Check } from '../check.ts';
import { listCase, toUpdateCase } from '../plain-cases.ts';
import type { Finding } from '../report.ts';
import type { Run } from '../run.ts';
import { describeMissingPet } from '../run-cases.ts';
import { toEvidence } from '../judge-exchange.ts';
import type { Sent, Session, Unsent } from '../session.ts';
import { readSnapshot, type Snapshot } from '../snapshot.ts';

const rounds = 4;
const petLimit = 8;

/** Updates that are under way at the same time are all applied, whole. */
export const sideBySide: Check = {
  id: 'check/side-by-side',
  title: 'loses no update when several arrive at once',
  operation: 'updateInventory',
  status: 200,
  clauses: [
    '1/updates-one-pet',
    '1/lists-every-pet',
    '4.1/current-levels',
    '4.2/answers-the-updated-entry',
  ],
  async run(run) {
    const petIds = run.pets.writable.slice(0, petLimit);
    if (petIds.length === 0) {
      const reason = describeMissingPet(run);
      return { kind: 'unsent', reason, wished: false };
    }
    const findings: Finding[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const unsent =
        (await updateDifferentPets(run, petIds, round, findings)) ??
        (await updateOnePet(run, petIds[round % petIds.length] ?? 0n, round, findings));
      if (unsent !== undefined && findings.length === 0) return unsent;
      if (findings.length > 0) break;
    }
    return { kind: 'judged', findings };
  },
};

async function updateDifferentPets(
  { session }: Run,
  petIds: readonly bigint[],
  round: number,
  findings: Finding[],
): Promise<Unsent | undefined> {
  const before = session.inventory;
  const [torn, ...sent] = await Promise.all([
    session.send({ ...listCase, id: 'check/side-by-side/list' }),
    ...petIds.map((petId, index) => session.update(petId, BigInt(200 + 17 * index + 5 * round))),
  ]);
  findings.push(...findTorn(session, before, torn));
  for (const one of sent) if (one.kind === 'sent') findings.push(...one.findings);
  const { changes } = await session.inspect();
  findings.push(
    ...blameChanges(changes ?? [], {
      named: petIds,
      clause: '4.1/current-levels',
      deed: `${petIds.length} pets were updated side by side, each with status 200`,
      toSteps: (group) => toUpdateSteps(session, sent, group, true),
    }),
  );
  return sent.find((one) => one.kind === 'unsent');
}

/** A list in the middle of updates shows old or new quantities, but every pet. */
function findTorn(session: Session, before: Snapshot, sent: Sent): readonly Finding[] {
  if (sent.kind === 'unsent') return [];
  const listed = sent.value === undefined ? undefined : readSnapshot(sent.value);
  const missing = [...before.keys()].filter((petId) => listed?.has(petId) === false);
  if (missing.length === 0) return sent.findings;
  return [
    ...sent.findings,
    {
      verdict: 'fail',
      clause: '1/lists-every-pet',
      message: `a list that was asked for while pets were updated lacks ${missing.length} pets, such as ${missing[0]}`,
      at: 'inventory',
      expected: 'every pet',
      received: `${listed?.size ?? 0} of ${before.size} pets`,
      evidence: toEvidence(sent, session.options.telling),
    },
  ];
}

/** Which of them comes last is open, and an answer may show what another has just set. */
async function updateOnePet(
  { session }: Run,
  petId: bigint,
  round: number,
  findings: Finding[],
): Promise<Unsent | undefined> {
  const quantities = [0n, 1n, 2n].map((index) => BigInt(500 + 10 * round) + index);
  const sent = await Promise.all(
    quantities.map((quantity) => session.send(toRacingCase(quantities, quantity), petId)),
  );
  for (const one of sent) {
    if (one.kind !== 'sent') continue;
    findings.push(
      ...one.findings.filter(
        ({ at, received }) =>
          at !== '$.quantity' || !quantities.some((other) => received === `the number ${other}`),
      ),
    );
  }
  session.forget(petId);
  const { changes } = await session.inspect();
  const granted = sent.every((one) => one.kind === 'sent' && one.answer?.body === 'item');
  if (changes === undefined || !granted) return sent.find((one) => one.kind === 'unsent');
  const last = session.inventory.get(petId);
  if (last === undefined || !quantities.includes(last.quantity)) {
    const received = last === undefined ? 'nothing' : `quantity ${last.quantity}`;
    findings.push({
      verdict: 'fail',
      clause: '4.1/current-levels',
      message: `pet ${petId} was set to ${quantities.join(', ')} side by side, but the list shows ${received} for it`,
      at: 'inventory',
      expected: quantities.join(' or '),
      received,
    });
  }
  return undefined;
}

function toRacingCase(quantities: readonly bigint[], quantity: bigint): Case {
  return { ...toUpdateCase(quantity), id: `check/side-by-side/${quantities.indexOf(quantity)}` };
}
