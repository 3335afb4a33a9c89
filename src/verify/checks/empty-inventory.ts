import { isEmpty } from '../../../contracts/provider-states.ts';
import type { Check } from '../check.ts';
import { listCase, unknownPetCase } from '../plain-cases.ts';
import type { Finding } from '../report.ts';

/** An inventory without pets is an empty array, and knows no pet. Needs a state-change URL. */
export const emptyInventory: Check = {
  id: 'check/empty-inventory',
  title: 'lists an empty inventory as an empty array',
  operation: 'listInventory',
  status: 200,
  clauses: ['4.1/lists-an-array', '8/one-array', '7/404-not-found'],
  async run({ session, states, pets }) {
    if (states === undefined) {
      return { kind: 'unsent', reason: 'it needs a state-change URL', wished: true };
    }
    const known = pets.writable[0];
    const failure = await states.setUp(isEmpty);
    if (failure !== undefined) return { kind: 'unsent', reason: failure, wished: false };
    session.expectInventory([]);
    const { exchange, changes } = await session.inspect({ ...listCase, id: emptyInventory.id });
    const findings: Finding[] = [...(exchange?.findings ?? [])];
    if (changes !== undefined && changes.length > 0) {
      findings.push({
        verdict: 'fail',
        clause: '4.1/current-levels',
        message: `the inventory was emptied by the state-change URL, but the list shows ${changes.length} pets`,
        at: 'inventory',
        changes,
      });
    }
    if (known !== undefined) {
      const sent = await session.send(unknownPetCase, known);
      if (sent.kind === 'sent') findings.push(...sent.findings);
    }
    return { kind: 'judged', findings };
  },
};
