import { petStatuses } from '../../contracts/pet-status.ts';
import { hasItems, isEmpty, type StateItem } from '../../contracts/provider-states.ts';
import { listCase } from './plain-cases.ts';
import type { ProviderStates } from './provider-state.ts';
import type { Change, Entry, Footprint } from './report.ts';
import type { Sent, Session } from './session.ts';
import { compareSnapshots, type Snapshot } from './snapshot.ts';

/**
 * Sets every quantity that the run changed to what it was. A status cannot be set over this API: a
 * provider that lets it follow the quantity brings it back itself, or not.
 */
export async function restoreInventory(session: Session): Promise<Footprint> {
  // A provider that lets every request wait must not do so twice over.
  const attempts = session.isTrying ? 1 : 3;
  session.beginRestoring();
  let restored = 0;
  let remaining = await findDifferences(session);
  for (let attempt = 0; attempt < attempts && remaining.length > 0; attempt += 1) {
    const wrong = remaining.filter(
      ({ expected, received }) =>
        expected !== undefined && expected.quantity !== received?.quantity,
    );
    if (wrong.length === 0) break;
    const sent = await putBack(session, wrong, attempt > 0);
    restored += sent.filter((one) => one.kind === 'sent' && one.answer?.body === 'item').length;
    remaining = await findDifferences(session);
  }
  return {
    writes: session.writes,
    restored,
    notRestored: remaining.map((change) => ({ ...change, reason: describeReason(change) })),
  };
}

/** @param inTurn one after another, for providers that lose updates side by side */
async function putBack(
  session: Session,
  changes: readonly Change[],
  inTurn: boolean,
): Promise<readonly Sent[]> {
  const put = ({ petId, expected }: Change): Promise<Sent> =>
    session.update(petId, expected?.quantity ?? 0n);
  if (!inTurn) return Promise.all(changes.map(put));
  const sent: Sent[] = [];
  for (const change of changes) sent.push(await put(change));
  return sent;
}

/** Puts the whole inventory back that provider states have changed. */
export async function restoreByState(
  session: Session,
  states: ProviderStates,
  original: Snapshot,
): Promise<Footprint> {
  session.beginRestoring();
  const items = hasItems(...[...original.values()].map(toStateItem));
  await states.tearDown(items);
  let remaining = await compareWith(session, original);
  let reason: string | undefined;
  // Not every provider knows how to tear down: then a state brings back what was listed.
  if (remaining.length > 0) {
    reason = (await states.setUp(isEmpty)) ?? (await states.setUp(items));
    remaining = await compareWith(session, original);
  }
  return {
    writes: session.writes,
    restored: 0,
    notRestored: remaining.map((change) => ({
      ...change,
      reason: reason ?? 'the state-change URL did not bring it back',
    })),
  };
}

function toStateItem({ petId, quantity, status }: Entry): StateItem {
  return { petId, quantity, status: petStatuses.find((known) => known === status) ?? 'available' };
}

async function compareWith(session: Session, original: Snapshot): Promise<readonly Change[]> {
  await session.inspect({ ...listCase, id: 'check/restored' });
  return compareSnapshots(original, session.inventory, new Set());
}

/** Looks only at pets that this run wrote to: others may be in use by somebody else. */
async function findDifferences(session: Session): Promise<readonly Change[]> {
  if (session.touched.size === 0) return [];
  await session.inspect();
  return compareSnapshots(session.original, session.inventory, new Set()).filter(({ petId }) =>
    session.touched.has(petId),
  );
}

function describeReason({ expected, received }: Change): string {
  if (expected === undefined) return 'the API cannot remove an entry';
  if (received === undefined) return 'it is not listed any more';
  return expected.quantity === received.quantity
    ? 'the API cannot set a status'
    : 'the provider did not take the quantity back';
}
