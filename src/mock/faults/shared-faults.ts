import type { OperationId } from '../../../contracts/case.ts';
import {
  SandboxGoneError,
  SettingsChangedError,
  type CounterStep,
} from '../../inventory/sandbox-storage.ts';
import { StoreUnavailableError, type MaybePromise } from '../../inventory/store.ts';
import type { Fault, Interference } from '../mock.ts';
import { toView, type Plan, type PlannedFault } from './fault-plan.ts';
import type { PlannedRule } from './planned-rule.ts';
import { parsePreferences, type Preferences } from './preferences.ts';
import { addEffect, toForcedStrike, toInterference, toRefusal, type Strike } from './strike.ts';

/** Where several processes count together. */
export interface SharedCounters {
  /** The id of the sandbox. */
  readonly sandbox: string;
  /**
   * Adds to counters.
   *
   * @returns their new values; `undefined` where the rules had changed: nothing was counted then, and
   * the plan has been brought up to date
   */
  advance(steps: readonly CounterStep[]): Promise<readonly number[] | undefined>;
  /** The counters that are not 0. */
  read(): Promise<ReadonlyMap<string, number>>;
  /** Is told of errors that no request is answered with. */
  readonly onBug?: ((error: unknown) => void) | undefined;
}

/** How often an operation starts again because the rules were changed meanwhile. */
const mostAttempts = 10;

/**
 * The faults of a plan that several processes have alike: they count together what each of them is
 * asked about, so that the rules do what they would do in one process.
 *
 * What a rule with a counter does waits for the number of its request. What other rules have seen and
 * hit is only shown, and counted behind the request's back.
 */
export class SharedFaults {
  readonly #plan: Plan;
  readonly #counters: SharedCounters;
  /** What is still to be counted, by counter. */
  #pending = new Map<string, number>();
  #counting: Promise<void> | undefined;

  constructor(plan: Plan, counters: SharedCounters) {
    this.#plan = plan;
    this.#counters = counters;
  }

  readonly fault: Fault = (operation, request, segment) => {
    const header = request.header('prefer');
    if (header === undefined) return this.#interfere(operation, segment, {});
    const preferences = parsePreferences(header, operation);
    if (!preferences.ok) return toRefusal(preferences.message);
    return preferences.code === undefined
      ? this.#interfere(operation, segment, preferences)
      : toInterference(toForcedStrike(operation, preferences.code), preferences);
  };

  /** Counts what could wait. @param interference what came of a request that was answered */
  noteAnswer({ counters = [] }: Interference): void {
    for (const counter of counters) this.#countLater(counter, 1);
    if (this.#pending.size > 0) this.#counting ??= this.#count();
  }

  /** Settled when all that could wait is counted; left out where there is nothing. */
  get counting(): Promise<void> | undefined {
    return this.#counting;
  }

  /** The rules that are on, with what all processes have counted. */
  async views(): Promise<readonly PlannedFault[]> {
    if (this.#plan.planned.length === 0) return [];
    await this.#counting;
    const counts = await this.#counters.read();
    return this.#plan.planned.map((planned) => {
      const seen = counts.get(planned.seenCounter) ?? 0;
      const { times = Infinity } = planned.rule;
      const hits = planned.isDelay
        ? planned.hitsAmong(seen)
        : Math.min(counts.get(planned.hitsCounter) ?? 0, times);
      return toView(planned, { seen, hits });
    });
  }

