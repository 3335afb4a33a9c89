import { setTimeout as wait } from 'node:timers/promises';
import { blameChanges } from '../blame.ts';
import type { Check } from '../check.ts';
import type { Finding } from '../report.ts';
import { describeMissingPet } from '../run-cases.ts';
import { toUpdateSteps } from '../update-steps.ts';

const petLimit = 3;

/** Longer than most caches and write-behind queues of a second's fraction, in milliseconds. */
const pause = 700;

/** An update is still there a moment later. */
export const lasting: Check = {
  id: 'check/lasting',
  title: 'keeps an update for longer than a moment',
  operation: 'updateInventory',
  status: 200,
  clauses: ['4.1/current-levels'],
  async run(run) {
    const { session, pets } = run;
    const petIds = pets.writable.slice(0, petLimit);
    if (petIds.length === 0) {
      const reason = describeMissingPet(run);
      return { kind: 'unsent', reason, wished: false };
    }
    const findings: Finding[] = [];
    const sent = await Promise.all(
      petIds.map((petId, index) => session.update(petId, BigInt(700 + index))),
    );
    const unsent = sent.find((one) => one.kind === 'unsent');
    if (unsent?.kind === 'unsent') return unsent;
    for (const one of sent) if (one.kind === 'sent') findings.push(...one.findings);
    await wait(pause, undefined, { signal: session.options.signal }).catch(() => undefined);
    const { changes } = await session.inspect();
    findings.push(
      ...blameChanges(changes ?? [], {
        named: petIds,
        clause: '4.1/current-levels',
        deed: `pets were updated with status 200, and listed ${pause} ms later`,
        toSteps: (group) => toUpdateSteps(session, sent, group, true),
      }),
    );
    return { kind: 'judged', findings };
  },
};
