import type { Case } from '../../contracts/case.ts';
import { cases } from '../../contracts/cases.ts';
import { hasItems, type StateItem } from '../../contracts/provider-states.ts';
import { listCase, unknownPetCase } from './plain-cases.ts';
import { blameChanges } from './blame.ts';
import type { ProviderStates } from './provider-state.ts';
import type { Finding } from './report.ts';
import type { JudgedExchange } from './judge-exchange.ts';
import type { ResultBook, Subject } from './result-book.ts';
import type { Session } from './session.ts';
import { compareSnapshots, type Snapshot } from './snapshot.ts';

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
  const obstacle = await findObstacle(session, book, exchange);
  if (obstacle !== undefined) return obstacle;
  await fitConnections(session, book, performance.now() - began);

  const beforeStates = new Map(session.inventory);
  if (states !== undefined && session.hasList) {
    const reason = await setUpItems(session, book, states);
    if (reason !== undefined) {
      return { kind: 'inconclusive', reason, findings: book.findingsOf(listCase.id) };
    }
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

const inconclusive = (reason: string, findings: readonly Finding[] = []): Discovery => ({
  kind: 'inconclusive',
  reason,
  findings,
});

/** Where the first list is no answer at all, or refuses the key. */
async function findObstacle(
  session: Session,
  book: ResultBook,
  exchange: JudgedExchange | undefined,
): Promise<Discovery | undefined> {
  if (exchange === undefined) return inconclusive(session.stopped ?? 'nothing could be sent');
  const { reply } = exchange;
  if (reply.kind === 'trouble') {
    if (reply.trouble === 'unreachable') return inconclusive(reply.sentence);
    if (reply.trouble !== 'unanswered') return undefined;
    // A provider that answers others lets this list wait; one that answers nobody may be away.
    const other = await session.send(cheapCase);
    return other.kind === 'sent' && other.reply.kind === 'response'
      ? inconclusive(reply.sentence, book.findingsOf(listCase.id))
      : inconclusive(reply.sentence);
  }
  if (reply.status !== 401) return undefined;
  if (await takesKeyForUpdates(session)) return undefined;
  const refused = 'the provider refuses the API key with 401; give one that it accepts';
  return inconclusive(refused, await findOtherWays(session));
}

/** Whether the key is refused for the list alone, which would be a fault of the list. */
async function takesKeyForUpdates(session: Session): Promise<boolean> {
  const sent = await session.send(unknownPetCase, 8_000_000_000_000_017n);
  return sent.kind === 'sent' && sent.reply.kind === 'response' && sent.reply.status !== 401;
}

/** A key that is taken in any other way but the documented one is a good key, and the way is wrong. */
async function findOtherWays(session: Session): Promise<readonly Finding[]> {
  const sent = await Promise.all(
    cases
      .filter(
        ({ operation, answers }) => operation === 'listInventory' && answers[0].status === 401,
      )
      .map((subject) => session.send(subject)),
  );
  return sent.flatMap((one) =>
    one.kind === 'sent' && one.reply.kind === 'response' && one.reply.status === 200
      ? one.findings.map((finding): Finding => ({
          ...finding,
          clause: '5/authorization-header',
          message: `the key is refused as the specification says to send it, but the same list is answered with 200 to a request that must be refused (${one.subject.title})`,
        }))
      : [],
  );
}

/** How long the others may take once the first of some requests side by side was answered. */
const patienceMs = 500;

/** Finds out how many requests the provider answers side by side. */
async function fitConnections(
  session: Session,
  book: ResultBook,
  latencyMs: number,
): Promise<void> {
  const { client } = session.options;
  const wanted = client.connections;
  let answered = 0;
  const asked = Array.from({ length: wanted }, async () => {
    const sent = await session.send(cheapCase);
    answered += 1;
    return sent;
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
  }
  const lost = (await all).flatMap((sent) =>
    sent.kind === 'sent' && sent.reply.kind === 'trouble' ? sent.findings : [],
  );
  if (lost.length > 0) book.add(sideBySideSubject, lost);
  // A slow provider that takes one request at a time must not run into the time-out.
  const { timeoutMs } = client;
  const bearable = Math.max(1, Math.floor(timeoutMs / 2 / Math.max(1, latencyMs)));
  if (bearable < client.connections) client.limitConnections(bearable);
}

const sideBySideSubject: Subject = {
  id: 'check/answers-side-by-side',
  title: 'answers requests that arrive at once',
  operation: 'listInventory',
  status: 401,
  clauses: ['7/401-unauthorized', '5/missing-key'],
};

/** Short to send and short to answer; what it shows is judged with the table. */
const cheapCase: Case = {
  ...(cases.find(({ id }) => id === 'listInventory/401/missing') ?? listCase),
  id: 'check/answers-side-by-side',
};

/** More entries than lists are usually cut at, all kinds of them first. */
const stateItems: readonly StateItem[] = [
  { petId: 2n, quantity: 12n, status: 'available' },
  { petId: 7n, quantity: 0n, status: 'sold' },
  { petId: 11n, quantity: 4n, status: 'pending' },
  { petId: 9_007_199_254_740_993n, quantity: 6n, status: 'available' },
  ...Array.from({ length: 120 }, (_, index): StateItem => ({
    petId: BigInt(101 + 3 * index),
    quantity: BigInt((index * 7) % 50),
    status: (['available', 'pending', 'sold'] as const)[index % 3] ?? 'available',
  })),
];

async function setUpItems(
  session: Session,
  book: ResultBook,
  states: ProviderStates,
): Promise<string | undefined> {
  const before = session.inventory;
  const failure = await states.setUp(hasItems(...stateItems));
  if (failure !== undefined) return failure;
  session.expectInventory(stateItems);
  const { changes } = await session.inspect();
  // There may be other pets, but those of the state must be there, as it says.
  const wrong = (changes ?? []).filter(({ expected }) => expected !== undefined);
  if (wrong.length === 0) return undefined;
  if (compareSnapshots(before, session.inventory, new Set()).length === 0) {
    return 'the state-change URL took the state "the inventory has the items", but the list is as it was before';
  }
  const blamed = blameChanges(wrong, {
    named: stateItems.map(({ petId }) => petId),
    clause: '4.1/current-levels',
    deed: `the inventory was set to have ${stateItems.length} pets`,
  });
  for (const finding of blamed) book.note(listCase.id, finding);
  return undefined;
}