  #interfere(
    operation: OperationId,
    segment: string | undefined,
    preferences: Preferences,
  ): MaybePromise<Interference | undefined> {
    const fitting = this.#plan.fitting(operation, segment);
    if (fitting.length === 0) return toInterference(undefined, preferences);
    return fitting.some(({ isCounting }) => isCounting)
      ? this.#strikeInTurn(operation, fitting).then((strike) => toInterference(strike, preferences))
      : interfereAtOnce(operation, fitting, preferences);
  }

  async #strikeInTurn(
    operation: OperationId,
    fitting: readonly PlannedRule[],
  ): Promise<Strike | undefined> {
    const steps = fitting.map(({ seenCounter }): CounterStep => [seenCounter, 1]);
    const numbers = await this.#counters.advance(steps);
    // Whoever handles the request begins again: the policy may have changed as well.
    if (numbers === undefined) throw new SettingsChangedError(this.#counters.sandbox);
    return this.#strikeAs(operation, fitting, numbers);
  }

  /** @param numbers which of the requests that fit it this is, for each rule */
  async #strikeAs(
    operation: OperationId,
    fitting: readonly PlannedRule[],
    numbers: readonly number[],
  ): Promise<Strike | undefined> {
    const strike: Strike = { delay: 0 };
    // Without a pause: a request that comes later must not be ahead of this one.
    const chosen = fitting.filter((planned, index) => {
      if (!planned.goTo(numbers[index] ?? 0) || planned.isUsedUp) return false;
      if (!planned.isDelay) return true;
      planned.hits += 1;
      addEffect(strike, planned, planned.hit(operation));
      return false;
    });
    for (const planned of chosen) {
      // oxlint-disable-next-line no-await-in-loop -- the next one counts only where this one does not
      if (!(await this.#takeHit(planned))) continue;
      addEffect(strike, planned, planned.hit(operation));
      break;
    }
    return strike.fault === undefined ? undefined : strike;
  }

  /** Counts a hit. @returns `false` where others have taken all that the rule may have */
  async #takeHit(planned: PlannedRule): Promise<boolean> {
    const { times = Infinity } = planned.rule;
    const step: CounterStep = [planned.hitsCounter, 1];
    for (let attempt = 0; attempt < mostAttempts && !planned.isUsedUp; attempt += 1) {
      // oxlint-disable-next-line no-await-in-loop -- again only where the rules were changed
      const [hits] = (await this.#counters.advance([step])) ?? [];
      if (hits !== undefined) {
        planned.hits = Math.max(planned.hits, Math.min(hits, times));
        return hits <= times;
      }
      // It was taken away since it saw the request.
      if (!this.#plan.planned.includes(planned)) return false;
    }
    if (planned.isUsedUp) return false;
    throw new SettingsChangedError(this.#counters.sandbox);
  }

  #countLater(counter: string, by: number): void {
    this.#pending.set(counter, (this.#pending.get(counter) ?? 0) + by);
  }

  async #count(): Promise<void> {
    for (let attempt = 0; attempt < mostAttempts && this.#pending.size > 0; attempt += 1) {
      // What the same request adds goes along. Then one step after another: meanwhile, others gather.
      // oxlint-disable-next-line no-await-in-loop -- as above
      await Promise.resolve();
      const steps = this.#takePending();
      try {
        // oxlint-disable-next-line no-await-in-loop -- as above
        const values = steps.length === 0 ? [] : await this.#counters.advance(steps);
        if (values === undefined) this.#putBack(steps);
        else attempt = 0;
      } catch (error) {
        // Where the storage is away, the next request tries again; a sandbox that is gone has none.
        const isExpected =
          error instanceof StoreUnavailableError || error instanceof SandboxGoneError;
        if (!isExpected) this.#counters.onBug?.(error);
        this.#putBack(steps);
        break;
      }
    }
    // Not behind a pause: what is noted in it would be left to this one, which has ended.
    this.#counting = undefined;
  }

  /** Counters of rules that are no more are left out. */
  #takePending(): readonly CounterStep[] {
    const pending = this.#pending;
    this.#pending = new Map();
    return this.#plan.counters.flatMap((counter): readonly CounterStep[] => {
      const by = pending.get(counter);
      return by === undefined ? [] : [[counter, by]];
    });
  }

  #putBack(steps: readonly CounterStep[]): void {
    for (const [counter, by] of steps) this.#countLater(counter, by);
  }
}

/** Where none of the rules has to know how many requests came before. */
function interfereAtOnce(
  operation: OperationId,
  fitting: readonly PlannedRule[],
  preferences: Preferences,
): Interference {
  const strike: Strike = { delay: 0 };
  const counters: string[] = [];
  for (const planned of fitting) {
    counters.push(planned.seenCounter);
    if (planned.isSpent || (!planned.isDelay && strike.effect !== undefined)) continue;
    if (!planned.isDelay) counters.push(planned.hitsCounter);
    addEffect(strike, planned, planned.hit(operation));
  }
  return {
    ...toInterference(strike.fault === undefined ? undefined : strike, preferences),
    counters,
  };
}
