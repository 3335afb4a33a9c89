import type { Case } from '../../contracts/case.ts';
import { blameChanges } from './blame.ts';
import { toEvidence, toTemplate } from './judge-exchange.ts';
import { listCase, updateCase } from './plain-cases.ts';
import type { Change, Finding } from './report.ts';
import { toSubject } from './result-book.ts';
import { leaveOrAbandon, type Run } from './run.ts';
import { mayWrite, type Sent } from './session.ts';

/** Runs cases of the table: what must be refused side by side, then what may be applied in turn. */
export async function runCases(run: Run, selected: readonly Case[]): Promise<void> {
  const ready: ReadyCase[] = [];
  for (const subject of selected) {
    const petId = run.pets.find(subject.given.pet);
    const obstacle = findObstacle(run, subject, petId);
    if (obstacle === undefined) ready.push({ subject, petId });
    else
      leaveOrAbandon(run, toSubject(subject), { reason: obstacle.reason, wished: obstacle.wished });
  }
  const refusals = ready.filter(({ subject }) => isRefusalOnly(subject));
  for (let start = 0; start < refusals.length; start += batchSize) {
    await runRefusals(run, refusals.slice(start, start + batchSize));
  }
  for (const { subject, petId } of ready.filter((one) => !isRefusalOnly(one.subject))) {
    // What plain lists and updates do wrong is told at the end: every other case needs them.
    if (subject === listCase) continue;
    await runInTurn(run, subject, petId);
  }
}

/** Adds the results of the two cases that everything else is made with. */
export function addPlainResults(run: Run, isSelected: (id: string) => boolean): void {
  for (const subject of [listCase, updateCase]) {
    const findings = run.book.findingsOf(subject.id);
    if (subject === listCase || (findings.length > 0 && !isSelected(subject.id))) {
      run.book.add(toSubject(subject), findings);
    }
  }
}

interface ReadyCase {
  readonly subject: Case;
  readonly petId: bigint | undefined;
}

/** So many refused requests are sent between two looks at the inventory. */
const batchSize = 40;

function isRefusalOnly(subject: Case): boolean {
  return subject.answers.every(({ body }) => body === 'error');
}

function findObstacle(
  run: Run,
  subject: Case,
  petId: bigint | undefined,
): { readonly reason: string; readonly wished: boolean } | undefined {
  const { session, pets } = run;
  const { pet } = subject.given;
  const named = findNamedPet(subject, petId);
  if (
    isRefusalOnly(subject) &&
    named !== petId &&
    named !== undefined &&
    session.inventory.has(named)
  ) {
    return { reason: `pet ${named} is listed`, wished: true };
  }
  if (petId === undefined) {
    if (pet === 'large' || pet === 'beside-large') {
      return { reason: 'no pet is listed whose id a double would round', wished: true };
    }
    return pet === 'existing' ? { reason: describeMissingPet(run), wished: false } : undefined;
  }
  if (pet === 'absent' && session.inventory.has(petId)) {
    return { reason: `pet ${petId} was named as unknown, but it is listed`, wished: false };
  }
  if (pet === 'existing' && pets.writable.length === 0) {
    return { reason: 'there is no pet to update', wished: false };
  }
  return undefined;
}

/** The petId that a provider reads in the path. */
function findNamedPet(subject: Case, petId: bigint | undefined): bigint | undefined {
  // Not told what is listed: that is what the path is to be compared with.
  const { path } = toTemplate({ subject, petId });
  const digits = /^\/inventory\/(0|-?[1-9]\d{0,18})$/.exec(path)?.[1];
  return digits === undefined ? undefined : BigInt(digits);
}

/** Why there is no pet that updates may go to. */
export function describeMissingPet({ session, namedPets }: Run): string {
  if (!session.hasList)
    return 'no pet to update could be found, because the list could not be read';
  const unlisted = namedPets.filter((petId) => !session.inventory.has(petId));
  if (session.inventory.size > 0 && unlisted.length > 0 && unlisted.length === namedPets.length) {
    return unlisted.length === 1
      ? `pet ${unlisted[0]} was named to be written to, but it is not listed`
      : `the pets ${unlisted.join(', ')} were named to be written to, but they are not listed`;
  }
  return session.inventory.size === 0
    ? 'the inventory is empty, so there is no pet to update; add one, or give a state-change URL'
    : 'none of the listed pets may be updated: their quantities lie outside 0 to 2147483647, or they were not named';
}

/** Requests that must change nothing may overtake each other. */
async function runRefusals(run: Run, batch: readonly ReadyCase[]): Promise<void> {
  await setQuantityOf(run, batch);
  const sent = await Promise.all(
    batch.map(({ subject, petId }) => run.session.send(subject, petId)),
  );
  const { changes } = await run.session.inspect();
  const blamed =
    changes === undefined || changes.length === 0
      ? new Map<Case, readonly Finding[]>()
      : await findCulprits(run, batch, changes);

  batch.forEach(({ subject }, index) => {
    const outcome = sent[index];
    if (outcome === undefined) return;
    if (outcome.kind === 'unsent') leaveOrAbandon(run, toSubject(subject), outcome);
    else run.book.add(toSubject(subject), [...outcome.findings, ...(blamed.get(subject) ?? [])]);
  });

  if (changes !== undefined && changes.length > 0 && blamed.size === 0) {
    run.book.add(
      togetherSubject,
      blameChanges(changes, {
        named: [],
        clause: '1/updates-one-pet',
        deed: `${batch.length} requests that must be refused were sent side by side (one at a time they change nothing)`,
      }),
    );
  }
}

