import { cases } from '../../contracts/cases.ts';
import { assertOptions } from './assert-options.ts';
import { checks } from './checks.ts';
import { discover } from './discover.ts';
import { HttpClient } from './http-client.ts';
import { choosePets, findOddPets } from './pets.ts';
import { listCase } from './plain-cases.ts';
import { createProviderStates, type ProviderStates } from './provider-state.ts';
import { createRedactor } from './redact.ts';
import { toExitCode, worstOf, type Footprint, type Report } from './report.ts';
import { ResultBook, toSubject } from './result-book.ts';
import { restoreByState, restoreInventory } from './restore.ts';
import { addPlainResults, runCases } from './run-cases.ts';
import { leaveOrAbandon, type Run } from './run.ts';
import { Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';
import type { VerifyOptions } from './verify-options.ts';

/** How many cases and checks a run looks at. */
export function countSubjects(selects: (id: string) => boolean = () => true): number {
  return [...cases, ...checks].filter(({ id }) => selects(id)).length;
}

/**
 * Verifies that a provider keeps the contract, over HTTP alone. It works on the pets that are there,
 * takes for granted that nobody else uses them meanwhile, and restores their quantities.
 *
 * `report.exitCode === 0` means that the provider conforms. Do not compare the verdict with `pass`
 * for that: with `advice` the provider conforms as well (unless `strict` is set).
 *
 * @throws {TypeError | RangeError} for options that cannot be used, before anything is sent
 *
 * @example
 * const report = await verify({ baseUrl: 'http://127.0.0.1:4010/v1', apiKey: 'demo-key' });
 * process.exitCode = report.exitCode;
 */
export async function verify(options: VerifyOptions): Promise<Report> {
  assertOptions(options);
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
      : createProviderStates(new URL(options.stateUrl), options.stateToken, timeoutMs);
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
