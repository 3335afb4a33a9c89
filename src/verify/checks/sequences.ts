import {
  array,
  asyncProperty,
  check,
  constantFrom,
  nat,
  oneof,
  record,
  constant,
} from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { Case } from '../../../contracts/case.ts';
import { cases } from '../../../contracts/cases.ts';
import { blameChanges } from '../blame.ts';
import type { Check } from '../check.ts';
import { toCurl } from '../curl.ts';
import { toEvidence, toTemplate } from '../judge-exchange.ts';
import { listCase, toAnyUpdateCase } from '../plain-cases.ts';
import type { Finding } from '../report.ts';
import type { Run } from '../run.ts';
import { describeMissingPet } from '../run-cases.ts';
import type { Unsent } from '../session.ts';

/** The pets of all sequences. */
interface Use {
  readonly petIds: readonly bigint[];
  /** `undefined`: there is none to send to. */
  readonly absent: bigint | undefined;
}

/** One request of a sequence. A pet is a number in the list of those that are used. */
type Step =
  | { readonly kind: 'list' }
  | { readonly kind: 'update'; readonly pet: number; readonly quantity: bigint }
  | { readonly kind: 'refused'; readonly pet: number; readonly subject: Case };

const petLimit = 5;
const stepLimit = 30;
const timeLimitMs = 5000;
/** How much longer a failing sequence may be shortened. */
const shrinkLimitMs = 3000;

/**
 * Random sequences of lists, updates and refused requests over several pets. What the inventory must
 * be is kept beside it, and every list is compared with that.
 */
export const sequences: Check = {
  id: 'check/sequences',
  title: 'keeps its inventory through random sequences of requests',
  operation: 'updateInventory',
  status: 200,
  clauses: [
    '1/updates-one-pet',
    '1/lists-every-pet',
    '4.1/current-levels',
    '4.2/answers-the-updated-entry',
  ],
  async run(run) {
    const { session, pets, seed, runs } = run;
    // By id, so that a seed means the same whatever order the provider lists in.
    const petIds = pets.writable.slice(0, petLimit).toSorted((a, b) => (a < b ? -1 : 1));
    if (petIds.length === 0) {
      const reason = describeMissingPet(run);
      return { kind: 'unsent', reason, wished: false };
    }
    const use: Use = { petIds, absent: pets.absent() };
    let shortest: Failure | undefined;
    let unsent: Unsent | undefined;
    let end = performance.now() + timeLimitMs;
    const property = asyncProperty(
      sequenceOf(petIds.length, findSoundRefusals(run, use)),
      async (steps) => {
        if (performance.now() > end || unsent !== undefined) return;
        const outcome = await perform(run, use, steps);
        if (outcome?.kind === 'unsent') unsent = outcome;
        if (outcome?.kind !== 'failure') return;
        if (shortest === undefined) end = performance.now() + shrinkLimitMs;
        shortest = outcome;
        // What was wrong may go on being so: begin anew from what is there.
        await session.inspect(silentList);
        throw new Error('the sequence breaks the contract');
      },
    );
    await check(property, { seed, numRuns: runs });
    if (shortest !== undefined) {
      return { kind: 'judged', findings: toFindings(run, use, shortest) };
    }
    return unsent ?? { kind: 'judged', findings: [] };
  },
};

/** The steps up to and with the one that failed. */
interface Failure {
  readonly kind: 'failure';
  readonly steps: readonly Step[];
  readonly findings: readonly Finding[];
}

/** Not the plain list: what is found here is told here. */
const silentList: Case = { ...listCase, id: 'check/sequences/list' };

async function perform(
  run: Run,
  use: Use,
  steps: readonly Step[],
): Promise<Failure | Unsent | undefined> {
  // Every sequence ends with a look at the inventory.
  const all: readonly Step[] = [...steps, { kind: 'list' }];
  for (const [index, step] of all.entries()) {
    const findings = await performStep(run, use, step);
    if (!Array.isArray(findings)) return findings as Unsent;
    if (findings.length > 0) return { kind: 'failure', steps: all.slice(0, index + 1), findings };
  }
  return undefined;
}

