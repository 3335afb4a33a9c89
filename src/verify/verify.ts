import { cases } from '../../contracts/cases.ts';
import { checks } from './checks.ts';
import { discover } from './discover.ts';
import { HttpClient } from './http-client.ts';
import { choosePets, findOddPets } from './pets.ts';
import { listCase } from './plain-cases.ts';
import { createProviderStates, type ProviderStates } from './provider-state.ts';
import { createRedactor } from './redact.ts';
import {
  toExitCode,
  worstOf,
  type Footprint,
  type LeftOut,
  type Report,
  type Result,
} from './report.ts';
import { ResultBook, toSubject } from './result-book.ts';
import { restoreByState, restoreInventory } from './restore.ts';
import { addPlainResults, runCases } from './run-cases.ts';
import { leaveOrAbandon, type Run } from './run.ts';
import { Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';

export interface VerifyOptions {
  /** The address that ends in `/v1`. */
  readonly baseUrl: string | URL;
  /** A key that the provider accepts: visible ASCII characters. */
  readonly apiKey: string;
  /** Sends nothing but GET, so that nothing can be written. Left out: false. */
  readonly readOnly?: boolean;
  /** The most updates that a provider may apply, those that restore included. Left out: no limit. */
  readonly maximumWrites?: number;
  /** Pets that may be written to. Left out: all that are listed. */
  readonly pets?: readonly bigint[];
  /** Ids of pets that do not exist. Left out: ids that are not listed. */
  readonly unknownPets?: readonly bigint[];
  /** For one exchange, in milliseconds. Left out: 5000. */
  readonly timeoutMs?: number;
  /** For the whole run, in milliseconds; restoring comes on top. Left out: 120,000. */
  readonly deadlineMs?: number;
  /** The most bytes that the body of a list may have. Left out: 256 MiB. */
  readonly maximumBodyBytes?: number;
  /** How many requests may be under way at once. Left out: 8. */
  readonly concurrency?: number;
  /** An int32 that decides the random sequences and made-up ids. Left out: another each time. */
  readonly seed?: number;
  /** How many random sequences. Left out: 20. */
  readonly runs?: number;
  /** Judges these cases and checks only. Left out: all. */
  readonly selects?: (id: string) => boolean;
  /** Turns advice into failures. Left out: false. */
  readonly strict?: boolean;
  /** Where provider states are set (Pact's protocol). */
  readonly stateUrl?: string | URL;
  /** Stops the run; what was changed is restored all the same. */
  readonly signal?: AbortSignal;
  /** Is told of every result as soon as it is there. */
  readonly onResult?: (result: Result) => void;
  readonly onLeftOut?: (leftOut: LeftOut) => void;
}

/** How many cases and checks a run looks at. */
export function countSubjects(selects: (id: string) => boolean = () => true): number {
  return [...cases, ...checks].filter(({ id }) => selects(id)).length;
}

/**
 * Verifies that a provider keeps the contract, over HTTP alone. It works on the pets that are there,
 * takes for granted that nobody else uses them meanwhile, and restores their quantities.
 *
 * @example
 * const report = await verify({ baseUrl: 'http://127.0.0.1:4010/v1', apiKey: 'demo-key' });
 * process.exitCode = report.exitCode;
 */
export async function verify(options: VerifyOptions): Promise<Report> {
  const baseUrl = new URL(options.baseUrl);
  const seed = options.seed ?? Math.trunc(Math.random() * 2 ** 31);
  const startedAt = new Date();
  const start = performance.now();
  const book = new ResultBook(options.onResult ?? (() => {}), options.onLeftOut ?? (() => {}));
  const timeoutMs = options.timeoutMs ?? 5000;
  const client = new HttpClient({
    baseUrl,
    timeoutMs,
    maximumBodyBytes: options.maximumBodyBytes ?? 256 * 2 ** 20,
    concurrency: options.concurrency ?? 8,
  });
  const session = new Session(
    {
      client,
      telling: { baseUrl, redact: createRedactor(options.apiKey) },
      apiKey: options.apiKey,
      deadline: start + (options.deadlineMs ?? 120_000),
      signal: options.signal ?? new AbortController().signal,
      maximumWrites: options.maximumWrites ?? Number.POSITIVE_INFINITY,
      readOnly: options.readOnly ?? false,
    },
    (exchange) => book.observe(exchange),
  );
  const states =
    options.stateUrl === undefined
      ? undefined
      : createProviderStates(new URL(options.stateUrl), timeoutMs);
  try {
    const { reason, footprint } = await runAll(options, seed, session, book, states);
    const verdict = worstOf([
      ...book.results.map((result) => result.verdict),
      reason === undefined && book.results.length > 0 ? 'pass' : 'inconclusive',
    ]);
    const strict = options.strict ?? false;
    return {
      baseUrl: baseUrl.href,
      startedAt: startedAt.toISOString(),
      durationMs: Math.round(performance.now() - start),
      seed,
      requests: session.requests,
      verdict,
      strict,
      isPartial: isPartial(options),
      exitCode: toExitCode(verdict, strict),
      ...(reason === undefined ? {} : { reason }),
      results: book.results,
      leftOut: book.leftOut,
      advice: book.toAdvice(),
      choices: book.toChoices(),
      clauses: book.toClauseResults(),
      footprint,
    };
  } finally {
    client.close();
    states?.close();
  }
}

function isPartial({ selects, readOnly, maximumWrites }: VerifyOptions): boolean {
  return (
    readOnly === true ||
    Number.isFinite(maximumWrites ?? Number.POSITIVE_INFINITY) ||
    countSubjects(selects) < countSubjects()
  );
}

const untouched: Footprint = { writes: 0, restored: 0, notRestored: [] };

/** Discovers, judges, and restores whatever happens in between. */
async function runAll(
  options: VerifyOptions,
  seed: number,
  session: Session,
  book: ResultBook,
  states: ProviderStates | undefined,
): Promise<{ reason?: string; footprint: Footprint }> {
  const selects = options.selects ?? (() => true);
  const discovered = await discover(session, book, states);
  if (discovered.kind === 'inconclusive') {
    if (discovered.findings.length > 0) book.add(toSubject(listCase), discovered.findings);
    return { reason: discovered.reason, footprint: untouched };
  }
  let footprint = untouched;
  let reason: string | undefined;
  try {
    const alsoWritable = await findRestorable(session, options.pets ?? []);
    const pets = choosePets(session.inventory, {
      alsoWritable,
      pets: options.pets ?? [],
      unknownPets: options.unknownPets ?? [],
      seed,
    });
    const run: Run = {
      session,
      pets,
      book,
      states: discovered.states,
      seed,
      runs: options.runs ?? 20,
      namedPets: options.pets ?? [],
      hasNamedPets: [...(options.pets ?? []), ...(options.unknownPets ?? [])].length > 0,
    };
    await runCases(
      run,
      cases.filter(({ id }) => selects(id)),
    );
    await runChecks(run, selects);
    addPlainResults(run, selects);
  } finally {
    // Restoring goes on even where nothing else does.
    reason = session.stopped ?? describeAddress(session);
    footprint = await restore(session, discovered.states, discovered.beforeStates);
  }
  return { ...(reason === undefined ? {} : { reason }), footprint };
}

function describeAddress(session: Session): string | undefined {
  if (!session.isElsewhere) return undefined;
  const { baseUrl, redact } = session.options.telling;
  return `no list with this key was answered with 200 and JSON; is ${redact(baseUrl.href)} the address of the API, up to and with /v1?`;
}

/** Sets odd quantities to what they are: what the provider takes, it takes back as well. */
async function findRestorable(
  session: Session,
  wished: readonly bigint[],
): Promise<readonly bigint[]> {
  const odd = findOddPets(session.inventory, wished);
  const sent = await Promise.all(odd.map(({ petId, quantity }) => session.update(petId, quantity)));
  return odd.flatMap(({ petId }, index) => {
    const one = sent[index];
    return one?.kind === 'sent' && one.answer?.body === 'item' ? [petId] : [];
  });
}

function restore(
  session: Session,
  states: ProviderStates | undefined,
  beforeStates: Snapshot,
): Promise<Footprint> {
  return states === undefined
    ? restoreInventory(session)
    : restoreByState(session, states, beforeStates);
}

async function runChecks(run: Run, selects: (id: string) => boolean): Promise<void> {
  for (const check of checks) {
    if (!selects(check.id)) continue;
    const outcome = await check.run(run);
    if (outcome.kind === 'unsent') leaveOrAbandon(run, check, outcome);
    else run.book.add(check, outcome.findings);
  }
}