const togetherSubject = {
  id: 'check/refused-side-by-side',
  title: 'changes nothing when requests are refused side by side',
  operation: 'updateInventory',
  status: 400,
  clauses: ['7/400-invalid-body', '1/updates-one-pet'],
} as const;

/** The bodies of the refused requests hold other quantities than this one. */
const quietQuantity = 3n;

async function setQuantityOf(run: Run, batch: readonly ReadyCase[]): Promise<void> {
  const petIds = new Set(
    batch
      .filter(({ subject }) => ['existing', 'large'].includes(subject.given.pet))
      .map(({ petId }) => petId),
  );
  for (const petId of petIds) {
    if (petId === undefined) continue;
    if (run.session.inventory.get(petId)?.quantity === quietQuantity) continue;
    const sent = await run.session.update(petId, quietQuantity);
    if (sent.kind === 'unsent') return;
    // What is wrong already must not be blamed on the requests that follow.
    for (const finding of await lookAround(run, updateCase, sent, describeDeed(sent))) {
      run.book.note(updateCase.id, finding);
    }
  }
}

/** Sends the requests of a batch again, one at a time, with a look at the inventory after each. */
async function findCulprits(
  run: Run,
  batch: readonly ReadyCase[],
  changes: readonly Change[],
): Promise<Map<Case, readonly Finding[]>> {
  const culprits = new Map<Case, readonly Finding[]>();
  await putBack(run, changes);
  for (const { subject, petId } of batch) {
    if (subject.request.method === 'GET') continue;
    await setQuantityOf(run, [{ subject, petId }]);
    // A pet that was absent may be there now: that would be the change to find.
    const again = subject.given.pet === 'absent' ? run.pets.absent() : petId;
    const sent = await run.session.send(subject, again);
    if (sent.kind === 'unsent') break;
    const findings = await lookAround(run, subject, sent, 'the request must be refused');
    if (findings.length === 0) continue;
    culprits.set(subject, findings);
    await putBack(
      run,
      findings.flatMap((finding) => finding.changes ?? []),
    );
  }
  return culprits;
}

/** What was changed once must be seen when it is changed to the same again. */
async function putBack({ session, pets }: Run, changes: readonly Change[]): Promise<void> {
  for (const { petId, expected, received } of changes) {
    if (expected === undefined || received === undefined) continue;
    if (pets.writable.includes(petId)) await session.update(petId, expected.quantity);
  }
  await session.inspect();
}

async function lookAround(
  run: Run,
  subject: Case,
  sent: Extract<Sent, { kind: 'sent' }>,
  deed: string,
): Promise<readonly Finding[]> {
  const { changes } = await run.session.inspect();
  return blameChanges(changes ?? [], {
    named: [sent.petId],
    clause: mayWrite(subject) ? '4.1/current-levels' : subject.clauses[0],
    deed,
    evidence: toEvidence(sent, run.session.options.telling),
  });
}

async function runInTurn(run: Run, subject: Case, petId: bigint | undefined): Promise<void> {
  const before = findQuantityBefore(run, subject, petId);
  if (petId !== undefined && before !== undefined) {
    const prepared = await run.session.update(petId, before);
    if (prepared.kind === 'unsent') return leaveOrAbandon(run, toSubject(subject), prepared);
  }
  const findings: Finding[] = [];
  for (let time = 0; time < (subject.times ?? 1); time += 1) {
    const sent = await run.session.send(subject, petId);
    if (sent.kind === 'unsent') return leaveOrAbandon(run, toSubject(subject), sent);
    findings.push(...sent.findings);
    if (time + 1 < (subject.times ?? 1) || subject.request.method === 'GET') continue;
    findings.push(...(await lookAround(run, subject, sent, describeDeed(sent))));
  }
  const background = subject === updateCase ? run.book.findingsOf(subject.id) : [];
  run.book.add(toSubject(subject), [...findings, ...background]);
}

function describeDeed({ answer, reply }: Extract<Sent, { kind: 'sent' }>): string {
  if (answer?.body === 'item') return `quantity ${answer.quantity} was set with status 200`;
  return reply.kind === 'response'
    ? `the request was answered with ${reply.status}`
    : 'the request was not answered properly';
}

/** The quantity to set first: the one that is asked for, or another than will be sent. */
function findQuantityBefore(
  { session }: Run,
  { given, answers }: Case,
  petId: bigint | undefined,
): bigint | undefined {
  if (petId === undefined) return undefined;
  const now = session.inventory.get(petId)?.quantity;
  if (given.quantity !== undefined) return now === given.quantity ? undefined : given.quantity;
  const applied = answers.find(({ body }) => body === 'item');
  if (applied?.body !== 'item' || applied.quantity !== now) return undefined;
  return now === quietQuantity ? quietQuantity + 1n : quietQuantity;
}