async function performStep(
  { session }: Run,
  use: Use,
  step: Step,
): Promise<readonly Finding[] | Unsent> {
  if (step.kind === 'list') {
    const { changes, exchange } = await session.inspect(silentList);
    if (exchange === undefined) {
      return { kind: 'unsent', reason: session.stopped ?? 'the list was not sent', wished: false };
    }
    return [
      ...exchange.findings,
      ...blameChanges(changes ?? [], {
        named: use.petIds,
        clause: '4.1/current-levels',
        deed: 'the requests of a sequence were answered as they must be',
        evidence: toEvidence(exchange, session.options.telling),
      }),
    ];
  }
  const { subject, petId } = toRequest(step, use);
  const sent = await session.send(subject, petId);
  return sent.kind === 'unsent' ? sent : sent.findings;
}

function toRequest(
  step: Exclude<Step, { kind: 'list' }>,
  use: Use,
): { readonly subject: Case; readonly petId: bigint | undefined } {
  const subject = step.kind === 'update' ? toAnyUpdateCase(step.quantity) : step.subject;
  const petId =
    subject.given.pet === 'absent' ? use.absent : use.petIds[step.pet % use.petIds.length];
  return { subject: { ...subject, id: `check/sequences/${step.kind}` }, petId };
}

function toFindings({ session }: Run, use: Use, { steps, findings }: Failure): readonly Finding[] {
  const { telling } = session.options;
  const lines = steps.map((step) => {
    const request =
      step.kind === 'list' ? { subject: listCase, petId: undefined } : toRequest(step, use);
    return toCurl(telling.baseUrl, toTemplate(request));
  });
  return findings.map((finding) => ({
    ...finding,
    message: `request ${steps.length} of a sequence of ${steps.length}: ${finding.message}`,
    steps: lines,
  }));
}

/** Requests that must be refused whatever went before. */
const refusals: readonly Case[] = [
  'updateInventory/400/truncated-object',
  'updateInventory/400/quantity-string',
  'updateInventory/400/empty-object',
  'updateInventory/401/missing',
  'updateInventory/401/wrong-key',
  'updateInventory/404/unknown-pet',
  'listInventory/401/missing',
].flatMap((id) => cases.filter((subject) => subject.id === id));

/** What was found to be answered wrongly by itself would hide what only a sequence shows. */
function findSoundRefusals({ book }: Run, { absent }: Use): readonly Case[] {
  const wrong = new Set(
    book.results.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id),
  );
  return refusals.filter(
    ({ id, given }) => !wrong.has(id) && (given.pet !== 'absent' || absent !== undefined),
  );
}

function sequenceOf(pets: number, sound: readonly Case[]): Arbitrary<Step[]> {
  const pet = nat({ max: pets - 1 });
  const step = oneof(
    { weight: 5, arbitrary: record({ kind: constant('update'), pet, quantity: quantities() }) },
    { weight: 3, arbitrary: constant<Step>({ kind: 'list' }) },
    ...(sound.length === 0
      ? []
      : [
          {
            weight: 2,
            arbitrary: record({ kind: constant('refused'), pet, subject: constantFrom(...sound) }),
          },
        ]),
  );
  return array<Step>(step, { minLength: 1, maxLength: stepLimit, size: 'max' });
}

/** Around the edges where quantities are capped, wrapped or rounded. */
const edges = [
  0n,
  1n,
  9n,
  10n,
  99n,
  100n,
  127n,
  128n,
  255n,
  256n,
  999n,
  1000n,
  9999n,
  10_000n,
  32_767n,
  32_768n,
  65_535n,
  65_536n,
  99_999n,
  1_000_000n,
  16_777_217n,
  2_147_483_646n,
  2_147_483_647n,
] as const;

const beyond = [
  -1n,
  -1000n,
  2n ** 31n,
  2n ** 32n,
  2n ** 32n + 1n,
  2n ** 53n + 1n,
  2n ** 63n - 1n,
  2n ** 63n,
  -(2n ** 31n) - 1n,
] as const;

function quantities(): Arbitrary<bigint> {
  return oneof(
    { weight: 4, arbitrary: nat({ max: 50 }).map(BigInt) },
    { weight: 2, arbitrary: nat({ max: 2_147_483_647 }).map(BigInt) },
    { weight: 3, arbitrary: constantFrom(...edges) },
    { weight: 1, arbitrary: constantFrom(...beyond) },
  );
}
