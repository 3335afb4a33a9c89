import type { Case } from '../../contracts/case.ts';
import { cases } from '../../contracts/cases.ts';
import { listCase, unknownPetCase } from './plain-cases.ts';
import { toItemsState, type ProviderStates } from './provider-state.ts';
import type { Entry, Finding } from './report.ts';
import type { ResultBook } from './result-book.ts';
import type { Sent, Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';

export type Discovery =
  | {
      readonly kind: 'found';
      readonly states: ProviderStates | undefined;
      /** What the inventory was before a state replaced it. */
      readonly beforeStates: Snapshot;
    }
  /** There is nothing to judge. */
  | {
      readonly kind: 'inconclusive';
      readonly reason: string;
      readonly findings: readonly Finding[];
    };

/** Finds out whether there is a provider, whether it takes the key, and what it lists. */
export async function discover(
  session: Session,
  book: ResultBook,
  states: ProviderStates | undefined,
): Promise<Discovery> {
  const began = performance.now();
  const { exchange } = await session.inspect();
  const refusal = await findReason(session, exchange);
  if (refusal !== undefined) return { kind: 'inconclusive', reason: refusal, findings: [] };
  await fitConnections(session, performance.now() - began);

  const beforeStates = new Map(session.inventory);
  if (states !== undefined && session.hasList) {
    const reason = await setUpItems(session, states);
    if (reason !== undefined)
      return { kind: 'inconclusive', reason, findings: book.findingsOf(listCase.id) };
  }
  // A second list at once must show the same.
  const { changes } = await session.inspect();
  if (changes !== undefined && changes.length > 0) {
    book.note(listCase.id, {
      verdict: 'fail',
      clause: '4.1/current-levels',
      message: `two lists one after the other differ in ${changes.length} pets (nobody else may use the inventory during the run)`,
      at: 'inventory',
      changes,
    });
  }
  session.markOriginal();
  return { kind: 'found', states, beforeStates };
}

async function findReason(
  session: Session,
  exchange:
    Extract<Sent, { kind: 'sent' }> | Omit<Extract<Sent, { kind: 'sent' }>, 'kind'> | undefined,
): Promise<string | undefined> {
  if (exchange === undefined) return session.stopped ?? 'nothing could be sent';
  const { reply } = exchange;
  if (reply.kind === 'trouble') {
    return ['unreachable', 'unanswered'].includes(reply.trouble) ? reply.sentence : undefined;
  }
  if (reply.status !== 401) return undefined;
  // Refused for the list alone would be a fault of the list.
  const other = await session.send(unknownPetCase, 8_000_000_000_000_017n);
  const takesKey =
    other.kind === 'sent' && other.reply.kind === 'response' && other.reply.status !== 401;
  return takesKey
    ? undefined
    : 'the provider refuses the API key with 401; give one that it accepts';
}

/** How long the others may take once the first of some requests side by side was answered. */
const patienceMs = 500;

/** Finds out how many requests the provider answers side by side. */
async function fitConnections(session: Session, latencyMs: number): Promise<void> {
  const { client } = session.options;
  const wanted = client.connections;
  let answered = 0;
  const asked = Array.from({ length: wanted }, async () => {
    await session.send(cheapCase);
    answered += 1;
  });
  const all = Promise.all(asked);
  await Promise.race(asked);
  const inTime = await Promise.race([
    all.then(() => true),
    new Promise<boolean>((resolve) => {
      setTimeout(() => resolve(false), patienceMs).unref();
    }),
  ]);
  if (!inTime) {
    client.limitConnections(Math.max(1, answered));
    await all;
  }
  // A slow provider that takes one request at a time must not run into the time-out.
  const { timeoutMs } = client;
  const bearable = Math.max(1, Math.floor(timeoutMs / 2 / Math.max(1, latencyMs)));
  if (bearable < client.connections) client.limitConnections(bearable);
}

/** Short to send and short to answer; what it shows is judged with the table. */
const cheapCase: Case = {
  ...(cases.find(({ id }) => id === 'listInventory/401/missing') ?? listCase),
  id: 'discovery',
};

/** More entries than lists are usually cut at, all kinds of them first. */
const stateItems: readonly Entry[] = [
  { petId: 2n, quantity: 12n, status: 'available' },
  { petId: 7n, quantity: 0n, status: 'sold' },
  { petId: 11n, quantity: 4n, status: 'pending' },
  { petId: 9_007_199_254_740_993n, quantity: 6n, status: 'available' },
  ...Array.from({ length: 120 }, (_, index): Entry => ({
    petId: BigInt(101 + 3 * index),
    quantity: BigInt((index * 7) % 50),
    status: (['available', 'pending', 'sold'] as const)[index % 3] ?? 'available',
  })),
];

async function setUpItems(session: Session, states: ProviderStates): Promise<string | undefined> {
  const failure = await states.setUp(toItemsState(stateItems));
  if (failure !== undefined) return failure;
  session.expectInventory(stateItems);
  const { changes } = await session.inspect();
  const missing = changes?.filter(({ received }) => received === undefined) ?? [];
  return missing.length === stateItems.length
    ? 'the state-change URL took the state "the inventory has the items", but none of them is listed'
    : undefined;
}
